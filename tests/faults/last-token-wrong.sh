#!/bin/sh
# The last of a million tokens is wrong: no part of an answer may come before it is found.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
{
    echo '1000 330 1'
    yes '1 2 3 4 5 6 7 8 9 0' | head -n 99000 | sed '$ s/0$/zero/'
} >"$scratch/in"
for option in '' --weights --causal; do
    "$@" $option <"$scratch/in" >"$stdout" 2>"$stderr"
    ended "option '$option'" 1 'mha: <stdin>:99001:19: expected a number, found "zero"' /dev/null
done
