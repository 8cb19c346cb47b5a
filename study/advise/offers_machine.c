/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/offers_machine.c -- changes of the L1: its set index, its policies.
 */
#include "study/advise/private.h"

#include <inttypes.h>
#include <string.h>

#define ADDRESS_BITS 40u	/* that an index is taken from, at most */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Can that machine be simulated, and is it another one? */
static bool is_another(const struct ws_facts *f, const char *key, const char *value)
{
	struct ws_machine m = *f->machine;
	const struct ws_key *row = ws_key_find(key);

	return ws_machine_set_key(&m, row, value, NULL) == WS_OK &&
	       !ws_key_same(&m, f->machine, row) && ws_machine_check(&m, NULL) == WS_OK &&
	       ws_policy_check(&m, NULL) == WS_OK && ws_cycles_check(&m, NULL) == WS_OK;
}

static enum ws_status offer_key(struct ws_offers *offers, const struct ws_facts *f,
				enum ws_advice_kind kind, const char *key, const char *value,
				struct ws_err *err)
{
	uint64_t requests = f->measure->counts.requests;
	struct ws_offer *o;

	if (!is_another(f, key, value))
		return WS_OK;
	o = ws_offer_add(offers, kind, err);
	if (!o)
		return WS_ENOMEM;
	o->advice.of_machine = true;
	snprintf(o->set, sizeof o->set, "%s=%s", key, value);
	snprintf(o->advice.change, sizeof o->advice.change, "another cache: %.200s", o->set);
	snprintf(o->advice.evidence, sizeof o->advice.evidence,
		 "%.1f %% of the requests miss in the L1, %.1f %% for its size, %.1f %% for its "
		 "associativity", percent(f->measure->counts.misses, requests),
		 percent(f->capacity, requests), percent(f->conflict, requests));
	return WS_OK;
}

static bool stores(const struct ws_scan *scan)
{
	bool any = false;

	for (size_t i = 0; i < scan->count; i++)
		any |= scan->site[i].kind == WS_STORE;
	return any;
}

/* A row of accesses a stride apart from each other shall reach all sets: the index of lines in a
 * row is joined with that of rows (matrix), or replaced by it (bits). */
static enum ws_status offer_index(struct ws_offers *offers, const struct ws_facts *f,
				  uint64_t stride, struct ws_err *err)
{
	const struct ws_cache *l1 = &f->machine->l1;
	unsigned line = ws_log2(l1->line_bytes), row = ws_log2(stride), bits = ws_log2(l1->sets);
	char value[sizeof ((struct ws_offer *)NULL)->set - 16];
	size_t used;
	enum ws_status status;

	if (row <= line || row + bits > ADDRESS_BITS || !bits)
		return WS_OK;
	snprintf(value, sizeof value, "bits:%u-%u", row, row + bits - 1);
	status = offer_key(offers, f, WS_ADVICE_CONFLICT, "l1.hash", value, err);
	used = (size_t)snprintf(value, sizeof value, "matrix:");
	for (unsigned i = 0; i < bits && used + 12 < sizeof value; i++)
		used += (size_t)snprintf(value + used, sizeof value - used, "%s%" PRIx64,
					 i ? "/" : "", UINT64_C(1) << (line + i) |
					 UINT64_C(1) << (row + i));
	return status == WS_OK ? offer_key(offers, f, WS_ADVICE_CONFLICT, "l1.hash", value, err)
			       : status;
}

static enum ws_status offer_indexes(struct ws_offers *offers, const struct ws_facts *f,
				    struct ws_err *err)
{
	uint64_t stride[WS_STRIDES_TRIED];
	enum ws_status status = WS_OK;

	if (!f->conflict || !ws_is_pow2(f->machine->l1.sets))
		return WS_OK;
	ws_scan_strides(stride, f->scan, NULL, (1u << WS_STRIDE_KINDS) - 1,
			f->machine->l1.line_bytes, &f->machine->l1);
	for (unsigned n = 0; n < WS_STRIDES_TRIED && stride[n] && status == WS_OK; n++)
		if (!n || ws_log2(stride[n]) != ws_log2(stride[n - 1]))
			status = offer_index(offers, f, stride[n], err);
	return status;
}

enum ws_status ws_offers_machine(struct ws_offers *offers, const struct ws_facts *f,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; ws_hashes[i] && f->conflict && status == WS_OK; i++)
		if (!ws_hashes[i]->parse)
			status = offer_key(offers, f, WS_ADVICE_CONFLICT, "l1.hash",
					   ws_hashes[i]->name, err);
	if (status == WS_OK)
		status = offer_indexes(offers, f, err);
	for (size_t i = 0; i < WS_WRITES && stores(f->scan) && status == WS_OK; i++)
		status = offer_key(offers, f, WS_ADVICE_WRITE, "l1.write", ws_write_names[i], err);
	for (size_t i = 0; ws_policies[i] && f->capacity + f->conflict && status == WS_OK; i++)
		if (!ws_policies[i]->variant && !ws_policies[i]->offline &&
		    !ws_policies[i]->of_words)
			status = offer_key(offers, f, WS_ADVICE_REPLACEMENT, "l1.policy",
					   ws_policies[i]->name, err);
	return status;
}
