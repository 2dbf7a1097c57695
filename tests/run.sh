#!/bin/sh
# Runs a program on the cases in this folder and says what is wrong with what it prints.
#
#   tests/run.sh python3 my_solution.py            your own solution of the exercise, on judge/ alone
#   tests/run.sh                                   build/mha on every case
#   CASES='judge/* errors/usage-*' tests/run.sh    only the cases KIND/NAME that one of the globs matches
#   CASES='*/*' tests/run.sh COMMAND               the same of a COMMAND
#   ALL=1 tests/run.sh COMMAND                     shows every failure whole, and goes on where no answer comes
#   TIMEOUT=60 tests/run.sh COMMAND                seconds for a case (10; 0 is no limit)
#   STRICT=1 tests/run.sh COMMAND                  as without a COMMAND: every byte counts, and nothing ends early
#
# A case is NAME.in, which becomes stdin, and what must come of it:
#   judge/     NAME.out: stdout. The exercise's own format.
#   extended/  NAME.out: stdout, with the options in NAME.args. What mha accepts beyond the exercise.
#   errors/    NAME.err: stderr, with stdout empty and status 1, or 2 where NAME begins with usage-.
#   faults/    NAME.sh: a script that runs the command and says what was wrong, for what a file alone cannot show:
#              a system at fault, input that is slow or large, memory, threads.
# Without NAME.in stdin is /dev/null. In NAME.args and NAME.err a word's leading @ is the case's folder.
# A fault that this system cannot bring about is skipped. The last line is `N passed, N failed`, and `, N skipped`
# where some were; the status is 0 where some passed and none failed, 77 where all were skipped.

tests=$(dirname "$0")
if [ $# -eq 0 ] || [ "${STRICT:-}" ]; then
    [ $# -eq 0 ] || export CASES="${CASES:-judge/*}"
    exec sh "$tests/program/cases.sh" "$@"
fi
strict=
# shellcheck source=tests/kit/lib.sh
. "$tests/kit/lib.sh"

cases=${CASES:-judge/*}
check_command "$@"
whole=${ALL:-}

# Runs the command on the case; sets $status, and $typed to what repeats it.
run() {
    if [ -f "$name.args" ]; then
        set -f # the words are no globs
        # shellcheck disable=SC2013 # words are what is wanted
        for word in $(cat "$name.args"); do
            case $word in @*) word=${name%/*}${word#@} ;; esac
            set -- "$@" "$word"
        done
        set +f
    fi
    input=/dev/null
    [ ! -f "$name.in" ] || input=$name.in
    quote "$@"
    typed=$quoted
    quote "$input"
    typed="$typed < $quoted"
    answer "$@"
}

# fail REASON [FILE]: tells why the case failed, with $scratch/details or the first lines of FILE.
fail() {
    [ $# -lt 2 ] || sed -e 's/^/    /' -e 6q "$2" >"$scratch/details"
    if [ -z "$whole" ] && [ "$shown" -ge 3 ]; then
        echo "${name#"$tests/judge/"}" >>"$scratch/others"
        return 1
    fi
    shown=$((shown + 1))
    progress
    say "FAIL ${name#"$tests/"}: $1"
    [ "$strict" ] || [ "$shown" -gt 1 ] || say "  (a case is named after a mistake that it catches; yours may be another)"
    cat "$scratch/details" || exit 1
    say "  again: $typed"
    return 1
}

# ended_with STATUS
ended_with() {
    [ "$status" != "$1" ] || return 0
    [ "$status" != late ] || fail "no answer within $seconds seconds" "$scratch/stderr" || return
    [ "$status" -le 128 ] || fail "crashed with signal $((status - 128))" "$scratch/stderr" || return
    fail "status $status, expected $1" "$scratch/stderr"
}

# printed stdout|stderr EXPECTED-FILE
printed() {
    diff "$2" "$scratch/$1" >"$scratch/diff" 2>&1 ||
        fail "$1 differs (< expected, > found)" "$scratch/diff"
}

# Counts the cases without an answer, and those of them that took long.
count_unanswered() {
    unanswered=$((unanswered + 1))
    case $reason in *status* | *signal*) ;; *) slow=$((slow + 1)) ;; esac
}

# Judges a user's answer, and keeps it for the diagnosis.
judged() {
    if no_answer; then
        count_unanswered
        [ "$unanswered" -gt 1 ] || [ "$shown" -lt 3 ] || shown=2 # the first one is always shown
        fail "$reason"
    else
        [ "${name%/*}" != "$tests/judge" ] || cp "$scratch/stdout" "$answers/${name##*/}"
        is_right "$name.out" && return
        case $reason in *'; every number is right') ;; *) wrong_numbers=yes ;; esac
        [ ! -f "$answers/${name##*/}" ] || echo "${name##*/}" >>"$scratch/wrong"
        fail "$reason"
    fi
}

