#!/bin/sh
# A token of 300,000 bytes.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
zeros=$scratch/zeros
repeat 300000 0 >"$zeros"
# With one key the output is V.
{
    printf '1 1 1 4 1\n1 2 3 4 5 6 7 8\n'
    printf '0.333'
    cat "$zeros"
    printf '\n-'
    cat "$zeros"
    printf '12.5 1'
    cat "$zeros"
    printf 'e-300000 2.5e-'
    cat "$zeros"
    echo 1
} | "$@" >"$stdout" 2>"$stderr"
echo '[0.3330 -12.5000 1.0000 0.2500]' >"$scratch/expected"
ended 'numbers' 0 '' "$scratch/expected"
{
    printf '1 1 1\n3 0.'
    cat "$zeros"
    printf '\n1'
    cat "$zeros"
} | "$@" >"$stdout" 2>"$stderr"
ended 'a number too large' 1 \
    'mha: <stdin>:3:1: "10000000000000000000000000000000..." is past the largest double' /dev/null
{
    printf '1 1 1\n3 0.'
    cat "$zeros"
    printf ' x'
    cat "$zeros"
} | "$@" >"$stdout" 2>"$stderr"
ended 'a word' 1 \
    'mha: <stdin>:2:300006: expected a number, found "x0000000000000000000000000000000..."' /dev/null
{
    cat "$zeros"
    printf '1 1 1 3 4 5'
} | "$@" >"$stdout" 2>"$stderr"
echo '[5.0000]' >"$scratch/expected"
ended 'a number of the header' 0 '' "$scratch/expected"
{
    repeat 300000 ' '
    printf '1 1'
    repeat 300000 ' '
    printf '1 3 4 5'
    repeat 300000 ' '
} | "$@" >"$stdout" 2>"$stderr"
ended 'blanks in the header' 0 '' "$scratch/expected"
