#!/bin/sh
# Proves that run.sh names the mistake of a wrong solution, and none where it does not know it. The solutions are not
# made from mistakes.cpp: remakes.awk and, where there is NumPy, remakes.py make known mistakes in other ways, mistakes
# that mistakes.cpp does not have, and several at once. As many run at a time as there are processors.

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

# Each prints lines for --check.
in_awk() {
    names=$1
    shift
    for mistake; do echo "$names awk -v mistake=$mistake -f tests/selftest/remakes.awk"; done
}
in_numpy() {
    names=$1
    shift
    echo "$names python3 tests/selftest/remakes.py $*"
}

checks() {
    # These take longest.
    in_numpy softmax-over-whole-array einsum softmax-over-whole-array
    in_numpy split-by-plain-reshape batched split-by-plain-reshape
    in_numpy float32-throughout batched float32-throughout
    in_numpy keepdims-forgotten loop keepdims-forgotten
    in_numpy heads-added-up loop heads-added-up
    in_numpy nothing einsum logarithm-of-weights
    for mistake in no-scale scale-by-model-width scale-by-number-of-tokens keys-and-values-swapped heads-interleaved \
        split-and-merge-by-plain-reshape merge-without-transpose first-head-values-for-all-heads causal-mask-applied \
        softmax-over-queries softmax-over-heads-and-keys sum-kept-for-next-head sum-kept-throughout weights-transposed \
        truncated-not-rounded; do
        in_awk $mistake $mistake
    done
    # Mistakes whose answers are alike.
    in_awk exp-overflows,exp-underflows exp-overflows
    in_awk maximum-starts-at-zero,maximum-starts-at-smallest-positive-double maximum-starts-at-zero
    # A form of one's own, and digits that are one off, hide no mistake.
    in_awk no-scale no-scale+commas-between-numbers no-scale+truncated-not-rounded
    # Not in mistakes.cpp.
    in_awk nothing distance-for-dot-product cosine-for-dot-product negative-scores-cut-off later-keys-score-zero \
        scale-by-fourth-root earlier-keys-masked first-key-forgotten first-query-forgotten two-added-to-sum \
        a-millionth-added-to-sum heads-moved-by-one
    # Two at once.
    in_awk nothing no-scale+keys-and-values-swapped scale-by-model-width+softmax-over-queries \
        causal-mask-applied+exp-overflows merge-without-transpose+softmax-over-heads-and-keys \
        heads-interleaved+weights-transposed
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