judge() {
    run "$@"
    [ "$strict" ] || { judged; return; }
    ended_with 0 && printed stdout "$name.out" && { [ "$own" ] || printed stderr /dev/null; }
}

extended() {
    run "$@"
    [ "$strict" ] || { judged; return; }
    ended_with 0 && printed stdout "$name.out" && printed stderr /dev/null
}

errors() {
    run "$@"
    case ${name##*/} in usage-*) expected_status=2 ;; *) expected_status=1 ;; esac
    expected=$(cat "$name.err")
    case $expected in *' @'*) expected="${expected%%' @'*} ${name%/*}${expected#*' @'}" ;; esac
    printf '%s\n' "$expected" >"$scratch/expected"
    ended_with $expected_status && printed stderr "$scratch/expected" && printed stdout /dev/null
}

faults() {
    quote sh "$name.sh" "$@"
    typed=$quoted
    TMPDIR=$scratch sh "$name.sh" "$@" </dev/null >"$scratch/found" 2>&1 & # its files go with $scratch
    await
    case $status in
    0) ;;
    77) progress && say "SKIP ${name#"$tests/"}: $(cat "$scratch/found")" && return 77 ;;
    *) sed 1d "$scratch/found" >"$scratch/rest" && fail "$(sed 1q "$scratch/found")" "$scratch/rest" ;;
    esac
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
    sh "$tests/kit/name-mistake.sh" "$answers" $(cat "$scratch/wrong") >"$scratch/diagnosis" 2>&1 &
    await
    progress
    cat "$scratch/diagnosis" || exit 1
}

tally() {
    tally="$passed passed, $failed failed"
    [ "$skipped" -eq 0 ] || tally="$tally, $skipped skipped"
    say "$tally"
}

# The cases, the exercises' own samples first, and short ones before long ones.
{
    set -f # split at blanks, but match nothing yet
    for glob in $cases; do
        set +f
        # shellcheck disable=SC2086 # a glob
        wc -c "$tests"/$glob.in "$tests"/$glob.out "$tests"/$glob.err "$tests"/$glob.sh 2>/dev/null
    done
} | LC_ALL=C sort -k 1,1n -k 2 | sed 's/^ *[0-9]* //; s/[.][a-z]*$//' |
    awk '!/\/(judge|extended|errors|faults)\/[^\/]*$/ || seen[$0]++ { next }
    /\/example-[^\/]*$/ { print; next }
    { others = others $0 "\n" }
    END { printf "%s", others }' >"$scratch/cases"

answers=$scratch/answers
mkdir "$answers" || exit 1
passed=0
failed=0
skipped=0
shown=0
unanswered=0
slow=0
wrong_numbers=
ran=' '
trap 'progress; tally; exit 130' HUP INT TERM
while read -r name; do
    kind=${name%/*}
    progress "${name#"$tests/"}"
    "${kind##*/}" "$@"
    case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
    esac
    ran="$ran$name "
    [ "$unanswered" -lt 3 ] || [ "$whole" ] || break
done <"$scratch/cases"
progress

[ $((passed + failed + skipped)) -gt 0 ] || echo "run.sh: no case matches $cases" >&2
if [ -s "$scratch/others" ]; then
    others=$(wc -l <"$scratch/others" | tr -d ' ')
    first=
    [ "$others" -le 15 ] || first=', the first 15'
    say "$others more failed (ALL=1 shows them)$first:"
    sed 15q "$scratch/others" | paste -s -d ' ' - | fold -s -w 100 | sed 's/^/    /; s/ *$//' || exit 1
fi
left=$(($(wc -l <"$scratch/cases") - passed - failed - skipped))
[ "$left" -eq 0 ] || say "Stopped after three cases without an answer; $left not run (ALL=1 goes on)."
say_overlooked
[ ! -s "$scratch/wrong" ] || diagnose "$@"
tally
[ $((passed + failed)) -gt 0 ] || [ "$skipped" -eq 0 ] || exit 77
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
