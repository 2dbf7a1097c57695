#!/bin/sh
# Runs a program on the cases in this folder and compares what it prints.
#
#   tests/run.sh                                   build/mha on every case
#   tests/run.sh python3 my_solution.py            your own solution of the exercise, on judge/ alone
#   CASES='judge/* errors/usage-*' tests/run.sh    only the cases KIND/NAME that one of the globs matches
#   CASES='*/*' tests/run.sh COMMAND               the same of a COMMAND
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
if [ $# -eq 0 ]; then
    own=
    cases=${CASES:-*/*}
    set -- "$tests/../build/mha"
    [ -x "$1" ] || { echo "run.sh: $1 is missing: build it with make" >&2; exit 1; }
else
    own=yes # then a judge case asks nothing of stderr
    cases=${CASES:-judge/*}
fi

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Sets $quoted to the words as a shell takes them back.
quote() {
    quoted=
    for word; do
        case $word in
        '' | *[!A-Za-z0-9_./=:,+@%-]*) word="'$(printf '%s' "$word" | sed "s/'/'\\\\''/g")'" ;;
        esac
        quoted="$quoted${quoted:+ }$word"
    done
}

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
    "$@" <"$input" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
}

# fail REASON FILE: tells why the case failed, with the first lines of FILE.
fail() {
    echo "FAIL ${name#"$tests/"}: $1"
    sed -e 's/^/    /' -e 6q "$2"
    echo "    again: $typed"
    return 1
}

# ended_with STATUS
ended_with() {
    [ "$status" -ne "$1" ] || return 0
    [ "$status" -le 128 ] || fail "crashed with signal $((status - 128))" "$scratch/stderr" || return
    fail "status $status, expected $1" "$scratch/stderr"
}

# printed stdout|stderr EXPECTED-FILE
printed() {
    diff "$2" "$scratch/$1" >"$scratch/diff" 2>&1 ||
        fail "$1 differs (< expected, > found)" "$scratch/diff"
}

judge() {
    run "$@"
    ended_with 0 && printed stdout "$name.out" && { [ "$own" ] || printed stderr /dev/null; }
}

extended() {
    run "$@"
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
    sh "$name.sh" "$@" </dev/null >"$scratch/found" 2>&1
    status=$?
    case $status in
    0) ;;
    77) echo "SKIP ${name#"$tests/"}: $(cat "$scratch/found")" && return 77 ;;
    *) sed 1d "$scratch/found" >"$scratch/rest" && fail "$(sed 1q "$scratch/found")" "$scratch/rest" ;;
    esac
}

passed=0
failed=0
skipped=0
set -f # split at blanks, but match nothing yet
for glob in $cases; do
    set +f
    # shellcheck disable=SC2086 # a glob
    for file in "$tests"/$glob.in "$tests"/$glob.out "$tests"/$glob.err "$tests"/$glob.sh; do
        name=${file%.*}
        kind=${name%/*}
        kind=${kind##*/}
        [ -f "$file" ] || continue # a glob that matched nothing
        case $file in *.in) ;; *) [ ! -f "$name.in" ] || continue ;; esac # had its turn with its .in
        case $kind in judge | extended | errors | faults) ;; *) continue ;; esac
        "$kind" "$@"
        case $? in
        0) passed=$((passed + 1)) ;;
        77) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) ;;
        esac
    done
done

[ $((passed + failed + skipped)) -gt 0 ] || echo "run.sh: no case matches $cases" >&2
tally="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || tally="$tally, $skipped skipped"
echo "$tally"
[ $((passed + failed)) -gt 0 ] || [ "$skipped" -eq 0 ] || exit 77
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
