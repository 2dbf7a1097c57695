#!/bin/sh
# Says what mistake the answers of a wrong solution look like: they are compared with those of build/mistakes, which can
# make every mistake that a judge case is named after.
#
#   tests/kit/name-mistake.sh ANSWERS [NAME...]
#
# The folder ANSWERS has a file NAME for each judge case that was answered, an empty one where it ended with an error.
# The cases NAME... are looked at first: wrong ones tell mistakes apart. It prints nothing where that cannot be told: a
# wrong name is worse than none.

kit=$(dirname "$0")
tests=$kit/..
mistakes=$tests/../build/mistakes
answers=$1
shift
answered=$(cd "$answers" && find . -type f -size +0 | cut -c 3-)
[ "$(echo "$answered" | wc -l)" -ge 20 ] || exit 0
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

"$mistakes" --list >"$scratch/list"
{ echo none; cat "$scratch/list"; } | awk '{ print $1, 1, 0, 0, 0 }' >"$scratch/left"
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
    } | LC_ALL=C awk -f "$kit/answer.awk" -f "$kit/narrow.awk" >"$scratch/fewer"
    mv "$scratch/fewer" "$scratch/left"
    [ -s "$scratch/left" ] || break
done

# Float has no answers of its own to compare with: they depend on the order of work.
# shellcheck disable=SC2086 # names are words
if [ ! -s "$scratch/left" ] &&
    LC_ALL=C awk -v judge="$tests/judge" -v answers="$answers" -f "$kit/answer.awk" -f "$kit/float32.awk" \
        $answered; then
    echo float32-throughout 2 3 3 0 >"$scratch/left"
fi

# The first choice are mistakes that agree to the letter, then in numbers, then but for the last digit. The last two
# must show in three cases at least, and the right answers must not agree as well. Where they do but for errors, a
# mistake must show in three cases too, and have nan at each error.
awk '
    NR == FNR { half[$1] = $0; known = NR; sub(/^[^ ]+ */, "", half[$1]); next }
    $1 == "none" { right = $2; errors = $5; next }
    { name[++left] = $1; level[left] = $2; apart[left] = $3; far[left] = $4; missed[left] = $5 }
    END {
        for (choice = 1; choice <= 3 && !found; choice++) {
            if (right && right <= choice && !errors) break
            for (n = 1; n <= left; n++)
                if (level[n] <= choice && !(errors && missed[n]) &&
                    (choice == 1 && !errors || (choice == 2 ? apart[n] : far[n]) >= 3))
                    text = text (found++ ? "; " : "") name[n] " (" half[name[n]] ")"
        }
        which = found > 1 ? "one of these mistakes: " : "this mistake: "
        if (found) print "These are the answers of a solution with " which text
        else if (right == 3)
            print "Every wrong number is off by one in its last digit: " \
                "somewhere a number is kept as float, or rounded twice."
        else if (!right && !left)
            print "None of the " known " known mistakes gives these answers."
    }' "$scratch/list" "$scratch/left"
