#!/bin/sh
# Several threads share the work: the answer must have the same bytes for any number of them, also where a single head
# is shared out into more groups for more of them and one key is so long that queries which see it need more care. The
# values are large there: their last bits are printed. Key 270 is behind a group, but in its last block; 500 behind both.
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
for key in 270 500; do
    {
        echo '1033 40 1'
        numbers $((3 * 1033 * 40)) |
            sed -e $((1033 * 40 + key * 40))'s/$/e6/' -e $((2 * 1033 * 40 + 1))',$s/$/e12/'
    } >"$scratch/head-$key"
done
for options in "$scratch/square" "--causal $scratch/square" "$scratch/batch" "--causal $scratch/batch" \
    "$scratch/head-270" "--causal $scratch/head-270" "--causal $scratch/head-500"; do
    # shellcheck disable=SC2086 # an option and a file
    "$@" --threads 1 $options >"$scratch/expected"
    [ -s "$scratch/expected" ] || wrong "--threads 1 $options: no answer" /dev/null
    for threads in 2 3 8 1000000; do
        # shellcheck disable=SC2086
        "$@" --threads $threads $options >"$stdout" 2>"$stderr"
        ended "--threads $threads $options" 0 '' "$scratch/expected"
    done
done
