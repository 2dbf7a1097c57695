#!/bin/sh
# Tests run.sh and stress.sh as a user's program meets them: small wrong programs in sh and awk, each with the report
# that it must get. What waits runs side by side. It needs build/mistakes, build/reference and build/generate.
# shellcheck disable=SC2009,SC2012,SC2016 # ls and ps are good enough for names like these; programs are in quotes
set -u
# shellcheck source=tests/selftest/lib.sh
. "${0%/*}/lib.sh"

chmod a+x "$scratch"
mkdir "$scratch/bin" "$scratch/setsid" "$scratch/ps" "$scratch/clock" "$scratch/here" "$scratch/kit"
samples='judge/example-*'
examples=$(find tests/judge -name 'example-*.in' | wc -l | tr -d ' ')
solution=tests/kit/attention.awk
lacks= # why the next checks cannot run, if so
export TIMEOUT=60 # right programs have time on any machine

# Whether the text in the second file is the one in the first, where a line `...` is any number of lines, and one that
# begins with ~ is a part of a line. If not, it says where not.
cat >"$scratch/match.awk" <<'AWK'
function matches(line, wanted) { return wanted ~ /^~/ ? index(line, substr(wanted, 2)) : line == wanted }
function fail(found) {
    print "expected " (at <= last ? wanted[at] : "no more") ", found " found
    exit wrong = 1
}
BEGIN { at = 1 }
NR == FNR { wanted[++last] = $0; next }
wanted[at] == "..." && at < last && matches($0, wanted[at + 1]) { at += 2; next }
wanted[at] == "..." { next }
!matches($0, wanted[at]) || at > last { fail($0) }
{ at++ }
END {
    if (!wrong && wanted[at] == "...") at++
    if (!wrong && at <= last) fail("no more")
}
AWK

# report NAME WORD...: runs the words; what they print must be the text on stdin, as match.awk compares. Afterwards no
# temporary file may be left, nor a `sleep $NAP`.
report() {
    title=$1
    shift
    file=$(mktemp "$scratch/report.XXXXXX")
    cat >"$file.wanted"
    [ -z "$lacks" ] || { skip "$title" "$lacks"; return; }
    mkdir -m 777 "$file.tmp"
    nap=$((77000000 + $(sh -c 'echo $PPID'))) # no other process sleeps as long
    TMPDIR=$file.tmp NAP=$nap limited "$@" >"$file" 2>&1 </dev/null
    echo "status $?" >>"$file"
    ls -A "$file.tmp" | sed 's/^/left in TMPDIR: /' >>"$file"
    for _ in 1 2 3 4 5; do asleep && sleep 1; done # what was ended may take a moment
    ! asleep || echo "left running: sleep $nap" >>"$file"
    if where=$(awk -f "$scratch/match.awk" "$file.wanted" "$file"); then
        pass
    else
        failure "$title: ${where:-no comparison}" "$file"
    fi
}

# Whether there is a `sleep $nap`.
asleep() {
    grep -lzsx "[7]${nap#7}" /proc/[0-9]*/cmdline || ps -A -o args= 2>/dev/null | grep -x "slee[p] $nap"
} >/dev/null

# with SED-SCRIPT: attention.awk with a mistake; sets $wrong to the file
with() {
    wrong=$(mktemp "$scratch/wrong.XXXXXX")
    sed "$1" "$solution" >"$wrong"
    chmod a+r "$wrong"
    ! cmp -s "$solution" "$wrong" || failure "sed $1 changes nothing"
}

# program NAME TEXT: a script in $scratch
program() {
    printf '#!/bin/sh\n%s\n' "$2" >"$scratch/$1"
    chmod +x "$scratch/$1"
}

with 's|score\[j\] /= sqrt(d_k)||' && no_scale=$wrong
with 's|%.4f|%.3f|; s|score\[j\] /= sqrt(d_k)||; s|"\["|"("|; s|"\]\\n"|")\\n"|' && round_brackets=$wrong
with 's|score\[j\] /= sqrt(d_k)||; s|d_k = d / h|&; if (n == 1) exit 2|' && crashes=$wrong
with 's|total / sum$|total / sum + 0.00005|' && off_by_one=$wrong
program bad-status 'echo "stderr 1" >&2; echo "the reason stands last" >&2; exit 3'
program hangs ': >"${UP:-/dev/null}"; sleep $NAP & sleep $NAP'
program hangs-alone 'exec sleep $NAP'
program leaves "sleep \$NAP & exec awk -f $solution"
program endless 'exec dd if=/dev/zero bs=1000000 count=20' # as good as without end
program here/mine ''
program kit/function.py '[ "$2" = mine.py ] || { sleep $NAP & sleep $NAP; }; echo no NumPy here >&2; exit 2'
echo 'print(1)' >"$scratch/source.py"
echo 'int main() {}' >"$scratch/it's source.cpp"

