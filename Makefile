# normtutor. `make help` lists what can be made.

VERSION = 0.1.0
PREFIX  = /usr/local
BUILD   = build

PKG_CONFIG = pkg-config
AR         = ar
INSTALL    = install
MSGFMT     = msgfmt
PYTHON    := $(firstword $(wildcard /usr/bin/python3) python3)
CFLAGS    ?= -O2 -g

SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

# Packages: the first name that pkg-config knows.
first_of    = $(shell for p in $(1); do $(PKG_CONFIG) --exists "$$p" $(2) 2>/dev/null && { echo $$p; break; }; done)
LUA        := $(call first_of,lua5.4 lua-5.4 lua54 lua,"$$p >= 5.4" "$$p < 5.5")
NCURSES    := $(call first_of,ncursesw)
SQLITE     := $(call first_of,sqlite3)
MSGPACK    := $(call first_of,msgpack msgpack-c)
MD4C       := $(call first_of,md4c)
SECCOMP    := $(if $(filter Linux,$(shell uname -s)),$(call first_of,libseccomp))
PACKAGES   := $(strip $(LUA) $(NCURSES) $(SQLITE) $(MSGPACK) $(MD4C) $(SECCOMP))
ARCHIVE    := $(call first_of,libarchive)
EDIT       := $(call first_of,libedit)
MISSING    := $(if $(LUA),,lua5.4) $(if $(NCURSES),,ncursesw) $(if $(SQLITE),,sqlite3) $(if $(MSGPACK),,msgpack) $(if $(MD4C),,md4c)

ifneq ($(strip $(MISSING)),)
ifneq ($(filter-out clean help uninstall libtensor,$(or $(MAKECMDGOALS),all)),)
$(error $(if $(shell command -v $(PKG_CONFIG)),missing: $(strip $(MISSING)),missing: $(PKG_CONFIG)). ./scripts/run installs what is needed and builds)
endif
endif

PACKAGE_CFLAGS := $(patsubst -I%,-isystem %,$(if $(PACKAGES),$(shell $(PKG_CONFIG) --cflags $(PACKAGES))))
# Not linked: they are loaded when a course is packed or installed, and for the console.
ARCHIVE_FLAGS  := $(if $(ARCHIVE),$(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags libarchive)) -DHAVE_ARCHIVE)
EDIT_FLAGS     := $(if $(EDIT),$(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags libedit)) -DHAVE_EDIT)
PACKAGE_LIBS   := $(if $(PACKAGES),$(shell $(PKG_CONFIG) --libs $(PACKAGES)))

FLAGS = -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off -pthread -Isrc \
        $(PACKAGE_CFLAGS) $(if $(SECCOMP),-DHAVE_SECCOMP) $(ARCHIVE_FLAGS) $(EDIT_FLAGS) $(CPPFLAGS) $(CFLAGS)
LIBS  = $(PACKAGE_LIBS) $(if $(filter Linux,$(shell uname -s)),-ldl) -pthread -lm

# The core's loops gain by it; who asks for another level than the usual one gets that.
TENSOR_FLAGS = $(if $(filter -O2,$(CFLAGS)),-O3)

SOURCES      := $(wildcard src/*/*.c) src/main.c
OBJECTS      := $(SOURCES:src/%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/templates.o
TENSOR       := $(filter $(BUILD)/obj/tensor/%,$(OBJECTS)) $(BUILD)/obj/base/error.o $(BUILD)/obj/base/language.o
TEST_SOURCES := $(wildcard tests/*/test_*.c) tests/faults/rubbish.c
TESTS        := $(TEST_SOURCES:%.c=$(BUILD)/%)
HELPERS      := $(patsubst %.c,$(BUILD)/%,$(filter-out $(TEST_SOURCES) tests/fuzz/%,$(wildcard tests/*/*.c)))

TEMPLATES    := $(sort $(wildcard templates/*.lua templates/*/*.lua))

# The few files that name the version, so that a commit does not rebuild the rest.
COMMIT     := $(if $(wildcard .git),$(shell git --no-optional-locks describe --always --dirty --exclude '*' 2>/dev/null))
FULL       := $(VERSION)$(if $(COMMIT),+$(COMMIT))
VERSIONED  := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(shell grep -ls NORMTUTOR_VERSION $(SOURCES)))

