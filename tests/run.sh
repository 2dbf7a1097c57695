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
all=${ALL:-}
check_command "$@"
if [ "${LOOK:-}" ]; then
    look "$@" && exit
    say_smallest "$@"
    exit 1
fi

# Runs the command on the case; is there an answer? It keeps those to judge cases for the diagnosis: an empty one says
# that the command ended with an error.
run() {
    input=$name.in
    saved=$answers/${name##*/}
    [ "${name%/*}" = "$tests/judge" ] || saved=/dev/null
    answer "$@"
    if no_answer; then
        unanswered=$((unanswered + 1))
        case $answered:$reason in yes:*status* | yes:*signal*) ;; *) lost=$((lost + 1)) ;; esac
        case $reason in *status* | *signal*) : >"$saved" ;; esac
        return 1
    fi
    answered=yes
    cp "$scratch/stdout" "$saved"
}

# Whether to stop: three cases did not end, or three ended with an error and no other has had an answer.
is_lost() { [ "$lost" -ge 3 ] && [ -z "$all" ]; }

# Judges the command on the case: $reason and $scratch/details say what is wrong.
judge() {
    if run "$@"; then
        is_right "$name.out" && return
        case $reason in *'; every number is right') ;; *) wrong_numbers=yes ;; esac
    else
        wrong_numbers=yes
        [ "$unanswered" -gt 1 ] || [ "$told" -lt 3 ] || told=2 # the first one is always told
        if [ ! -s "$scratch/stdout" ] || [ "$size" -ge 8388608 ]; then
            :
        elif printed=$(compare "$name.out"); then
            reason="$reason; what it printed before is right"
        else
            reason="$reason; in what it printed before: $(echo "$printed" | sed 1q)"
        fi
    fi
    [ ! -f "$saved" ] || echo "${name##*/}" >>"$scratch/wrong"
    return 1
}

# Keeps why the case failed for tell(), or its name alone. The file's name begins with the size of the input.
keep() {
    if [ -z "$all" ] && [ "$told" -ge 3 ]; then
        echo "${name#"$tests/judge/"}" >>"$scratch/others"
        return
    fi
    told=$((told + 1))
    ask_afresh "$name.out" "$@"
    quote "$@"
    typed=$quoted
    quote "$input"
    {
        echo "FAIL ${name#"$tests/"}: $reason"
        [ "$whole" ] || echo "  (a case is named after a mistake that it catches; yours may be another)"
        cat "$scratch/details"
        echo "  $again: $typed < $quoted"
        case $whole:$name:$reason in
        *'every number is right') ;;
        :*/judge/*expected*) echo "  the right steps: awk -v steps=1 -f $tests/kit/attention.awk < $quoted" ;;
        esac
    } >"$scratch/failures/$((1000000000 + $(wc -w <"$input")))-$told"
    [ "$told" -lt 3 ] || tell
}

# Tells the failures that were kept: the smallest one whole, of the others one line.
tell() {
    progress
    for file in "$scratch"/failures/*; do
        [ -f "$file" ] || continue
        if [ -z "$whole" ] || [ "$all" ]; then cat "$file"; else sed 1q "$file"; fi || exit 1
        whole=yes
        rm "$file"
    done
}

# Says what mistake the answers look like, from those to all judge cases, or in which step it goes wrong.
diagnose() {
    others=
    for file in "$tests"/judge/*.in; do
        ! is_lost || return 0
        [ "$wrong_numbers" ] || break
        name=${file%.in}
        ! grep -qFx -e "pass $file" -e "fail $file" "$scratch/judged" || continue
        others=yes
        progress "${name#"$tests/"}, to tell what mistake it is"
        run "$@"
    done
    progress
    [ -z "$others" ] || say "The other judge cases ran too, to tell what mistake it is."
    progress "what mistake is it?"
    # shellcheck disable=SC2046 # names are words
    launch 0 env TMPDIR="$scratch" sh "$tests/kit/name-mistake.sh" "$answers" $(cat "$scratch/wrong")
    progress
    cat "$scratch/stdout" "$scratch/stderr" || exit 1
    if [ "$wrong_numbers" ]; then
        grep -q -e 'with this mistake: ' -e '^Every wrong number' "$scratch/stdout" || look "$@"
    elif [ "$failed" -gt 1 ]; then
        say "In all $((passed + failed)) cases every number is right; only the form is wrong."
    fi
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
count=$(($(wc -l <"$scratch/cases")))

answers=$scratch/answers
mkdir "$answers" "$scratch/failures" || exit 1
: >"$scratch/judged"
: >"$scratch/wrong"
passed=0
failed=0
told=0
whole= # whether one was told whole
unanswered=0
answered=
lost=0
wrong_numbers=
trap 'tell; tally; exit 130' HUP INT TERM
while read -r name && ! is_lost; do
    progress "$((passed + failed + 1)) of $count: ${name#"$tests/"}"
    if judge "$@"; then
        passed=$((passed + 1))
        echo "pass $name.in" >>"$scratch/judged"
    else
        keep "$@"
        failed=$((failed + 1))
        echo "fail $name.in" >>"$scratch/judged"
    fi
done <"$scratch/cases"
tell

[ ! -s "$scratch/strict" ] || say "Cases of errors/ and faults/, or with options, are not run: they are for STRICT=1."
if [ "$count" -eq 0 ]; then
    better=
    [ ! -f "$tests/judge/$cases.in" ] || better="; type CASES=judge/$cases"
    echo "run.sh: no case of judge/ or extended/ matches $cases$better" >&2
fi
if [ -s "$scratch/others" ]; then
    say "$(($(wc -l <"$scratch/others"))) more failed (ALL=1 shows them):"
    paste -s -d ' ' "$scratch/others" | fold -s -w 100 | sed -n 's/ *$//; 1,3s/^/    /p; 4s/.*/    .../p' || exit 1
fi
left=$((count - passed - failed))
[ "$left" -eq 0 ] || say "Stopped after three cases without an answer; $left not run (ALL=1 goes on)."
say_overlooked
if grep -q '^fail .*/judge/[^/]*$' "$scratch/judged"; then
    [ "$left" -gt 0 ] || awk -f "$tests/kit/common.awk" "$scratch/judged" || exit 1
    [ ! -s "$scratch/wrong" ] || diagnose "$@"
    say_smallest "$@"
fi
tally
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
