#!/bin/sh
# 200,000 keys, nearly all alike, and equal values: sums so long must not lose digits. The answer is 1e12; the accuracy
# promised is 1e-12 (1 + the largest score) of it, 1.5.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
{
    printf '1 1 200000 1 1\n0.5 1 '
    repeat 199999 '-1 '
    repeat 200000 '1e12 '
} >"$scratch/input"
"$@" "$scratch/input" >"$stdout" 2>"$stderr" || wrong 'refused' "$stderr"
tr -d '[]' <"$stdout" | awk '{ error = $1 - 1e12; exit !(NR == 1 && error < 1.5 && error > -1.5) }' ||
    wrong 'expected 1e12, up to 1.5' "$stdout"
