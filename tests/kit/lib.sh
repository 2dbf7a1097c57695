# shellcheck shell=sh disable=SC2034 # variables are for the scripts
# What run.sh and stress.sh share: they look at the COMMAND before it runs, run it within limits, and leave nothing of
# it behind. Before they source this file they set $tests, the folder above.

: "${tests:?}"
case $tests in .) build=../build ;; tests | */tests) build=${tests%tests}build ;; *) build=$tests/../build ;; esac
input=/dev/null

say() { printf '%s\n' "$*" 2>/dev/null || exit 1; } # ends where nobody reads any more

# On a terminal, shows what runs.
progress() { [ ! -t 1 ] || printf '\r%s\033[K' "${1-}"; }

refuse() { printf '%s\n' "${0##*/}: $*" >&2; exit 2; }

functions= # the number of words, where the command is a function
case ${1-} in
--help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; exit 0 ;;
--function)
    shift
    [ $# -eq 1 ] || [ $# -eq 2 ] || refuse "type $0 --function my_solution.py [NAME OF THE FUNCTION]"
    set -- python3 "$tests/kit/function.py" "$@"
    functions=$#
    ;;
esac

# need_whole NAME VALUE: refuses what is not a whole number
need_whole() {
    case $2 in '' | *[!0-9]* | 0?* | ????????????????*) refuse "$1 is not a whole number: $2" ;; esac
}

seconds=${TIMEOUT:-10}
need_whole TIMEOUT "$seconds"
limit="$seconds seconds"
[ "$seconds" -ne 1 ] || limit='a second'
setsid=
! setsid sh -c : 2>/dev/null || setsid=setsid
pid=
watchdog=
server=

scratch=$(mktemp -d) || exit 2
trap 'exec 2>/dev/null; stop_watchdog; stop "$pid" "$scratch"; stop "$server" "$scratch/"; rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM PIPE

# Sets $quoted to the words as a shell takes them back.
quote() {
    quoted=
    for word; do
        case $word in
        '' | *[!A-Za-z0-9_./=:,+@%-]*) word="'$(printf '%s' "$word" | sed "s/'/'\\\\''/g")'" ;;
        esac
        quoted="$quoted${quoted:+ }$word"
    done
}

# Whether a Python file has the exercise's function, but neither reads nor prints.
only_defines() {
    grep -q '^def multi_head_attention' "$1" && ! grep -q -e stdin -e 'input *(' -e 'open *(' -e 'print *(' "$1"
}

# Refuses a command that cannot run, and says what to type instead.
check_command() {
    quote "$1"
    case $1 in
    *.py) better="$0 python3 $quoted" ;;
    *.js | *.mjs) better="$0 node $quoted" ;;
    *.awk) better="$0 awk -f $quoted" ;;
    *.pl) better="$0 perl $quoted" ;;
    *.rb) better="$0 ruby $quoted" ;;
    *.java) better="$0 java $quoted" ;;
    *.c) better="cc -O2 -o solution $quoted -lm && $0 ./solution" ;;
    *.cpp | *.cc | *.cxx) better="g++ -O2 -o solution $quoted && $0 ./solution" ;;
    *.rs) better="rustc -O -o solution $quoted && $0 ./solution" ;;
    *) better= ;;
    esac
    case $1 in */*) in_path= ;; *) in_path=$(sh -c 'command -v "$1"' sh "$1") ;; esac # a shell without these functions
    if [ "$in_path" ]; then
        :
    elif [ -d "$1" ]; then
        refuse "$1 is a folder, not a program"
    elif [ -f "$1" ]; then
        [ -z "$better" ] || { [ -x "$1" ] && head -n 1 "$1" | grep -q '^#!'; } ||
            refuse "$1 is source text; type $better"
        [ -x "$1" ] || refuse "$1 is not executable; type chmod +x $quoted"
        ! head -n 1 "$1" | tr '\r' '!' | grep -q '^#!.*!$' ||
            refuse "the first line of $1 ends in CR LF, as on Windows; type tr -d '\\r' <$quoted >solution &&" \
                "chmod +x solution && $0 ./solution"
        case $1 in */*) ;; *) refuse "$1 is a file in this folder; type $0 ./$quoted" ;; esac
    else
        case $1 in *' | '*) refuse "no such command: $1; type $0 sh -c $quoted" ;; esac
        case $1 in *' '*) refuse "no such command: $1; type it without quotes around it all: $0 $1" ;; esac
        refuse "no such command: $1"
    fi
    for word; do
        case ${1##*/}:$word in
        *.ipynb) refuse "$word is a notebook; copy the function's cell into a file of its own, my_solution.py" ;;
        *:-*) ;;
        python*:*.py | node:*js | perl:*.pl | ruby:*.rb | *awk:*.awk | java:*.java)
            [ -f "$word" ] || refuse "no such file: $word"
            quote "$word"
            [ "$functions" ] || ! only_defines "$word" ||
                refuse "$word only defines a function; type $0 --function $quoted"
            ;;
        esac
    done

    [ "$functions" ] || return 0
    answer "$@" # the input is empty: the file is only loaded
    [ "$status" != late ] || refuse "loading $3 does not end within $limit: is there a loop outside its functions?"
    [ "$status" -eq 0 ] || { tail -n 20 "$scratch/stderr" | cut -c 1-300 >&2; exit 2; }
}

