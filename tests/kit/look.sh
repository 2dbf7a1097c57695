# shellcheck shell=sh disable=SC2034,SC2154 # lib.sh and run.sh set and use them
# look COMMAND...: asks the COMMAND small questions and says in which step of the exercise it goes wrong. The questions
# are in look.awk. At most 50 are asked, for as long as three answers may take. The status is 0 where all were right.
look() {
    mkdir "$scratch/look" || exit 1
    number=0
    over=
    end=$(($(date +%s) + (seconds > 0 ? 3 * seconds : 30)))
    input=$scratch/question
    while LC_ALL=C awk -v folder="$scratch/look" -v over="$over" -f "$tests/kit/answer.awk" -f "$tests/kit/look.awk" \
        >"$scratch/told"; [ $? -eq 3 ]; do
        number=$((number + 1))
        progress "small input $number, to tell in which step it goes wrong"
        mv "$scratch/told" "$input"
        answer "$@"
        { echo "$status"; head -c 20000 "$scratch/stdout" | tr '\000' '\001'; } >"$scratch/look/$number"
        [ "$number" -lt 50 ] && [ "$(date +%s)" -lt "$end" ] || over=yes
    done
    progress
    cat "$scratch/told" || exit 1
    grep -q 'all were right' "$scratch/told"
}

# The end of each report of a failure.
say_smallest() {
    [ -z "$functions" ] || { shift 2; set -- --function "$@"; }
    quote "$tests/stress.sh" "$@"
    say "The smallest input that shows it: $quoted"
}
