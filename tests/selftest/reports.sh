#!/bin/sh
# Tests run.sh, stress.sh and kit/name-mistake.sh themselves, as a user's program meets them: small wrong programs in sh and awk,
# each with what its report must say. What waits runs side by side.
#
#   tests/selftest/reports.sh             under sh, and some of it under dash and busybox where they are there
#
# It needs build/mistakes, build/reference and build/generate. The last line is `N passed, N failed`.
# shellcheck disable=SC2016,SC2012,SC2009 # programs in quotes; ls and ps are good enough for names like these
set -u
unset STRICT ALL CASES TIMEOUT COUNT SEED KIND KEEP_GOING MAKEFLAGS

cd "$(dirname "$0")/../.." || exit 1
scratch=$(mktemp -d) && scratch=$(cd "$scratch" && pwd -P) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
export TMPDIR="$scratch/tmp"
: >"$scratch/failed"
mkdir "$TMPDIR" "$scratch/bin" "$scratch/here" "$scratch/kit"
samples='judge/example-*'
examples=$(ls tests/judge/example-*.in | wc -l | tr -d ' ')
solution=tests/kit/attention.awk
sleeper="sleep 77$$" # no other process has these words

# report NAME WORD...: runs the words; their report must have the lines of stdin: each whole, or a part of it behind ~,
# or not at all behind !.
report() {
    title=$1
    shift
    file=$(mktemp "$scratch/report.XXXXXX")
    cat >"$file.wanted"
    "$@" >"$file" 2>&1 </dev/null
    echo "status $?" >>"$file"
    while IFS= read -r line; do
        case $line in
        ~*) grep -qF -e "${line#?}" "$file" ;;
        !*) ! grep -qF -e "${line#?}" "$file" ;;
        *) grep -qxF -e "$line" "$file" ;;
        esac || { failure "$title: expected $line" "$file"; return; }
    done <"$file.wanted"
    echo passed >>"$scratch/passed"
}

