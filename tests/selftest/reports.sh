#!/bin/sh
# Tests run.sh and stress.sh as a user's program meets them: small wrong programs in sh and awk, each with the report
# that it must get, here or in reports.txt. What waits runs side by side. It needs what make test builds.
# shellcheck disable=SC2009,SC2012,SC2016 # ls and ps are good enough for names like these; programs are in quotes
set -u
# shellcheck source=tests/selftest/lib.sh
. "${0%/*}/lib.sh"

chmod a+x "$scratch"
mkdir -p "$scratch/here/awk" "$scratch/bin" "$scratch/setsid" "$scratch/ps" "$scratch/clock" "$scratch/lone"
samples='judge/example-*'
examples=$(find tests/judge -name 'example-*.in' | wc -l | tr -d ' ')
solution=tests/kit/attention.awk
lacks= # why the next checks cannot run, if so
export TIMEOUT=60 # right programs have time on any machine

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
    match "$title" "$file.wanted" "$file"
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
with 's|score\[j\] /= sqrt(d_k)||; s|d_k = d / h|&; if (n * d == 16) exit 2|' && crashes=$wrong
with 's|total / sum$|total / sum + 0.00005|' && off_by_one=$wrong
range='{ print "math range error" >"/dev/stderr"; exit 1 }'
with "s@weight.j. = exp(score.j. - maximum)@if (score[j] > 709 || maximum < -745) $range; weight[j] = exp(score[j])@" &&
    overflows=$wrong
with 's|d_k = d / h|&; if (h == 1) exit 3|' && one_head_crashes=$wrong
with 's|score\[j\] /= sqrt(d_k)||; s|d_k = d / h|&; if (n == 3) exit 3|' && few_answers=$wrong
program bad-status 'printf "%s\n" "Error: the reason" "    at a.js:1" "" "Node.js v18" >&2; exit 3'
program hangs ': >"${UP:-/dev/null}"; sleep $NAP & env -i sleep $NAP'
program hangs-alone 'exec sleep $NAP'
program leaves "sleep \$NAP & exec awk -f $solution"
program endless 'exec dd if=/dev/zero bs=1000000 count=20' # as good as without end
program here/mine ''
program clock/sleep 'rm -f "$UP"; until [ -e "$UP" ]; do /bin/sleep 0.1; done' # until the program comes so far
program lone/setsid 'exit 1'
echo 'print(1)' >"$scratch/source.py"
echo 'int main() {}' >"$scratch/it's source.cpp"

# Copies of the kit with 27 cases, for short diagnoses: with build/mistakes; without a compiler; where there is no
# /proc; where build/mistakes does not end; with one random input, whose answer is a tie.
for kit in small bare blind stuck tie; do
    mkdir -p "$scratch/$kit/tests/judge" "$scratch/stuck/build" "$scratch/tie/build"
    cp -r tests/*.sh tests/kit tests/program "$scratch/$kit/tests"
    for input in tests/judge/example-*.in tests/judge/shape-one-number.in \
        $(ls tests/judge/maximum-[iko]*.in tests/judge/[n-r]*.in | head -n 21); do
        cp "${input%in}"* "$scratch/$kit/tests/judge"
    done
done
ln -s "$PWD/build" "$scratch/small/"
small=$scratch/small/tests
sed 's|/proc|/no&|' tests/kit/lib.sh >"$scratch/blind/tests/kit/lib.sh"
program stuck/build/mistakes '[ "$1" != --list ] || exec echo no-scale; : >"$UP"; exec sleep $NAP'
program tie/build/generate 'case $1 in --*) ;; *) echo 1 2 1 0 0 0 0 0.00005 0 ;; esac'
ln -s "$PWD/build/reference" "$scratch/tie/build/"
sample=tests/judge/example-stdin

# What waits. A program is ended as a group where PATH has setsid, else as a family that ps or /proc shows, else alone.
for tool in sh dash bash busybox awk sed cat rm mkdir mkfifo mktemp sleep sort paste fold tr wc head tail cut grep ls \
    cp mv find make dirname env; do
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
  again: $scratch/$2 < $3/judge/example-einsum-one-head.in
...
FAIL judge/example-stdin: no answer within a second
Stopped after three cases without an answer; $((examples - 3)) not run (ALL=1 goes on).
The smallest input that shows it: $3/stress.sh $scratch/$2
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
# SIGINT cannot be caught by what runs behind an &. Where reports.sh does, env may help.
default=
! env --default-signal=INT true 2>/dev/null || default=--default-signal=INT

# To an ordinary user the checkout may be read-only.
as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
[ "$(id -u)" -eq 0 ] || as_user=
cp -RL "$scratch/small" "$scratch/read-only"
cp -R "$scratch/bare" "$scratch/unbuilt"
cp Makefile "$scratch/unbuilt"
chmod -R a-w,a+rX "$scratch/read-only" "$scratch/unbuilt"

# What is in reports.txt: its head says how it is written.
export scratch samples examples solution small sample no_scale round_brackets crashes off_by_one overflows \
    one_head_crashes default few_answers as_user
newline='
'
ask() {
    wanted=$(eval "cat <<END_OF_REPORT$newline$wanted${newline}END_OF_REPORT")
    export wanted
    printf '%s\n' "$wanted" | report "$title: $command" sh -c "$command"
}
command='' wanted='' beside='' asked=0
while IFS= read -r line; do
    case $line in
    '# '*) title=${line#??} ;;
    '? '*) eval "${line#??}" </dev/null >/dev/null 2>&1 || lacks="not so: ${line#??}" ;;
    '$ '* | '& '*) command=${line#??} beside=${line%%[!&]*} ;;
    '> '*) command=$command$newline${line#??} ;;
    ?*) wanted=$wanted${wanted:+$newline}$line ;;
    *)
        [ -z "$command" ] || asked=$((asked + 1))
        if [ "$beside" ]; then ask & elif [ "$command" ]; then ask; fi
        command='' wanted='' beside='' lacks=''
        ;;
    esac
done <tests/selftest/reports.txt
[ "$asked" -eq "$(grep -c '^[$&] ' tests/selftest/reports.txt)" ] || failure "only $asked reports were asked for"
wait
finish
