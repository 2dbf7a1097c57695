#!/bin/sh
# The system fails to read on in a file, also where all numbers have come, and where threads read on in turn.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_injecting
cp "$sample" "$scratch/in"
injecting read,readv:error=EIO:when=2 "$scratch/in" "$@" --threads 1 "$scratch/in" >"$stdout" 2>"$stderr"
ended 'second read' 1 "mha: $scratch/in: Input/output error" /dev/null
{
    echo '300 96 3'
    numbers $((3 * 300 * 96))
} >"$scratch/in"
injecting read,readv:error=EIO:when=4 "$scratch/in" "$@" --threads 1 "$scratch/in" >"$stdout" 2>"$stderr"
ended 'fourth read' 1 "mha: $scratch/in: Input/output error" /dev/null

# strace counts the reads of each thread.
for _ in 1 2 3 4 5; do
    injecting read,readv:error=EIO:when=3 "$scratch/in" "$@" --threads 7 "$scratch/in" >"$stdout" 2>"$stderr"
    ended 'third read of a thread' 1 "mha: $scratch/in: Input/output error" /dev/null
done
