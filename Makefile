# make             build/mha
# make run         build it and print the sample's answer
# make test        every case of tests/ against its expected output
# make stress      random inputs against the reference: COUNT=10000 SEED=1
# make mistakes    the judge cases against wrong solutions: each must catch the mistake that it is named after
# make expected    write the expected outputs anew, from the reference alone
# make install     PREFIX=/usr/local, DESTDIR= ; make uninstall takes it away again
# make clean       remove build/
# make help        print these lines

CXX ?= g++
CXXFLAGS ?= -O2
PREFIX ?= /usr/local
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion
COMPILE = $(CXX) -std=c++17 $(WARNINGS) $(CPPFLAGS) $(CXXFLAGS) -pthread

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

# Tiles and blocks so small that small inputs cross all of their edges.
build/mha-tiny: src/mha.cpp Makefile
	@mkdir -p build
	$(COMPILE) -DMHA_TINY_BLOCKS src/mha.cpp -o $@ $(LDFLAGS)

build/%: tests/%.cpp Makefile
	@mkdir -p build
	$(COMPILE) $< -o $@ $(LDFLAGS)

run: build/mha
	build/mha tests/judge/example-stdin.in

test: build/mha build/mha-tiny
	CASES='*/*' tests/run.sh build/mha-tiny
	tests/run.sh

stress: build/mha build/mha-tiny build/reference build/generate
	KIND=any tests/stress.sh build/mha-tiny
	tests/stress.sh

mistakes: build/mistakes
	tests/mistakes.sh

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

.PHONY: all run test stress mistakes expected install uninstall clean help