# Copies of the kit with 25 cases, for short diagnoses: with build/mistakes; without a compiler; where there is no /proc;
# where build/mistakes does not end; with 19 cases.
for kit in small bare blind stuck few; do
    mkdir -p "$scratch/$kit/tests/judge" "$scratch/stuck/build"
    cp -r tests/*.sh tests/kit tests/program "$scratch/$kit/tests"
    for input in tests/judge/example-*.in $(ls tests/judge/[n-z]*.in | head -n 20); do
        cp "${input%in}"* "$scratch/$kit/tests/judge"
    done
done
ln -s "$PWD/build" "$scratch/small/"
ln -s "$PWD/build" "$scratch/few/"
small=$scratch/small/tests
sed 's|/proc|/no&|' tests/kit/lib.sh >"$scratch/blind/tests/kit/lib.sh"
program stuck/build/mistakes '[ "$1" != --list ] || exec echo no-scale; : >"$UP"; exec sleep $NAP'
compile="g++ -O2 -o solution '$scratch/it'\\''s source.cpp' && tests/run.sh ./solution"
for input in $(ls "$scratch"/few/tests/judge/*.in | sed 1,19d); do rm "${input%in}"*; done
right='; every number is right'
eleven='row 2, number 2: expected 10.0000, found 11'
taken=' (many judges would take it)'

# What waits. A program is ended as a group where PATH has setsid, else as a family that ps or /proc shows, else alone.
for tool in sh dash bash busybox awk sed cat rm mkdir mkfifo mktemp sleep sort paste fold tr wc head tail cut grep ls cp mv \
    find make dirname env; do
    ln -s "$(command -v "$tool")" "$scratch/bin/" 2>/dev/null
done
ln -s "$(command -v setsid)" "$scratch/setsid/" 2>/dev/null
ln -s "$(command -v ps)" "$scratch/ps/" 2>/dev/null
# ends WITH PROGRAM KIT: the KIT has to end the PROGRAM with this tool alone
ends() {
    for shell in dash 'busybox sh' bash; do
        [ -e "$scratch/bin/${shell% sh}" ] || lacks="there is no ${shell% sh}"
        [ ! -d "$scratch/$1" ] || [ -e "$scratch/$1/$1" ] || lacks="there is no $1"
        [ "$1" != /proc ] || [ -r /proc/self/environ ] || lacks='there is no /proc'
        # shellcheck disable=SC2086 # one or two words
        report "a program that hangs, with $1, in $shell" env PATH="$scratch/$1:$scratch/bin" TIMEOUT=1 \
            CASES="$samples" $shell "$3/run.sh" "$scratch/$2" <<END &
...
FAIL judge/example-stdin: no answer within a second
...
  again: $scratch/$2 < $3/judge/example-stdin.in
...
Stopped after three cases without an answer; $((examples - 3)) not run (ALL=1 goes on).
0 passed, 3 failed
status 1
END
        lacks=
    done
}
ends setsid hangs "$scratch/blind/tests"
ends ps hangs "$scratch/blind/tests"
ends /proc hangs tests
ends nothing hangs-alone "$scratch/blind/tests"
for path in "$PATH" "$scratch/bin"; do
    report 'something left running' env PATH="$path" CASES="$samples" tests/run.sh "$scratch/leaves" <<END &
$examples passed, 0 failed
status 0
END
    for command in 'tests/run.sh "$0/hangs"' '"$0/stuck/tests/run.sh" sh -c "echo 1"'; do
        report "ended by a signal: $command" env PATH="$path" TIMEOUT=0 sh -c "export UP=\"\$TMPDIR.up\"; $command &"'
            until [ -e "$UP" ]; do sleep 1; done; kill $!; wait $!' "$scratch" <<END &
...
~0 passed, 
status 130
END
    done
done
# SIGINT cannot be caught by what runs behind an &, so this one does not; nor where reports.sh itself does.
! sh -c 'trap "exit 1" INT; kill -INT $$' || lacks='SIGINT is ignored here'
report 'ended by Ctrl-C' env TIMEOUT=0 sh -c 'export UP="$TMPDIR.up"
    (until [ -e "$UP" ]; do sleep 1; kill -0 $$ || exit; done; kill -INT $$) & exec tests/run.sh "$0/hangs"' "$scratch" <<END
0 passed, 0 failed
status 130
END
lacks=
report 'ALL=1 goes on' env ALL=1 TIMEOUT=1 CASES="$samples" tests/run.sh "$scratch/hangs" <<END &
...
0 passed, $examples failed
status 1
END
program clock/sleep 'until [ -s "$UP" ]; do :; done' # time passes when the words are there
report 'stress of a program that hangs' env PATH="$scratch/clock:$PATH" TIMEOUT=1 sh -c 'export UP="$TMPDIR.up"
    tests/stress.sh sh -c "echo words; echo >\$UP; exec /bin/sleep $NAP"' <<END &
...
~is wrong too: no end within a second, though it printed 6 bytes
...
0 passed, 1 failed
status 1
END
report 'a checker that does not end' env TIMEOUT=1 tests/run.sh sh "$scratch/kit/function.py" loop.py name <<END &
run.sh: loading loop.py does not end within a second: is there a loop outside its functions?
status 2
END

# What compare.awk says first of an answer, printf's format, and whether it is right (0), in each awk. The case has two
# rows, $A and $B.
A='[1.5000 -0.0000]'
B='[-2.2500 10.0000]'
lines=' (as many numbers as there should be, but in other lines)'
cat >"$scratch/verdicts" <<END
$A\n$B\n|0 
[1.5000 0.0000]\n$B\n|0 0.0000 for -0.0000 or the other way round
$A\r\n$B\r\n|0 CR LF at the end of lines
$A \n$B\t\n|0 blanks at the end of lines
$A\n$B|0 no newline at the end
$A\n$B\n\n \n|0 empty lines at the end
$A\n[-2.2500 10.0001]\n|1 row 2, number 2: expected 10.0000, found 10.0001
[1.5000 nan]\n[-2.2500 inf]\n|1 row 1, number 2: expected -0.0000, found nan
[1.5000 1-0.0000]\n$B\n|1 row 1, number 2: expected -0.0000, found 1-0.0000
[1.5 -0.0]\n[-2.25 10.0]\n|1 row 1, number 1: expected 1.5000, found 1.5 (4 decimals are asked for)$right
[1.500000 0.000000]\n$B\n|1 row 1, number 1: expected 1.5000, found 1.500000 (4 decimals are asked for)$right
[1.5 -0.0]\n[-2.25 11]\n|1 row 1, number 1: expected 1.5000, found 1.5 (4 decimals are asked for); $eleven
|1 the answer is empty
[1.5000 -0.0000]%9999s\n$B\n|1 the answer goes on for too long
$A\n|1 row 2 is missing
$A\n$B\n[1.0000 1.0000]\n|1 row 3: the answer should end before it
[1.5000]\n$B\n|1 row 1: number 2 is missing
$A\n[-2.2500 10.0000 1.0000]\n|1 row 2: number 3 is too many
[1.5000\n -0.0000]\n[-2.2500\n 10.0000]\n|1 row 1: number 2 is missing$lines$right
$A\n\n$B\n|1 row 2: it is empty$lines$right
1.5000 -0.0000\n-2.2500 10.0000\n|1 row 1: no [ at its beginning$right
1.5000 -0.0000\n-2.2500 11\n|1 row 1: no [ at its beginning; $eleven
$A\n[-2.2500 10.0000\n|1 row 2: no ] at its end$right
[$A\n $B]\n|1 row 1: more than one pair of brackets$right
[1.5000, -0.0000]\n[-2.2500, 10.0000]\n|1 row 1: found a comma, where only a blank is asked for$right
$A\n $B\n|1 row 2: a blank before the [$taken$right
[1.5000  -0.0000]\n$B\n|1 row 1: more than one blank between numbers$taken$right
$A\n[-2.2500 10.0000 ]\n|1 row 2: a blank inside the brackets$taken$right
[1.5000\t-0.0000]\n$B\n|1 row 1: a <tab> in place of a blank$taken$right
$A\r$B\r|1 row 1: found <CR> in it$lines$right
$A\n$B\n\0|1 row 3: found <NUL> in it
\357\273\277$A\n$B\n|1 row 1: found <BOM> in it
n d h: $A\n$B\n|1 row 1: it begins with text (print the answer only)$right
Enter n:\n$A\n$B\n|1 row 1: it begins with text (print the answer only)$right
$A\n[-2.2500 10.0000] end\n|1 row 2: end is no number
END
printf '%s\n' "$A" "$B" >"$scratch/right"
program judge 'while IFS="|" read -r answer _; do
    verdict=$({ printf "$answer" | tr "\000" "\001"; echo .; } | LC_ALL=C $1 -f tests/kit/answer.awk -f tests/kit/compare.awk "$2")
    status=$?
    echo "$verdict" | { read -r first; printf "%s|%s %s\n" "$answer" "$status" "$first"; }
done <"$3"'
for awk in awk mawk gawk 'busybox awk'; do
    $awk 'BEGIN { exit }' 2>/dev/null || lacks="there is no ${awk% awk}"
    { cat "$scratch/verdicts"; echo 'status 0'; } |
        report "verdicts in $awk" "$scratch/judge" "$awk" "$scratch/right" "$scratch/verdicts" &
    lacks=
done

# Whole reports.
report 'right' env CASES="$samples" tests/run.sh awk -f "$solution" <<END
$examples passed, 0 failed
status 0
END
report 'CR LF' env CASES="$samples" tests/run.sh sh -c 'awk -f "$0" | sed "s/\$/ $(printf "\\r")/"' "$solution" <<END
Overlooked, though some judges do not: CR LF at the end of lines; blanks at the end of lines.
$examples passed, 0 failed
status 0
END
report 'strict' env STRICT=1 CASES=judge/example-stdin tests/run.sh sh -c 'awk -f "$0" | sed "s/\$/ /"' "$solution" <<END
FAIL judge/example-stdin: stdout differs (< expected, > found)
...
0 passed, 1 failed
status 1
END
[ -x build/mha ] || lacks='there is no build/mha'
report 'other kinds of cases' env CASES='errors/* extended/file-as-an-argument judge/example-stdin' tests/run.sh build/mha <<END
Cases of errors/ and faults/ are not run: they are for STRICT=1.
2 passed, 0 failed
status 0
END
lacks=
report 'no such case' env CASES='errors/*' tests/run.sh awk -f "$solution" <<END
Cases of errors/ and faults/ are not run: they are for STRICT=1.
run.sh: no case of judge/ or extended/ matches errors/*
0 passed, 0 failed
status 1
END
[ -x build/mistakes ] || lacks='there is no build/mistakes'
sample=$small/judge/example-stdin
report 'one case' env CASES=judge/example-stdin "$small/run.sh" awk -f "$no_scale" <<END &
FAIL judge/example-stdin: row 1, number 1: expected 2.3210, found 2.0758
  (a case is named after a mistake that it catches; yours may be another)
  input:
$(sed 's/^/    /' "$sample.in")
  expected:
$(sed 's/^/    /' "$sample.out")
  found:
    [2.0758 3.0758 4.0758 5.0758]
    [3.9242 4.9242 5.9242 6.9242]
  again: awk -f $no_scale < $small/judge/example-stdin.in
The other judge cases run too, to tell what mistake it is.
These are the answers of a solution with this mistake: no-scale (scores are not divided by the root of d_k)
0 passed, 1 failed
status 1
END
report 'the samples first' "$small/run.sh" awk -f "$no_scale" <<END &
~FAIL judge/example-
...
~FAIL judge/example-
...
~FAIL judge/example-
...
~ more failed (ALL=1 shows them)
...
These are the answers of a solution with this mistake: no-scale (scores are not divided by the root of d_k)
~ failed
status 1
END
report 'only the form is wrong' env CASES=judge/no-scale "$small/run.sh" sh -c 'awk -f "$0" | tr " " ,' "$solution" <<END
FAIL judge/no-scale: row 1: found a comma, where only a blank is asked for; every number is right
...
  again: sh -c 'awk -f "\$0" | tr " " ,' $solution < $small/judge/no-scale.in
0 passed, 1 failed
status 1
END
report 'no scale, other form' env CASES=judge/no-scale "$small/run.sh" awk -f "$round_brackets" <<END &
FAIL judge/no-scale: row 1: no [ at its beginning; row 1, number 1: expected -5.0895, found -5.494
...
The other judge cases run too, to tell what mistake it is.
These are the answers of a solution with this mistake: no-scale (scores are not divided by the root of d_k)
0 passed, 1 failed
status 1
END
report 'wrong, and without an answer' "$small/run.sh" awk -f "$crashes" <<END &
...
~: it ended with status 2
...
These are the answers of a solution with this mistake: no-scale (scores are not divided by the root of d_k)
~ failed
status 1
END
report 'off by one' env CASES=judge/no-scale "$small/run.sh" awk -f "$off_by_one" <<END &
...
The other judge cases run too, to tell what mistake it is.
Every wrong number is off by one in its last digit: somewhere a number is kept as float, or rounded twice.
0 passed, 1 failed
status 1
END
report 'no known mistake' "$small/run.sh" echo 1 <<END &
...
$((examples + 20 - 3)) more failed (ALL=1 shows them), the first 15:
~    example-
...
None of the $(build/mistakes --list | wc -l | tr -d ' ') known mistakes gives these answers: yours is another, or there are several.
0 passed, $((examples + 20)) failed
status 1
END
# To an ordinary user the checkout may be read-only.
as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
[ "$(id -u)" -eq 0 ] || as_user=
${as_user:-:} true 2>/dev/null || lacks='nobody else can be asked to run it'
cp -RL "$scratch/small" "$scratch/read-only"
cp -R "$scratch/bare" "$scratch/unbuilt"
cp Makefile "$scratch/unbuilt"
chmod -R a-w,a+rX "$scratch/read-only" "$scratch/unbuilt"
# shellcheck disable=SC2086 # words
report 'a read-only checkout' $as_user "$scratch/read-only/tests/run.sh" echo 1 <<END &
...
FAIL judge/example-stdin: row 1: number 2 is missing
...
~known mistakes gives these answers
~0 passed
status 1
END
# shellcheck disable=SC2086
report 'a read-only checkout without build' $as_user "$scratch/unbuilt/tests/stress.sh" cat <<END &
~stress.sh: build/generate or build/reference is missing, and make cannot build them: mkdir: 
status 2
END
lacks=
report 'no compiler' "$scratch/bare/tests/run.sh" echo 1 <<END &
...
What mistake it is can be told where make can build build/mistakes with g++ or clang++; here it says:
~No rule to make target
~0 passed
status 1
END
report 'few answers' "$scratch/few/tests/run.sh" echo 1 <<END
...
0 passed, 19 failed
status 1
END
report 'ALL=1' env ALL=1 CASES="$samples" "$scratch/few/tests/run.sh" echo 1 <<END
...
FAIL judge/example-eight-heads-of-eight: row 1: number 2 is missing
...
~  again: echo 1 < 
...
0 passed, $examples failed
status 1
END
report 'last lines of stderr' tests/run.sh "$scratch/bad-status" <<END
~: it ended with status 3
...
  the end of stderr:
    stderr 1
    the reason stands last
~  again: $scratch/bad-status < tests/judge/example-
...
~Stopped after three cases without an answer; 
0 passed, 3 failed
status 1
END
report 'a signal' env CASES=judge/example-stdin tests/run.sh sh -c 'kill -SEGV $$' <<END
FAIL judge/example-stdin: it crashed with signal SEGV: an index outside its array, or recursion without end?
...
0 passed, 1 failed
status 1
END
report 'status 77' env CASES=judge/example-stdin tests/run.sh sh -c 'exit 77' <<END
FAIL judge/example-stdin: it ended with status 77
...
0 passed, 1 failed
status 1
END
report 'output without end' env CASES=judge/example-stdin tests/run.sh "$scratch/endless" <<END
FAIL judge/example-stdin: it prints without end (cut at 8 MiB)
  (a case is named after a mistake that it catches; yours may be another)
  input:
$(sed 's/^/    /' "$sample.in")
  found:
...
  again: $scratch/endless < tests/judge/example-stdin.in
0 passed, 1 failed
status 1
END
report 'a closed pipe' sh -c 'CASES="$2" tests/run.sh awk -f "$1" | head -n 1' sh "$no_scale" "$samples" <<END
FAIL judge/example-einsum-one-head: row 1, number 1: expected 0.6698, found 0.7311
status 0
END
script -qec 'test -t 1' /dev/null >/dev/null 2>&1 || lacks='script makes no terminal'
report 'a terminal' script -qec "CASES=judge/example-stdin tests/run.sh awk -f $solution" /dev/null <<END
$(printf '\rjudge/example-stdin\033[K\r\033[K1 passed, 0 failed\r')
status 0
END
lacks=

# What a mistake's answers are.
[ -x build/mistakes ] || lacks='there is no build/mistakes'
report 'decimals cut off behind the exponent' sh -c 'echo 1 1 1 1 1 25e-1 | build/mistakes decimals-cut-off-when-read' <<END
[2.0000]
status 0
END
lacks=

# Commands that cannot run are told once, before any case: WORDS|what is said of them.
cat >"$scratch/refused" <<END
no-such-command|no such command: no-such-command
$scratch|$scratch is a folder, not a program
$scratch/source.py|$scratch/source.py is source text; type tests/run.sh python3 $scratch/source.py
"$scratch/it's source.cpp"|$scratch/it's source.cpp is source text; type $compile
'awk -f x.awk'|no such command: awk -f x.awk; type it without quotes around it all: tests/run.sh awk -f x.awk
awk -f x.awk|no such file: x.awk
tests/judge/one-head.in|tests/judge/one-head.in is not executable; type chmod +x tests/judge/one-head.in
END
while IFS='|' read -r words message; do
    eval "report 'refused' tests/run.sh $words" <<END
run.sh: $message
status 2
END
done <"$scratch/refused"
report 'a file in the folder' sh -c 'cd "$0" && "$1/tests/run.sh" mine' "$scratch/here" "$PWD" <<END
run.sh: mine is a file in this folder; type $PWD/tests/run.sh ./mine
status 2
END
mkdir "$scratch/here/awk"
report 'a folder named as a command' sh -c 'cd "$0" && CASES=$3 "$1/tests/run.sh" awk -f "$1/$2"' \
    "$scratch/here" "$PWD" "$solution" "$samples" <<END
$examples passed, 0 failed
status 0
END
report 'a checker of functions' tests/run.sh sh "$scratch/kit/function.py" mine.py <<END
no NumPy here
status 2
END
for setting in TIMEOUT=abc COUNT=abc COUNT=-1 SEED=1.5; do
    report "$setting" env $setting tests/stress.sh awk -f "$solution" <<END
stress.sh: ${setting%=*} is not a whole number: ${setting#*=}
status 2
END
done
report 'help' tests/run.sh --help <<END
$(sed -n '2,/^$/s/^# \{0,1\}//p' tests/run.sh)
status 0
END

# Stress.
[ -x build/reference ] && [ -x build/generate ] || lacks='there is no build/reference or build/generate'
report 'stress of a right program' env COUNT=30 tests/stress.sh sh -c 'awk -f "$0" | sed "s/\$/ /"' "$solution" <<END
Overlooked, though some judges do not: blanks at the end of lines.
30 passed, 0 failed
status 0
END
with 's|total / sum$|total / sum + 1e-10|' # rounds ties otherwise
report 'stress of rounding' env COUNT=30 tests/stress.sh sh -c 'awk -f "$0" | sed "s/\$/ /"' "$wrong" <<END
Overlooked, though some judges do not: blanks at the end of lines.
30 passed, 0 failed
status 0
END
report 'stress goes on' env COUNT=30 KEEP_GOING=1 tests/stress.sh echo 1 <<END
~wrong on: build/generate 1 1 judge
~the smallest cut of it that is wrong too: row 
...
0 passed, 30 failed
status 1
END
report 'strict stress' env COUNT=3 STRICT=1 tests/stress.sh sh -c 'awk -f "$0" | sed "s/\$/ /"' "$solution" <<END
~wrong on: build/generate 1 1 judge
~the smallest cut of it that is wrong too: row 1: expected the form
...
0 passed, 3 failed
status 1
END
report 'what stress prints to repeat it' sh -c 'report=$(tests/stress.sh awk -f "$0")
    found=$(echo "$report" | sed -n "/^  found:/,/^  again/s/^    \[/[/p")
    again=$(echo "$report" | sed -n "s/^ *again: //p")
    echo "$report" | sed "1,2s/:.*//;3,/again/d"; [ "$(eval "$again")" = "$found" ] && echo the same' "$no_scale" <<END
wrong on
the smallest cut of it that is wrong too
~ passed, 1 failed
the same
status 0
END
wait
finish
