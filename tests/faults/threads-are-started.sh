#!/bin/sh
# Built as make and CMake build it, the program has threads: two, where two are asked for and the work deserves them;
# none for a single token.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

# clones COMMAND...: runs it, and leaves the threads that it starts in $scratch/calls
clones() {
    strace -f --seccomp-bpf -qq -o "$scratch/calls" -e trace=clone,clone3 -e signal=none "$@" >"$stdout" 2>"$stderr"
}

command -v strace >/dev/null || skip 'no strace'
clones true || skip 'strace traces nothing here'
[ "$(getconf _NPROCESSORS_ONLN)" -ge 2 ] || skip 'one processor alone'
{
    echo '1200 24 6'
    numbers $((3 * 1200 * 24))
} >"$scratch/in"
clones "$@" --threads 2 "$scratch/in"
ended '--threads 2' 0 ''
grep -q clone "$scratch/calls" || wrong 'no thread was started' "$scratch/calls"
clones "$@" --threads 1 "$scratch/in"
ended '--threads 1' 0 ''
! grep clone "$scratch/calls" >"$scratch/started" || wrong 'a thread was started' "$scratch/started"
echo '1 1 1 2 3 4' >"$scratch/in"
clones "$@" "$scratch/in"
ended 'one token' 0 ''
! grep clone "$scratch/calls" >"$scratch/started" || wrong 'a thread was started for one token' "$scratch/started"
