#!/bin/sh
# The input is at fault, and whoever sends it neither goes on nor closes it: the fault is told at once all the same.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
mkfifo "$scratch/pipe" || skip 'no FIFOs'
repeat 1048577 9 >"$scratch/nines"

# told LINE COMMAND...: of what $scratch/in begins with
told() {
    line=$1
    shift
    "$@" <"$scratch/pipe" >"$stdout" 2>"$stderr" &
    program=$!
    exec 3>"$scratch/pipe"
    cat "$scratch/in" >&3 2>/dev/null
    tenths=0
    while kill -0 "$program" 2>/dev/null; do
        [ "$tenths" -lt 50 ] || { kill "$program"; wrong "not told in five seconds: $line" "$stderr"; }
        tenths=$((tenths + 1))
        sleep 0.1 2>/dev/null || sleep 1
    done
    exec 3>&-
    wait "$program"
    ended "$line" 1 "mha: <stdin>:$line" /dev/null
}

trap '' PIPE
printf '2 5 2\n' >"$scratch/in"
told '1:3: d = 5 is not divisible by h = 2' "$@"
printf '2 5 2\r' >"$scratch/in"
told '1:3: d = 5 is not divisible by h = 2' "$@"
printf '2 5 2 1 1 1 ' >"$scratch/in" # the sixth number tells that it is no header of five
told '1:3: d = 5 is not divisible by h = 2' "$@"
printf '2 x ' >"$scratch/in"
told '1:3: expected a number, found "x"' "$@"
printf '1 1\n' >"$scratch/in"
told '1:4: the header has 2 of 3 numbers: n d h' "$@"
printf '2 1 1\n1 2 3\n4 inf ' >"$scratch/in"
told '3:3: expected a number, found "inf"' "$@"
printf '1 1 1\n1 2 3\n4 ' >"$scratch/in"
told '3:1: input goes on after V: expected 3 numbers' "$@"
{
    printf '2 1 1\n1 2 '
    cat "$scratch/nines"
} >"$scratch/in"
told '2:5: a token over 1 MiB: "99999999999999999999999999999999..."' "$@"
{ # 4 MiB at once, of which threads take a part each, with a fault in the middle
    echo '100000 2 1'
    numbers 300000
    echo inf
    numbers 250000
} >"$scratch/in"
told '300002:1: expected a number, found "inf"' "$@"
cat "$scratch/nines" >"$scratch/in"
told '1:1: a token over 1 MiB: "99999999999999999999999999999999..."' "$@"

# All seems to have come, and then there is more.
{
    printf '1 1 1\n1 2 3\n'
    pause
    echo 4
} | "$@" >"$stdout" 2>"$stderr"
ended 'more after a pause' 1 'mha: <stdin>:3:1: input goes on after V: expected 3 numbers' /dev/null
