#!/bin/sh
# Proves that run.sh names the mistake of a wrong solution, and none where it does not know it. The solutions are not
# made from mistakes.cpp: remakes.txt makes known mistakes in other ways, mistakes that mistakes.cpp does not have, and
# several at once. As many run at a time as there are processors.

# --check NAMES COMMAND...: run.sh on COMMAND must fail and end with these NAMES, parted by commas, or with `nothing`.
if [ "${1-}" = --check ]; then
    expected=$2
    shift 2
    [ "$1" != python3 ] || python3 -c 'import numpy' 2>/dev/null ||
        { echo "SKIP $*: there is no python3 with NumPy"; exit; }
    if report=$(TIMEOUT=60 tests/run.sh "$@" 2>&1); then expected='a failure'; fi
    names=$(printf '%s\n' "$report" | sed -n 's/^These are the answers of a solution with [^:]*: //p' |
        tr ';' '\n' | awk '{ print $1 }' | paste -s -d , -)
    : "${names:=nothing}"
    if [ "$names" = "$expected" ]; then echo "ok: $*: $names"; else echo "FAIL $*: expected $expected, found $names"; fi
    exit
fi
# shellcheck source=tests/selftest/lib.sh
. "${0%/*}/lib.sh"

# expect NAMES LANGUAGE MISTAKE...: prints lines for --check.
expect() {
    expected=$1
    language=$2
    shift 2
    for mistake; do echo "$expected $(remake "$language" "$mistake")"; done
}

checks() {
    # These take longest.
    for mistake in softmax-over-whole-array split-by-plain-reshape keepdims-forgotten heads-added-up; do
        expect $mistake python3 $mistake
    done
    expect nothing python3 logarithm-of-weights merge-without-transpose+softmax-over-heads-and-keys
    for mistake in softmax-over-queries softmax-over-heads-and-keys; do expect $mistake python3 $mistake; done
    sed 's/float64/float32/' tests/selftest/remakes.py >"$scratch/float32.py"
    echo "float32-throughout python3 $scratch/float32.py"
    for mistake in no-scale scale-by-model-width scale-by-number-of-tokens keys-and-values-swapped heads-interleaved \
        split-and-merge-by-plain-reshape merge-without-transpose first-head-values-for-all-heads causal-mask-applied \
        sum-kept-for-next-head sum-kept-throughout weights-transposed truncated-not-rounded; do
        expect $mistake awk $mistake
    done
    # Mistakes whose answers are alike.
    expect exp-overflows,exp-underflows awk exp-overflows
    expect maximum-starts-at-zero,maximum-starts-at-smallest-positive-double awk maximum-starts-at-zero
    # A form of one's own, and digits that are one off, hide no mistake.
    expect no-scale awk no-scale+commas-between-numbers no-scale+truncated-not-rounded
    # Not in mistakes.cpp.
    expect nothing awk distance-for-dot-product cosine-for-dot-product negative-scores-cut-off later-keys-score-zero \
        scale-by-fourth-root earlier-keys-masked first-key-forgotten first-query-forgotten two-added-to-sum \
        a-millionth-added-to-sum heads-moved-by-one
    # Two at once.
    expect nothing awk no-scale+keys-and-values-swapped causal-mask-applied+exp-overflows \
        heads-interleaved+weights-transposed
    expect nothing python3 scale-by-model-width+softmax-over-queries
}

make build/mistakes || exit 1 # once, before many ask for it
checks | xargs -L 1 -P "$(getconf _NPROCESSORS_ONLN)" "tests/selftest/${0##*/}" --check | while read -r line; do
    case $line in
    ok*) echo "$line" && pass ;;
    FAIL*) failure "${line#FAIL }" ;;
    *) echo "$line" >>"$scratch/skipped" ;;
    esac
done
finish
