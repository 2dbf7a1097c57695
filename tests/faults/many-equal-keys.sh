#!/bin/sh
# Very many keys, nearly all alike, and equal values: sums so long must not lose digits. The accuracy promised is 1e-12
# (1 + the largest score) of the value: 1.5 for 200,000 keys, and 1.1e-4 for ten million.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

# answers COMMAND...: its answer to $scratch/input is $value, up to $bound
answers() {
    "$@" "$scratch/input" >"$stdout" 2>"$stderr" || wrong 'refused' "$stderr"
    tr -d '[]' <"$stdout" | awk -v value="$value" -v bound="$bound" '
        { error = $1 - value; exit !(NR == 1 && error < bound && error > -bound) }' ||
        wrong "expected $value, up to $bound" "$stdout"
}

{
    printf '1 1 200000 1 1\n0.5 1 '
    repeat 199999 '-1 '
    repeat 200000 '1e12 '
} >"$scratch/input"
value=1e12 bound=1.5
answers "$@"

{
    printf '1 1 10000000 1 1\n0\n'
    yes 0 | head -n 10000000
    yes 110000000.1 | head -n 10000000
} >"$scratch/input"
value=110000000.1 bound=1.1e-4
answers "$@"
