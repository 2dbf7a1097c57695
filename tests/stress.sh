#!/bin/sh
# Random inputs to a program, whose answers are compared with the reference:
#
#     tests/stress.sh python3 my_solution.py     a program of your own: inputs of the exercise's format, no options
#     tests/stress.sh --function my_solution.py  a NumPy function of your own
#     tests/stress.sh                            build/mha: every kind of input and option, 1 to 16 threads
#     COUNT=5000 SEED=42 tests/stress.sh COMMAND how many inputs (100, of build/mha 1000), and the first one's seed (1)
#     TIMEOUT=60 tests/stress.sh COMMAND         seconds for an input (10; 0 is no limit)
#     KEEP_GOING=1 tests/stress.sh COMMAND       counts wrong answers on, where it would end at the first one
#     KIND=any tests/stress.sh COMMAND           every kind of input and option to COMMAND
#     STRICT=1 tests/stress.sh COMMAND           overlooks no blank, ends early for nothing, and has no time limit
#
# The first wrong answer, or status other than 0, is shrunk, and shown with what makes it again. It needs build/generate
# and build/reference. The last line is `N passed, N failed`; the status is 0 where some passed and none failed.
set -u

tests=$(dirname "$0")
strict=${STRICT:-}
[ -z "$strict" ] || TIMEOUT=0
# shellcheck source=tests/kit/lib.sh
. "$tests/kit/lib.sh"

generate=$build/generate
reference=$build/reference
kind=${KIND:-judge}
default_count=100
[ -z "$strict" ] || default_count=1000
if [ $# -eq 0 ]; then
    kind=${KIND:-any}
    default_count=1000
    set -- "$build/mha"
fi
count=${COUNT:-$default_count}
first_seed=${SEED:-1}
keep_going=${KEEP_GOING:-$strict}
need_whole COUNT "$count"
need_whole SEED "$first_seed"
check_command "$@"
[ -x "$generate" ] && [ -x "$reference" ] ||
    (cd "$tests/.." && make build/generate build/reference) >/dev/null 2>"$scratch/make" ||
    refuse "build/generate or build/reference is missing, and make cannot build them: $(sed 1q "$scratch/make")"

# fails COMMAND...: whether COMMAND is wrong on the input that $description names. Then $reason says why, and
# $scratch/details shows it.
fails() {
    "$generate" "$description" >"$input" || exit 2
    options=$threads$("$generate" --options "$description") || exit 2
    # shellcheck disable=SC2086 # options are plain words
    answer "$@" $options
    if [ "$strict" ]; then
        reason="status $status"
        sed 's/^/    /' "$scratch/stderr" >"$scratch/details"
        [ "$status" -eq 0 ] || return 0
        # shellcheck disable=SC2086
        ! reason=$("$reference" --check "$scratch/stdout" $options "$input" 2>&1) || return 1
        { show_input && echo '  found:' && sed 's/^/    /' "$scratch/stdout"; } >"$scratch/details"
        return 0
    fi
    ! no_answer || return 0
    # shellcheck disable=SC2086
    "$reference" $options "$input" >"$scratch/expected" || exit 2
    # shellcheck disable=SC2086 # what is not the same may be off by as much as rounding
    ! is_right "$scratch/expected" && ! "$reference" --check "$scratch/cleaned" $options "$input" 2>/dev/null
}

# Keeps what fails() has found.
keep() {
    kept=$description
    kept_reason=$reason
    kept_options=$options
    cp "$scratch/details" "$scratch/kept"
}

# shrink COMMAND...: moves on to a smaller input as long as there is one on which COMMAND fails, for as
# long as three answers may take.
shrink() {
    end=$(($(date +%s) + (seconds > 0 ? 3 * seconds : 30)))
    smaller=yes
    while [ "$smaller" ]; do
        smaller=
        "$generate" --smaller "$kept" >"$scratch/smaller"
        while read -r description && [ "$(date +%s)" -lt "$end" ]; do
            fails "$@" || continue
            keep
            smaller=yes
            break
        done <"$scratch/smaller"
    done
}

passed=0
failed=0
input=$scratch/in
threads=
trap 'progress; say "$passed passed, $failed failed"; exit 130' HUP INT TERM
while [ $((passed + failed)) -lt "$count" ]; do
    number=$((passed + failed))
    seed=$((first_seed + number))
    progress "input $((number + 1)) of $count"
    description="$seed $((1 + 140 * number / count)) $kind"
    [ "$kind" != any ] || threads="--threads $(echo 1 2 3 7 16 | cut -d ' ' -f $((seed % 5 + 1))) "
    if ! fails "$@"; then
        passed=$((passed + 1))
        continue
    fi
    failed=$((failed + 1))
    if [ "$failed" -eq 1 ]; then
        keep
        quote "$generate"
        program=$quoted
        progress
        say "wrong on: $program $description"
        progress "looking for a smaller input"
        shrink "$@"
        "$generate" "$kept" >"$input"
        "$reference" "$input" >"$scratch/expected"
        reason=$kept_reason status=0
        ask_afresh "$scratch/expected" "$@"
        progress
        quote "$@"
        say "the smallest cut of it that is wrong too: $reason"
        cat "$scratch/kept" || exit 1
        say "  $again: $program $kept | $quoted${kept_options:+ $kept_options}"
    fi
    [ "$keep_going" ] || break
done
progress
if [ -s "$scratch/overlooked" ]; then # the sign of zero is a matter of rounding here
    grep -v '0.0000' "$scratch/overlooked" >"$scratch/noted"
    mv "$scratch/noted" "$scratch/overlooked"
fi
say_overlooked
say "$passed passed, $failed failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
