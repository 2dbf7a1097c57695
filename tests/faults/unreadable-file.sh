#!/bin/sh
# The file exists, but may not be read.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
echo '1 1 1 2 3 4' >"$scratch/file"
chmod 000 "$scratch/file"
if [ -r "$scratch/file" ]; then # by root: be someone else
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    chmod 711 "$scratch"
    "$@" --version >/dev/null 2>&1 || skip 'root may read every file'
fi
"$@" "$scratch/file" >"$stdout" 2>"$stderr"
ended 'as FILE' 1 "mha: $scratch/file: Permission denied" /dev/null
