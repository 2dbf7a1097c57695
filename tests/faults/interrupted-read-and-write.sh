#!/bin/sh
# Signals interrupt every second read and write.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_injecting
{
    echo '300 96 3'
    numbers $((3 * 300 * 96))
} >"$scratch/in"
"$@" <"$scratch/in" >"$scratch/expected"

injecting read,readv:error=EINTR:when=1+2 "$scratch/in" "$@" "$scratch/in" >"$stdout" 2>"$stderr"
ended 'reads' 0 '' "$scratch/expected"
grep -q INJECTED "$scratch/calls" || wrong 'no read was interrupted' "$scratch/calls"
# shellcheck disable=SC2094 # a name, not a second use
injecting write,writev:error=EINTR:when=1+2 "$stdout" "$@" "$scratch/in" >"$stdout" 2>"$stderr"
ended 'writes' 0 '' "$scratch/expected"
grep -q INJECTED "$scratch/calls" || wrong 'no write was interrupted' "$scratch/calls"
