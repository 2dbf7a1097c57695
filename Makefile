# make             build/mha
# make run         build it and print the sample's answer
# make test        the test kit's own tests, and every case of tests/ against its expected output
# make stress      random inputs against the reference: COUNT=10000 SEED=1
# make mistakes    the judge cases, the diagnosis and the look inside against wrong solutions, each of a known mistake
# make check       everything there is to run before a release: the targets above and those below but for bench
# make asan        the cases and a stress run under AddressSanitizer and UBSan
# make tsan        the same under ThreadSanitizer
# make valgrind    a few cases of each kind under valgrind
# make fuzz        libFuzzer for SECONDS=60 with each size of blocks; needs clang++
# make accuracy    printing, exp and attention against the C library and wider arithmetic
# make platforms   the cases with each compiler and machine that is at hand
# make coverage    the lines and branches that the cases and a stress run do not reach
# make bench       how fast each part is on this machine
# make expected    write the expected outputs anew, from the reference alone
# make install     PREFIX=/usr/local, DESTDIR= ; make uninstall takes it away again
# make clean       remove build/
# make help        print these lines

CXXFLAGS ?= -O2
PREFIX ?= /usr/local
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
COMPILE = $(CXX) -std=c++17 $(WARNINGS) $(CPPFLAGS) $(BLOCKS) $(CXXFLAGS) -pthread

# Loading the shared libraries is half of the time that a small input takes, so they are linked in where the system
# has them to link and the result starts a thread and runs.
PROBE = printf '\#include <thread>\nint main() { std::thread([] {}).join(); }\n' | \
	$(COMPILE) -x c++ - -o build/probe $(LDFLAGS) $(1) 2>build/probe.log && build/probe 2>>build/probe.log
STATIC = $(shell mkdir -p build; for flags in -static '-static-libstdc++ -static-libgcc'; do \
	if $(call PROBE,$$flags); then echo "$$flags"; break; fi; done)

all: build/mha

build/mha: src/mha.cpp Makefile
	@mkdir -p build
	$(COMPILE) src/mha.cpp -o $@ $(LDFLAGS) $(STATIC)

# Tiles and blocks so small that small inputs cross all of their edges, and 16 threads on any machine.
TINY = -DMHA_TINY_BLOCKS -DMHA_PROCESSORS=16
build/%-tiny: BLOCKS = $(TINY)
build/mha-tiny: src/mha.cpp Makefile
	@mkdir -p build
	$(COMPILE) src/mha.cpp -o $@ $(LDFLAGS)

