#!/bin/sh
# Threads share the work: as many as the machine has processors, or as were asked for. The answer must have the same
# bytes for any number of them.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"

# the_same OPTION COMMAND...: for $in, as a file and through a pipe
the_same() {
    option=$1
    shift
    set -- "$@" ${option:+"$option"}
    answers_alone "$@"
    answers "$expected" "$@" --threads 2 "$in"
    answers "$expected" "$@" --threads 7 "$in"
    # shellcheck disable=SC2002 # a pipe is what is wanted
    cat "$in" | answers "$expected" "$@" --threads 1000000
}

over_heads() {
    tokens 1200 28 7 >"$in" # in each part work for two threads or more
    the_same '' "$@"
}

over_a_batch() {
    { echo '2 1000 1100 8 4' && numbers $((2 * (1000 + 2 * 1100) * 8)); } >"$in"
    the_same '' "$@"
    the_same --causal "$@"
}

# It is shared out into more groups for more threads. The values are large: their last bits are printed.
over_one_head() {
    tokens 1700 6 1 | sed $((2 * 1700 * 6 + 2))',$s/$/e12/' >"$in"
    the_same '' "$@"
    the_same --causal "$@"
}

over_weights() {
    { echo '2 300 600 8 2' && numbers $((2 * (300 + 2 * 600) * 8)); } >"$in"
    the_same --weights "$@"
    the_same --weights "$@" --causal
}

# count COMMAND...: sets $count to how many threads work side by side at most. Each has a stack of its own; the C
# library gives it to another thread when it has waited for the first, as long as stacks are small.
count() {
    (
        # shellcheck disable=SC3045 # dash and busybox have it
        ulimit -s 512
        strace -f --seccomp-bpf -qq -o "$scratch/calls" -e trace=clone,clone3 -e signal=none \
            "$@" >"$stdout" 2>"$stderr"
    )
    ended "$*" 0 ''
    count=$((1 + $(grep -o 'stack=0x[0-9a-f]*' "$scratch/calls" | sort -u | wc -l)))
}

never_started() {
    command -v strace >/dev/null || skip 'no strace'
    (count true) >/dev/null || skip 'strace traces nothing here'
    starts_within 60000 "$@" # a sanitizer starts a thread of its own
    most=$(nproc)
    case $* in *-tiny*) most=16 ;; esac # such a build takes itself to have so many processors
    { echo '1 300 1000 1 1' && numbers 2300; } >"$in"
    for asked in 1 2 7 17; do
        count "$@" --weights --threads "$asked" "$in"
        [ "$count" -eq $((asked < most ? asked : most)) ] || wrong "$count threads, asked for $asked" "$scratch/calls"
    done
    printf '1 1 1\n2 3 4' >"$in"
    count "$@" "$in"
    case $* in *-tiny*) return ;; esac # and threads for any work
    [ "$count" -eq 1 ] || wrong "$count threads for one token" "$scratch/calls"
}

refused() {
    needs_injecting
    tokens 3000 4 2 >"$in" # work for four threads
    answers_alone "$@"
    answers "$expected" strace -qq -o "$scratch/calls" -e trace=clone,clone3 \
        -e inject=clone,clone3:error=EAGAIN "$@" "$in"
    [ "$(nproc)" -eq 1 ] || grep -q INJECTED "$scratch/calls" || wrong 'no thread was refused' "$scratch/calls"
}

try 'over_heads over_a_batch over_one_head over_weights never_started refused' "$@"
