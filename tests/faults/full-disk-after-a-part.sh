#!/bin/sh
# The output's file may not grow beyond a size that is less than the output.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
{
    echo '300 96 3'
    numbers $((3 * 300 * 96))
} >"$scratch/in"
trap '' XFSZ # the signal would end the program before it could tell
(
    ulimit -f 16 || exit
    exec "$@" <"$scratch/in" >"$stdout" 2>"$stderr"
)
ended 'large output' 1 'mha: <stdout>: File too large'
