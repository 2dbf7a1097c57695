#!/bin/sh
# The system starts no more threads.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_injecting
{
    echo '1200 24 6'
    numbers $((3 * 1200 * 24))
} >"$scratch/in" # work for four threads
"$@" --threads 1 <"$scratch/in" >"$scratch/expected"
[ -s "$scratch/expected" ] || wrong '--threads 1: no answer' /dev/null
strace -qq -o "$scratch/calls" -e trace=clone,clone3 -e inject=clone,clone3:error=EAGAIN \
    "$@" <"$scratch/in" >"$stdout" 2>"$stderr"
ended 'no threads' 0 '' "$scratch/expected"
[ "$(getconf _NPROCESSORS_ONLN)" -eq 1 ] || grep -q INJECTED "$scratch/calls" ||
    wrong 'no thread was refused' "$scratch/calls"
