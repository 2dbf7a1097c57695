#!/bin/sh
# Proves the cases of judge/: mistakes.cpp is a solution of the exercise that can make each mistake
# that a case is named after. Without a mistake it must pass all cases, with one it must fail the case
# of that name by what it prints.
#
#   tests/selftest/mistakes.sh             builds build/mistakes with make where needed
#   tests/selftest/mistakes.sh PROGRAM     takes a PROGRAM built from mistakes.cpp; its path is absolute
# shellcheck source=tests/selftest/lib.sh
. "${0%/*}/lib.sh"

if [ $# -eq 0 ]; then
    set -- build/mistakes
    make build/mistakes || exit 1
fi
if CASES='judge/*' tests/program/cases.sh "$1" none; then pass; else failure 'the right solution does not pass'; fi
for name in $("$1" --list | cut -d ' ' -f 1); do
    CASES=judge/$name tests/program/cases.sh "$1" "$name" >"$scratch/report" 2>&1
    case $(cat "$scratch/report") in
    "FAIL judge/$name: stdout differs"*'
0 passed, 1 failed')
        pass
        ;;
    *) failure "$name: its case does not catch it" "$scratch/report" ;;
    esac
done
finish
