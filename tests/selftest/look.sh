#!/bin/sh
# Proves that the look inside (LOOK=1 tests/run.sh) tells in which step a solution goes wrong, or nothing, and never
# another step. mistakes --steps prints the steps that may be told for each mistake of mistakes.cpp, remakes.txt has
# those of others. As many run at a time as there are processors.

# --check KIND STEPS COMMAND...: one of the STEPS (15 is 1 and 5) is told, or it and others that cannot be told apart.
if [ "${1-}" = --check ]; then
    kind=$2
    steps=$3
    shift 3
    [ "$1" != python3 ] || python3 -c 'import numpy' 2>/dev/null ||
        { echo "SKIP $*: there is no python3 with NumPy"; exit; }
    report=$(LOOK=1 TIMEOUT=60 tests/run.sh "$@" 2>&1)
    told=$(printf '%s\n' "$report" | sed -n 's/^It goes wrong in step \([^:]*\): .*/\1/p' | tr -cd 0-5)
    right=$(printf '%s\n' "$told" | tr -cd "$steps")
    case $kind:${told:-no}:${right:-no}:$report in
    right:no:no:*' small inputs, all were right.'* | [!r]*:no:no:Asked*) echo "$kind untold: $*" ;;
    *:no:*) echo "FAIL $*: expected step $steps: $report" | tr '\n' ' ' && echo ;;
    *) echo "$kind told: $*: step $told" ;;
    esac
    exit
fi
# shellcheck source=tests/selftest/lib.sh
. "${0%/*}/lib.sh"

# Prints lines for --check.
checks() {
    build/mistakes --steps | sed 's|\(.*\) \(.*\)|known \2 build/mistakes \1|'
    sed -nE 's/^(awk|python3) ([0-5]+) ([^ ]+).*/\1 \2 \3/p' tests/selftest/remakes.txt |
        while read -r language steps name; do echo "unknown $steps $(remake "$language" "$name")"; done
    # Right ones. Forms of one's own are among the known mistakes.
    sed 's/float64/float32/' tests/selftest/remakes.py >"$scratch/float32.py"
    for right in 'build/mistakes none' 'build/mistakes float32-throughout' 'awk -f tests/kit/attention.awk' \
        'python3 tests/selftest/remakes.py' "python3 $scratch/float32.py" \
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
