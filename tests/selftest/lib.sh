# shellcheck shell=sh
# What the tests of the kit share. They run in the project's folder, count what passed, failed and could not run, and
# end with finish(): the last line is `N passed, N failed`, and `, N skipped` where some were; the status is 0 where
# none failed, 77 where all were skipped.

cd "$(dirname "$0")/../.." || exit 1
unset STRICT ALL LOOK CASES TIMEOUT COUNT SEED KIND KEEP_GOING MAKEFLAGS
scratch=$(mktemp -d) && scratch=$(cd "$scratch" && pwd -P) || exit 1
matcher=$PWD/tests/selftest/match.awk
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
touch "$scratch/passed" "$scratch/failed" "$scratch/skipped"

pass() { echo >>"$scratch/passed"; }

# failure TEXT [FILE]: what failed, and what was found
failure() { printf 'FAIL %s\n' "$1${2:+
$(cut -c 1-150 "$2" | sed 's/^/    /')}" >>"$scratch/failed"; }

# skip WHAT WHY
skip() { printf 'SKIP %s: %s\n' "$1" "$2" >>"$scratch/skipped"; }

# match WHAT WANTED FOUND: counts whether the file FOUND is what WANTED says, as match.awk compares
match() {
    if where=$(awk -f "$matcher" "$2" "$3"); then pass; else failure "$1: ${where:-no comparison}" "$3"; fi
}

# limited COMMAND...: ends it after 200 seconds, since no check may wait for ever
limited() { if timeout 9 true 2>/dev/null; then timeout -k 9 200 "$@"; else "$@"; fi; }

# remake LANGUAGE NAME+NAME...: makes the right solution with these mistakes of remakes.txt, prints its command
remake() {
    case $1 in
    awk) set -- awk "$2" tests/kit/attention.awk 'awk -f' ;;
    *) set -- "$1" "$2" tests/selftest/remakes.py "$1" ;;
    esac
    sed -nE "s/^$1 [0-5]+ ($(echo "$2" | tr + '|')) //p" tests/selftest/remakes.txt >"$scratch/script"
    sed -f "$scratch/script" "$3" >"$scratch/$1-$2"
    ! cmp -s "$3" "$scratch/$1-$2" || failure "$2: its sed in remakes.txt changes nothing"
    echo "$4 $scratch/$1-$2"
}

finish() {
    sort -u "$scratch/skipped" # what many have in common is said once
    cat "$scratch/failed"
    passed=$(($(wc -l <"$scratch/passed")))
    skipped=$(($(wc -l <"$scratch/skipped")))
    failed=$(grep -c '^FAIL' "$scratch/failed")
    tally="$passed passed, $failed failed"
    [ "$skipped" -eq 0 ] || tally="$tally, $skipped skipped"
    echo "$tally"
    [ "$failed" -eq 0 ] || exit 1
    [ "$passed" -gt 0 ] || exit 77
    exit 0
}
