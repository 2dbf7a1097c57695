#!/bin/sh
# A head is so wide that a thread's memory for any tile would be too much: the textbook's loops do it.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
{
    echo '1 10 11 50000 1'
    yes 0 2>/dev/null | head -n 500000 # of the queries: every key has the same weight
    yes 1 2>/dev/null | head -n 550000
    awk 'BEGIN { for (j = 0; j < 11; ++j) for (c = 0; c < 50000; ++c) print j + c % 2 }'
} >"$scratch/in"
{
    printf '['
    yes '5.0000 6.0000' 2>/dev/null | head -n 25000 | tr '\n' ' ' | sed 's/ $/]/'
    echo
} >"$scratch/row"
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$scratch/row"; done >"$scratch/expected"
"$@" <"$scratch/in" >"$stdout" 2>"$stderr"
ended 'a wide head' 0 '' "$scratch/expected"
