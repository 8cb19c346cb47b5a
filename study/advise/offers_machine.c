/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/offers_machine.c -- changes of the L1: its set index, its policies.
 */
#include "study/advise/private.h"

#include <string.h>

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
	snprintf(o->advice.change, sizeof o->advice.change, "another cache: %s", o->set);
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

enum ws_status ws_offers_machine(struct ws_offers *offers, const struct ws_facts *f,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; ws_hashes[i] && f->conflict && status == WS_OK; i++)
		if (!ws_hashes[i]->parse)
			status = offer_key(offers, f, WS_ADVICE_CONFLICT, "l1.hash",
					   ws_hashes[i]->name, err);
	for (size_t i = 0; i < WS_WRITES && stores(f->scan) && status == WS_OK; i++)
		status = offer_key(offers, f, WS_ADVICE_WRITE, "l1.write", ws_write_names[i], err);
	for (size_t i = 0; ws_policies[i] && f->capacity + f->conflict && status == WS_OK; i++)
		if (!ws_policies[i]->variant && !ws_policies[i]->offline &&
		    !ws_policies[i]->of_words)
			status = offer_key(offers, f, WS_ADVICE_REPLACEMENT, "l1.policy",
					   ws_policies[i]->name, err);
	return status;
}