# failure TEXT [FILE]
failure() {
    { echo "FAIL $1"; [ $# -lt 2 ] || cut -c 1-150 "$2" | sed 's/^/    /'; } >>"$scratch/failed"
}

# verdict ANSWER LINE...: what compare.awk says first of the ANSWER, printf's format, to a case with two rows.
printf '[1.5000 -0.0000]\n[-2.2500 10.0000]\n' >"$scratch/right"
verdict() {
    # shellcheck disable=SC2059 # a format is wanted
    for awk in awk 'busybox awk' gawk; do
        $awk 'BEGIN { exit }' 2>/dev/null || continue
        found=$({ printf "$1" | tr '\000' '\001'; echo .; } | LC_ALL=C $awk -f tests/kit/answer.awk -f tests/kit/compare.awk "$scratch/right" | sed 1q)
        if [ "$found" = "$2" ]; then echo passed >>"$scratch/passed"; else failure "$awk on $1: expected $2, found $found"; fi
    done
}

# with SED-SCRIPT: attention.awk with a mistake; sets $wrong to the file
with() {
    wrong=$(mktemp "$scratch/wrong.XXXXXX")
    sed "$1" "$solution" >"$wrong"
    ! cmp -s "$solution" "$wrong" || failure "sed $1 changes nothing"
}

# The programs.
with 's|score\[j\] /= sqrt(d_k)||' && no_scale=$wrong
with 's|%.4f|%.3f|; s|score\[j\] /= sqrt(d_k)||; s|"\["|"("|; s|"\]\\n"|")\\n"|' && round_brackets=$wrong
with 's|score\[j\] /= sqrt(d_k)||; s|d_k = d / h|&; if (n == 1) exit 2|' && crashes=$wrong
with 's|total / sum$|total / sum + 0.00005|' && off_by_one=$wrong
cat >"$scratch/bad-status" <<'END'
#!/bin/sh
for line in 1 2 3 4 5 6 7 8 9 10; do echo "stderr $line" >&2; done
echo 'the reason stands last' >&2
exit 3
END
printf '#!/bin/sh\n[ $# -eq 0 ] || : >"$1"\n%s & %s\n' "$sleeper" "$sleeper" >"$scratch/hangs"
printf '#!/bin/sh\n%s &\nexec awk -f %s\n' "$sleeper" "$solution" >"$scratch/leaves"
printf '#!/bin/sh\nexec dd if=/dev/zero bs=1000000 count=20\n' >"$scratch/endless" # as good as without end
printf '[ "$2" = mine.py ] || { %s & %s; }\necho no NumPy here >&2\nexit 2\n' "$sleeper" "$sleeper" >"$scratch/kit/function.py"
printf 'print(1)\n' >"$scratch/source.py"
printf 'int main() {}\n' >"$scratch/it's source.cpp"
printf '#!/bin/sh\n' >"$scratch/here/mine"
chmod +x "$scratch/bad-status" "$scratch/hangs" "$scratch/leaves" "$scratch/endless" "$scratch/here/mine"
for tool in sh awk sed cat rm mkdir mktemp sleep ps ls sort paste fold tr wc head tail cut cp mv grep dirname find kill make yes; do
    ln -s "$(command -v "$tool")" "$scratch/bin/$tool" 2>/dev/null
done

# A kit with 25 cases, for a short diagnosis, and one without a compiler.
for kit in small bare; do
    mkdir -p "$scratch/$kit/tests/judge"
    cp -r tests/*.sh tests/kit tests/program "$scratch/$kit/tests"
    for input in tests/judge/example-*.in $(ls tests/judge/[n-z]*.in | head -n 20); do
        cp "${input%in}"* "$scratch/$kit/tests/judge"
    done
done
ln -s "$PWD/build" "$scratch/small/build"
small=$scratch/small/tests

# What waits. A script's way without timeout, and without setsid as well, is taken where PATH has none.
mkdir "$scratch/setsid"
ln -s "$(command -v setsid)" "$scratch/setsid/" 2>/dev/null
for shell in dash 'busybox sh' bash; do
    $shell -c : 2>/dev/null || continue
    case $shell in *' '*) applet=${shell#* } ;; *) applet= ;; esac
    for path in "$PATH" "$scratch/bin:$scratch/setsid" "$scratch/bin"; do
        # shellcheck disable=SC2086 # no word where there is no applet
        report "a program that hangs, under $shell with PATH=$path" env PATH="$path" TIMEOUT=1 CASES="$samples" \
            "$(command -v "${shell%% *}")" $applet tests/run.sh "$scratch/hangs" <<END &
FAIL judge/example-stdin: no answer within a second
  again: $scratch/hangs < tests/judge/example-stdin.in
Stopped after three cases without an answer; $((examples - 3)) not run (ALL=1 goes on).
0 passed, 3 failed
status 1
END
    done
done
report 'ALL=1 goes on' env ALL=1 TIMEOUT=1 CASES="$samples" tests/run.sh "$scratch/hangs" <<END &
!Stopped
0 passed, $examples failed
status 1
END
report 'stress of a program that hangs' env TIMEOUT=1 tests/stress.sh sh -c "echo words; $sleeper" <<END &
~is wrong too: no end within a second, though it printed 6 bytes
0 passed, 1 failed
status 1
END
report 'ended by a signal' env TIMEOUT=0 sh -c 'tests/run.sh "$0/hangs" "$0/up" & until [ -e "$0/up" ]; do sleep 1; done; kill $!; wait $!' \
    "$scratch" <<END &
0 passed, 0 failed
status 130
END
# SIGINT cannot be caught by what runs behind an &, so this one does not; nor where kit.sh itself does.
if ! sh -c 'trap "exit 1" INT; kill -INT $$'; then
    { until [ -e "$scratch/up too" ]; do sleep 1; done; kill -INT "$(cat "$scratch/pid")"; } &
    report 'ended by Ctrl-C' env TIMEOUT=0 sh -c 'echo $$ >"$0/pid"; exec tests/run.sh "$0/hangs" "$0/up too"' "$scratch" <<END
0 passed, 0 failed
status 130
END
fi

# Verdicts on answers.
verdict '[1.5000 -0.0000]\n[-2.2500 10.0000]\n' ''
verdict '[1.5000 0.0000]\n[-2.2500 10.0000]\n' '0.0000 for -0.0000 or the other way round'
verdict '[1.5000 -0.0000]\r\n[-2.2500 10.0000]\r\n' 'CR LF at the end of lines'
verdict '[1.5000 -0.0000] \n[-2.2500 10.0000]\t\n' 'blanks at the end of lines'
verdict '[1.5000 -0.0000]\n[-2.2500 10.0000]' 'no newline at the end'
verdict '[1.5000 -0.0000]\n[-2.2500 10.0000]\n\n \n' 'empty lines at the end'
verdict '[1.5000 -0.0000]\n[-2.2500 10.0001]\n' 'row 2, number 2: expected 10.0000, found 10.0001'
verdict '[1.5000 nan]\n[-2.2500 inf]\n' 'row 1, number 2: expected -0.0000, found nan'
verdict '[1.5000 1-0.0000]\n[-2.2500 10.0000]\n' 'row 1, number 2: expected -0.0000, found 1-0.0000'
verdict '[1.5 -0.0]\n[-2.25 10.0]\n' 'row 1, number 1: expected 1.5000, found 1.5 (4 decimals are asked for); every number is right'
verdict '[1.500000 0.000000]\n[-2.250000 10.000000]\n' \
    'row 1, number 1: expected 1.5000, found 1.500000 (4 decimals are asked for); every number is right'
verdict '[1.5 -0.0]\n[-2.25 11]\n' \
    'row 1, number 1: expected 1.5000, found 1.5 (4 decimals are asked for); row 2, number 2: expected 10.0000, found 11'
verdict '' 'the answer is empty'
verdict "[1.5000 -0.0000]%9999s\\n[-2.2500 10.0000]\\n" 'the answer goes on for too long'
verdict '[1.5000 -0.0000]\n' 'row 2 is missing'
verdict '[1.5000 -0.0000]\n[-2.2500 10.0000]\n[1.0000 1.0000]\n' 'row 3: the answer should end before it'
verdict '[1.5000]\n[-2.2500 10.0000]\n' 'row 1: number 2 is missing'
verdict '[1.5000 -0.0000]\n[-2.2500 10.0000 1.0000]\n' 'row 2: number 3 is too many'
verdict '[1.5000\n -0.0000]\n[-2.2500\n 10.0000]\n' \
    'row 1: number 2 is missing (as many numbers as there should be, but in other lines); every number is right'
verdict '[1.5000 -0.0000]\n\n[-2.2500 10.0000]\n' \
    'row 2: it is empty (as many numbers as there should be, but in other lines); every number is right'
verdict '1.5000 -0.0000\n-2.2500 10.0000\n' 'row 1: no [ at its beginning; every number is right'
verdict '1.5000 -0.0000\n-2.2500 11.0000\n' \
    'row 1: no [ at its beginning; row 2, number 2: expected 10.0000, found 11.0000'
verdict '[1.5000 -0.0000]\n[-2.2500 10.0000\n' 'row 2: no ] at its end; every number is right'
verdict '[[1.5000 -0.0000]\n [-2.2500 10.0000]]\n' 'row 1: more than one pair of brackets; every number is right'
verdict '[1.5000, -0.0000]\n[-2.2500, 10.0000]\n' 'row 1: found a comma, where only a blank is asked for; every number is right'
verdict '[1.5000 -0.0000]\n [-2.2500 10.0000]\n' 'row 2: a blank before the [ (many judges would take it); every number is right'
verdict '[1.5000  -0.0000]\n[-2.2500 10.0000]\n' \
    'row 1: more than one blank between numbers (many judges would take it); every number is right'
verdict '[1.5000 -0.0000]\n[-2.2500 10.0000 ]\n' \
    'row 2: a blank inside the brackets (many judges would take it); every number is right'
verdict '[1.5000\t-0.0000]\n[-2.2500 10.0000]\n' \
    'row 1: a <tab> in place of a blank (many judges would take it); every number is right'
verdict '[1.5000 -0.0000]\r[-2.2500 10.0000]\r' 'row 1: found <CR> in it (as many numbers as there should be, but in other lines); every number is right'
verdict '[1.5000 -0.0000]\n[-2.2500 10.0000]\n\0' 'row 3: found <NUL> in it'
verdict '\357\273\277[1.5000 -0.0000]\n[-2.2500 10.0000]\n' 'row 1: found <BOM> in it'
verdict 'n d h: [1.5000 -0.0000]\n[-2.2500 10.0000]\n' \
    'row 1: it begins with text (print the answer only); every number is right'
verdict 'Enter n:\n[1.5000 -0.0000]\n[-2.2500 10.0000]\n' \
    'row 1: it begins with text (print the answer only); every number is right'
verdict '[1.5000 -0.0000]\n[-2.2500 10.0000] end\n' 'row 2: end is no number'

# Whole reports.
report 'right' env CASES="$samples" tests/run.sh awk -f "$solution" <<END
!Overlooked
!FAIL
$examples passed, 0 failed
status 0
END
report 'CR LF' env CASES="$samples" tests/run.sh sh -c 'awk -f "$0" | sed "s/\$/ $(printf "\\r")/"' "$solution" <<END
Overlooked, though some judges do not: CR LF at the end of lines; blanks at the end of lines.
$examples passed, 0 failed
END
report 'strict' env STRICT=1 CASES="$samples" tests/run.sh sh -c 'awk -f "$0" | sed "s/\$/ /"' "$solution" <<END
FAIL judge/example-stdin: stdout differs (< expected, > found)
!Overlooked
!These are
0 passed, $examples failed
status 1
END
report 'no scale' "$small/run.sh" awk -f "$no_scale" <<END &
FAIL judge/example-stdin: row 1, number 1: expected 2.3210, found 2.0758
    5 6 7 8
    [2.3210 3.3210 4.3210 5.3210]
    [2.0758 3.0758 4.0758 5.0758]
  again: awk -f $no_scale < $small/judge/example-stdin.in
  (a case is named after a mistake that it catches; yours may be another)
!FAIL judge/no-scale
~These are the answers of a solution with this mistake: no-scale
status 1
END
report 'only the form is wrong' env CASES=judge/no-scale "$small/run.sh" sh -c 'awk -f "$0" | tr " " ,' "$solution" <<END
FAIL judge/no-scale: row 1: found a comma, where only a blank is asked for; every number is right
!The other
END
report 'no scale, other form, one case' env CASES=judge/no-scale "$small/run.sh" awk -f "$round_brackets" <<END
The other judge cases run too, to tell what mistake it is.
~FAIL judge/no-scale: row 1: no [ at its beginning; row 1, number 1: expected -5.0895, found -5.494
~These are the answers of a solution with this mistake: no-scale
0 passed, 1 failed
END
report 'wrong, and without an answer' "$small/run.sh" awk -f "$crashes" <<END &
~FAIL judge/one-number: it ended with status 2
~These are the answers of a solution with this mistake: no-scale
END
report 'off by one' env CASES=judge/no-scale "$small/run.sh" awk -f "$off_by_one" <<END &
Every wrong number is off by one in its last digit: somewhere a number is kept as float, or rounded twice.
!These are
END
report 'no known mistake' "$small/run.sh" sh -c 'echo 1' <<END &
22 more failed (ALL=1 shows them), the first 15:
~    example-
None of the $(build/mistakes --list | wc -l | tr -d ' ') known mistakes gives these answers: yours is another, or there are several.
END
report 'no compiler' "$scratch/bare/tests/run.sh" sh -c 'echo 1' <<END
What mistake it is can be told where make can build build/mistakes with g++ or clang++; here it says:
~No rule to make target
END
# To an ordinary user the checkout may be read-only.
if [ "$(id -u)" -ne 0 ] || setpriv --reuid=65534 true 2>/dev/null; then
    cp -RL "$scratch/small" "$scratch/read-only"
    chmod -R a-w,a+rX "$scratch/read-only"
    chmod a+rx "$scratch"
    mkdir -m 777 "$TMPDIR/any"
    as_user=
    [ "$(id -u)" -ne 0 ] || as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
    # shellcheck disable=SC2086 # words
    (cd "$scratch/read-only" && TMPDIR=$TMPDIR/any report 'a read-only checkout' $as_user tests/run.sh sh -c 'echo 1') <<END
~FAIL judge/example-stdin: row 1: number 2 is missing
~known mistakes gives these answers
END
    cp Makefile "$scratch/bare"
        chmod -R a-w,a+rX "$scratch/bare"
    # shellcheck disable=SC2086
    (cd "$scratch/bare" && TMPDIR=$TMPDIR/any report 'a read-only checkout without build' $as_user tests/stress.sh cat) <<END
~stress.sh: build/generate or build/reference is missing, and make cannot build them: mkdir: 
status 2
END
    rmdir "$TMPDIR/any"
    chmod -R u+w "$scratch/read-only" "$scratch/bare"
fi
wait
rm "$small"/judge/[op]*
report 'few answers' "$small/run.sh" sh -c 'echo 1' <<END
~FAIL judge/example-stdin
!These
!None
END
report 'ALL=1' env ALL=1 CASES="$samples" "$small/run.sh" sh -c 'echo 1' <<END
FAIL judge/example-eight-heads-of-eight: row 1: number 2 is missing
!more failed
!These are
END
report 'last lines of stderr' tests/run.sh "$scratch/bad-status" <<END
FAIL judge/example-stdin: it ended with status 3
    the reason stands last
!stderr 2
~Stopped after three cases without an answer; 
!These are
END
report 'a signal' tests/run.sh sh -c 'kill -SEGV $$' <<END
FAIL judge/example-stdin: it crashed with signal SEGV: an index outside its array, or recursion without end?
END
report 'status 77' tests/run.sh sh -c 'exit 77' <<END
FAIL judge/example-stdin: it ended with status 77
0 passed, 3 failed
status 1
END
report 'output without end' tests/run.sh "$scratch/endless" <<END &
FAIL judge/example-stdin: it prints without end (cut at 8 MiB)
!stderr
0 passed, 3 failed
END
report 'something left running' env CASES="$samples" tests/run.sh "$scratch/leaves" <<END
$examples passed, 0 failed
END
report 'a closed pipe' sh -c 'CASES="$2" tests/run.sh awk -f "$1" | head -n 1' sh "$no_scale" "$samples" <<END
FAIL judge/example-einsum-one-head: row 1, number 1: expected 0.6698, found 0.7311
!again
END
shown=$(printf 'judge/one-token\033[K')
! script -qec 'test -t 1' /dev/null >/dev/null 2>&1 ||
    report 'a terminal' script -qec "CASES=judge/one-* tests/run.sh awk -f $solution" /dev/null <<END
~$shown
~ passed, 0 failed
END

# What a mistake's answers are.
report 'decimals cut off behind the exponent' sh -c 'echo 1 1 1 1 1 25e-1 | build/mistakes decimals-cut-off-when-read' <<END
[2.0000]
END

# Commands that cannot run are told once.
refused() { # refused WORD... expects the one line of stdin
    { sed 's/^/run.sh: /'; echo 'status 2'; echo '!FAIL'; echo '!passed'; } | report "refused: $*" tests/run.sh "$@"
}
refused no-such-command <<END
no such command: no-such-command
END
refused "$scratch" <<END
$scratch is a folder, not a program
END
refused "$scratch/source.py" <<END
$scratch/source.py is source text; type tests/run.sh python3 $scratch/source.py
END
refused "$scratch/it's source.cpp" <<END
$scratch/it's source.cpp is source text; type g++ -O2 -o solution '$scratch/it'\\''s source.cpp' && tests/run.sh ./solution
END
refused 'awk -f x.awk' <<END
no such command: awk -f x.awk; type it without quotes around it all: tests/run.sh awk -f x.awk
END
refused awk -f x.awk <<END
no such file: x.awk
END
refused tests/judge/one-head.in <<END
tests/judge/one-head.in is not executable; type chmod +x tests/judge/one-head.in
END
report 'a file in the folder' sh -c 'cd "$0" && "$1/tests/run.sh" mine' "$scratch/here" "$PWD" <<END
run.sh: mine is a file in this folder; type $PWD/tests/run.sh ./mine
END
mkdir "$scratch/here/awk"
report 'a folder named as a command' sh -c 'cd "$0" && CASES=$3 "$1/tests/run.sh" awk -f "$1/$2"' \
    "$scratch/here" "$PWD" "$solution" "$samples" <<END
$examples passed, 0 failed
END
report 'a checker that does not end' env TIMEOUT=1 tests/run.sh sh "$scratch/kit/function.py" loop.py name <<END &
run.sh: loading loop.py does not end within a second: is there a loop outside its functions?
status 2
!FAIL
END
report 'a checker of functions' tests/run.sh sh "$scratch/kit/function.py" mine.py <<END
no NumPy here
status 2
!FAIL
END
for setting in TIMEOUT=abc COUNT=abc COUNT=-1 SEED=1.5; do
    report "$setting" env $setting tests/stress.sh awk -f "$solution" <<END
stress.sh: ${setting%=*} is not a whole number: ${setting#*=}
status 2
END
done
report 'help' tests/run.sh --help <<END
  tests/run.sh python3 my_solution.py            your own solution of the exercise, on judge/ alone
status 0
END

# Stress.
report 'stress of a right program' env COUNT=30 tests/stress.sh sh -c 'awk -f "$0" | sed "s/\$/ /"' "$solution" <<END
Overlooked, though some judges do not: blanks at the end of lines.
30 passed, 0 failed
status 0
END
report 'stress goes on' env COUNT=30 KEEP_GOING=1 tests/stress.sh sh -c 'echo 1' <<END
0 passed, 30 failed
status 1
END
tests/stress.sh awk -f "$no_scale" >"$scratch/stress" 2>&1
report 'stress of a wrong program' cat "$scratch/stress" <<END
~wrong on: build/generate 
~is wrong too: row 
~1 failed
END
found=$(sed -n '/^  found:/,/^  again/s/^    \[/[/p' "$scratch/stress")
report 'what stress prints to repeat it' sh -c "$(sed -n 's/^ *again: //p' "$scratch/stress")" <<END
$found
status 0
END

wait
[ -z "$(ls -A "$TMPDIR")" ] || failure "left in TMPDIR: $(ls -A "$TMPDIR")"
! ps -A -o args= | grep -qxF "$sleeper" || failure "left running: $sleeper"
cat "$scratch/failed"
passed=$(wc -l <"$scratch/passed")
failed=$(grep -c '^FAIL' "$scratch/failed")
echo "$((passed)) passed, $((failed)) failed"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
