# SPDX-License-Identifier: GPL-3.0-or-later
# Checks, fuzzing, benchmarks of commands.  Read by Makefile.

# All that is tested, in release.  Other builds run what a sanitizer or an assertion can fail:
# sources and tables are the same in all.
CHECKS.release := opencl mpi cuda builtins mutants kills collect faults cli unit rows layers circles headers \
                  names tags columns messages globals manifest manual pages install python
CHECKS.asan    := opencl cli unit
CHECKS         := $(or $(CHECKS.$(MODE)),cli unit)
# SKIP leaves parts out, by name, as in 't-fit chain.tst opencl': what .ci/run runs in another build.
UNITBIN := $(filter-out $(addprefix %/,$(SKIP)),$(TESTBIN))
# Linking a hundred tests takes longer than most of them run: they are one program, in which each has a main of its own
# name; `make build/release/tests/model/t-lru` links one.  What replaces functions of the library for all is alone.
OBJCOPY ?= objcopy
ALONE   := $(filter %/t-memory,$(TESTBIN))
TOGETHER:= $(filter-out $(ALONE),$(TESTBIN))
UNIT    := $(O)/tests/unit
CXX    := $(if $(filter clang%,$(CC)),$(subst clang,clang++,$(CC)),$(CXX))
CC1     = $(CC) -I. -isystem data/cuda/include -D_GNU_SOURCE $(filter -isystem /%,$(LLVM_CPPFLAGS)) -std=c11 $(WARN)
CXX1    = $(CXX) -I. $(WARN:-W%-prototypes=)
# Leaks count; third parties' are listed in lsan.supp.
export LSAN_OPTIONS := suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0
# What is freed is not given out again before 16 MB more are.  The sanitizer's own notes of blocks of up to 8 MB stay
# mapped, else it takes them from the kernel page by page for each block; those of a thread's stack do not.
# A frame that has returned is known for as long as 64 KB of its size follow, which is a new page for few.
export ASAN_OPTIONS := detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=16:clear_shadow_mmap_threshold=1000000:max_uar_stack_size_log=16
export UBSAN_OPTIONS := print_stacktrace=1
# Nothing of the user's; tests/check has a folder of its own for what may be kept.
check check-% bench: export WARPSTACK_CACHE =
check check-%: export CHECK_CC = $(CC1)
check check-%: export CHECK_CXX = $(CXX1)
check check-%: export CHECK_CC_ALONE = $(CC)
check check-%: export CHECK_CXX_ALONE = $(CXX)
check check-%: export CHECK_O = $(O)
check check-%: export CHECK_MODE = $(MODE)
check check-%: export CHECK_MPI = $(MPI)
check check-%: export CHECK_ROOMS = $(ROOMS)
check check-%: export CHECK_HDR = $(HDR) $(foreach d,$(ROOMS),$(wildcard $(d)/*/*.h))
check check-%: export CHECK_PUBLIC = $(PUBLIC)
# Of the product, whatever else lies in the folder.
check check-%: export CHECK_OBJ = $(call obj,$(SRC) $(if $(LLVM),$(CAPTURE)) $(CLI) $(if $(filter 1,$(MPI)),$(MPISRC)) $(APP) $(if $(LLVM),$(CUDA)) $(if $(OPENCL),$(LAYER)))
check check-%: export CHECK_CAPTURE = $(CAPTUREOBJ)
check check-%: export CHECK_SHARED = $(SHARED)
check check-%: export CHECK_TESTBIN = $(UNITBIN)
check check-%: export CHECK_ALONE = $(ALONE)
check check-%: export CHECK_COMMANDS = $(COMMANDS)
check check-%: export CHECK_MUTANTS = $(MUTANTS)
check check-%: export CHECK_FAULTS = $(FAULTS)
check check-%: export CHECK_KILLS = $(KILLS)
check check-%: export CHECK_JOBS = $(JOBS)
check check-%: export CHECK_SKIP = $(SKIP)
# Of several words, as in CC="ccache gcc", it is no argument.
check check-%: export CC := $(CC)
check check-%: export CHECK_MAKE = $(MAKE) --no-print-directory MODE=$(MODE) BUILD=$(BUILD)

VALIDATE := $(wildcard tests/streams/*.c) $(addprefix tests/validate/,results.c exact.c summary.c)
# clang's sanitizer tells files apart by the names that they export, which is main in all of them.
$(addsuffix .o,$(TOGETHER)): ALL_CFLAGS += $(if $(findstring clang,$(CC)),$(if $(filter asan,$(MODE)),-fno-sanitize-address-globals-dead-stripping))
main_of   = main_$(subst /,_,$(subst -,_,$(1:$(O)/tests/%=%)))
$(addsuffix .part.o,$(TOGETHER)): %.part.o: %.o tests/check.mk
	@$(OBJCOPY) --redefine-sym main=$(call main_of,$*) $< $@
$(O)/tests/unit.list: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(foreach t,$(TOGETHER),'X("$(t:$(O)/tests/%=%)", $(call main_of,$(t)))') >$@.new
	@cmp -s $@.new $@ || mv $@.new $@
$(O)/tests/unit.o: $(O)/tests/unit.list
$(O)/tests/unit.o: ALL_CPPFLAGS += -DUNIT_LIST='"$(O)/tests/unit.list"'
$(UNIT): LDFLAGS += $(TESTLD)
$(UNIT): $(O)/tests/unit.o $(addsuffix .part.o,$(TOGETHER)) $(call obj,$(REF) $(VALIDATE)) $(WHOLE) | $(O)/tests/cuda/libcuda.so.1
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(LLVM_LIBS)
-include $(O)/tests/unit.d

# Programs that use OpenCL, for the layer's test.
ifneq ($(OPENCL),)
HOST    := $(wildcard tests/opencl/*.c)
HOSTBIN := $(patsubst %.c,$(O)/%,$(HOST))
$(HOSTBIN): %: %.o
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lOpenCL -lpthread -lm
$(call obj,$(HOST)): WARN := -Wall -Wextra # they are written as others would
-include $(patsubst %.o,%.d,$(call obj,$(HOST)))
endif
# A libcuda without a GPU.
STUB      := $(O)/tests/cuda/libcuda.so.1
JOBS      ?= $(shell nproc 2>/dev/null || echo 1)
# Damaged files given to the tool; MUTANTS of each reader.
MUTANTS   ?= 40
MUTANTBIN := $(O)/tests/mutants
$(MUTANTBIN): LDFLAGS += $(TESTLD)
$(MUTANTBIN): %: %.o $(O)/libwarpstack.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
-include $(MUTANTBIN).d

# Faults of the machine: FAULTS of each command and kind.
FAULTS    ?= 6
# Commands killed over an older output, in all.
KILLS     ?= 32
FAULTBIN  := $(O)/tests/faults/faults $(O)/tests/faults/preload.so
$(O)/tests/faults/faults: LDFLAGS += $(TESTLD)
$(O)/tests/faults/faults: %: %.o $(WHOLE)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(LLVM_LIBS)
$(O)/tests/faults/preload.so: tests/faults/preload.c Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -O1 -fPIC -shared -o $@ $<
-include $(O)/tests/faults/faults.d

## check: all tests, JOBS at once (as many as processors); the last line counts them; other modes than release run what their build can fail; MUTANTS=1000 damages more files, FAULTS=400 lets more fail, KILLS=300 kills more
check: all $(UNIT) $(ALONE) $(HOSTBIN) $(MUTANTBIN) $(FAULTBIN) $(STUB)
	@tests/check $(CHECKS)
## check-NAME: one of them: unit cli rows layers circles headers names tags columns messages globals manifest manual pages install python builtins collect opencl cuda mutants faults kills mpi
check-%: all $(HOSTBIN) $(MUTANTBIN) $(FAULTBIN) $(STUB)
	@tests/check $*

## update-golden: rewrites the expected outputs of the CLI tests and of README.md and docs/, and shows the difference
update-golden: all
	@tests/cli/run $(O)/warpstack --update; CHECK_O=$(O) tests/check-pages --update; git --no-pager diff --stat tests README.md docs 2>/dev/null || :

## update-pages: README.md's and docs/'s alone
update-pages: all
	@CHECK_O=$(O) tests/check-pages --update; git --no-pager diff --stat README.md docs 2>/dev/null || :

## update-manifest: the sums of data/MANIFEST anew; new files get '?' for licence and origin
update-manifest:
	@tests/check-manifest --update
# ---- fuzzing: libFuzzer, clang only ------------------------------------------------
T ?= 60
FUZZBIN := $(FUZZ:tests/fuzz/%.c=$(O)/tests/fuzz/%)
ifeq ($(MODE),fuzz)
$(FUZZBIN): %: %.o $(O)/libwarpstack.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)
fuzz-run: $(FUZZBIN)
	@tests/fuzz-run $(T) $(FUZZBIN)
-include $(FUZZBIN:%=%.d)
endif
## fuzz: each reader under libFuzzer for T=60 seconds
fuzz:
	@ls $$(clang-19 -print-resource-dir)/lib/*/libclang_rt.fuzzer*.a >/dev/null 2>&1 || { \
		echo >&2 'make fuzz: apt-get install clang-19 libclang-rt-19-dev'; exit 1; }
	@$(MAKE) --no-print-directory MODE=fuzz BUILD=$(O)-fuzz CC=clang-19 T=$(T) fuzz-run

# ---- validation: models beside the simulator on streams of tests/streams/ --------------
VALIDATEBIN := $(O)/tests/validate/v-results
$(VALIDATEBIN): %: %.o $(call obj,$(VALIDATE)) $(WHOLE)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(LLVM_LIBS)
$(O)/tests/validate/t-validate: $(call obj,$(VALIDATE))
$(O)/tests/validate/t-validate: LIBS := $(O)/libwarpstack.a $(LIBS) # after the objects
L2BIN := $(O)/tests/validate/v-l2
$(L2BIN): %: %.o $(WHOLE)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(LLVM_LIBS)
# mm-256 is mm-16x16.
CYCLEDEV     := bfs cp divergent histogram lps \
                $(filter-out mm-256,$(notdir $(basename $(wildcard data/kernel/m[mt]-*.launch)))) \
                ray spmv-csr stencil
CYCLEREPORT  := backprop betweenness-4k bfs-mask-4k btree cfd colouring-4k components-4k degree-4k \
                gaussian heartwall hotspot kmeans lud nw particle srad sssp-4k streamcluster triangles-4k
CYCLEBIN := $(O)/tests/validate/v-cycles
$(CYCLEBIN): %: %.o $(WHOLE)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(LLVM_LIBS)
# The 19 applications of DyCache's evaluation.
GRAINKERNELS := backprop btree bfs-mask cfd gaussian heartwall hotspot kmeans lud nw particle srad \
                streamcluster betweenness components degree colouring sssp triangles
GRAINBIN := $(O)/tests/validate/v-grains
$(GRAINBIN): %: %.o $(WHOLE)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(LLVM_LIBS)
# What an order of requests says of other L1s: launches of both sets that take no longer than two minutes,
# and what-ifs on some.
LAWKERNELS  := backprop betweenness-4k betweenness-road bfs-mask-4k bfs-mask-road btree cfd \
                colouring-4k colouring-road components-4k components-road cp degree-4k degree-road \
                divergent gaussian heartwall histogram hotspot kmeans lps lud mm-16x10 mm-16x5 \
                mm-32x4 mm-tiled mt-16x10 mt-8 nw particle records spmv-csr srad sssp-4k sssp-road \
                stencil streamcluster triangles-4k triangles-road
LAWWHATIFS  := backprop betweenness-4k bfs-mask-4k btree cfd components-4k degree-4k hotspot kmeans \
                lps lud mm-16x9 mm-32x4 mm-tiled spmv-csr sssp-4k stencil triangles-4k
LAWBIN := $(O)/tests/validate/v-order-law
$(LAWBIN): %: %.o $(WHOLE)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(LLVM_LIBS)
# One profile beside each L1's own order: launches that take no longer than a minute and a half, and of
# those some on a machine whose L1 adapts.
LARGEKERNELS := betweenness bfs bfs-mask colouring components degree divergent ray spmv-csr sssp \
                triangles
PROFILEKERNELS := $(filter-out %-16k %-64k mm-256 mm-32x10 ray records sssp,\
                    $(notdir $(basename $(wildcard data/kernel/*.launch))))
PROFILEADAPTS  := backprop betweenness-4k betweenness-road bfs-mask-4k btree cfd components-4k \
                  degree-4k divergent gaussian heartwall histogram hotspot kmeans lps lud mm-16x4 \
                  mm-16x8 mm-tiled mt-16x8 nw spmv-csr srad sssp-4k stencil streamcluster \
                  triangles-4k
-include $(patsubst %.o,%.d,$(call obj,$(VALIDATE)) $(VALIDATEBIN).o $(L2BIN).o $(CYCLEBIN).o $(GRAINBIN).o \
                            $(LAWBIN).o)

## order-law: the law of an order's error in other L1s: its tables in validate/ anew, and the fit
order-law: $(LAWBIN) all
	tests/validate-order-law $(O)/warpstack $(LAWKERNELS) >$(O)/order-law.csv
	@mv $(O)/order-law.csv validate/order-law.csv
	tests/validate-order-law --what-ifs $(O)/warpstack $(LAWWHATIFS) >$(O)/order-what-ifs.csv
	@mv $(O)/order-what-ifs.csv validate/order-what-ifs.csv
	$(LAWBIN) --what-ifs validate/order-what-ifs.csv validate/order-law.csv

## validate-profile: what one profile says of other L1s, beside their own orders: its table in validate/ anew
validate-profile: all
	tests/validate-profile $(O)/warpstack gtx480 $(PROFILEKERNELS) >$(O)/profile-orders.csv
	tests/validate-profile $(O)/warpstack v100 $(PROFILEADAPTS) >$(O)/profile-v100.csv
	@tail -n +2 $(O)/profile-v100.csv >>$(O)/profile-orders.csv
	@mv $(O)/profile-orders.csv validate/profile-orders.csv
	tests/validate-profile --summary validate/profile-orders.csv

## validate-chains: small sets solved exactly, beside models and simulation: the table in validate/ anew
validate-chains: all
	tests/validate-chains $(O)/warpstack >$(O)/chains.csv
	@mv $(O)/chains.csv validate/chains.csv
	tests/validate-chains --summary validate/chains.csv

## validate-large-warps: what large warps do to divergent kernels: its table in validate/ anew
validate-large-warps: all
	tests/validate-large-warps $(O)/warpstack $(LARGEKERNELS) >$(O)/large-warps.csv
	@mv $(O)/large-warps.csv validate/large-warps.csv
	tests/validate-large-warps --summary validate/large-warps.csv

## validate-advice: kernels with a planted fault, what `advise` promises, and what the kernel without the fault shows
validate-advice: all
	@tests/validate-advice $(O)/warpstack work held-out fresh

## validate-accel-sim: launches that Accel-Sim was run on, its counts and cycles beside ours (SHARED=, RUNS=)
validate-accel-sim: all
	@tests/validate-accel-sim $(O)/warpstack

## validate: tables and figures in validate/ anew; EXACT=file keeps exact results
validate: $(VALIDATEBIN) $(L2BIN) $(CYCLEBIN) $(GRAINBIN) all
	$(VALIDATEBIN) --set report --csv validate/results.csv $(if $(EXACT),--exact $(EXACT))
	$(VALIDATEBIN) --set report --sectored --csv validate/results-sectored.csv \
		$(if $(EXACT),--exact $(EXACT))
	@tests/validate-l2 $(O)/warpstack $(L2BIN) bfs ray cp lps >$(O)/l2.csv
	@mv $(O)/l2.csv validate/l2-policies.csv
	$(CYCLEBIN) $(CYCLEDEV:%=data/kernel/%.launch) --report \
		$(CYCLEREPORT:%=data/kernel/%.launch) >$(O)/cycles.csv
	@mv $(O)/cycles.csv validate/cycles.csv
	tests/validate-orders $(O)/warpstack $(sort $(CYCLEDEV) $(CYCLEREPORT)) >$(O)/orders.csv
	@mv $(O)/orders.csv validate/orders.csv
	$(GRAINBIN) $(GRAINKERNELS:%=data/kernel/%.launch) >$(O)/grains.csv
	@mv $(O)/grains.csv validate/grains.csv
	tests/validate-grain-ipc $(O)/warpstack validate/grain-ipc.csv
	@$(MAKE) --no-print-directory plots

## plots: figures of the tables in validate/
plots: all
	@for f in policy-error l2-policies; do \
		gnuplot -e "out='validate/$$f.svg'" validate/$$f.gp || exit 1; echo "validate/$$f.svg"; done
	@tests/plot-grains $(O)/warpstack

# ---- benchmarks ----------------------------------------------------------------------
## bench-compare: benchmarks here and of revision BASE by turns, ROUNDS=3 times, the best of each, and their ratio; ONLY='stack order' runs these
bench-compare: export CC := $(CC)
bench-compare:
	@[ -n '$(BASE)' ] || { echo >&2 'usage: make bench-compare BASE=revision'; exit 2; }
	@tests/bench-compare '$(BASE)' '$(MAKE) --no-print-directory -s' $(or $(ROUNDS),3) $(ONLY)

## bench-exponents: how processor time and memory grow; FIGURE=FILE.svg draws it
bench-exponents: all
	@tests/bench-exponents $(O)/warpstack $(FIGURE)

## outliers: functions and files past the usual sizes; nothing fails
outliers:
	@tests/outliers base machine trace stackdist model validate softcache study plots cli mpi

.PHONY: check update-golden update-pages update-manifest fuzz fuzz-run validate validate-profile validate-chains validate-large-warps validate-accel-sim validate-advice order-law plots bench-compare bench-exponents outliers
