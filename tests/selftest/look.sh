#!/bin/sh
# Proves that the look inside (LOOK=1 tests/run.sh) tells in which step a solution goes wrong, or nothing, and never
# another step. mistakes --steps prints the steps that may be told for each mistake of mistakes.cpp; for the mistakes of
# remakes.awk and remakes.py, most of which mistakes.cpp does not have, they stand here. As many run at a time as there
# are processors.

# --check KIND STEPS COMMAND...: one of the STEPS (15 is 1 and 5) is told, or it and others that cannot be told apart.
if [ "${1-}" = --check ]; then
    kind=$2
    steps=$3
    shift 3
    [ "$1" != python3 ] || python3 -c 'import numpy' 2>/dev/null ||
        { echo "SKIP $*: there is no python3 with NumPy"; exit; }
    report=$(LOOK=1 TIMEOUT=60 tests/run.sh "$@" 2>&1)
    told=$(printf '%s\n' "$report" | sed -n 's/^It goes wrong in step \([0-5, or]*\), .*/\1/p' | tr -cd 0-5)
    case $kind:$told:$report in
    *:*["$steps"]*:*) echo "$kind told: $*: step $told" ;;
    right::*' small inputs, all were right.'* | [!r]*::Asked*) echo "$kind untold: $*" ;;
    *) echo "FAIL $*: expected step $steps: $report" | tr '\n' ' ' && echo ;;
    esac
    exit
fi
# shellcheck source=tests/selftest/lib.sh
. "${0%/*}/lib.sh"

# Each prints lines for --check.
in_awk() {
    steps=$1
    shift
    for mistake; do echo "unknown $steps awk -v mistake=$mistake -f tests/selftest/remakes.awk"; done
}
in_numpy() { echo "unknown $1 python3 tests/selftest/remakes.py $2 $3"; }

checks() {
    in_numpy 1 batched heads-see-heads
    in_numpy 2 einsum columns-see-columns
    in_numpy 12 einsum each-column-a-head
    in_numpy 45 batched mean-of-queries
    in_numpy 34 einsum every-head-added-to-each
    in_numpy 3 einsum logarithm-of-weights
    build/mistakes --steps | sed 's|\(.*\) \(.*\)|known \2 build/mistakes \1|'
    in_awk 0 keys-one-number-late queries-one-number-early keys-read-by-columns values-in-the-scores
    in_awk 1 queries-by-plain-reshape scores-interleaved keys-of-next-head
    in_awk 14 values-of-next-head
    in_awk 15 heads-moved-by-one merge-by-columns
    in_awk 2 distance-for-dot-product cosine-for-dot-product negative-scores-cut-off later-keys-score-zero \
        scale-by-fourth-root earlier-keys-masked first-key-forgotten next-column-of-keys keys-in-reverse \
        scores-of-previous-query first-column-left-out scores-of-zero-masked far-keys-score-less temperature-of-two \
        scores-negated scores-through-tanh scores-added-up first-head-not-scaled
    in_awk 3 two-added-to-sum a-millionth-added-to-sum sigmoid-for-softmax linear-for-softmax powers-of-ten \
        linear-for-softmax+negative-weights weights-from-one
    in_awk 34 mask-after-softmax dropout weights-squared weights-of-two-heads-averaged
    in_awk 4 last-column-left-out columns-added-up rows-added-up values-of-next-key
    in_awk 45 values-added divided-by-number-of-heads first-query-forgotten rows-reversed rows-normalized \
        negative-output-cut-off
    # Two at once: a step of either.
    in_awk 02 no-scale+keys-and-values-swapped values-in-the-scores+no-scale
    in_awk 13 keys-of-next-head+exp-overflows
    in_awk 145 heads-interleaved+weights-transposed merge-without-transpose+softmax-over-heads-and-keys
    in_awk 2 no-scale+commas-between-numbers scale-by-fourth-root+truncated-not-rounded
    in_awk 23 scale-by-model-width+softmax-over-queries causal-mask-applied+exp-overflows no-scale+two-added-to-sum \
        causal-mask-applied+softmax-over-queries
    in_awk 24 temperature-of-two+values-of-next-key no-scale+weights-transposed
    in_awk 245 no-scale+values-added scale-by-number-of-tokens+rows-normalized
    in_awk 04 keys-one-number-late+weights-transposed
    # Right ones. Forms of one's own are among the known mistakes.
    for right in 'build/mistakes none' 'build/mistakes float32-throughout' 'awk -f tests/kit/attention.awk' \
        'awk -f tests/selftest/remakes.awk' 'python3 tests/selftest/remakes.py einsum' \
        'python3 tests/selftest/remakes.py loop' 'python3 tests/selftest/remakes.py batched float32-throughout' \
        'sh -c "echo Input: && exec build/mistakes wrapped-like-numpy"'; do
        echo "right - $right"
    done
}

make build/mistakes || exit 1 # once, before many ask for it
checks | xargs -L 1 -P "$(getconf _NPROCESSORS_ONLN)" "tests/selftest/${0##*/}" --check | while read -r line; do
    case $line in
    SKIP*) echo "$line" >>"$scratch/skipped" ;;
    FAIL*) failure "${line#FAIL }" ;;
    *) echo "$line" | tee -a "$scratch/told" && pass ;;
    esac
done
known=$(grep -c '^known told' "$scratch/told")
[ "$known" -ge 80 ] || failure "of the known mistakes only $known are told"
untold=$(grep -c '^unknown untold' "$scratch/told")
[ $((10 * untold)) -le "$(grep -c '^unknown' "$scratch/told")" ] || failure "$untold unknown mistakes are not told"
finish
