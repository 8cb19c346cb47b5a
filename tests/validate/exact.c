/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/exact.c -- simulated miss ratios, and the file they are kept in: lines of
 *
 *   stream checksum policy geometry requests misses runs
 *
 * misses being those of all runs.  A line that is not of this form, as a writer that was
 * stopped may leave it, says nothing.
 */
#include "tests/validate/results.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	char *key;		/* "stream checksum policy geometry" */
	double ratio;
};

struct exact {
	struct entry *entry;	/* by key */
	size_t count, cap;
	FILE *file;		/* to append to, or NULL */
	pthread_mutex_t lock;	/* of file */
};

#define KEY_MAX (STREAMS_NAME_MAX + WS_NAME_MAX + RESULTS_TEXT + 24u)

static int by_key(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->key, y->key);
}

/* The line has four words of a key, then three numbers. */
static bool add_line(struct exact *e, char *line)
{
	char *at = line + strcspn(line, "\n");
	double number[3];

	if (!*at)
		return true;
	*at = '\0';
	for (int i = 2; i >= 0; i--) {
		at = strrchr(line, ' ');
		if (!at || !ws_parse_double(at + 1, &number[i]) || !(number[i] >= 0))
			return true;
		*at = '\0';
	}
	if (!(number[0] > 0) || !(number[2] > 0))
		return true;
	if (!WS_ROOM(e->entry, e->cap, e->count + 1))
		return false;
	e->entry[e->count] = (struct entry){ ws_strdup(line), number[1] / number[0] / number[2] };
	return e->entry[e->count++].key != NULL;
}

static enum ws_status load(struct exact *e, const char *path, struct ws_err *err)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	bool ok = true;

	while (file && ok && getline(&line, &cap, file) > 0)
		ok = add_line(e, line);
	free(line);
	if (file)
		fclose(file);
	if (!ok)
		return ws_fail_memory(err, "exact results");
	if (e->count)
		qsort(e->entry, e->count, sizeof *e->entry, by_key);
	e->file = fopen(path, "a");
	return e->file ? WS_OK : ws_fail(err, WS_EIO, "cannot append to %s", path);
}

enum ws_status exact_new(struct exact **out, const char *path, struct ws_err *err)
{
	struct exact *e = ws_alloc_zero(1, sizeof *e);
	enum ws_status status = WS_OK;

	*out = NULL;
	if (!e)
		return ws_fail_memory(err, "exact results");
	pthread_mutex_init(&e->lock, NULL);
	if (path)
		status = load(e, path, err);
	if (status)
		exact_free(e);
	else
		*out = e;
	return status;
}

void exact_free(struct exact *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->count; i++)
		free(e->entry[i].key);
	free(e->entry);
	if (e->file)
		fclose(e->file);
	pthread_mutex_destroy(&e->lock);
	free(e);
}

static enum ws_status simulate(const struct streams_stream *s, const struct ws_cache *cache,
			       uint64_t seed, uint64_t *misses, struct ws_err *err)
{
	struct ws_counts kind[WS_KINDS + 1];
	struct ws_sim *sim;
	enum ws_status status = ws_sim_new(&sim, cache, err);

	if (status)
		return status;
	ws_sim_seed(sim, seed);
	status = ws_sim_push(sim, s->request, s->count, err);
	if (!status) {
		ws_sim_counts(sim, kind);
		*misses += kind[WS_KINDS].misses;
	}
	ws_sim_free(sim);
	return status;
}

static void keep(struct exact *e, const char *key, size_t requests, uint64_t misses, unsigned runs)
{
	if (!e->file)
		return;
	pthread_mutex_lock(&e->lock);
	fprintf(e->file, "%s %zu %" PRIu64 " %u\n", key, requests, misses, runs);
	fflush(e->file); /* one write: lines of other processes are not cut */
	pthread_mutex_unlock(&e->lock);
}

enum ws_status exact_ratio(struct exact *e, const struct streams_stream *s, uint64_t checksum,
			   const struct ws_cache *cache, bool draws, double *ratio,
			   struct ws_err *err)
{
	char key[KEY_MAX];
	struct entry wanted = { key, 0 }, *found = NULL;
	unsigned runs = draws ? RESULTS_SEEDS : 1;
	enum ws_status status = WS_OK;
	uint64_t misses = 0;

	snprintf(key, sizeof(key), "%s %016" PRIx64 " %s %" PRIu64 "x%" PRIu64, s->name, checksum,
		 cache->policy, cache->sets, cache->ways);
	if (e->count)
		found = bsearch(&wanted, e->entry, e->count, sizeof *e->entry, by_key);
	if (found) {
		*ratio = found->ratio;
		return WS_OK;
	}
	for (unsigned seed = 1; seed <= runs && !status; seed++)
		status = simulate(s, cache, seed, &misses, err);
	if (status)
		return status;
	*ratio = s->count ? (double)misses / (double)s->count / runs : 0;
	keep(e, key, s->count, misses, runs);
	return WS_OK;
}
