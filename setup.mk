# SPDX-License-Identifier: GPL-3.0-or-later
# Packages, demonstration, installation, distribution.  Read by Makefile.

# Everything a build, `make demo` and `make check` use on Debian 12 and 13; the only list.
PACKAGES := gcc g++ make libc6-dev pkg-config clang-19 llvm-19-dev libgsl-dev libgmp-dev \
            libzstd-dev liblzma-dev zlib1g-dev gnuplot-nox xz-utils zstd \
            ocl-icd-opencl-dev opencl-c-headers pocl-opencl-icd mandoc
# Thrust and CUB, which many CUDA programs include: nothing fails where they cannot be had.
EXTRA    := libthrust-dev
# What MPI=1 builds with; MPICH does as well, if mpicc is its.
ifeq ($(MPI),1)
PACKAGES += libopenmpi-dev openmpi-bin
endif
APT_GET  := apt-get install -y --no-install-recommends

## deps: installs the Debian packages that are missing (root or passwordless sudo); MPI=1: those of warpstack-mpi, too
# Done by remaking an included file, so that make starts over with the compilers and libraries
# that were installed; else (`make deps demo`) it would go on without them.
ifneq ($(filter deps,$(MAKECMDGOALS)),)
DRY := $(if $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),false,true)
$(shell [ -e $(O)/deps.mk ] || { mkdir -p $(O) && : >$(O)/deps.mk; })
include $(O)/deps.mk
$(O)/deps.mk: FORCE
	@have=" $$(dpkg-query -W -f '$${db:Status-Abbrev}$${Package}\n' $(PACKAGES) $(EXTRA) 2>/dev/null | \
		sed -n 's/^ii *//p' | tr '\n' ' ')"; missing=; extra=; \
	for p in $(PACKAGES); do case "$$have" in *" $$p "*) ;; *) missing="$$missing $$p";; esac; done; \
	for p in $(EXTRA); do case "$$have" in *" $$p "*) ;; *) extra="$$extra $$p";; esac; done; \
	[ -n "$$missing$$extra" ] || exit 0; \
	as=; [ "$$(id -u)" = 0 ] || as='sudo -n'; \
	if ! command -v apt-get >/dev/null; then \
		[ -n "$$missing" ] || exit 0; \
		echo >&2 "make deps: this is no Debian; install what these are called here:$$missing"; exit 1; \
	elif ! $(DRY) || ! $$as true 2>/dev/null; then \
		[ -n "$$missing" ] || exit 0; \
		echo >&2 "make deps: run as root:  apt-get update && $(APT_GET)$$missing"; exit 1; \
	fi; \
	$$as apt-get update -q || [ -z "$$missing" ] || exit 1; \
	install="$$as env DEBIAN_FRONTEND=noninteractive $(APT_GET) -q"; \
	for p in $$extra; do ! apt-cache show "$$p" >/dev/null 2>&1 || $$install "$$p" || :; done; \
	[ -z "$$missing" ] || { $$install $$missing && touch $@; }
endif
deps:
	@:

## demo: traces a kernel, profiles it, predicts, cross-checks, draws (into build/demo/)
demo: $(O)/warpstack
	@tests/demo $(O)/warpstack build/demo

# ---- installation ----------------------------------------------------------------