# The same for each way to compute tiles that this processor has: what better ones need is taken to be missing.
TARGETS := plain $(shell grep -qsw fma /proc/cpuinfo && grep -ow -e avx2 -e avx512f /proc/cpuinfo | sort -u | sed s/f$$//)
$(TARGETS:%=build/mha-%): BLOCKS = $(TINY)
build/mha-plain: HAS = 0
build/mha-avx2: HAS = (feature[3] != '5')
build/mha-avx512: HAS = 1
$(TARGETS:%=build/mha-%): build/mha-%: src/mha.cpp Makefile
	@mkdir -p build
	$(COMPILE) -D'__builtin_cpu_supports(feature)=$(HAS)' src/mha.cpp -o $@ $(LDFLAGS) $(STATIC)

# What these include.
build/bench build/accuracy: src/mha.cpp
build/accuracy build/fuzz build/fuzz-tiny: tests/kit/reference.cpp

vpath %.cpp tests/kit tests/program
build/%: %.cpp Makefile
	@mkdir -p build
	$(COMPILE) $< -o $@ $(LDFLAGS) $(STATIC)

# The program as make asan, tsan, valgrind and coverage run it.
CHECKED = $(foreach check,asan tsan valgrind coverage,build/mha-$(check) build/mha-$(check)-tiny)
build/mha-asan build/mha-asan-tiny: INSTRUMENT = -fsanitize=address,undefined -fno-sanitize-recover=all \
	-include tests/program/operator_new.h -Wno-mismatched-new-delete
build/mha-tsan build/mha-tsan-tiny: INSTRUMENT = -fsanitize=thread -include tests/program/operator_new.h -Wno-mismatched-new-delete
build/mha-coverage build/mha-coverage-tiny: INSTRUMENT = -fprofile-instr-generate -fcoverage-mapping
build/mha-coverage build/mha-coverage-tiny: override CXX = clang++
$(CHECKED): src/mha.cpp tests/program/operator_new.h Makefile
	@mkdir -p build
	$(COMPILE) -O1 -g -D_GLIBCXX_ASSERTIONS $(INSTRUMENT) src/mha.cpp -o $@ $(LDFLAGS)

build/fuzz: BLOCKS = -DMHA_PROCESSORS=16
build/fuzz build/fuzz-tiny: override CXX = clang++
build/fuzz build/fuzz-tiny: tests/program/fuzz.cpp tests/program/operator_new.h src/mha.cpp Makefile
	@mkdir -p build
	$(COMPILE) -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $< -o $@ $(LDFLAGS)

run: build/mha
	build/mha tests/judge/example-stdin.in

# The parts run side by side, as much of their time is waiting. Each writes build/test/PART, whose last line is its count.
# The last line is their sum: `N passed, N failed`, and `, N skipped` where some checks could not run.
PARTS = faults tiny-faults reports functions cases tiny readme $(TARGETS)
test: build/mha build/mha-tiny $(TARGETS:%=build/mha-%) build/mistakes build/reference build/generate
	@rm -rf build/test; mkdir build/test
	@$(MAKE) --no-print-directory -k -j $(words $(PARTS)) $(PARTS:%=test-%) || true
	@for part in $(PARTS); do tail -n 1 "build/test/$$part"; done | awk -v parts=$(words $(PARTS)) ' \
		/^[0-9]+ passed, [0-9]+ failed/ { counts++; passed += $$1; failed += $$3; skipped += $$5 } \
		END { \
			if (counts < parts) print parts - counts " parts ended without a count"; \
			print passed " passed, " failed + 0 " failed" (skipped ? ", " skipped " skipped" : ""); \
			exit counts < parts || failed || !passed; \
		}'

# $(call part,PART,WHAT IS COUNTED,COMMAND)
part = @$(3) >build/test/$(1) 2>&1; { echo "$(2):"; cat build/test/$(1); }
test-cases:
	$(call part,cases,the cases of judge/ and extended/ and errors/,CASES='judge/* extended/* errors/*' tests/run.sh)
test-tiny:
	$(call part,tiny,errors/ with tiny blocks,CASES='errors/*' tests/program/cases.sh build/mha-tiny)
$(TARGETS:%=test-%): test-%:
	$(call part,$*,judge/ and extended/ on the target $*,CASES='judge/* extended/*' tests/program/cases.sh build/mha-$*)
test-faults:
	$(call part,faults,the parts of faults/,CASES='faults/*' tests/run.sh)
test-tiny-faults:
	$(call part,tiny-faults,the same parts with tiny blocks on 16 threads,CASES='faults/*' tests/program/cases.sh build/mha-tiny)
test-reports:
	$(call part,reports,the reports of run.sh and stress.sh,tests/selftest/reports.sh)
test-functions:
	$(call part,functions,what function.py makes of functions,tests/selftest/functions.sh)
test-readme:
	$(call part,readme,the commands of README.md,tests/selftest/readme.sh)

stress: build/mha build/mha-tiny build/reference build/generate
	KIND=any STRICT=1 tests/stress.sh build/mha-tiny
	STRICT=1 tests/stress.sh

mistakes: build/mistakes
	tests/selftest/mistakes.sh
	tests/selftest/names.sh
	tests/selftest/look.sh

check: test mistakes stress asan tsan valgrind accuracy fuzz platforms

# The scripts in faults/ run the program under strace, where leaks cannot be looked for.
asan tsan: %: build/mha-% build/mha-%-tiny build/reference build/generate
	CASES='judge/* extended/* errors/*' tests/program/cases.sh build/mha-$@-tiny
	CASES='extended/*' tests/program/cases.sh build/mha-$@
	ASAN_OPTIONS=detect_leaks=0 CASES='faults/*' tests/program/cases.sh build/mha-$@
	COUNT=300 KIND=any STRICT=1 tests/stress.sh build/mha-$@-tiny

# Its processor has no AVX-512: what runs here is the program's AVX2.
valgrind: build/mha-valgrind build/mha-valgrind-tiny
	for cases in 'judge/example-*' 'extended/tokens-97' 'extended/causal-queries-*' 'extended/scores-past-*' \
		'errors/data-b*'; do \
		for mha in build/mha-valgrind-tiny build/mha-valgrind; do \
			CASES="$$cases" tests/program/cases.sh valgrind -q --leak-check=full --error-exitcode=99 $$mha || exit 1; \
		done; \
	done

accuracy bench: %: build/%
	build/$@

platforms:
	tests/program/platforms.sh

# The inputs to begin with are the cases, each behind the letter of its options.
SECONDS = 60
fuzz: build/fuzz build/fuzz-tiny
	@mkdir -p build/corpus build/corpus-tiny build/cases
	for input in tests/judge/*.in tests/extended/*.in tests/errors/*.in; do \
		case "$$(cat "$${input%.in}.args" 2>/dev/null)" in \
		*--causal*--weights* | *--weights*--causal*) option=G ;; \
		*--causal*) option=E ;; *--weights*) option=F ;; *) option=D ;; \
		esac; \
		{ printf %s0 $$option; cat "$$input"; } >"build/cases/$$(echo "$${input#tests/}" | tr / -)"; \
	done
	printf '"%s"\n' 1e308 1.7976931348623157e308 5e-324 1e200 1e154 1e-200 -0 1e999 9223372036854775807 inf nan 0x1 \
		'\xEF\xBB\xBF' '\x0D\x0A' '[' ']' ', ' >build/dictionary
	for size in '' -tiny; do \
		build/fuzz$$size -max_total_time=$(SECONDS) -max_len=400 -timeout=20 -rss_limit_mb=1024 -print_final_stats=1 \
			-dict=build/dictionary -artifact_prefix=build/fuzz- build/corpus$$size build/cases </dev/null || exit 1; \
	done

# Both sizes of blocks together. Cases that the profile's own writing spoils are no matter here. Branches that no
# target of attend_group() takes are listed, not those of the targets for other machines.
coverage: build/mha-coverage build/mha-coverage-tiny build/reference build/generate
	rm -rf build/coverage
	export STRICT=1 LLVM_PROFILE_FILE="$$PWD/build/coverage/%m"; \
	for mha in build/mha-coverage-tiny build/mha-coverage; do \
		CASES='*/*' tests/program/cases.sh $$mha; COUNT=300 KIND=any tests/stress.sh $$mha; \
	done | grep passed
	llvm-profdata merge build/coverage/* -o build/coverage/all
	llvm-cov show build/mha-coverage -instr-profile=build/coverage/all -show-branches=count src/mha.cpp | \
		grep -E '^ *[0-9]+\| +0\||Branch.*(True: 0, False: [^0]|True: [^0].*False: 0\])' | sort -u
	llvm-cov report build/mha-coverage -instr-profile=build/coverage/all src/mha.cpp

expected: build/reference
	for input in tests/judge/*.in tests/extended/*.in; do \
		options=$$(cat "$${input%.in}.args" 2>/dev/null); \
		build/reference $$options "$$input" >"$${input%.in}.out" || exit 1; \
	done

install: build/mha
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 build/mha "$(DESTDIR)$(PREFIX)/bin/mha"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/mha"

clean:
	rm -rf build

help:
	@sed -n 's/^# \(make.*\)/\1/p' Makefile

.PHONY: all run test $(PARTS:%=test-%) stress mistakes check asan tsan valgrind accuracy bench platforms fuzz coverage expected install uninstall clean help
