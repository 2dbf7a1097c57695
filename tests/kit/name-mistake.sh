#!/bin/sh
# Says what mistake the answers of a wrong solution look like: they are compared with those of build/mistakes, which can
# make every mistake that a judge case is named after.
#
#   tests/kit/name-mistake.sh ANSWERS [NAME...]    the folder ANSWERS has a file NAME for each judge case that was answered;
#                                          the cases NAME... are looked at first: wrong ones tell mistakes apart
#
# It prints nothing where that cannot be told: a wrong name is worse than none.

tests=$(dirname "$0")/..
mistakes=$tests/../build/mistakes
answers=$1
shift
[ "$(find "$answers" -type f | wc -l)" -ge 20 ] || exit 0
seen=
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
(cd "$tests/.." && make build/mistakes) </dev/null 2>&1 >/dev/null | sed 1q >"$scratch/make"
if [ ! -x "$mistakes" ]; then
    echo "What mistake it is can be told where make can build build/mistakes with g++ or clang++; here it says:"
    sed 's/^/    /' "$scratch/make"
    exit 0
fi

# Prints the candidates that are left after a case, each as NAME LEVEL APART FAR. LEVEL is how well its answers agree
# with the user's in all cases so far: 1 to the letter, 2 as numbers, whatever their form, 3 within one unit of their
# last digit. APART is in how many cases its numbers are not the right ones, FAR in how many by more than one unit.
# The input is the candidates so far, then the answers to the case, each behind a line `@ NAME`: the user's, the right
# one, the candidates'.
narrow() {
    LC_ALL=C awk '
    /^@ / { name = $2; order[++answers] = name; next }
    answers == 0 { level[$1] = $2; apart[$1] = $3; far[$1] = $4; next }
    {
        line = tolower($0)
        sub(/[ \t\r]+$/, "", line)
        gsub(/[-+]?(nan|inf|1[.]#)[^] ,]*/, "nan", line) # however a language prints them
        gsub(/\[-0[.]0000/, "[0.0000", line)
        gsub(/ -0[.]0000/, " 0.0000", line)
        if (line !~ /^nan/) sub(/^[a-z][^[]*/, "", line) # a prompt
        if (line == "") next
        text[name] = text[name] line "\n"
        gsub(/[][(),]/, " ", line)
        words = split(line, word, " ")
        for (w = 1; w <= words; w++) numbers[name, ++count[name]] = word[w]
    }
    END {
        number_form = "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[-+]?[0-9]+)?$"
        for (a = 3; a <= answers; a++) {
            name = order[a]
            now = agreement("user", name)
            if (now > 3) continue
            from_right = agreement(name, "right")
            if (now < level[name]) now = level[name]
            print name, now, apart[name] + (from_right > 2), far[name] + (from_right > 3)
        }
    }
    function agreement(a, b,    worst, k, x, y, unit, difference) {
        if (text[a] == text[b]) return 1
        if (count[a] != count[b]) return 4
        worst = 2
        for (k = 1; k <= count[a] && worst < 4; k++) {
            x = numbers[a, k]
            y = numbers[b, k]
            if (x == y) continue
            if (x !~ number_form || y !~ number_form) return 4
            unit = unit_of(x)
            if (unit_of(y) > unit) unit = unit_of(y)
            if (unit_of(numbers["user", k]) > unit) unit = unit_of(numbers["user", k]) # nothing finer can be told
            difference = (x > y ? x - y : y - x) - 1e-11 * (x > 0 ? x : -x) # which sums of doubles cannot tell apart
            if (difference > 1.000001 * unit) return 4
            if (difference > 0.500001 * unit) worst = 3
        }
        return worst
    }
    # One in the last digit.
    function unit_of(x,    point) {
        if (x ~ /e/) return 0.0001
        point = index(x, ".")
        return ("1e-" (point ? length(x) - point : 0)) + 0
    }'
}

"$mistakes" --list >"$scratch/list"
{ echo none; cat "$scratch/list"; } | awk '{ print $1, 1, 0, 0 }' >"$scratch/left"
for name in "$@" $(ls "$answers"); do
    case " $seen " in *" $name "*) continue ;; esac
    seen="$seen $name"
    {
        cat "$scratch/left"
        echo '@ user'
        cat "$answers/$name"
        echo
        echo '@ right'
        cat "$tests/judge/$name.out"
        while read -r mistake _; do
            echo "@ $mistake"
            "$mistakes" "$mistake" <"$tests/judge/$name.in"
        done <"$scratch/left"
    } | narrow >"$scratch/fewer"
    mv "$scratch/fewer" "$scratch/left"
    [ -s "$scratch/left" ] || break
done

# Float has no answers of its own to compare with: they depend on the order of work.
# shellcheck disable=SC2046 # names are words
if [ ! -s "$scratch/left" ] &&
    LC_ALL=C awk -v judge="$tests/judge" -v answers="$answers" -f "$tests/kit/float32.awk" $(ls "$answers"); then
    echo float32-throughout 2 3 3 >"$scratch/left"
fi

# The first choice are mistakes that agree to the letter, then in numbers, then but for the last digit. The last two
# must show in three cases at least, and the right answers must not agree as well.
awk '
    NR == FNR { half[$1] = $0; known = NR; sub(/^[^ ]+ */, "", half[$1]); next }
    $1 == "none" { right = $2; next }
    { name[++left] = $1; level[left] = $2; apart[left] = $3; far[left] = $4 }
    END {
        for (choice = 1; choice <= 3 && !found; choice++) {
            if (right && right <= choice) break
            for (n = 1; n <= left; n++)
                if (level[n] <= choice && (choice == 1 || (choice == 2 ? apart[n] : far[n]) >= 3))
                    text = text (found++ ? "; " : "") name[n] " (" half[name[n]] ")"
        }
        which = found > 1 ? "one of these mistakes: " : "this mistake: "
        if (found) print "These are the answers of a solution with " which text
        else if (right == 3)
            print "Every wrong number is off by one in its last digit: " \
                "somewhere a number is kept as float, or rounded twice."
        else if (!right && !left)
            print "None of the " known " known mistakes gives these answers: yours is another, or there are several."
    }' "$scratch/list" "$scratch/left"
