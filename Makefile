# SPDX-License-Identifier: GPL-3.0-or-later
# warpstack -- analytical GPU cache modeller.  GNU make >= 4.  `make help` lists targets.
# Override variables on the command line or in config.mk (not committed).
-include config.mk

MODE     ?= release
BUILD    ?= build/$(MODE)
O        := $(BUILD)
VERSION  := $(shell sed -n 's/^.define WS_VERSION "\(.*\)"/\1/p' base/base.h)
SOVER    := $(firstword $(subst ., ,$(VERSION)))

prefix      ?= /usr/local
exec_prefix ?= $(prefix)
bindir      ?= $(exec_prefix)/bin
libdir      ?= $(exec_prefix)/lib
includedir  ?= $(prefix)/include
datarootdir ?= $(prefix)/share
datadir     ?= $(datarootdir)
docdir      ?= $(datarootdir)/doc/warpstack
mandir      ?= $(datarootdir)/man
bashdir     ?= $(datarootdir)/bash-completion/completions
zshdir      ?= $(datarootdir)/zsh/site-functions
INSTALL     ?= install

# Invariants are asserted in all modes but this one.
CFLAGS.release := -O2 -g -DNDEBUG
CFLAGS.debug   := -Og -g3
CFLAGS.asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS.tsan    := -O1 -g -fsanitize=thread
CFLAGS.cov     := -O0 -g --coverage
CFLAGS.fuzz    := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
WARN := -Wall -Wextra -Wshadow -Wconversion -Wdouble-promotion -Wvla -Wstrict-prototypes \
        -Wmissing-prototypes -Wwrite-strings -Wundef -Wformat=2
ALL_CFLAGS   := -std=c11 -fPIC -fvisibility=hidden $(WARN) $(CFLAGS.$(MODE)) $(CFLAGS)
ALL_CPPFLAGS := -I. -D_GNU_SOURCE -DWS_DATADIR='"$(datadir)/warpstack"' \
                -DWS_CFLAGS='"$(CFLAGS.$(MODE)) $(CFLAGS)"' $(CPPFLAGS)
# Tests assert in all of them.
$(O)/tests/%.o: ALL_CFLAGS += -UNDEBUG
LIBS := -lgsl -lgslcblas -lzstd -llzma -lz -lpthread -lm

