#!/bin/sh
# The input comes in pieces that end anywhere, or is too large for a file among the cases.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

# ends WHAT: the input of what has been started; the answer is $expected
ends() {
    exec 3>&-
    wait $!
    ended "$1" 0 '' "$expected"
}

in_two_pieces() {
    printf '\357\273\2771 1 1 4 1\r\n1e0,+2.5 -3. .4\n[1e-2 +2 3 4]\n-12.5e+1 .5E-1\r\n[007.25, 1e-400]' >"$in"
    echo '[-125.0000 0.0500 7.2500 0.0000]' >"$expected" # with one key the output is V
    for first in $(seq 0 "$(wc -c <"$in")"); do
        starts "$@"
        head -c "$first" "$in" >&3
        rests $!
        tail -c "+$((first + 1))" "$in" >&3
        ends "$first bytes, then the rest"
    done
}

# The program is stopped and continued while it waits for the next byte.
in_bytes() {
    printf '1 1 1\n1 2 12.5e1' >"$in"
    echo '[125.0000]' >"$expected"
    starts "$@"
    exec 4<"$in"
    for _ in $(seq "$(wc -c <"$in")"); do
        dd bs=1 count=1 <&4 >&3 2>/dev/null
        rests $!
        kill -STOP $!
        rests $!
        kill -CONT $!
    done
    ends 'byte by byte'
}

# Several read buffers, moved on byte by byte: each place of a number comes to lie on each buffer's end.
in_buffers() {
    # With one key the output is V.
    awk 'BEGIN {
        print "1 1 1 8000 1"
        for (i = 0; i < 16000; ++i) print i % 10
        for (i = 0; i < 8000; ++i) {
            number = (i % 2 ? "-" : "") i "." sprintf("%04d", i * i % 10000)
            print number "000e+0"
            row = row " " number
        }
        print "[" substr(row, 2) "]" >ARGV[1]
    }' "$expected" >"$scratch/text"
    for blanks in $(seq 20); do # a number has 17 bytes at most
        { printf "%${blanks}s" '' && cat "$scratch/text"; } >"$in"
        answers "$expected" "$@" --threads 2 <"$in"
    done
}

# A thread's memory for any tile of the head would be too much: the textbook's loops do it.
wide_head() {
    {
        echo '1 10 11 20000 1'
        yes 0 2>/dev/null | head -n 200000 # of the queries: every key has the same weight
        yes 1 2>/dev/null | head -n 220000
        awk 'BEGIN { for (j = 0; j < 11; ++j) for (c = 0; c < 20000; ++c) print j + c % 2 }'
    } >"$in"
    row=$(repeat 10000 ' 5.0000 6.0000')
    for _ in 1 2 3 4 5 6 7 8 9 10; do echo "[${row# }]"; done >"$expected"
    answers "$expected" "$@" --threads 2 <"$in"
}

# is VALUE ERROR: the command before ended well, and its answer in $stdout is VALUE, up to ERROR
is() {
    ended "$1" 0 ''
    tr -d '[]' <"$stdout" | awk -v value="$1" -v bound="$2" '
        { error = $1 - value; exit !(NR == 1 && error < bound && error > -bound) }' ||
        wrong "expected $1, up to $2" "$stdout"
}

# Nearly all keys are alike, and all values: sums so long must not lose digits. The accuracy promised is 1e-12 (1 + the
# largest score) of the value: 1.5 for one query that likes another key less, and 1.1e-4 for one of zeros.
many_equal_keys() {
    { printf '1 1 100000 1 1\n0.5 1 ' && repeat 99999 '-1 ' && repeat 100000 '1e12 '; } >"$in"
    "$@" --threads 2 <"$in" >"$stdout" 2>"$stderr"
    is 1e12 1.5
    { printf '1 1 100000 1 1\n0 ' && repeat 100000 '0 ' && repeat 100000 '110000000.1 '; } >"$in"
    "$@" --threads 2 <"$in" >"$stdout" 2>"$stderr"
    is 110000000.1 1.1e-4
}

# Tokens of 300,000 bytes; with one key the output is V.
long_token() {
    zeros=$(repeat 300000 0)
    echo '[0.3330 -12.5000 1.0000 0.2500]' >"$expected"
    echo "1 1 1 4 1
        1 2 3 4 5 6 7 8 0.333$zeros -${zeros}12.5 1${zeros}e-300000 2.5e-${zeros}1" | answers "$expected" "$@"
    echo '[5.0000]' >"$expected"
    echo "${zeros}1 1 1 3 4 5" | answers "$expected" "$@"
    printf "%300000s1 1%300000s1 3 4 5%300000s" '' '' '' | answers "$expected" "$@"
    printf '1 1 1\n3 0.%s\n1%s' "$zeros" "$zeros" |
        refuses '<stdin>:3:1: "10000000000000000000000000000000..." is past the largest double' "$@"
    printf '1 1 1\n3 0.%s x%s' "$zeros" "$zeros" |
        refuses '<stdin>:2:300006: expected a number, found "x0000000000000000000000000000000..."' "$@"
}

try 'in_two_pieces in_bytes in_buffers wide_head many_equal_keys long_token' "$@"
