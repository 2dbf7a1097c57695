#!/bin/sh
# Proves the cases of judge/: mistakes.cpp is a solution of the exercise that can make each mistake
# that a case is named after. Without a mistake it must pass all cases, with one it must fail the case
# of that name by what it prints.
#
#   tests/selftest/mistakes.sh             builds build/mistakes with make where needed
#   tests/selftest/mistakes.sh PROGRAM     takes a PROGRAM built from mistakes.cpp
#
# The last line is `N passed, N failed`; the status is 0 where some passed and none failed.

tests=$(dirname "$0")/..
if [ $# -eq 0 ]; then
    set -- "$tests/../build/mistakes"
    (cd "$tests/.." && make build/mistakes) || exit 1
fi
export STRICT=1 # bytes are compared, and nothing is diagnosed

passed=0
failed=0
if CASES='judge/*' "$tests/run.sh" "$1" none; then passed=1; else failed=1; fi
for name in $("$1" --list | cut -d ' ' -f 1); do
    answer=$(CASES=judge/$name "$tests/run.sh" "$1" "$name" 2>&1)
    case $answer in
    "FAIL judge/$name: stdout differs"*'
0 passed, 1 failed')
        passed=$((passed + 1))
        ;;
    *)
        failed=$((failed + 1))
        printf '%s\n' "FAIL $name: its case does not catch it" "$answer"
        echo "    again: STRICT=1 CASES=judge/$name $tests/run.sh $1 $name"
        ;;
    esac
done

echo "$passed passed, $failed failed"
[ "$passed" -gt 1 ] && [ "$failed" -eq 0 ]
