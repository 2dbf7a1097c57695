#!/bin/sh
# There is an error to tell and no standard error. A file that is opened may get its number: it must not be written to.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
: >"$stderr"
echo '1 1 1 word' >"$scratch/bad"
cp "$scratch/bad" "$scratch/file"
"$@" <"$scratch/bad" >"$stdout" 2>&-
ended 'bad input on stdin' 1 '' /dev/null
"$@" "$scratch/file" >"$stdout" 2>&-
ended 'bad file' 1 '' /dev/null
cmp "$scratch/bad" "$scratch/file" || exit 1
"$@" --wrong >"$stdout" 2>&-
ended 'wrong usage' 2 '' /dev/null
"$@" "$scratch/file" <&- >&- 2>&-
ended 'bad file, nothing open' 1 ''
cmp "$scratch/bad" "$scratch/file" || exit 1
"$@" "$sample" >"$stdout" 2>&-
ended 'good file' 0 '' "$sample_answer"
