#!/bin/sh
# There is not the memory to hold Q, K and V: 24 MB.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
starts_within 20000 "$@"
{
    echo '1000 1000 1'
    repeat 300000 '1 2 3 4 5 6 7 8 9 0 '
} >"$scratch/in"
within 20000 "$@" <"$scratch/in" >"$stdout" 2>"$stderr"
ended '24 MB of numbers' 1 'mha: memory: Cannot allocate memory' /dev/null
