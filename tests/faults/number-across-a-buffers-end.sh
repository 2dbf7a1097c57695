#!/bin/sh
# An input of several read buffers, moved on byte by byte: each place of a number comes to lie on each buffer's end.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
# With one key the output is V.
awk 'BEGIN {
    print "1 1 1 8000 1"
    for (i = 0; i < 16000; ++i) print i % 10
    for (i = 0; i < 8000; ++i) {
        number = (i % 2 ? "-" : "") i "." sprintf("%04d", i * i % 10000)
        print number "000e+0"
        row = row " " number
    }
    print "[" substr(row, 2) "]" >ARGV[1]
}' "$scratch/expected" >"$scratch/text"
blanks=
while [ ${#blanks} -le 40 ]; do
    { printf '%s' "$blanks"; cat "$scratch/text"; } >"$scratch/in"
    "$@" <"$scratch/in" >"$stdout" 2>"$stderr"
    ended "${#blanks} blanks before" 0 '' "$scratch/expected"
    blanks="$blanks "
done
