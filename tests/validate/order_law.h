/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/order_law.h -- the table that v-order-law fits: validate/order-law.csv, read into
 * lines that are found by launch, machine, kernel, kind and L1.
 */
#ifndef TEST_ORDER_LAW_H
#define TEST_ORDER_LAW_H

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORDERS 12u	/* of a row: nominal, then anchors by size */
#define FIELDS 22u
#define KERNELS 64u

static const unsigned anchor[ORDERS] = { 0, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 384 };

/* Kernels on which the form was chosen and coefficients are fitted: launch files of that name, or
 * with a size behind. */
static const char *const dev[] = { "backprop", "btree", "degree", "heartwall", "histogram",
				   "hotspot",
	"kmeans", "lps", "lud", "mm", "mt", "nw", "records", "spmv-csr", "srad", "stencil",
	"streamcluster" };

struct line {			/* of the CSV */
	char file[40], machine[12], kernel[48], kind[8];
	unsigned sets, ways, family;
	double cold, t, c, e[ORDERS]; /* ratios; NAN: not measured */
};

static struct {
	struct line *line;
	size_t lines;
	char family[KERNELS][40];
	bool fit[KERNELS];
	unsigned families;
} all;

static inline _Noreturn void die(const char *what, const char *name)
{
	fprintf(stderr, "v-order-law: %s: %s\n", name, what);
	exit(1);
}

/* "mm-16x9" is mm, "degree-road" degree; "bfs-mask-4k" is bfs-mask, "spmv-csr" itself. */
static inline unsigned family(const char *file)
{
	static const char *const dashed[] = { "bfs-mask", "mm-tiled", "spmv-csr" };
	char name[40];
	unsigned f;

	snprintf(name, sizeof name, "%s", file);
	name[strcspn(name, "-")] = 0;
	for (size_t i = 0; i < sizeof dashed / sizeof *dashed; i++)
		if (!strncmp(file, dashed[i], strlen(dashed[i])))
			snprintf(name, sizeof name, "%s", dashed[i]);
	for (f = 0; f < all.families; f++)
		if (!strcmp(all.family[f], name))
			return f;
	if (f == KERNELS)
		die("too many kernels", file);
	snprintf(all.family[f], sizeof all.family[f], "%s", name);
	for (size_t i = 0; i < sizeof dev / sizeof *dev; i++)
		all.fit[f] |= !strcmp(name, dev[i]);
	return all.families++;
}

static inline unsigned split(char *text, char **field, unsigned most)
{
	unsigned n = 0;

	text[strcspn(text, "\n")] = 0;
	for (char *next = text; next && n < most; n++) {
		field[n] = next;
		next = strchr(next, ',');
		if (next)
			*next++ = 0;
	}
	return n;
}

static inline double ratio(const char *misses, double requests)
{
	return *misses ? strtod(misses, NULL) / requests : (double)NAN;
}

static inline int by_name(const void *x, const void *y)
{
	const struct line *a = x, *b = y;
	int order = strcmp(a->file, b->file);

	if (!order)
		order = strcmp(a->machine, b->machine);
	if (!order)
		order = strcmp(a->kernel, b->kernel);
	if (!order)
		order = strcmp(a->kind, b->kind);
	if (!order)
		order = (a->sets > b->sets) - (a->sets < b->sets);
	return order ? order : (a->ways > b->ways) - (a->ways < b->ways);
}

static inline void *grown(void *array, size_t n, size_t size)
{
	if (n & (n - 1)) /* room is a power of two */
		return array;
	array = realloc(array, (n ? 2 * n : 1) * size);
	if (!array)
		die("out of memory", "rows");
	return array;
}

static inline FILE *opened(const char *name)
{
	FILE *file = fopen(name, "r");

	if (!file)
		die(strerror(errno), name);
	return file;
}

static inline void read_lines(const char *name, const char *kind)
{
	char text[1024], *field[FIELDS];
	FILE *file = opened(name);

	if (!fgets(text, sizeof text, file))
		die("empty", name);
	while (fgets(text, sizeof text, file)) {
		struct line *l;
		double requests;

		if (split(text, field, FIELDS) != FIELDS)
			die("too few fields", name);
		if (strcmp(field[3], kind))
			continue;
		all.line = grown(all.line, all.lines, sizeof *l);
		l = &all.line[all.lines++];
		snprintf(l->file, sizeof l->file, "%s", field[0]);
		snprintf(l->machine, sizeof l->machine, "%s", field[1]);
		snprintf(l->kernel, sizeof l->kernel, "%s", field[2]);
		snprintf(l->kind, sizeof l->kind, "%s", field[3]);
		l->family = family(field[0]);
		l->sets = (unsigned)strtoul(field[4], NULL, 10);
		l->ways = (unsigned)strtoul(field[5], NULL, 10);
		requests = strtod(field[6], NULL);
		l->cold = ratio(field[7], requests);
		l->t = ratio(field[8], requests);
		l->c = ratio(field[9], requests);
		for (unsigned a = 0; a < ORDERS; a++)
			l->e[a] = ratio(field[10 + a], requests);
	}
	fclose(file);
	qsort(all.line, all.lines, sizeof *all.line, by_name);
}

/* The same launch, machine, kernel and kind with another L1; NULL if there is none. */
static inline const struct line *with(const struct line *l, unsigned sets, unsigned ways)
{
	struct line key = *l;

	key.sets = sets;
	key.ways = ways;
	return bsearch(&key, all.line, all.lines, sizeof key, by_name);
}

static inline bool volta(const struct line *l)
{
	return !strcmp(l->machine, "v100");
}

/* The L1 of an anchor, as l1.size of the machine makes it. */
static inline const struct line *own(const struct line *l, unsigned a)
{
	if (volta(l))
		return with(l, 4, anchor[a] * 2);
	return with(l, anchor[a] * 2, 4);
}

static inline double size(const struct line *l) /* KB */
{
	return l->sets * l->ways / 8.0;
}

#endif