COMMANDS := $(filter-out help version manual completion,$(patsubst cli/cmd_%.c,%,$(filter cli/cmd_%,$(CLI))))
MAN5  := $(wildcard man/*.5)
LIBSO := libwarpstack.so
EXAMPLE := $(wildcard examples/*.c examples/*.py examples/*.out) examples/Makefile
DATA  := $(wildcard data/machine/* data/kernel/* data/plot/* data/opencl/* data/cuda/include/*.h data/cuda/include/*.hpp data/cuda/include/*.cu data/cuda/include/*/*.h data/counters/*.* \
           data/counters/LICENCE data/counters/machine/*) \
         $(filter-out %/std,$(wildcard data/cuda/include/cuda/*)) $(wildcard data/cuda/include/cuda/std/*)
D      = $(DESTDIR)

# The tool writes its own manual and completions, from the tables its options are parsed with.
$(O)/man/stamp: $(O)/warpstack
	@mkdir -p $(@D) && rm -f $(@D)/*.1 $(@D)/*.5
	$(O)/warpstack __manual >$(@D)/warpstack.1
	@for c in $(COMMANDS); do \
		$(O)/warpstack __manual $$c >$(@D)/warpstack-$$c.1 || exit 1; done
	$(O)/warpstack __manual columns >$(@D)/warpstack-columns.5
	@touch $@
$(O)/warpstack.pc: warpstack.pc.in Makefile FORCE
	@mkdir -p $(@D)
	@sed -e 's|@prefix@|$(prefix)|; s|@exec_prefix@|$(exec_prefix)|; s|@libdir@|$(libdir)|' \
		-e 's|@includedir@|$(includedir)|; s|@datadir@|$(datadir)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(LIBS)|' $< >$@
# Objects remember directories; a new prefix is a new library.
$(O)/datadir $(O)/libdir: $(O)/%: FORCE
	@mkdir -p $(@D); [ "$$(cat $@ 2>/dev/null)" = '$($*)' ] || echo '$($*)' >$@
$(O)/base/file.o: $(O)/datadir
$(O)/base/library.o: $(O)/libdir

## install: under prefix (/usr/local), DESTDIR before it; GNU directory names
install: all $(O)/man/stamp $(O)/warpstack.pc
	$(INSTALL) -d '$(D)$(bindir)' '$(D)$(libdir)/pkgconfig' '$(D)$(includedir)/warpstack' \
		'$(D)$(mandir)/man1' '$(D)$(mandir)/man5' '$(D)$(bashdir)' '$(D)$(zshdir)'
	$(INSTALL) -m 755 $(O)/warpstack '$(D)$(bindir)'
	$(if $(filter 1,$(MPI)),$(INSTALL) -m 755 $(O)/warpstack-mpi '$(D)$(bindir)')
	$(INSTALL) -m 644 $(O)/libwarpstack.a '$(D)$(libdir)'
	$(INSTALL) -m 644 $(O)/warpstack.pc '$(D)$(libdir)/pkgconfig'
	$(if $(LAYERSO),$(INSTALL) -m 755 $(LAYERSO) '$(D)$(libdir)')
	$(if $(CUDASO),$(INSTALL) -m 755 $(CUDASO) $(CUDALIBS) '$(D)$(libdir)')
	$(if $(CUDASO),sed 's|@include@|$(datadir)/warpstack/cuda/include|; s|@libdir@|$(libdir)|; s|@home@|$(libdir)/warpstack/cuda|' tools/warpstack-nvcc >$(O)/nvcc.install)
	$(if $(CUDASO),$(INSTALL) -m 755 $(O)/nvcc.install '$(D)$(bindir)/warpstack-nvcc')
	$(if $(CUDASO),DESTDIR='$(D)' tools/cuda-home '$(libdir)/warpstack/cuda' '$(bindir)/warpstack-nvcc' '$(libdir)/libwarpstack-cuda.so' \
		'$(datadir)/warpstack/cuda/include')
	$(if $(PLUGIN),$(INSTALL) -d '$(D)$(libdir)/warpstack' && $(INSTALL) -m 755 $(PLUGIN) '$(D)$(libdir)/warpstack')
	$(INSTALL) -m 755 $(O)/$(LIBSO) '$(D)$(libdir)/$(LIBSO).$(VERSION)'
	ln -sf $(LIBSO).$(VERSION) '$(D)$(libdir)/$(LIBSO).$(SOVER)'
	ln -sf $(LIBSO).$(SOVER) '$(D)$(libdir)/$(LIBSO)'
	@for h in $(PUBLIC); do \
		sed 's|#include "[a-z]*/\([a-z]*\.h\)"|#include "\1"|' $$h >'$(D)$(includedir)/warpstack/'$${h##*/} && \
		chmod 644 '$(D)$(includedir)/warpstack/'$${h##*/} || exit 1; done
	$(INSTALL) -m 644 $(O)/man/*.1 $(if $(CUDASO),man/warpstack-nvcc.1) '$(D)$(mandir)/man1'
	$(INSTALL) -m 644 $(O)/man/*.5 $(MAN5) '$(D)$(mandir)/man5'
	$(O)/warpstack __completion bash >'$(D)$(bashdir)/warpstack'
	$(O)/warpstack __completion zsh >'$(D)$(zshdir)/_warpstack'
	$(INSTALL) -d '$(D)$(docdir)/examples'
	$(INSTALL) -m 644 $(EXAMPLE) '$(D)$(docdir)/examples'
	$(INSTALL) -d '$(D)$(pythondir)'
	$(INSTALL) -m 644 python/warpstack.py '$(D)$(pythondir)'
	@for f in $(DATA:data/%=%); do \
		$(INSTALL) -D -m 644 data/$$f '$(D)$(datadir)/warpstack/'$$f || exit 1; done
## uninstall: takes back what install put there
uninstall:
	rm -f '$(D)$(bindir)/warpstack' '$(D)$(bindir)/warpstack-mpi' '$(D)$(libdir)/libwarpstack.a' '$(D)$(libdir)/$(LIBSO)'* \
		'$(D)$(libdir)/libwarpstack-opencl.so' '$(D)$(libdir)/libwarpstack-cu'*.so '$(D)$(bindir)/warpstack-nvcc' \
		'$(D)$(libdir)/pkgconfig/warpstack.pc' '$(D)$(bashdir)/warpstack' '$(D)$(zshdir)/_warpstack' \
		'$(D)$(mandir)/man1/warpstack.1' '$(D)$(mandir)/man1/warpstack-'*.1 '$(D)$(mandir)/man5/warpstack-'*.5
	rm -rf '$(D)$(pythondir)/warpstack.py' '$(D)$(pythondir)/__pycache__/warpstack.'*
	rm -rf '$(D)$(includedir)/warpstack' '$(D)$(libdir)/warpstack' '$(D)$(datadir)/warpstack' '$(D)$(docdir)'
## dist: warpstack-VERSION.tar.gz of the tracked files
dist:
	@n=warpstack-$(VERSION); if git rev-parse -q --verify HEAD >/dev/null 2>&1; then \
		git archive --prefix=$$n/ HEAD; else \
		find . \( -name build -o -name .git -o -name '*.tar.gz' -o -name config.mk \) -prune -o \
			! -type d -print | LC_ALL=C sort | \
			tar -c -T - --transform "s,^\.,$$n," --owner=0 --group=0; fi | gzip -9n >$$n.tar.gz && echo $$n.tar.gz

FORCE:
.PHONY: deps demo install uninstall dist FORCE
