#!/bin/sh
# Several threads share the work: the answer must have the same bytes for any number of them, also where a single head
# is shared out into more groups for more of them. The values are large there: their last bits are printed.
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
{
    echo '1033 40 1'
    numbers $((3 * 1033 * 40)) | sed $((2 * 1033 * 40 + 1))',$s/$/e12/'
} >"$scratch/head"
{
    echo '2 300 600 8 2'
    numbers $((2 * (300 + 2 * 600) * 8))
} >"$scratch/weights"
while read -r file options; do
    # shellcheck disable=SC2086 # options are words
    "$@" --threads 1 $options <"$scratch/$file" >"$scratch/expected"
    [ -s "$scratch/expected" ] || wrong "--threads 1 $options: no answer" /dev/null
    for threads in 2 3 1000000; do
        # shellcheck disable=SC2086
        "$@" --threads $threads $options <"$scratch/$file" >"$stdout" 2>"$stderr"
        ended "--threads $threads $options $file" 0 '' "$scratch/expected"
    done
    # shellcheck disable=SC2002,SC2086 # a pipe is what is wanted
    cat "$scratch/$file" | "$@" --threads 2 $options >"$stdout" 2>"$stderr"
    ended "$options $file through a pipe" 0 '' "$scratch/expected"
done <<'RUNS'
square
square --causal
batch
batch --causal
head
head --causal
weights --weights
weights --weights --causal
RUNS
