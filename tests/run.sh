#!/bin/sh
# Runs your own solution of the exercise on the cases of judge/, and says what is wrong with what it prints.
#
#   tests/run.sh python3 my_solution.py            or ./a.out, node my_solution.js, awk -f my_solution.awk, ...
#   tests/run.sh --function my_solution.py [NAME]  a NumPy function, multi_head_attention or multi_head_attention_einsum
#   CASES='judge/shape-*' tests/run.sh COMMAND     only the cases KIND/NAME that one of the globs matches; extended/ has
#                                                  what mha accepts beyond the exercise
#   ALL=1 tests/run.sh COMMAND                     shows every failure whole, and goes on where no answer comes
#   TIMEOUT=60 tests/run.sh COMMAND                seconds for a case (10; 0 is no limit)
#   LOOK=1 tests/run.sh COMMAND                    no case: only in which step of the exercise it goes wrong
#   tests/run.sh                                   tests/program/cases.sh: build/mha on every case
#   STRICT=1 tests/run.sh COMMAND                  tests/program/cases.sh: every byte counts, and nothing ends early
#
# tests/program/cases.sh says of what files a case is made. The last line is `N passed, N failed`; the status is 0 where
# some passed and none failed.

tests=$(dirname "$0")
if [ $# -eq 0 ] || [ "${STRICT:-}" ]; then
    [ $# -eq 0 ] || export CASES="${CASES:-judge/*}"
    exec sh "$tests/program/cases.sh" "$@"
fi
# shellcheck source=tests/kit/lib.sh
. "$tests/kit/lib.sh"
# shellcheck source=tests/kit/look.sh
. "$tests/kit/look.sh"

cases=${CASES:-judge/*}
check_command "$@"
whole=${ALL:-}
[ -z "${LOOK:-}" ] || { look "$@"; exit; }

# Runs the command on the case; sets $status, and $typed to what repeats it.
run() {
    input=$name.in
    quote "$@"
    typed=$quoted
    quote "$input"
    typed="$typed < $quoted"
    answer "$@"
}

# Puts a case that failed to the function in a new process: is it right there?
ask_afresh() {
    cp "$scratch/details" "$scratch/first-details"
    first_reason=$reason
    functions=
    answer "$@"
    functions=yes
    if ! no_answer && is_right "$name.out"; then
        first_reason="$first_reason; alone it is right: something is kept from call to call"
    fi
    reason=$first_reason
    mv "$scratch/first-details" "$scratch/details"
}

# Tells why the case failed: $reason and $scratch/details.
fail() {
    if [ -z "$whole" ] && [ "$shown" -ge 3 ]; then
        echo "${name#"$tests/judge/"}" >>"$scratch/others"
        return 1
    fi
    shown=$((shown + 1))
    [ -z "$functions" ] || [ "$status" = late ] || ask_afresh "$@"
    progress
    say "FAIL ${name#"$tests/"}: $reason"
    [ "$shown" -gt 1 ] || say "  (a case is named after a mistake that it catches; yours may be another)"
    cat "$scratch/details" || exit 1
    say "  again: $typed"
    case $shown:$status:$name:$reason in
    *'every number is right') ;;
    1:0:*/judge/*) say "  the right steps: awk -v steps=1 -f $tests/kit/attention.awk < ${typed##* < }" ;;
    esac
    return 1
}

# Counts the cases without an answer, and those of them that took long.
count_unanswered() {
    unanswered=$((unanswered + 1))
    case $reason in *status* | *signal*) ;; *) slow=$((slow + 1)) ;; esac
}

# Judges the answer to the case, and keeps it for the diagnosis.
judge() {
    run "$@"
    if no_answer; then
        count_unanswered
        [ "$unanswered" -gt 1 ] || [ "$shown" -lt 3 ] || shown=2 # the first one is always shown
        fail "$@"
    else
        [ "${name%/*}" != "$tests/judge" ] || cp "$scratch/stdout" "$answers/${name##*/}"
        is_right "$name.out" && return
        case $reason in *'; every number is right') ;; *) wrong_numbers=yes ;; esac
        [ ! -f "$answers/${name##*/}" ] || echo "${name##*/}" >>"$scratch/wrong"
        fail "$@"
    fi
}

