#!/bin/sh
# A token, a run of blanks or the header's line goes on and on: that takes no memory. The program has 18 MB.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
starts_within 18000 "$@"
trap '' PIPE # of what writes, where the program is gone

# many BYTE: 20,000,000 of them
many() {
    dd if=/dev/zero bs=1000000 count=20 2>/dev/null | tr '\0' "$1"
}

# A token of 1 MiB is one.
{
    printf '1 1 1\n1 2 0.'
    repeat 1048573 0
    echo 3
} | within 18000 "$@" >"$stdout" 2>"$stderr"
echo '[0.0000]' >"$scratch/expected"
ended 'a token of 1 MiB' 0 '' "$scratch/expected"
# One byte more is too much, also where the token's end has come with it.
for header in '1 1 1\n1 2 ' ''; do
    place=1:1
    [ -z "$header" ] || place=2:5
    {
        # shellcheck disable=SC2059 # has a newline
        printf "$header"
        repeat 1048577 7
        echo ' 3'
    } >"$scratch/in"
    within 18000 "$@" <"$scratch/in" >"$stdout" 2>"$stderr"
    ended 'a token of 1 MiB and a byte' 1 \
        "mha: <stdin>:$place: a token over 1 MiB: \"77777777777777777777777777777777...\"" /dev/null
done
{
    printf '1 1 1\n1 2 '
    many 7 2>/dev/null
} | within 18000 "$@" >"$stdout" 2>"$stderr"
ended 'a token' 1 'mha: <stdin>:2:5: a token over 1 MiB: "77777777777777777777777777777777..."' /dev/null
many '\0' 2>/dev/null | within 18000 "$@" >"$stdout" 2>"$stderr"
ended 'NUL bytes' 1 \
    "mha: <stdin>:1:1: a token over 1 MiB: \"$(repeat 32 '\\x00')...\"" /dev/null
{
    printf '1 1 '
    many ' '
    printf '1\n1 2 '
    many '\n'
    echo 3
} | within 18000 "$@" >"$stdout" 2>"$stderr"
echo '[3.0000]' >"$scratch/expected"
ended 'blanks in the header and newlines in the data' 0 '' "$scratch/expected"
many '[' | within 18000 "$@" >"$stdout" 2>"$stderr"
ended 'brackets alone' 1 'mha: <stdin>:1:20000001: the header has 0 of 3 numbers: n d h' /dev/null
