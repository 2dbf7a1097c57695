#!/bin/sh
# The system fails to read on in a file, also where all numbers have come.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_injecting
cp "$sample" "$scratch/in"
injecting read,readv:error=EIO:when=2 "$scratch/in" "$@" "$scratch/in" >"$stdout" 2>"$stderr"
ended 'second read' 1 "mha: $scratch/in: Input/output error" /dev/null
{
    echo '300 96 3'
    numbers $((3 * 300 * 96))
} >"$scratch/in"
injecting read,readv:error=EIO:when=4 "$scratch/in" "$@" "$scratch/in" >"$stdout" 2>"$stderr"
ended 'fourth read' 1 "mha: $scratch/in: Input/output error" /dev/null