# Says what mistake the answers look like, from those to all judge cases.
diagnose() {
    told=
    for file in "$tests"/judge/*.in; do
        name=${file%.in}
        [ "$slow" -lt 3 ] || [ "$whole" ] || return 0
        [ "$wrong_numbers" ] || break
        [ ! -f "$answers/${name##*/}" ] || continue
        case $ran in *" $name "*) continue ;; esac
        [ "$told" ] || { progress; say "The other judge cases run too, to tell what mistake it is."; }
        told=yes
        progress "${name#"$tests/"}, to tell what mistake it is"
        run "$@"
        if no_answer; then count_unanswered; else cp "$scratch/stdout" "$answers/${name##*/}"; fi
    done
    progress "what mistake is it?"
    # shellcheck disable=SC2046 # names are words
    launch 0 env TMPDIR="$scratch" sh "$tests/kit/name-mistake.sh" "$answers" $(cat "$scratch/wrong")
    progress
    cat "$scratch/stdout" "$scratch/stderr" || exit 1
    ! grep -q -e 'with this mistake: ' -e '^Every wrong number' "$scratch/stdout" || return 0
    [ -z "$wrong_numbers" ] || look "$@"
}

tally() { say "$passed passed, $failed failed"; }

# The cases, the exercises' own samples first, and short ones before long ones.
{
    set -f # split at blanks, but match nothing yet
    for glob in $cases; do
        set +f
        # shellcheck disable=SC2086 # a glob
        wc -c "$tests"/$glob.in "$tests"/$glob.out "$tests"/$glob.err "$tests"/$glob.sh 2>/dev/null
    done
} | LC_ALL=C sort -k 1,1n -k 2 | sed 's/^ *[0-9]* //; s/[.][a-z]*$//' |
    awk -v strict="$scratch/strict" '
        !/\/(judge|extended|errors|faults)\/[^\/]*$/ || seen[$0]++ { next }
        /\/(errors|faults)\/[^\/]*$/ || (getline options <($0 ".args")) >= 0 { print >strict; next }
        /\/example-[^\/]*$/ { print; next }
        { others = others $0 "\n" }
        END { printf "%s", others }' >"$scratch/cases"

answers=$scratch/answers
mkdir "$answers" || exit 1
passed=0
failed=0
shown=0
unanswered=0
slow=0
wrong_numbers=
ran=' '
trap 'progress; tally; exit 130' HUP INT TERM
while read -r name; do
    progress "${name#"$tests/"}"
    if judge "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    ran="$ran$name "
    [ "$unanswered" -lt 3 ] || [ "$whole" ] || break
done <"$scratch/cases"
progress

[ ! -s "$scratch/strict" ] || say "Cases of errors/ and faults/, or with options, are not run: they are for STRICT=1."
if [ ! -s "$scratch/cases" ]; then
    better=
    [ ! -f "$tests/judge/$cases.in" ] || better="; type CASES=judge/$cases"
    echo "run.sh: no case of judge/ or extended/ matches $cases$better" >&2
fi
if [ -s "$scratch/others" ]; then
    others=$(wc -l <"$scratch/others" | tr -d ' ')
    first=
    [ "$others" -le 15 ] || first=', the first 15'
    say "$others more failed (ALL=1 shows them)$first:"
    sed 15q "$scratch/others" | paste -s -d ' ' - | fold -s -w 100 | sed 's/^/    /; s/ *$//' || exit 1
fi
left=$(($(wc -l <"$scratch/cases") - passed - failed))
[ "$left" -eq 0 ] || say "Stopped after three cases without an answer; $left not run (ALL=1 goes on)."
say_overlooked
[ ! -s "$scratch/wrong" ] || diagnose "$@"
tally
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