# Runs a user's program as launch() does, with at most $seconds and 8 MiB of output.
answer() {
    [ $# != "$functions" ] || { ask_function "$@"; return; }
    # shellcheck disable=SC2016 # the inner shell expands it
    launch "$seconds" sh -c 'ulimit -c 0; ulimit -f 16384; exec "$@"' sh "$@"
}

# Puts the input to the one process that answers all of a function's. Where there is none, or it has ended, it starts.
# Its file descriptors 8 and 9 here are 0 and 3 there.
ask_function() {
    if [ -z "$server" ]; then
        rm -f "$scratch/asked" "$scratch/answered"
        mkfifo "$scratch/asked" "$scratch/answered" || exit 2
        # shellcheck disable=SC2016 # the inner shell expands it
        KIT_RUN=$scratch/ $setsid sh -c 'ulimit -c 0; ulimit -f 16384; exec "$@" --serve' sh "$@" \
            <"$scratch/asked" 3>"$scratch/answered" >>"$scratch/stdout" 2>>"$scratch/stderr" &
        server=$!
        exec 8>"$scratch/asked" 9<"$scratch/answered"
    fi
    # shellcheck disable=SC2016
    launch "$seconds" sh -c 'echo "$1" >&8; read -r status <&9 && exit "$status"; exit 2' sh "$input"
    case $status in 0 | 1) return ;; esac
    stop "$server" "$scratch/"
    wait "$server" 2>/dev/null
    ended=$?
    server=
    [ "$status" = late ] || status=$ended
}

# launch SECONDS COMMAND...: runs the command on the file $input; stdout and stderr come to files in $scratch. Sets
# $status: `late` where the command had to be ended. With 0 seconds there is no limit.
launch() {
    time=$1
    shift
    rm -f "$scratch/late"
    KIT_RUN=$scratch $setsid "$@" <"$input" >"$scratch/stdout" 2>"$scratch/stderr" &
    pid=$!
    [ "$time" -eq 0 ] || start_watchdog
    wait "$pid" 2>/dev/null
    status=$?
    stop_watchdog
    stop "$pid" "$scratch" # what the program left running
    pid=
    [ ! -f "$scratch/late" ] || status=late
}

# Ends the command when the time is up: then the clock's writer ends, and its reader goes on. Both can be ended at once
# by their numbers, whatever they are about to do.
start_watchdog() {
    [ -p "$scratch/clock" ] || mkfifo "$scratch/clock" || exit 2
    sleep "$time" >"$scratch/clock" &
    watchdog=$!
    { read -r _ <"$scratch/clock"; : >"$scratch/late"; stop "$pid" "$scratch"; } >/dev/null 2>&1 &
    watchdog="$! $watchdog"
}

stop_watchdog() {
    # shellcheck disable=SC2086 # two numbers
    [ -z "$watchdog" ] || { kill -KILL $watchdog; wait $watchdog; } 2>/dev/null
    watchdog=
}

# stop PID FOLDER: ends the process, whose KIT_RUN is the folder, and all that it started: its process group or, where
# there is no setsid, what family() finds.
stop() {
    # shellcheck disable=SC2046 # a list of numbers
    if [ -z "$1" ]; then
        :
    elif [ "$setsid" ]; then
        kill -KILL "-$1" || kill -KILL "$1"
    else
        kill -KILL $(family "$1" "$2") "$1"
    fi 2>/dev/null
}

# family PID FOLDER: prints the numbers of what descends from the process, and of what has its environment, as orphans
# do. That is what there is to see without ps or /proc: nothing without both.
family() {
    { ps -A -o pid= -o ppid= || sed -n 's/^\([0-9]*\) (.*) . \([0-9]*\) .*/\1 \2/p' /proc/[0-9]*/stat; } 2>/dev/null |
        awk -v root="$1" '
            { parent[$1] = $2 }
            END {
                for (pid in parent) {
                    for (above = parent[pid]; above > 1 && above != root; above = parent[above]) {}
                    if (above == root) print pid
                }
            }'
    grep -lzsFx "KIT_RUN=$2" /proc/[0-9]*/environ | cut -d / -f 3
}

