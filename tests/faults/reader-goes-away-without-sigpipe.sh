#!/bin/sh
# The output's reader goes away after a line, and the signal that ends programs then is ignored.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
{
    echo '20000 1 1'
    numbers 60000
} >"$scratch/in" # 400 million weights
trap '' PIPE
{ in_time "$@" --weights "$scratch/in" 2>"$stderr"; echo $? >"$scratch/status"; } | head -n 1 | cut -c 1 >"$stdout"
echo '[' >"$scratch/expected"
(exit "$(cat "$scratch/status")")
ended 'large output' 1 'mha: <stdout>: Broken pipe' "$scratch/expected"
