/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/sim/tlb.c -- see tlb.h.
 *
 * The entries of a set are an array, the latest first; 0 is none, else a page number + 1.
 */
#include "validate/sim/tlb.h"

#include <stdlib.h>
#include <string.h>

struct tlb_level {
	uint64_t sets;
	uint64_t *entry;	/* set by set */
	uint32_t *first;	/* [sets + 1]: of each set */
};

struct ws_tlb {
	struct tlb_level level[2];
	unsigned levels;
	unsigned page_bits;
};

static enum ws_status level_new(struct tlb_level *l, const struct ws_set_ways *entries,
				struct ws_err *err)
{
	uint32_t *ways = ws_set_ways_list(entries);

	l->sets = ws_set_ways_sets(entries);
	l->first = ws_alloc_zero((size_t)l->sets + 1, sizeof *l->first);
	l->entry = ws_alloc_zero((size_t)ws_set_ways_sum(entries), sizeof *l->entry);
	for (size_t i = 0; ways && l->first && i < l->sets; i++)
		l->first[i + 1] = l->first[i] + ways[i];
	free(ways);
	return ways && l->first && l->entry ? WS_OK : ws_fail_memory(err, "a TLB");
}

enum ws_status ws_tlb_new(struct ws_tlb **out, const struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	*out = NULL;
	if (!m->tlb[0].runs)
		return WS_OK;
	*out = ws_alloc_zero(1, sizeof **out);
	if (!*out)
		return ws_fail_memory(err, "a TLB");
	(*out)->page_bits = ws_log2(m->tlb_page);
	for (unsigned i = 0; i < 2 && m->tlb[i].runs && status == WS_OK; i++) {
		(*out)->levels++;
		status = level_new(&(*out)->level[i], &m->tlb[i], err);
	}
	if (status != WS_OK) {
		ws_tlb_free(*out);
		*out = NULL;
	}
	return status;
}

/* Whether the page is known; it is the latest then. */
static bool level_ask(struct tlb_level *l, uint64_t page)
{
	size_t set = (size_t)(page % l->sets), ways = l->first[set + 1] - l->first[set], at = 0;
	uint64_t *entry = l->entry + l->first[set];
	bool known;

	while (at + 1 < ways && entry[at] != page + 1)
		at++;
	known = entry[at] == page + 1;
	memmove(entry + 1, entry, at * sizeof *entry);
	entry[0] = page + 1;
	return known;
}

unsigned ws_tlb_ask(struct ws_tlb *t, uint64_t address)
{
	uint64_t page = address >> t->page_bits;
	unsigned missed = 0;

	while (missed < t->levels && !level_ask(&t->level[missed], page))
		missed++;
	return missed;
}

void ws_tlb_flush(struct ws_tlb *t)
{
	for (unsigned i = 0; t && i < t->levels; i++)
		memset(t->level[i].entry, 0,
		       t->level[i].first[t->level[i].sets] * sizeof *t->level[i].entry);
}

void ws_tlb_free(struct ws_tlb *t)
{
	for (unsigned i = 0; t && i < 2; i++) {
		free(t->level[i].entry);
		free(t->level[i].first);
	}
	free(t);
}