# Prints the file, whole where it is short.
show_input() {
    echo "  input:"
    awk 'NR <= 10 { line[NR] = length($0) > 110 ? substr($0, 1, 110) " ..." : $0 }
        END {
            shown = NR <= 10 ? NR : 7
            for (n = 1; n <= shown; n++) print "    " line[n]
            if (NR > shown) print "    ... (" NR - shown " more)"
        }' "$input"
}

# Whether the program gave no answer at all; then $reason says why, and $scratch/details shows what there is.
no_answer() {
    [ "$status" != 0 ] || return 1
    signal=
    [ "$status" = late ] || [ "$status" -le 128 ] || signal=$(kill -l $((status - 128)) 2>/dev/null)
    size=$(($(wc -c <"$scratch/stdout")))
    # The reason stands in the last line of stderr, but for what Java, Node and Rust write behind it.
    tr -d '\000\r' <"$scratch/stderr" | cut -c 1-200 | grep -v '^[[:blank:]~^]*$' >"$scratch/said"
    last=$(grep -v -e '^[[:blank:]]*at ' -e '^Node[.]js v' -e '^note: ' "$scratch/said" | tail -n 1)
    if [ $((size + $(wc -c <"$scratch/stderr"))) -ge 8388608 ]; then
        reason='it prints without end (cut at 8 MiB)'
        [ "$size" -lt 8388608 ] || : >"$scratch/said" # it is the limit's
    elif [ "$status" = late ]; then
        reason="no answer within $limit"
        [ "$size" -eq 0 ] || reason="no end within $limit, though it printed $size bytes"
    else
        case $signal in
        '' | [0-9]*) reason="it ended with status $status${last:+: $last}" ;;
        SEGV) reason='it crashed with signal SEGV: an index outside its array, or recursion without end?' ;;
        FPE) reason='it crashed with signal FPE: a whole number divided by zero?' ;;
        KILL) reason='it was ended with signal KILL: too much memory?' ;;
        *) reason="it crashed with signal $signal${last:+: $last}" ;;
        esac
    fi
    {
        show_input
        if [ -s "$scratch/stdout" ]; then
            echo '  found:'
            head -n 5 "$scratch/stdout" | cut -c 1-110 | sed 's/^/    /'
        fi
        said=$(tail -n 5 "$scratch/said")
        case $reason in
        *"$said") ;;
        *) printf '  the end of stderr:\n%s\n' "$said" | sed '2,$s/^/    /' ;;
        esac
    } >"$scratch/details"
}

# Prints what compare.awk says of stdout and the file EXPECTED. $scratch/cleaned gets a wrong answer without what is
# overlooked.
compare() {
    { tr '\000' '\001' <"$scratch/stdout"; echo .; } |
        LC_ALL=C awk -v cleaned="$scratch/cleaned" -f "$tests/kit/answer.awk" -f "$tests/kit/compare.awk" "$1"
}

# Whether stdout is what the file EXPECTED says. If not, $reason says where, and $scratch/details shows it.
is_right() {
    if compare "$1" >"$scratch/verdict"; then
        cat "$scratch/verdict" >>"$scratch/overlooked"
        return
    fi
    reason=$(sed 1q "$scratch/verdict")
    { show_input; sed 1d "$scratch/verdict"; } >"$scratch/details"
    return 1
}

# ask_afresh EXPECTED COMMAND...: after a failure, puts the input to the function in a process of its own. Where it is
# right there, $reason says so, and $again is no longer `again`.
ask_afresh() {
    again=again
    [ "$functions" ] && [ "$status" != late ] || return 0
    first_reason=$reason words=$functions expected=$1
    shift
    cp "$scratch/details" "$scratch/first-details"
    functions=
    answer "$@"
    functions=$words
    if ! no_answer && is_right "$expected"; then
        first_reason="$first_reason; alone it is right: something is kept from call to call"
        again=alone
    fi
    reason=$first_reason
    mv "$scratch/first-details" "$scratch/details"
}

# Says what was overlooked, if anything.
say_overlooked() {
    [ -s "$scratch/overlooked" ] || return 0
    say "Overlooked, though some judges do not: $(sort -u "$scratch/overlooked" | paste -s -d ';' - | sed 's/;/; /g')."
}
