#!/bin/sh
# Runs each command of README.md that stands there with its output, in the order of the page, and compares.
#
# Such a command is an indented line that begins with `$ `; its output are the lines up to the next one or the block's
# end. A line `...` there stands for any lines. The command for several machines runs on this one.
# shellcheck source=tests/selftest/lib.sh
. "${0%/*}/lib.sh"

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

for command in "$scratch"/*.command; do
    sh "$command" >"$scratch/found" 2>&1 </dev/null
    match "$(cat "$command")" "${command%command}wanted" "$scratch/found"
done

if command -v parallel >/dev/null; then
    mkdir inputs
    cp tests/judge/example-*.in inputs
    sed -n 's/^    \(parallel .*--sshlogin \)[^ ]*/\1:/p' "$readme" | sh >/dev/null 2>&1
    cat tests/judge/example-*.out >"$scratch/wanted"
    cat inputs/*.out >"$scratch/found"
    match 'many inputs on several machines' "$scratch/wanted" "$scratch/found"
else
    skip 'many inputs on several machines' 'there is no parallel'
fi
finish
