#!/bin/sh
# Builds src/mha.cpp alone, with each toolchain that is here and whole, and runs the cases on what comes of it:
#
#     tests/platforms.sh              every row of the table at the end of this file
#     tests/platforms.sh '*clang*'    the rows that the glob matches
#
# A row passes where the compiler warns of nothing and every case of judge/, extended/ and errors/ passes; none of
# errors/ under wine, where lines on stderr end as Windows has it and the system gives other reasons. A compiler or
# a runner that is not installed, or that cannot build and run a C++17 program with a thread, is told and skipped.
# -ffast-math has no row: the source computes with infinities. Tiny blocks start threads on every case; emulated
# they keep to one thread, for qemu 7 itself may crash where a program starts its first (once in some 10,000 runs).
# The last line is `N passed, N failed, N skipped` of rows; the status is 0 where some passed and none failed.
set -u

tests=$(dirname "$0")
rows=${1:-*}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
export WINEDEBUG=-all WINEPREFIX="$scratch/wine" # wine's remarks are not the program's

cat >"$scratch/probe.cpp" <<'PROBE'
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>
int main() {
    std::string text;
    std::thread([&] { text = std::string_view("whole"); }).join();
#if defined(__AVX2__)
    if (!__builtin_cpu_supports("avx2")) text = "no AVX2 here";
#endif
    std::puts(text.c_str());
}
PROBE

# Runs a command under wine, which now and then ends before the program has begun, with a status and not a word. The
# program never does: then the command runs again, three times at most.
cat >"$scratch/wine.sh" <<'WINE'
for _ in 1 2 3; do
    wine "$@" >"$0.stdout" 2>"$0.stderr"
    status=$?
    [ "$status" -ne 0 ] && [ ! -s "$0.stdout" ] && [ ! -s "$0.stderr" ] || break
done
cat "$0.stdout"
cat "$0.stderr" >&2
exit "$status"
WINE

# compile SOURCE: with the row's compiler and flags, to $scratch/program.exe, a name that mingw and wine leave as it
# is. What the compiler says is in $scratch/said. With -m32 the kernel's headers, which serve both widths, come from
# the 64-bit folder: the link /usr/include/asm to them is in Debian's gcc-multilib, which excludes cross compilers.
compile() {
    case $flags in *-m32*) headers='-idirafter /usr/include/x86_64-linux-gnu' ;; *) headers= ;; esac
    # shellcheck disable=SC2086 # flags are words
    nice $compiler -std=c++17 -O2 $flags $headers "$1" -o "$scratch/program.exe" -pthread >"$scratch/said" 2>&1
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
    if ! flags="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror $flags" compile "$tests/../src/mha.cpp"; then
        verdict='does not build'
        return 1
    fi
    cases='judge/* extended/* errors/*'
    if [ "$runner" = wine ]; then
        cases='judge/* extended/*'
        runner="sh $scratch/wine.sh"
    fi
    # shellcheck disable=SC2086
    CASES=$cases nice sh "$tests/run.sh" $runner "$scratch/program.exe" $arguments >"$scratch/said" 2>&1 </dev/null
    status=$?
    verdict=$(tail -n 1 "$scratch/said")
    return $status
}

passed=0
failed=0
skipped=0
while IFS='|' read -r runner compiler flags arguments; do
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
done <<'ROWS'
|g++|
|g++-11|
|g++-12|
|g++-13|
|g++-14|
|g++-15|
|g++|-std=c++20
|g++|-std=c++23
|g++|-O0
|g++|-O3
|g++|-Os
|g++|-O3 -march=native
|g++|-O3 -march=native -DMHA_TINY_BLOCKS
|g++|-D_GLIBCXX_ASSERTIONS -D_GLIBCXX_DEBUG
|g++|-D_GLIBCXX_ASSERTIONS -D_GLIBCXX_DEBUG -DMHA_TINY_BLOCKS
|g++|-static
|g++|-DMHA_TINY_BLOCKS
|g++|-march=haswell -DMHA_NO_DISPATCH
|g++|-march=haswell -DMHA_NO_DISPATCH -DMHA_TINY_BLOCKS
|g++|-DMHA_NO_DISPATCH
|g++|-DMHA_NO_DISPATCH -DMHA_TINY_BLOCKS
|g++|-m32
|g++|-m32 -DMHA_TINY_BLOCKS
|g++|-m32 -msse2 -mfpmath=sse
|g++|-m32 -msse2 -mfpmath=sse -DMHA_TINY_BLOCKS
|clang++|
|clang++-14|
|clang++-15|
|clang++-16|
|clang++-17|
|clang++-18|
|clang++-19|
|clang++|-std=c++20
|clang++|-O0
|clang++|-O3 -march=native
|clang++|-O3 -march=native -DMHA_TINY_BLOCKS
|clang++|-DMHA_TINY_BLOCKS
|clang++|-march=haswell -DMHA_NO_DISPATCH
|clang++|-march=haswell -DMHA_NO_DISPATCH -DMHA_TINY_BLOCKS
|clang++|-DMHA_NO_DISPATCH -DMHA_TINY_BLOCKS
|clang++|-stdlib=libc++
|clang++|-stdlib=libc++ -DMHA_TINY_BLOCKS
|clang++-16|-stdlib=libc++
|clang++-19|-stdlib=libc++
|clang++|-m32
|x86_64-linux-musl-g++|-static
wine|x86_64-w64-mingw32-g++-posix|-static
wine|x86_64-w64-mingw32-g++-posix|-static -DMHA_TINY_BLOCKS
wine|x86_64-w64-mingw32-g++-posix|-static -march=haswell
wine|x86_64-w64-mingw32-g++-win32|-static
wine|i686-w64-mingw32-g++-posix|-static
qemu-aarch64 -L /usr/aarch64-linux-gnu|aarch64-linux-gnu-g++|
qemu-aarch64 -L /usr/aarch64-linux-gnu|aarch64-linux-gnu-g++|-DMHA_TINY_BLOCKS|--threads=1
qemu-arm -L /usr/arm-linux-gnueabihf|arm-linux-gnueabihf-g++|
qemu-riscv64 -L /usr/riscv64-linux-gnu|riscv64-linux-gnu-g++|
ROWS
echo "$passed passed, $failed failed, $skipped skipped"
[ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
