#!/bin/sh
# The disk is full.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
[ -c /dev/full ] || skip 'no /dev/full'
reason='mha: <stdout>: No space left on device'

"$@" <"$sample" >/dev/full 2>"$stderr"
ended 'small output' 1 "$reason"
{
    echo '300 96 3'
    numbers $((3 * 300 * 96))
} >"$scratch/large" # its output is larger than every buffer
"$@" <"$scratch/large" >/dev/full 2>"$stderr"
ended 'large output' 1 "$reason"
"$@" --weights <"$sample" >/dev/full 2>"$stderr"
ended '--weights' 1 "$reason"
"$@" --weights <"$scratch/large" >/dev/full 2>"$stderr"
ended '--weights, large output' 1 "$reason"
"$@" --help >/dev/full 2>"$stderr"
ended '--help' 1 "$reason"
"$@" --version >/dev/full 2>"$stderr"
ended '--version' 1 "$reason"