# One folder, one library; bottom to top.  A folder may include itself and those before it.
ROOMS   ?= base machine trace stackdist model validate softcache study plots
LLVM    ?= $(shell command -v llvm-config-19 2>/dev/null)
ALLSRC  := $(foreach d,$(ROOMS),$(wildcard $(d)/*.c $(d)/*/*.c))
# LLVM headers are included in trace/capture/ only; without LLVM absent.c stands in for it.
CAPTURE := $(filter-out $(addprefix trace/capture/,launch%.c fill.c confine.c child.c soft_remote.c absent.c),$(filter trace/capture/%,$(ALLSRC)))
# The OpenCL layer is a library of its own, where there are LLVM and OpenCL's headers.
LAYER   := $(wildcard trace/opencl/*.c)
OPENCL  ?= $(if $(LLVM),$(wildcard /usr/include/CL/cl_layer.h))
SRC     := $(filter-out $(LAYER) $(if $(LLVM),trace/capture/absent.c,$(CAPTURE)),$(ALLSRC))
CLI     := $(wildcard cli/*.c)
HDR     := $(foreach d,$(ROOMS),$(wildcard $(d)/*.h))
# Installed as <warpstack/NAME.h>.
PUBLIC  := $(foreach d,$(ROOMS),$(wildcard $(d)/$(d).h)) $(wildcard trace/capture.h trace/import.h validate/counters.h)
# Not installed, for the rooms below; all else is private to its room.
SHARED  := $(wildcard $(addprefix base/,heap.h json.h map.h pool.h) trace/places.h \
             validate/dataset.h validate/pchase.h study/hardware.h study/fit.h)
TESTDIR := $(ROOMS) $(if $(filter validate,$(ROOMS)),cli)
TEST    := $(foreach d,$(TESTDIR),$(wildcard tests/$(d)/t-*.c))
BENCH   := $(foreach d,$(TESTDIR),$(wildcard tests/$(d)/b-*.c))
REF     := $(wildcard tests/ref/*.c)
FUZZ    := $(wildcard tests/fuzz/fuzz-*.c)

obj      = $(patsubst %.c,$(O)/%.o,$(1))
TESTBIN := $(patsubst %.c,$(O)/%,$(TEST))
BENCHBIN:= $(patsubst %.c,$(O)/%,$(BENCH))
ifneq ($(LLVM),)
LLVM_CPPFLAGS := -isystem $(shell $(LLVM) --includedir) -DWS_CLANG='"clang-19"'
LIBS += -L$(shell $(LLVM) --libdir) -lLLVM-19
$(call obj,$(CAPTURE)): ALL_CPPFLAGS += $(LLVM_CPPFLAGS)
# OpenCL's built-ins, as bitcode inside the library.
BUILTINS := $(O)/trace/capture/builtins.o
$(O)/builtins.bc: data/opencl/builtins.cl data/opencl/images.cl
	@mkdir -p $(@D)
	clang-19 -x cl -cl-std=CL1.2 -Xclang -ffake-address-space-map -O1 -Xclang -disable-llvm-passes \
	  -ffp-contract=off -include opencl-c-base.h -emit-llvm -c -o $@ $<
# Kernels and the cache's lines have the same bytes under different types.
$(O)/softcache.bc: data/opencl/softcache.cl trace/capture/soft_slots.h
	@mkdir -p $(@D)
	clang-19 -x cl -cl-std=CL1.2 -Xclang -ffake-address-space-map -O1 -Xclang -disable-llvm-passes \
	  -fno-strict-aliasing -I. -include opencl-c-base.h -emit-llvm -c -o $@ $<
$(BUILTINS): trace/capture/builtins.S $(O)/builtins.bc $(O)/softcache.bc
	@mkdir -p $(@D)
	$(CC) -DWS_BUILTINS='"$(O)/builtins.bc"' -DWS_SOFTCACHE='"$(O)/softcache.bc"' -c -o $@ $<
endif

## all: libwarpstack.a, libwarpstack.so and the tool (default)
all: $(O)/libwarpstack.a $(O)/libwarpstack.so $(O)/warpstack
ifneq ($(OPENCL),)
LAYERSO := $(O)/libwarpstack-opencl.so
all: $(LAYERSO)
$(LAYERSO): $(call obj,$(LAYER)) $(O)/libwarpstack.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,--exclude-libs,ALL,--as-needed -o $@ $^ $(LIBS)
$(call obj,cli/app.c): ALL_CPPFLAGS += -DWS_LIBDIR='"$(libdir)"'
endif

LIBOBJ := $(call obj,$(SRC)) $(BUILTINS)
$(O)/libwarpstack.a: $(LIBOBJ)
	@rm -f $@
	$(AR) rcs $@ $^
# Public headers alone make symbols visible (WS_API_BEGIN in base/base.h); they get a version here.
$(O)/libwarpstack.map: Makefile
	@mkdir -p $(@D)
	@echo 'WARPSTACK_$(SOVER) { global: ws_*; local: *; };' >$@
$(O)/libwarpstack.so: $(LIBOBJ) $(O)/libwarpstack.map
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,libwarpstack.so.$(SOVER) \
	  -Wl,--version-script=$(O)/libwarpstack.map -o $@ $(LIBOBJ) $(LIBS)
$(O)/warpstack: $(call obj,$(CLI)) $(O)/libwarpstack.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
# A hundred tests: lld links them in half the time, where it is there.
TESTLD := $(if $(shell command -v ld.lld 2>/dev/null),-fuse-ld=lld)
$(TESTBIN): LDFLAGS += $(TESTLD)
$(TESTBIN) $(BENCHBIN): $(O)/%: $(O)/%.o $(call obj,$(REF)) $(O)/libwarpstack.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lgmp
$(O)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

## check-unit: the unit tests alone
check-unit: $(TESTBIN)
-include tests/check.mk

## docs: docs/architecture.svg, drawn from the code's dependencies
docs:
	@CHECK_ROOMS='$(ROOMS) cli' docs/draw-architecture >docs/architecture.svg
## bench: benchmarks, one JSON line each
bench: all $(BENCHBIN)
	@for t in $(BENCHBIN); do $$t || exit 1; done
	@tests/bench-commands $(O)/warpstack
## clean: remove build/
clean:
	rm -rf build
## help: this list
help:
	@sed -n 's/^## //p' Makefile tests/check.mk setup.mk 2>/dev/null | sort

-include setup.mk
-include $(patsubst %.o,%.d,$(call obj,$(SRC) $(LAYER) $(CLI) $(TEST) $(BENCH) $(REF)))
.PHONY: all bench clean docs help
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