# The tutor's words in other languages; without msgfmt it speaks English.
CATALOGUES   := $(if $(shell command -v $(MSGFMT)),$(patsubst po/%.po,$(BUILD)/locale/%/LC_MESSAGES/normtutor.mo,$(wildcard po/*.po)))

all: $(BUILD)/normtutor $(BUILD)/libtensor.a $(CATALOGUES)

objects: $(OBJECTS)

libtensor: $(BUILD)/libtensor.a

tests: all $(TESTS) $(HELPERS)

$(BUILD)/normtutor: $(OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJECTS) $(LIBS)

$(BUILD)/libtensor.a: $(TENSOR)
	@rm -f $@
	$(AR) rcs $@ $(TENSOR)

$(BUILD)/locale/%/LC_MESSAGES/normtutor.mo: po/%.po
	@mkdir -p $(@D)
	$(MSGFMT) --check-format -o $@ $<

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(OWN_FLAGS) -MMD -MP -c -o $@ $<

# What `normtutor new` writes, as bytes.
$(BUILD)/templates.c: $(TEMPLATES) templates $(wildcard templates/*/)
	@mkdir -p $(@D)
	@{ echo '#include "cmd/template.h"'; echo 'const struct template templates[] = {'; \
	for t in $(TEMPLATES:templates/%=%); do \
	    echo "{\"$$t\", (const char []){"; od -An -v -td1 templates/$$t | sed 's/-*[0-9][0-9]*/&,/g'; echo '0}},'; \
	done; echo '{0}};'; } > $@.new
	@mv $@.new $@

$(BUILD)/obj/templates.o: $(BUILD)/templates.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -MMD -MP -c -o $@ $<

$(filter $(BUILD)/obj/tensor/%,$(OBJECTS)): OWN_FLAGS = $(TENSOR_FLAGS)
# Unrolled as it is, it takes minutes to compile with sanitizers; its results are compared bit for bit with the others'.
$(BUILD)/obj/tensor/kernel_plain.o: CFLAGS := $(filter-out -fsanitize=% -fno-sanitize-recover=%,$(CFLAGS))
$(VERSIONED): OWN_FLAGS = -DNORMTUTOR_VERSION='"$(FULL)"'
$(VERSIONED): $(BUILD)/version

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -MMD -MP -c -o $@ $<

# All but main(), for the tests to link.
$(BUILD)/obj/parts.a: $(filter-out $(BUILD)/obj/main.o,$(OBJECTS))
	@rm -f $@
	@$(AR) rcs $@ $^

$(TESTS) $(HELPERS): %: %.o $(BUILD)/obj/parts.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LIBS)

.PRECIOUS: $(BUILD)/tests/%.o

# What the objects were built with: rewritten only when it changes, and then they are built again.
quoted  = '$(subst ','\'',$(1))'
changed = $(if $(shell printf '%s\n' $(call quoted,$(1)) | cmp -s - $(2) && echo same),,always)
WITH   := $(CC) $(FLAGS) : $(TENSOR_FLAGS) : $(LDFLAGS) $(LIBS)

$(BUILD)/flags: $(call changed,$(WITH),$(BUILD)/flags)
	@mkdir -p $(@D)
	@printf '%s\n' $(call quoted,$(WITH)) > $@

$(BUILD)/version: $(call changed,$(FULL),$(BUILD)/version)
	@mkdir -p $(@D)
	@printf '%s\n' $(call quoted,$(FULL)) > $@

asan-build:
	@$(MAKE) --no-print-directory BUILD=build/asan CFLAGS="-O1 -g $(SANITIZERS)" tests

asan: asan-build
	@$(PYTHON) tests/run asan-unit asan-terminal

check:
	@$(PYTHON) tests/run

conformance: $(BUILD)/tests/conformance/onnx_case
	@ONNX="$(ONNX)" NORMTUTOR="$(BUILD)/normtutor" $(PYTHON) tests/conformance/test_onnx.py

