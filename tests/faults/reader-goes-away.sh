#!/bin/sh
# The output's reader goes away after a line: the program goes too, and says nothing.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
{ yes 2>/dev/null; echo $? >"$scratch/status"; } | head -n 1 >/dev/null
[ "$(cat "$scratch/status")" -eq 141 ] || skip 'broken pipes are no signal here'
{
    echo '20000 1 1'
    numbers 60000
} >"$scratch/in" # 400 million weights
{ in_time "$@" --weights "$scratch/in" 2>"$stderr"; echo $? >"$scratch/status"; } | head -n 1 | cut -c 1 >"$stdout"
echo '[' >"$scratch/expected"
(exit "$(cat "$scratch/status")")
ended 'large output' 141 '' "$scratch/expected"
