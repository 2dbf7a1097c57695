#!/bin/sh
# The input comes byte by byte, or in pieces with pauses between.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
dd bs=1 <"$sample" 2>/dev/null | "$@" >"$stdout" 2>"$stderr"
ended 'byte by byte' 0 '' "$sample_answer"
{
    printf '1 1 '
    pause
    printf '1\n1 2 1'
    pause
    printf '2.5'
    pause
    printf 'e1'
} | "$@" >"$stdout" 2>"$stderr"
echo '[125.0000]' >"$scratch/expected"
ended 'in pieces' 0 '' "$scratch/expected"