# The core beside the libraries whose headers are here, then what a person at a terminal waits for.
HASH     := \#
includes  = $(shell echo '$(HASH)include <$(1)>' | $(CXX) -std=c++17 -E -x c++ - >/dev/null 2>&1 && echo yes)
PEERS     = $(if $(call includes,ATen/ATen.h),torch) $(if $(call includes,dnnl.hpp),dnnl)
PEER_LIBS_torch = -ltorch_cpu -ltorch -lc10
PEER_LIBS_dnnl  = -ldnnl -lgomp
SECONDS_EACH = 0.3
BENCH_C   = $(wildcard tests/bench/core/*.c)

bench: bench-core all
	@tests/bench/run

bench-core: $(BUILD)/libtensor.a
	@mkdir -p $(BUILD)/bench
	@set -e; peers="$(PEERS)"; objects=; \
	for peer in $$peers; do \
	    $(CXX) -std=c++17 -O2 -c -o $(BUILD)/bench/$$peer.o tests/bench/core/peer_$$peer.cc; \
	    objects="$$objects $(BUILD)/bench/$$peer.o"; \
	done; \
	for c in $(BENCH_C); do \
	    $(CC) $(FLAGS) $$(for peer in $$peers; do echo -DWITH_$$peer; done) -c -o $(BUILD)/bench/$$(basename $$c .c).o $$c; \
	    objects="$$objects $(BUILD)/bench/$$(basename $$c .c).o"; \
	done; \
	$(if $(strip $(PEERS)),$(CXX),$(CC)) $(CFLAGS) $(LDFLAGS) -o $(BUILD)/bench/core $$objects $(BUILD)/libtensor.a \
	    $(foreach peer,$(PEERS),$(PEER_LIBS_$(peer))) -pthread -lm; \
	$(BUILD)/bench/core $(BUILD)/bench/core.csv $(SECONDS_EACH)

install: all
	$(INSTALL) -d "$(DESTDIR)$(PREFIX)/bin"
	$(INSTALL) -m 755 $(BUILD)/normtutor "$(DESTDIR)$(PREFIX)/bin/normtutor"
	@for c in $(CATALOGUES:$(BUILD)/%=%); do \
	    $(INSTALL) -d "$(DESTDIR)$(PREFIX)/share/$${c%/*}" && \
	    $(INSTALL) -m 644 $(BUILD)/$$c "$(DESTDIR)$(PREFIX)/share/$$c" || exit 1; done
	@find lessons -type d | while read -r d; do $(INSTALL) -d "$(DESTDIR)$(PREFIX)/share/normtutor/$$d" || exit 1; done
	@find lessons -type f | while read -r f; do \
	    $(INSTALL) -m 644 "$$f" "$(DESTDIR)$(PREFIX)/share/normtutor/$$f" || exit 1; done
	@echo "lessons are in $(DESTDIR)$(PREFIX)/share/normtutor/lessons"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/normtutor"
	rm -rf "$(DESTDIR)$(PREFIX)/share/normtutor/lessons"
	rm -f "$(DESTDIR)$(PREFIX)"/share/locale/*/LC_MESSAGES/normtutor.mo
	@rmdir "$(DESTDIR)$(PREFIX)/share/normtutor" 2>/dev/null || true

clean:
	rm -rf build

help:
	@echo "make                            build/normtutor and build/libtensor.a"
	@echo "make check                      builds and runs every test"
	@echo "make asan                       unit and terminal tests under the address and undefined sanitizers"
	@echo "make conformance ONNX=FOLDER    holds the core against ONNX's cases of normalization"
	@echo "make bench                      measures the core (build/bench/core.csv), start, redraw, check"
	@echo "make bench-core                 the core alone"
	@echo "make install PREFIX= DESTDIR=   $(PREFIX)/bin/normtutor, $(PREFIX)/share/normtutor/lessons and share/locale"
	@echo "make uninstall PREFIX= DESTDIR= takes them away again"
	@echo "make clean                      removes build/"
	@echo "CC=clang, CFLAGS=, LDFLAGS= are heeded, and what they touch is built again."

always:

.PHONY: all always asan asan-build bench bench-core check clean conformance help install libtensor objects tests uninstall

-include $(OBJECTS:.o=.d) $(TESTS:=.d) $(HELPERS:=.d)
