#!/bin/sh
# Runs each command of README.md that stands there with its output, in the order of the page, and compares.
#
#   tests/selftest/readme.sh
#
# Such a command is an indented line that begins with `$ `; its output are the lines up to the next one or the block's
# end. A line `...` there stands for any lines. The command for several machines runs on this one.
# The last line is `N passed, N failed`, and `, N skipped` where some were.
set -u
unset STRICT ALL CASES TIMEOUT COUNT SEED KIND KEEP_GOING MAKEFLAGS

cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/here" # a checkout in which files may be made
for name in Makefile src tests build; do ln -s "$PWD/$name" "$scratch/here/$name"; done
awk -v to="$scratch/" '
    /^    [$] / {
        file = sprintf("%s%03d", to, ++count)
        print substr($0, 7) >(file ".command")
        printf "" >(file ".wanted")
        next
    }
    /^    / && file { print substr($0, 5) >(file ".wanted"); next }
    { file = "" }' README.md
readme=$PWD/README.md
cd "$scratch/here" || exit 1

passed=0 failed=0 skipped=
# judge COMMAND-FILE FOUND-FILE WANTED-FILE: counts whether they are the same
judge() {
    if diff "$3" "$2" >"$scratch/diff"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $(cat "$1") (< README.md, > found)"
        sed 's/^/    /' "$scratch/diff"
    fi
}

for command in "$scratch"/*.command; do
    sh "$command" >"$scratch/found" 2>&1 </dev/null
    # Where the README says `...`, what was found is left out up to the line that comes next.
    awk 'NR == FNR { wanted[++count] = $0; next }
        wanted[at + 1] == "..." {
            if ($0 != wanted[at + 2]) next
            print "..."
            at++
        }
        { print; at++ }' "${command%command}wanted" "$scratch/found" >"$scratch/shortened"
    judge "$command" "$scratch/shortened" "${command%command}wanted"
done

if command -v parallel >/dev/null; then
    mkdir inputs
    cp tests/judge/example-*.in inputs
    sed -n 's/^    \(parallel .*--sshlogin \)[^ ]*/\1:/p' "$readme" >"$scratch/several"
    sh "$scratch/several" >/dev/null 2>&1 </dev/null
    cat inputs/*.out >"$scratch/found"
    cat tests/judge/example-*.out >"$scratch/wanted"
    judge "$scratch/several" "$scratch/found" "$scratch/wanted"
else
    skipped=', 1 skipped'
    echo "SKIP many inputs on several machines: no parallel"
fi

echo "$passed passed, $failed failed$skipped"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
