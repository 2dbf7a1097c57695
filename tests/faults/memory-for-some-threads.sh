#!/bin/sh
# There is memory for the numbers, but less and less for what threads read, compute and print with. The answer is the
# same, or there is none.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
starts_within 60000 "$@"
{
    echo '2000 16 4'
    numbers $((3 * 2000 * 16))
} >"$scratch/in"
"$@" --threads 1 <"$scratch/in" >"$scratch/expected"
[ -s "$scratch/expected" ] || wrong '--threads 1: no answer' /dev/null
answers=0
size=3000
while [ "$size" -le 40000 ]; do
    within "$size" "$@" --threads 3 <"$scratch/in" >"$stdout" 2>"$stderr"
    status=$?
    if [ "$status" -eq 0 ]; then
        answers=$((answers + 1))
        ended "$size KiB" 0 '' "$scratch/expected"
    elif within "$size" "$@" --version >/dev/null 2>&1; then
        (exit "$status")
        ended "$size KiB" 1 'mha: memory: Cannot allocate memory'
    fi
    size=$((size + 1700))
done
[ "$answers" -gt 3 ] || wrong "only $answers answers" /dev/null
