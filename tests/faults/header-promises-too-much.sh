#!/bin/sh
# The header promises 10^12 rows, of which a few come.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
starts_within 60000 "$@"
printf '1000000000000 1 1\n5 5' >"$scratch/in"
within 60000 "$@" <"$scratch/in" >"$stdout" 2>"$stderr"
ended 'in 60 MB' 1 \
    'mha: <stdin>:2:4: input ends inside Q: row 3 of 1000000000000 has 0 of 1 numbers' /dev/null
