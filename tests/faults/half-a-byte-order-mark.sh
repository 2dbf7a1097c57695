#!/bin/sh
# The input begins as a byte-order mark does, and is none: it is told at once, whatever comes behind, and alone.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
mkfifo "$scratch/pipe" || skip 'no FIFOs'
trap '' PIPE # of what writes, where the program is gone

# told FOUND TEXT COMMAND...: FOUND of TEXT, behind which nothing comes as long as the program is there
told() {
    found=$1
    text=$2
    shift 2
    "$@" <"$scratch/pipe" >"$stdout" 2>"$stderr" &
    program=$!
    exec 3>"$scratch/pipe"
    # shellcheck disable=SC2059 # has bytes in octal
    printf "$text" >&3
    tenths=0
    while kill -0 "$program" 2>/dev/null; do
        [ "$tenths" -lt 50 ] || { kill "$program"; wrong "not told in five seconds: $found" "$stderr"; }
        tenths=$((tenths + 1))
        sleep 0.1 2>/dev/null || sleep 1
    done
    exec 3>&-
    wait "$program"
    ended "$found" 1 "mha: <stdin>:1:1: expected a number, found \"$found\"" /dev/null
}

told '\xef' '\357 ' "$@"
told '\xef' '\357\n' "$@"
told '\xef\xbb' '\357\273 ' "$@"

# A token too long behind it is not told in its place, nor with it.
{
    printf '\357 '
    repeat 1048577 7
} | "$@" >"$stdout" 2>"$stderr"
ended 'before a long token' 1 'mha: <stdin>:1:1: expected a number, found "\xef"' /dev/null
