#!/bin/sh
# The system tells only when the output is closed that it could not keep it, as network file systems do.
# shellcheck source=tests/faults/common
. "$(dirname "$0")/common"
needs_injecting
# shellcheck disable=SC2094 # a name, not a second use
injecting close:error=EIO "$stdout" "$@" "$sample" >"$stdout" 2>"$stderr"
ended 'close' 1 'mha: <stdout>: Input/output error'
