#!/bin/sh
# Several threads share the work: the answer must have the same bytes for any number of them.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
{
    echo '1200 24 6'
    numbers $((3 * 1200 * 24))
} >"$scratch/square"
{
    echo '3 500 900 24 4'
    numbers $((3 * (500 + 2 * 900) * 24))
} >"$scratch/batch"
for options in "$scratch/square" "--causal $scratch/square" "$scratch/batch" "--causal $scratch/batch"; do
    # shellcheck disable=SC2086 # an option and a file
    "$@" --threads 1 $options >"$scratch/expected"
    [ -s "$scratch/expected" ] || wrong "--threads 1 $options: no answer" /dev/null
    for threads in 2 3 8 1000000; do
        # shellcheck disable=SC2086
        "$@" --threads $threads $options >"$stdout" 2>"$stderr"
        ended "--threads $threads $options" 0 '' "$scratch/expected"
    done
done
