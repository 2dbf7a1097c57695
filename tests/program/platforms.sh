#!/bin/sh
# Builds src/mha.cpp alone, with each toolchain that is here and whole, and runs the cases on what comes of it:
#
#     tests/program/platforms.sh              every row of the table at the end of this file: .ci/run installs these toolchains
#     tests/program/platforms.sh '*clang*'    the rows that the glob matches
#
# A row passes where the compiler warns of nothing and every case of judge/, extended/ and errors/ passes; of
# errors/ under wine those alone in which the system has no say, and takes no empty device for a terminal. A
# compiler or a runner that is not installed, or that cannot build and run a small C++17 program, is told and
# skipped: .ci/run cannot install the compilers of the last rows. -ffast-math has no row: the source refuses it.
# Rows without -pthread build as judges do: one thread, but on Windows, where the library has threads. With
# -pthread, tiny blocks start 16 threads on every case.
# The last line is `N passed, N failed, N skipped` of rows; the status is 0 where some passed and none failed.
set -u

tests=$(dirname "$0")/..
rows=${1:-*}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
export WINEDEBUG=-all WINEPREFIX="$scratch/wine" # wine's remarks are not the program's

cat >"$scratch/probe.cpp" <<'PROBE'
#include <cstdio>
#include <string>
#include <string_view>
int main() {
    std::string text(std::string_view("whole"));
#if defined(__AVX2__)
    if (!__builtin_cpu_supports("avx2")) text = "no AVX2 here";
#endif
    std::puts(text.c_str());
}
PROBE

# Runs a command under wine, which now and then ends before the program has begun, with a status and not a word, or one
# of its own. The program never does: then the command runs again, three times at most.
cat >"$scratch/wine.sh" <<'WINE'
for _ in 1 2 3; do
    wine "$@" >"$0.stdout" 2>"$0.stderr"
    status=$?
    [ "$status" -ne 0 ] && [ ! -s "$0.stdout" ] || break
    [ ! -s "$0.stderr" ] || grep -q '^wine client error' "$0.stderr" || break
done
cat "$0.stdout"
tr -d '\r' <"$0.stderr" >&2 # lines on stderr end as Windows has it
exit "$status"
WINE

# compile SOURCE: with the row's compiler and flags, to $scratch/program.exe, a name that mingw and wine leave as it
# is. What the compiler says is in $scratch/said. With -m32 the kernel's headers, which serve both widths, come from
# the 64-bit folder: the link /usr/include/asm to them is in Debian's gcc-multilib, which excludes cross compilers.
compile() {
    case $flags in *-m32*) headers='-idirafter /usr/include/x86_64-linux-gnu' ;; *) headers= ;; esac
    # shellcheck disable=SC2086 # flags are words
    nice $compiler -std=c++17 -O2 $flags $headers "$1" -o "$scratch/program.exe" >"$scratch/said" 2>&1
}

