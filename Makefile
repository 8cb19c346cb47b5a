# SPDX-License-Identifier: GPL-3.0-or-later
# warpstack -- analytical GPU cache modeller.  GNU make >= 4.  `make help` lists targets.
# Override variables on the command line or in config.mk (not committed).
-include config.mk

MODE     ?= release
BUILD    ?= build/$(MODE)
O        := $(BUILD)
VERSION  := $(shell sed -n 's/^.define WS_VERSION "\(.*\)"/\1/p' base/base.h)
SOVER    := $(firstword $(subst ., ,$(VERSION)))

prefix      ?= $(or $(PREFIX),/usr/local)
exec_prefix ?= $(prefix)
bindir      ?= $(exec_prefix)/bin
libdir      ?= $(exec_prefix)/lib
includedir  ?= $(prefix)/include
datarootdir ?= $(prefix)/share
datadir     ?= $(datarootdir)
docdir      ?= $(datarootdir)/doc/warpstack
mandir      ?= $(datarootdir)/man
bashdir     ?= $(datarootdir)/bash-completion/completions
# Debian's python3 looks there under /usr/local, its packages are under /usr/lib/python3.
pythondir   ?= $(if $(filter /usr/local,$(prefix)),$(prefix)/lib/python$(shell python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo 3)/dist-packages,$(prefix)/lib/python3/dist-packages)
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
# The demangler of libstdc++, which is C: the archive where there is one, as the shared library would be loaded by each command.
DEMANGLER := $(if $(filter /%,$(shell $(CC) -print-file-name=libstdc++.a)),-l:libstdc++.a,-lstdc++)
LIBS := -lgsl -lgslcblas -lgmp -lzstd -llzma -lz $(DEMANGLER) -lpthread -ldl -lm

