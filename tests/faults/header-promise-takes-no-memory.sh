#!/bin/sh
# The header promises 10^12 rows: memory is taken for those alone that come, here 1.6 MB.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
grep -q VmHWM /proc/self/status 2>/dev/null || skip 'the peak of memory is not told in /proc'
mkfifo "$scratch/pipe" || skip 'no FIFOs'
"$@" <"$scratch/pipe" >"$stdout" 2>"$stderr" &
program=$!
trap '' PIPE # a program that is gone already is told below
exec 3>"$scratch/pipe"
{
    echo '1000000000000 1 1'
    repeat 200000 '1 ' # more than a pipe holds: once it is written, most has been read
} >&3 2>/dev/null
peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$program/status")
exec 3>&-
wait "$program"
ended 'short input' 1 \
    'mha: <stdin>:2:400001: input ends inside Q: row 200001 of 1000000000000 has 0 of 1 numbers' /dev/null
[ "$peak" -lt 20000 ] || wrong "peak of $peak KiB, expected less than 20000" /dev/null
