#!/bin/sh
# The header promises 10^12 rows: memory is taken for those alone that come, as much as where it promises few.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
grep -q VmHWM /proc/self/status 2>/dev/null || skip 'the peak of memory is not told in /proc'
starts_within 60000 "$@" # a sanitizer takes memory of its own for what is but reserved
mkfifo "$scratch/pipe" || skip 'no FIFOs'
trap '' PIPE # a program that is gone already is told below

# peak ROWS COMMAND...: sets $peak to the KiB that it takes where ROWS rows are promised and 200,000 come
peak() {
    rows=$1
    shift
    "$@" <"$scratch/pipe" >"$stdout" 2>"$stderr" &
    program=$!
    exec 3>"$scratch/pipe"
    {
        echo "$rows 1 1"
        repeat 200000 '1 ' # more than a pipe holds: once it is written, most has been read
    } >&3 2>/dev/null
    peak=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$program/status")
    exec 3>&-
    wait "$program"
    ended 'short input' 1 \
        "mha: <stdin>:2:400001: input ends inside Q: row 200001 of $rows has 0 of 1 numbers" /dev/null
}

peak 200001 "$@"
modest=$peak
peak 1000000000000 "$@"
[ "$peak" -lt $((modest + 4000)) ] || wrong "peak of $peak KiB, with a modest promise $modest" /dev/null
