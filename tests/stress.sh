#!/bin/sh
# Random inputs to build/mha, or to COMMAND, against the reference:
#
#     tests/stress.sh                            every kind of input and option, threads 1, 2 and 3 in turn
#     tests/stress.sh python3 my_solution.py     a program of your own: inputs of the exercise's format, no options
#     COUNT=5000 SEED=42 tests/stress.sh         how many inputs (1000), and the first one's seed (1)
#     KIND=any tests/stress.sh COMMAND           every kind of input and option to COMMAND
#
# A wrong answer, or a status other than 0, is a failure. The first one is shrunk, and shown with what makes it again.
set -u

root=$(dirname "$0")/..
generate=$root/build/generate
reference=$root/build/reference
count=${COUNT:-1000}
first_seed=${SEED:-1}

if [ ! -x "$generate" ] || [ ! -x "$reference" ]; then
    echo "build/generate or build/reference is missing; build them: make build/generate build/reference" >&2
    exit 2
fi

kind=${KIND:-judge}
if [ $# -eq 0 ]; then
    kind=${KIND:-any}
    set -- "$root/build/mha"
fi
if ! command -v "$1" >/dev/null; then
    echo "no such command: $1" >&2
    exit 2
fi

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM

# fails COMMAND...: whether COMMAND is wrong on the input that $description names; the reason is in $work/why
fails() {
    "$generate" "$description" >"$work/in" || exit 2
    options=$("$generate" --options "$description") || exit 2
    # shellcheck disable=SC2086 # options are plain words
    "$@" $threads $options <"$work/in" >"$work/answer" 2>"$work/why"
    status=$?
    if [ "$status" -ne 0 ]; then
        echo "status $status" >>"$work/why"
        return 0
    fi
    # shellcheck disable=SC2086
    ! "$reference" --check "$work/answer" $options "$work/in" 2>"$work/why"
}

# shrink COMMAND...: moves $description to a smaller input as long as there is one on which COMMAND fails
shrink() {
    smallest=$description
    "$generate" --smaller "$smallest" >"$work/smaller"
    while read -r description; do
        if fails "$@"; then
            shrink "$@"
            return
        fi
    done <"$work/smaller"
    description=$smallest
    fails "$@"
}

passed=0
failed=0
threads=
while [ $((passed + failed)) -lt "$count" ]; do
    number=$((passed + failed))
    seed=$((first_seed + number))
    description="$seed $((1 + 140 * number / count)) $kind"
    if [ "$kind" = any ]; then
        threads="--threads $((seed % 3 + 1))"
    fi
    if ! fails "$@"; then
        passed=$((passed + 1))
        continue
    fi
    failed=$((failed + 1))
    if [ "$failed" -eq 1 ]; then
        echo "wrong on: $generate $description"
        shrink "$@"
        echo "the smallest cut of it that is wrong too:"
        echo "$generate $description | $* $threads $options"
        cat "$work/in"
        echo
        echo "the answer:"
        cat "$work/answer" "$work/why"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