# Whether the row's toolchain can be used; $reason tells why not.
is_whole() {
    for command in "$compiler" $runner; do
        case $command in
        -* | /*) ;;
        *) command -v "$command" >/dev/null || { reason="$command is not installed" && return 1; } ;;
        esac
    done
    if ! compile "$scratch/probe.cpp"; then
        reason=$(grep -m 1 error "$scratch/said" | cut -c 1-100)
        return 1
    fi
    # shellcheck disable=SC2086
    reason=$($runner "$scratch/program.exe" 2>"$scratch/said" </dev/null | tr -d '\r')
    [ "$reason" != whole ] || return 0
    [ -n "$reason" ] || reason="a small program does not run: $(head -n 1 "$scratch/said" | cut -c 1-100)"
    return 1
}

# Builds and runs the row; $verdict tells how it went.
passes() {
    case $flags in *-pthread*-DMHA_TINY_BLOCKS*) flags="$flags -DMHA_PROCESSORS=16" ;; esac
    if ! flags="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror $flags" compile "$tests/../src/mha.cpp"; then
        verdict='does not build'
        return 1
    fi
    except=
    case $flags in # x87 registers sum in more than double: ties fall otherwise there
    *-mfpmath=sse*) ;;
    *-m32*) except='extended/product-fused-*' ;;
    esac
    if [ "$runner" = wine ]; then
        except='errors/file-*'
        runner="sh $scratch/wine.sh"
    fi
    # shellcheck disable=SC2086
    CASES='judge/* extended/* errors/*' EXCEPT=$except \
        nice sh "$tests/program/cases.sh" $runner "$scratch/program.exe" >"$scratch/said" 2>&1 </dev/null
    status=$?
    verdict=$(tail -n 1 "$scratch/said")
    return $status
}

cat >"$scratch/rows" <<'ROWS'
|g++|
|g++|-pthread
|g++|-pthread -DMHA_TINY_BLOCKS
|g++|-DMHA_TINY_BLOCKS
|g++-11|
|g++-12|-pthread
|g++|-std=c++23
|g++|-O0
|g++|-O0 -pthread -DMHA_TINY_BLOCKS
|g++|-O3
|g++|-Os
|g++|-O3 -march=native -pthread
|g++|-O3 -march=native -pthread -DMHA_TINY_BLOCKS
|g++|-pthread -D_GLIBCXX_ASSERTIONS -D_GLIBCXX_DEBUG
|g++|-pthread -D_GLIBCXX_ASSERTIONS -D_GLIBCXX_DEBUG -DMHA_TINY_BLOCKS
|g++|-static -pthread
|g++|-march=haswell -DMHA_NO_DISPATCH
|g++|-march=haswell -DMHA_NO_DISPATCH -DMHA_TINY_BLOCKS
|g++|-DMHA_NO_DISPATCH -DMHA_TINY_BLOCKS
|g++|-m32 -pthread
|g++|-m32 -pthread -DMHA_TINY_BLOCKS
|g++|-m32 -msse2 -mfpmath=sse
|g++|-m32 -msse2 -mfpmath=sse -DMHA_TINY_BLOCKS
|clang++|
|clang++|-pthread
|clang++|-pthread -DMHA_TINY_BLOCKS
|clang++-14|
|clang++-15|-pthread
|clang++-16|-pthread
|clang++-19|-pthread
|clang++|-std=c++20
|clang++|-O0
|clang++|-O3 -march=native -pthread
|clang++|-O3 -march=native -pthread -DMHA_TINY_BLOCKS
|clang++|-march=haswell -DMHA_NO_DISPATCH
|clang++|-march=haswell -DMHA_NO_DISPATCH -DMHA_TINY_BLOCKS
|clang++|-DMHA_NO_DISPATCH -DMHA_TINY_BLOCKS
|clang++|-stdlib=libc++
|clang++|-stdlib=libc++ -pthread -DMHA_TINY_BLOCKS
|clang++-16|-stdlib=libc++
|clang++-19|-stdlib=libc++ -pthread
|clang++|-m32
wine|x86_64-w64-mingw32-g++-posix|-static
wine|x86_64-w64-mingw32-g++-posix|-static -DMHA_TINY_BLOCKS
wine|x86_64-w64-mingw32-g++-posix|-static -march=haswell
wine|x86_64-w64-mingw32-g++-win32|-static
qemu-aarch64 -L /usr/aarch64-linux-gnu|aarch64-linux-gnu-g++|
qemu-aarch64 -L /usr/aarch64-linux-gnu|aarch64-linux-gnu-g++|-DMHA_TINY_BLOCKS
qemu-arm -L /usr/arm-linux-gnueabihf|arm-linux-gnueabihf-g++|
qemu-riscv64 -L /usr/riscv64-linux-gnu|riscv64-linux-gnu-g++|
|g++-13|-pthread
|g++-14|-pthread
|g++-15|-pthread
|clang++-17|-pthread
|clang++-18|-pthread
|clang++-20|-pthread
|clang++-21|-pthread
|x86_64-linux-musl-g++|-pthread
ROWS

passed=0
failed=0
skipped=0
while IFS='|' read -r runner compiler flags; do
    row="${runner:+$runner }$compiler${flags:+ $flags}"
    # shellcheck disable=SC2254 # a glob
    case $row in $rows) ;; *) continue ;; esac
    if ! is_whole; then
        skipped=$((skipped + 1))
        printf '%-7s %-72s %s\n' skipped "$row" "$reason"
    elif passes; then
        passed=$((passed + 1))
        printf '%-7s %-72s %s\n' passed "$row" "$verdict"
    else
        failed=$((failed + 1))
        printf '%-7s %-72s %s\n' FAILED "$row" "$verdict"
        head -n 12 "$scratch/said" | sed 's/^/    /'
    fi
done <"$scratch/rows"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
