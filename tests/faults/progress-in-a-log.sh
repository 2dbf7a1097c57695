#!/bin/sh
# A run lasts over a second, and stderr is no terminal: nothing goes there.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
{
    echo '1 1 1'
    sleep 1
    pause
    echo '1 2 3'
} | "$@" >"$stdout" 2>"$stderr"
echo '[3.0000]' >"$scratch/expected"
ended 'slow input' 0 '' "$scratch/expected"
