/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/record/sites.h -- private: counting by site (struct ws_site), one thread's
 * of one launch.
 *
 * An instruction that is known to access one array has one site per kind of request; of
 * another the array follows from the request's address.
 *
 * ws_sites_new     O(instructions + arrays log arrays)
 * ws_sites_count   O(1) expected per request, or O(log arrays)
 * ws_sites_take    O(sites * (cells + log sites))
 */
#define WS_SITES_MAX (1u << 16)	/* of a section */
#ifndef WS_STACKDIST_SITES_H
#define WS_STACKDIST_SITES_H

#include "stackdist/record/tally.h"

struct ws_sites;

/* The launch must stay as it is while sites are counted. */
enum ws_status ws_sites_new(struct ws_sites **out, const struct ws_launch *launch,
			    struct ws_err *err) WS_MUST_CHECK;
/* A request at distance d, as ws_tally_count.  False: out of memory. */
bool ws_sites_count(struct ws_sites *s, const struct ws_request *r, uint32_t d,
		    uint32_t capacity);
/* Adds one thread's counts to another's; *from is spent.  False: out of memory. */
bool ws_sites_add(struct ws_sites *s, struct ws_sites *from);
/* Adds the counts to the section's sites, which stay in order; *s is spent. */
enum ws_status ws_sites_take(struct ws_sites *s, struct ws_section *section,
			     struct ws_err *err) WS_MUST_CHECK;
void ws_sites_free(struct ws_sites *s);
/* Puts sites together while there are too many; the section says how far (sites_level). */
void ws_sites_bound(struct ws_section *section);

/* By array, file, line, kind. */
int ws_site_compare(const struct ws_site *a, const struct ws_site *b);

#endif
