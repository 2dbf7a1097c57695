#!/bin/sh
# There is memory for the work, but not for another thread's stack.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
# shellcheck disable=SC3045 # dash and busybox have it
ulimit -s 65536 2>/dev/null || skip 'the stack cannot be made larger'
starts_within 60000 "$@"
{
    echo '1200 24 6'
    numbers $((3 * 1200 * 24))
} >"$scratch/in" # work for four threads
"$@" --threads 1 <"$scratch/in" >"$scratch/expected"
[ -s "$scratch/expected" ] || wrong '--threads 1: no answer' /dev/null
within 60000 "$@" <"$scratch/in" >"$stdout" 2>"$stderr"
ended 'threads without stacks' 0 '' "$scratch/expected"
