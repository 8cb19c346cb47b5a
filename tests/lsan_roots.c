/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/lsan_roots.c -- where the leak sanitizer looks for pointers at the end of a process: in the
 * globals of all that is loaded, but for its own tables.  Those are 9 MB of zeros, which took half
 * of the time of a short command to read.  What only they point to is a leak.
 *
 * clang's runtime is inside the executable, before this file, which is the first that is linked;
 * gcc's is a library.  Were it elsewhere, its tables would be read, or leaks found that are none.
 */
#include <link.h>
#include <sanitizer/lsan_interface.h>
#include <stdint.h>
#include <string.h>

#define VISIBLE __attribute__((visibility("default")))

extern char __bss_start;
static char first_of_ours;

VISIBLE const char *__lsan_default_options(void);
VISIBLE const char *__lsan_default_options(void)
{
	return "use_globals=0"; /* they are named below */
}

static void add(uintptr_t from, uintptr_t end)
{
	if (from < end)
		__lsan_register_root_region((const void *)from, end - from);
}

static int add_module(struct dl_phdr_info *module, size_t size, void *user)
{
	const uintptr_t bss = (uintptr_t)&__bss_start, ours = (uintptr_t)&first_of_ours;

	(void)size;
	(void)user;
	if (strstr(module->dlpi_name, "/libasan."))
		return 0;
	for (size_t i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &module->dlpi_phdr[i];
		uintptr_t from = module->dlpi_addr + p->p_vaddr, end = from + p->p_memsz;

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
			continue;
		if (from <= bss && bss <= ours && ours < end) {
			add(from, bss);
			add(ours, end);
		} else {
			add(from, end);
		}
	}
	return 0;
}

/* After exit(), before the sanitizer looks: what was loaded meanwhile is still there. */
__attribute__((destructor)) static void add_modules(void)
{
	dl_iterate_phdr(add_module, NULL);
}
