#!/bin/sh
# Heads are so wide that a thread's memory for tiles would be too much: the textbook's loops do it.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
awk 'BEGIN {
    print "1 10 11 40000 1"
    for (i = 0; i < 10; ++i) for (c = 0; c < 40000; ++c) print 0 # every key has the same weight
    for (j = 0; j < 11; ++j) for (c = 0; c < 40000; ++c) print 1
    for (j = 0; j < 11; ++j) for (c = 0; c < 40000; ++c) print j + c % 3
}' >"$scratch/in"
awk 'BEGIN {
    for (i = 0; i < 10; ++i) for (c = 0; c < 40000; ++c)
        printf "%s%d.0000%s", c == 0 ? "[" : " ", 5 + c % 3, c == 39999 ? "]\n" : ""
}' >"$scratch/expected"
"$@" <"$scratch/in" >"$stdout" 2>"$stderr"
ended 'wide heads' 0 '' "$scratch/expected"
