#!/bin/sh
# A build with -ffast-math, or -Ofast, would print wrong numbers with status 0: the preprocessor refuses the source, in a
# line that says why. This is about the source: the command is not run.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
source=$(dirname "$0")/../../src/mha.cpp
: >"$scratch/empty.cpp"
tried=
for compiler in g++ clang++; do
    for flag in -ffast-math -Ofast -ffinite-math-only; do
        "$compiler" -E $flag "$scratch/empty.cpp" >/dev/null 2>/dev/null || continue # is not here
        tried=yes
        ! "$compiler" -std=c++17 -E $flag "$source" >/dev/null 2>"$stderr" || wrong "$compiler $flag builds" /dev/null
        grep -q 'error.*without -ffast-math' "$stderr" || wrong "$compiler $flag: the reason is not told" "$stderr"
    done
done
[ "$tried" ] || skip 'no g++ and no clang++'
