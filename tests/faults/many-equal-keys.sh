#!/bin/sh
# Very many keys, nearly all alike, and equal values: sums so long must not lose digits. The accuracy promised is 1e-12
# (1 + the largest score) of the value: 1.5 for one query that likes another key less, and 1.1e-4 for one of zeros.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

# answered VALUE ERROR: the command before ended well, and its answer in $stdout is VALUE, up to ERROR
answered() {
    ended "$1" 0 ''
    tr -d '[]' <"$stdout" | awk -v value="$1" -v bound="$2" '
        { error = $1 - value; exit !(NR == 1 && error < bound && error > -bound) }' ||
        wrong "expected $1, up to $2" "$stdout"
}

{
    printf '1 1 100000 1 1\n0.5 1 '
    repeat 99999 '-1 '
    repeat 100000 '1e12 '
} | "$@" >"$stdout" 2>"$stderr"
answered 1e12 1.5

{
    printf '1 1 100000 1 1\n0 '
    repeat 100000 '0 '
    repeat 100000 '110000000.1 '
} | "$@" >"$stdout" 2>"$stderr"
answered 110000000.1 1.1e-4
