/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/unit.c -- all unit tests in one program: `unit .../model/t-lru [ARGUMENT...]` is that test.
 * UNIT_LIST has a line for each, written by make: X("model/t-lru", main_model_t_lru).
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define X(name, run) int run(int argc, char **argv);
#include UNIT_LIST
#undef X

static bool ends_with(const char *path, const char *name)
{
	size_t all = strlen(path), len = strlen(name);

	return all > len && path[all - len - 1] == '/' && strcmp(path + all - len, name) == 0;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "";

	/* By their names: a sanitizer of calls through pointers sees that some take no argument. */
#define X(name, run)                                                                               \
	if (ends_with(path, name))                                                                 \
		return run(argc - 1, argv + 1);
#include UNIT_LIST
#undef X
	fprintf(stderr, "unit: there is no test '%s'\n", path);
	return 2;
}
