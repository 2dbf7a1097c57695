#!/bin/sh
# The strict harness: runs the program on each case and compares every byte with diff.
#
#   tests/program/cases.sh                      build/mha on every case
#   tests/program/cases.sh COMMAND...           another build of it
#   CASES='judge/* errors/usage-*' ...          only the cases KIND/NAME that one of the globs matches
#   EXCEPT='errors/file-*' ...                  without those that this glob matches
#
# A case is NAME.in, which becomes stdin (/dev/null where there is none), the options in NAME.args, and what must come:
#   judge/     NAME.out: stdout. The exercise's own format, without options.
#   extended/  NAME.out: stdout. What mha accepts beyond the exercise.
#   errors/    NAME.err: stderr, with stdout empty and status 1, or 2 where NAME begins with usage-.
#   faults/    NAME.sh: a script that runs the command and says how each of its parts went, for what a file alone
#              cannot show: a system at fault, input that is slow or large, memory, threads. See faults/common.
# In NAME.args and NAME.err a word's leading @ is the case's folder. A part that this system cannot bring about is
# skipped. The last line is `N passed, N failed`, and `, N skipped` where some were, each part of a script counted; the
# status is 0 where some passed and none failed, 77 where all were skipped.
set -u

tests=$(dirname "$0")/..
case $0 in */program/cases.sh) tests=${0%/program/cases.sh} ;; esac
if [ $# -eq 0 ]; then
    set -- "$tests/../build/mha"
    [ -x "$1" ] || { echo "cases.sh: $1 is missing: build it with make" >&2; exit 2; }
fi
limit= # ends what hangs, where the system can
! command -v timeout >/dev/null || limit='timeout 600'
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM PIPE

# fail REASON FILE: tells why the case failed, and the first lines of FILE.
fail() {
    printf 'FAIL %s: %s\n' "$name" "$1"
    sed -e 's/^/    /' -e 6q "$2"
    printf '  again: %s\n' "$typed"
    return 1
}

# same WHAT EXPECTED-FILE
same() {
    diff "$2" "$scratch/$1" >"$scratch/diff" 2>&1 || fail "$1 differs (< expected, > found)" "$scratch/diff"
}

# The words of NAME.args or NAME.err, with the case's folder for @.
with_folder() {
    sed "s|^@|$tests/${name%/*}|; s| @| $tests/${name%/*}|g" "$1"
}

# Whether the program does on judge/, extended/ and errors/ what the case's files say. One that is not there is empty.
answers() {
    file=$tests/$name
    input=/dev/null out=/dev/null err=/dev/null expected=0
    [ ! -f "$file.in" ] || input=$file.in
    [ ! -f "$file.out" ] || out=$file.out
    if [ -f "$file.err" ]; then
        expected=1
        err=$scratch/err
        with_folder "$file.err" >"$err"
    fi
    case $name in errors/usage-*) expected=2 ;; esac
    if [ -f "$file.args" ]; then
        set -f # the words are no globs
        # shellcheck disable=SC2046 # words are what is wanted
        set -- "$@" $(with_folder "$file.args")
        set +f
    fi
    typed="$* < $input"
    $limit "$@" <"$input" >"$scratch/stdout" 2>"$scratch/stderr"
    status=$?
    [ "$status" -eq "$expected" ] || fail "status $status, expected $expected" "$scratch/stderr" || return
    same stdout "$out" && same stderr "$err"
}

# Counts and tells how the parts of a script of faults/ went.
survives() {
    typed="sh $tests/$name.sh $*"
    TMPDIR=$scratch $limit sh "$tests/$name.sh" "$@" </dev/null >"$scratch/found" 2>&1
    status=$?
    bad=$(grep -c '^FAIL ' "$scratch/found")
    passed=$((passed + $(grep -c '^ok ' "$scratch/found")))
    failed=$((failed + bad))
    skipped=$((skipped + $(grep -c '^SKIP ' "$scratch/found")))
    sed -n "/^ok /d; s|^FAIL |&$name |p; s|^SKIP |&$name |p; s|^    |&|p" "$scratch/found"
    [ "$bad" -eq 0 ] || printf '  again: %s\n' "$typed"
    # Status 0 where no part failed, else 1; and no line but those of parts.
    [ "$status" -eq $((bad > 0)) ] && [ -s "$scratch/found" ] &&
        ! grep -qv -e '^ok ' -e '^FAIL ' -e '^SKIP ' -e '^    ' "$scratch/found" && return
    failed=$((failed + 1))
    fail "the script broke off, status $status" "$scratch/found"
}

set -f
for glob in ${CASES:-*/*}; do
    set +f
    # shellcheck disable=SC2086 # a glob
    (cd "$tests" && ls -d $glob.* 2>/dev/null)
done | sed -n 's/^\(\(judge\|extended\|errors\|faults\)\/[^/]*\)[.][a-z]*$/\1/p' | LC_ALL=C sort -u >"$scratch/cases"

passed=0 failed=0 skipped=0
while read -r name; do
    # shellcheck disable=SC2254 # a glob
    case $name in
    ${EXCEPT-}) ;;
    faults/*) survives "$@" ;;
    *) if answers "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi ;;
    esac
done <"$scratch/cases"
[ -s "$scratch/cases" ] || echo "cases.sh: no case matches ${CASES:-*/*}" >&2
tally="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || tally="$tally, $skipped skipped"
echo "$tally"
[ $((passed + failed)) -gt 0 ] || [ "$skipped" -eq 0 ] || exit 77
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