# One folder, one library; bottom to top.  A folder may include itself and those before it.
ROOMS   ?= base machine trace stackdist model validate softcache study plots
LLVM    ?= $(shell command -v llvm-config-19 2>/dev/null)
ALLSRC  := $(foreach d,$(ROOMS),$(wildcard $(d)/*.c $(d)/*/*.c))
# What needs LLVM is linked into a plug-in, the OpenCL layer and the tests; load.c stands for it elsewhere.
CAPTURE := $(filter-out $(addprefix trace/capture/,launch%.c fill.c confine.c child.c cache.c soft_remote.c load.c),$(filter trace/capture/%,$(ALLSRC)))
# The OpenCL layer is a library of its own, where there are LLVM and OpenCL's headers.
LAYER   := $(wildcard trace/opencl/*.c)
# The CUDA runtime is another one, and what they share is part of both.
CUDA    := $(wildcard trace/cuda/*.c)
APP     := $(wildcard trace/app/*.c)
OPENCL  ?= $(if $(LLVM),$(wildcard /usr/include/CL/cl_layer.h))
SRC     := $(filter-out $(LAYER) $(CUDA) $(APP) $(CAPTURE),$(ALLSRC))
CLI     := $(wildcard cli/*.c)
# The tool in parts, on the ranks of an MPI job; MPI=1 builds it.
MPI     ?= 0
MPICC   ?= mpicc
MPISRC  := $(wildcard mpi/*.c)
HDR     := $(foreach d,$(ROOMS),$(wildcard $(d)/*.h))
# Installed as <warpstack/NAME.h>.
PUBLIC  := $(foreach d,$(ROOMS),$(wildcard $(d)/$(d).h)) $(wildcard trace/capture.h trace/import.h validate/counters.h)
# Not installed, for the rooms below; all else is private to its room.
SHARED  := $(wildcard $(addprefix base/,bits.h demangle.h heap.h inline.h json.h library.h map.h pool.h) machine/sectors.h model/ways.h trace/places.h \
             validate/chain.h validate/compare.h validate/dataset.h validate/pchase.h study/hardware.h study/fit.h study/advise.h plots/report.h \
             cli/cli.h cli/hardware.h)
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
LLVM_LIBS := -L$(shell $(LLVM) --libdir) -lLLVM-19
$(call obj,$(CAPTURE)): ALL_CPPFLAGS += $(LLVM_CPPFLAGS)
# OpenCL's built-ins, as bitcode inside the plug-in.
BUILTINS := $(O)/trace/capture/builtins.o
$(O)/builtins.bc: data/opencl/builtins.cl data/opencl/images.cl
	@mkdir -p $(@D)
	clang-19 -x cl -cl-std=CL1.2 -Xclang -ffake-address-space-map -O1 -Xclang -disable-llvm-passes \
	  -ffp-contract=off -include opencl-c-base.h -emit-llvm $(filter -Werror,$(CFLAGS)) -c -o $@ $<
# Kernels and the cache's lines have the same bytes under different types.
$(O)/softcache.bc: data/opencl/softcache.cl trace/capture/soft_slots.h
	@mkdir -p $(@D)
	clang-19 -x cl -cl-std=CL1.2 -Xclang -ffake-address-space-map -O1 -Xclang -disable-llvm-passes \
	  -fno-strict-aliasing -I. -include opencl-c-base.h -emit-llvm $(filter -Werror,$(CFLAGS)) -c -o $@ $<
# What instructions of inline PTX do; numbers of one width are read as another.
$(O)/ptx.bc: data/cuda/ptx.c
	@mkdir -p $(@D)
	clang-19 -std=gnu11 -O1 -Xclang -disable-llvm-passes -ffp-contract=off -fno-math-errno \
	  -fno-strict-aliasing -emit-llvm $(filter -Werror,$(CFLAGS)) -c -o $@ $<
$(BUILTINS): trace/capture/builtins.S $(O)/builtins.bc $(O)/softcache.bc $(O)/ptx.bc
	@mkdir -p $(@D)
	$(CC) -DWS_BUILTINS='"$(O)/builtins.bc"' -DWS_BUILTINS_SUM="\"$$(cksum <$(O)/builtins.bc)\"" -DWS_SOFTCACHE='"$(O)/softcache.bc"' \
	  -DWS_PTX='"$(O)/ptx.bc"' -c -o $@ $<
endif

## all: libwarpstack.a, libwarpstack.so, the tool, what it loads to run kernels (default); MPI=1: warpstack-mpi, too
all: $(O)/libwarpstack.a $(O)/libwarpstack.so $(O)/warpstack
ifneq ($(LLVM),)
CAPTUREOBJ := $(call obj,$(CAPTURE)) $(BUILTINS)
PLUGIN := $(O)/libwarpstack-capture.so
all: $(PLUGIN)
# One that is there is up to date.
$(O)/warpstack $(O)/libwarpstack.so: | $(PLUGIN)
$(PLUGIN): $(CAPTUREOBJ) $(O)/libwarpstack.a $(O)/plugin.map
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,--version-script=$(O)/plugin.map,--as-needed -o $@ \
	  $(filter-out %.map,$^) $(LIBS) $(LLVM_LIBS)
$(O)/plugin.map: Makefile
	@mkdir -p $(@D)
	@echo '{ global: ws_capture_plugin; cl*Layer*; local: *; };' >$@
# It and load.c have to be of the same headers.
$(call obj,trace/capture/load.c trace/capture/plugin.c): ALL_CPPFLAGS += \
  -DWS_HEADERS='"$(shell cat base/base.h machine/machine.h trace/trace.h trace/capture.h | cksum | cut -d' ' -f1)"'
endif
ifneq ($(OPENCL),)
LAYERSO := $(O)/libwarpstack-opencl.so
all: $(LAYERSO)
$(LAYERSO): $(call obj,$(LAYER) $(APP)) $(CAPTUREOBJ) $(O)/libwarpstack.a $(O)/plugin.map
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,--version-script=$(O)/plugin.map,--as-needed -o $@ \
	  $(filter-out %.map,$^) $(LIBS) $(LLVM_LIBS)
endif
ifneq ($(LLVM),)
CUDASO := $(O)/libwarpstack-cuda.so
all: $(CUDASO)
$(call obj,$(CUDA)): ALL_CPPFLAGS += -isystem data/cuda/include
$(CUDASO): $(call obj,$(CUDA) $(APP)) $(CAPTUREOBJ) $(O)/libwarpstack.a $(O)/cuda.map
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,--version-script=$(O)/cuda.map,--as-needed -o $@ \
	  $(filter-out %.map,$^) $(LIBS) $(LLVM_LIBS)
# The compiler driver of programs: in the build folder it finds what is built there.
all: $(O)/warpstack-nvcc
$(O)/warpstack-nvcc: tools/warpstack-nvcc tools/cuda-home Makefile
	@sed 's|@include@|$(CURDIR)/data/cuda/include|; s|@libdir@|$(abspath $(O))|; s|@home@|$(abspath $(O))/cuda-home|' $< >$@.new
	@chmod 755 $@.new && mv $@.new $@
	@DESTDIR= tools/cuda-home $(abspath $(O))/cuda-home '$(abspath $@)' '$(abspath $(CUDASO))' '$(CURDIR)/data/cuda/include'
# Its libraries.  Programs are linked with the runtime behind them, whose path they do not know.
CUDALIBS := $(if $(shell command -v clang-19),$(addprefix $(O)/libwarpstack-,cublas.so cufft.so cusolver.so cusparse.so))
# Modules of device code: the less there is in one, the sooner its kernels are there.
PARTS.cublas := 1 2 3
all: $(CUDALIBS)
$(CUDALIBS): $(O)/libwarpstack-%.so: data/cuda/include/%.cu $(wildcard data/cuda/include/*.h data/cuda/include/*.cu) \
  $(O)/warpstack-nvcc
	@for p in $(or $(PARTS.$*),1); do WARPSTACK_CACHE= $(O)/warpstack-nvcc -O2 -Xcompiler -fPIC -DWS_LIBRARY_PART=$$p -c -o $@.$$p.o $< || exit 1; done
	@clang++-19 -shared -o $@ $@.*.o && rm -f $@.*.o
$(O)/cuda.map: Makefile
	@mkdir -p $(@D)
	@echo '{ global: cuda*; cu[A-Z]*; curand*; nvrtc*; __cuda*; local: *; };' >$@
endif
$(call obj,base/library.c): ALL_CPPFLAGS += -DWS_LIBDIR='"$(libdir)"'

# The loads of pchase for NVIDIA's driver, as PTX of CUDA 8.0; empty without such a compiler.
ifneq ($(filter validate,$(ROOMS)),)
PTX := $(O)/validate/pchase/ptx.o
$(O)/chase.ptx: validate/pchase/chase.cu
	@mkdir -p $(@D)
	@clang-19 -x c -std=c11 --target=nvptx64-nvidia-cuda -march=sm_50 --cuda-feature=+ptx50 -O2 -S \
	  -o $@ $< 2>/dev/null || { : >$@; echo "no clang-19 that makes PTX: pchase --target cuda will say so"; }
$(PTX): validate/pchase/ptx.S $(O)/chase.ptx
	@mkdir -p $(@D)
	$(CC) -DWS_PTX='"$(O)/chase.ptx"' -c -o $@ $<
endif
LIBOBJ := $(call obj,$(SRC)) $(PTX)
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
ifeq ($(MPI),1)
all: $(O)/warpstack-mpi
# The wrapper's own compiler is not ours: it is asked for what it adds, as Open MPI and MPICH say it.
MPIFLAGS := $(shell $(MPICC) --showme:compile 2>/dev/null || $(MPICC) -compile_info 2>/dev/null | grep -o ' -I[^ ]*')
MPILIBS  := $(shell $(MPICC) --showme:link 2>/dev/null || $(MPICC) -link_info 2>/dev/null | grep -o ' -[lL][^ ]*')
$(call obj,$(MPISRC)): ALL_CPPFLAGS += $(patsubst -I%,-isystem %,$(MPIFLAGS))
$(O)/warpstack-mpi: $(call obj,$(MPISRC) $(filter-out cli/main.c,$(CLI))) $(O)/libwarpstack.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(MPILIBS)
endif
# Of tests alone: lld and gold link in a quarter of the time, where they are there.
TESTLD := $(firstword $(foreach l,lld gold,$(if $(shell command -v ld.$l 2>/dev/null),-fuse-ld=$l)))
$(TESTBIN): LDFLAGS += $(TESTLD)
# Under sanitizers the product is a test's, too, and optimised code takes four times as long to compile: what has no
# long loops is not optimised, which nothing of what is run shows in a profile.
ifeq ($(MODE),asan)
LDFLAGS += $(TESTLD)
# Commands are many and short: their addresses are fixed, which needs no relocation.
ROOTS := $(O)/tests/lsan_roots.o
$(O)/warpstack $(O)/tests/unit: | $(ROOTS)
$(O)/warpstack $(O)/tests/unit: private LDFLAGS += -no-pie $(ROOTS)
# The references share no code with what is tested, and are most of what a random test runs: optimised, and only their
# memory is looked after.
$(call obj,$(REF)): ALL_CFLAGS := $(filter-out -O1 -fsanitize=%,$(ALL_CFLAGS)) -O2 -fsanitize=address
HOT  := $(addprefix machine/,hash.c slice.c) $(addprefix trace/capture/,access.c chunk.c columns.c exact.c fibre.c run.c worker.c)
COLD := $(foreach d,cli machine plots trace/app trace/capture trace/cuda trace/import trace/opencl,$(wildcard $(d)/*.c $(d)/*/*.c))
$(call obj,$(filter-out $(HOT),$(COLD))): ALL_CFLAGS += -O0
endif
# A test's own program is compiled once and runs for seconds, which the library and tests/ref/ take;
# release has gcc's warnings that follow the flow, and lines for backtraces; MODE=debug has all for a debugger.
$(addsuffix .o,$(TESTBIN)): ALL_CFLAGS += $(if $(filter release,$(MODE)),-Og -g1,-O0)
# The library with capture in it; objects come first, so that load.c's functions are not taken.
WHOLE := $(CAPTUREOBJ) $(O)/libwarpstack.a
$(TESTBIN) $(BENCHBIN): $(O)/%: $(O)/%.o $(call obj,$(REF)) $(WHOLE)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(LLVM_LIBS)
# A driver without a GPU.
$(O)/tests/validate/t-chase-cuda: | $(O)/tests/cuda/libcuda.so.1
$(O)/tests/cuda/libcuda.so.1: tests/cuda/stub.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) -std=c11 -O1 $(WARN) -fPIC -fvisibility=hidden -Wno-missing-prototypes -shared -o $@ $<
$(O)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include tests/check.mk
## check-unit: the unit tests alone; SKIP='t-fit t-chain' leaves these out
check-unit: $(UNIT) $(ALONE)

## docs: docs/architecture.svg, drawn from the code's dependencies
docs:
	@CHECK_ROOMS='$(ROOMS) cli mpi' docs/draw-architecture >docs/architecture.svg
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
-include $(patsubst %.o,%.d,$(call obj,$(SRC) $(CAPTURE) $(LAYER) $(CUDA) $(APP) $(CLI) $(MPISRC) $(TEST) $(BENCH) $(REF)))
.PHONY: all bench clean docs help
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
