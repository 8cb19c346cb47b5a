/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/carveout.c -- L1 and shared memory of an SM that share one array.
 *
 * sm.unified bytes are cut in two: a *carve-out*, one of sm.carveouts, is shared memory, the rest
 * is the L1.  Its sets stay and its ways follow, to the nearest whole number.
 *
 *   sm.carveout   sm.shared   the machine
 *   auto          auto        adapts to each launch; l1.size is what the least carve-out leaves,
 *                             sm_shared_bytes the largest, which is what a CTA may have
 *   BYTES         auto        has that carve-out, for all launches
 *   none          BYTES       does not care for sm.unified: l1.size and sm.shared stay as they are
 *
 * What is given on top of a file changes the row:
 *
 *   sm.carveout                           that row
 *   l1.size, l1.sets or l1.ways           none: such an L1 is asked about, whatever the array has
 *                                         room for; sm.shared is the carve-out or, of auto, the
 *                                         largest, so that as many CTAs are resident as before
 *   sm.shared                             none, and the L1 is what that leaves, unless it is given
 *   sm.carveout and some of the others    they must agree: what is left of the array is the L1,
 *                                         but a carve-out of BYTES may leave more than l1.size
 *
 * ws_machine_adapt chooses the least carve-out that holds the CTAs that an SM gets of the launch.
 * NVIDIA's tuning guides say no more of the driver than that it chooses for each kernel, so that
 * shared memory does not limit occupancy (from memory, unchecked); the rule is GPGPU-Sim 4's
 * (-gpgpu_adaptive_cache_config 1; shader.cc, shader_core_config::max_cta), down to its rounding:
 * all CTAs that the limits let onto an SM, or the grid's share of them if that is less, each with
 * its shared memory; the first size of the list that is as large; ways = ways of the whole array *
 * (1 - size / array) + 1/2, cut.
 *
 * Not modelled: a driver that keeps the carve-out of the kernel before, while that still runs.
 */
#include "machine/private.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#define GEOMETRY (WS_GIVEN_SIZE | WS_GIVEN_SETS | WS_GIVEN_WAYS)

static uint64_t least(const struct ws_machine *m)
{
	assert(m->sm_carveouts.count);
	return m->sm_carveouts.bytes[0];
}

static uint64_t largest(const struct ws_machine *m)
{
	return m->sm_carveouts.count ? m->sm_carveouts.bytes[m->sm_carveouts.count - 1] : 0;
}

/* The L1 gets what `shared` bytes leave, as whole ways of its sets. */
static enum ws_status leave(struct ws_machine *m, uint64_t shared, struct ws_err *err)
{
	uint64_t way = m->l1.sets * m->l1.line_bytes;
	uint64_t rest = shared < m->sm_unified_bytes ? m->sm_unified_bytes - shared : 0;
	uint64_t ways = way ? (rest + way / 2) / way : 0;

	if (!ways)
		return ws_fail(err, WS_EINVAL, "%" PRIu64 " bytes of shared memory of sm.unified "
			       "= %"
			       PRIu64 " leave an L1 of l1.sets = %" PRIu64 " no way", shared,
			       m->sm_unified_bytes, m->l1.sets);
	m->l1.ways = ways;
	m->l1.size_bytes = ways * way;
	return WS_OK;
}

/* As ws_geometry_settle, but that a size alone decides the ways. */
static enum ws_status settle_given(struct ws_machine *m, struct ws_err *err)
{
	if ((m->l1.given & GEOMETRY) == WS_GIVEN_SIZE && ws_geometry_ways(&m->l1, 1))
		return WS_OK;
	return ws_geometry_settle(&m->l1, 1, "l1", err);
}

static enum ws_status settle_apart(struct ws_machine *m, struct ws_err *err)
{
	bool chosen = m->given & WS_GIVEN_CARVEOUT && m->sm_carveout != WS_APART;

	if (chosen || (m->sm_shared_asked == WS_AUTO && !m->sm_carveouts.count))
		return ws_fail(err, WS_EINVAL, "%s: L1 and shared memory of %s are apart "
			       "(sm.unified = 0)", chosen ? "sm.carveout" : "sm.shared = auto",
			       m->name);
	if (m->sm_shared_asked == WS_AUTO)
		m->sm_shared_asked = largest(m);
	m->sm_carveout = WS_APART;
	return ws_geometry_settle(&m->l1, 1, "l1", err);
}

/* ---- what a machine says of itself ------------------------------------------------- */

static enum ws_status not_listed(const struct ws_machine *m, struct ws_err *err)
{
	char list[2 * WS_NAME_MAX];

	ws_machine_get(m, ws_key_find("sm.carveouts"), list, sizeof list);
	return ws_fail(err, WS_EINVAL, "sm.carveout = %" PRIu64 ": want auto, none, or one of "
		       "sm.carveouts = %s", m->sm_carveout, list);
}

static enum ws_status check_list(const struct ws_machine *m, struct ws_err *err)
{
	const struct ws_sizes *all = &m->sm_carveouts;
	size_t i = 0;

	if (!all->count && (m->sm_carveout != WS_APART || m->sm_shared_asked == WS_AUTO))
		return ws_fail(err, WS_EINVAL, "sm.carveouts = none: want the sizes that %s can "
			       "have",
			       m->sm_carveout == WS_APART ? "sm.shared = auto" : "sm.carveout");
	if (largest(m) > m->sm_unified_bytes)
		return ws_fail(err, WS_EINVAL, "sm.carveouts: %" PRIu64 " is more than sm.unified "
			       "= %"
			       PRIu64, largest(m), m->sm_unified_bytes);
	if (m->sm_carveout == WS_AUTO || m->sm_carveout == WS_APART)
		return WS_OK;
	while (i < all->count && all->bytes[i] != m->sm_carveout)
		i++;
	return i < all->count ? WS_OK : not_listed(m, err);
}

static enum ws_status contradiction(const struct ws_machine *m, const char *key, uint64_t value,
				    struct ws_err *err)
{
	char carveout[24];

	ws_machine_get(m, ws_key_find("sm.carveout"), carveout, sizeof carveout);
	return ws_fail(err, WS_EINVAL, "%s = %" PRIu64 " and sm.carveout = %s of sm.unified = %"
		       PRIu64 " contradict each other: want one of them", key, value, carveout,
		       m->sm_unified_bytes);
}

/* From here on the sizes are what they are. */
static void part(struct ws_machine *m, uint64_t shared)
{
	m->sm_carveout = WS_APART;
	m->sm_shared_asked = shared;
}

/* ---- what was given ------------------------------------------------------------------ */

/* sm.shared is a number, and sm.carveout is not none. */
static enum ws_status take_shared(struct ws_machine *m, struct ws_err *err)
{
	uint64_t shared = m->sm_shared_asked;
	enum ws_status status;

	if (m->given & WS_GIVEN_CARVEOUT && shared != m->sm_carveout)
		return contradiction(m, "sm.shared", shared, err);
	part(m, shared);
	if (m->l1.given & GEOMETRY)
		return settle_given(m, err);
	status = ws_geometry_settle(&m->l1, 1, "l1", err);
	return status != WS_OK ? status : leave(m, shared, err);
}

/* The L1's sizes are given, and the carve-out is too. */
static enum ws_status take_both(struct ws_machine *m, uint64_t shared, struct ws_err *err)
{
	struct ws_machine left = *m;
	enum ws_status status;

	if ((m->l1.given & GEOMETRY) == WS_GIVEN_SETS)
		return leave(m, shared, err);
	status = settle_given(m, err);
	left.l1.sets = m->l1.sets;
	if (status == WS_OK)
		status = leave(&left, shared, err);
	if (status != WS_OK || m->l1.size_bytes == left.l1.size_bytes)
		return status;
	if (m->l1.size_bytes > left.l1.size_bytes || m->sm_carveout == WS_AUTO)
		return contradiction(m, "l1.size", m->l1.size_bytes, err);
	part(m, shared);
	return WS_OK;
}

static enum ws_status take_carveout(struct ws_machine *m, struct ws_err *err)
{
	bool adapts = m->sm_carveout == WS_AUTO;
	uint64_t shared = adapts ? least(m) : m->sm_carveout;
	enum ws_status status;

	if (m->l1.given & GEOMETRY && m->given & WS_GIVEN_CARVEOUT)
		return take_both(m, shared, err);
	if (m->l1.given & GEOMETRY) {
		part(m, adapts ? largest(m) : shared);
		return settle_given(m, err);
	}
	status = ws_geometry_settle(&m->l1, 1, "l1", err); /* the line, if it is given */
	return status != WS_OK ? status : leave(m, shared, err);
}

static enum ws_status settle_shared(struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = check_list(m, err);

	if (status != WS_OK)
		return status;
	if (m->sm_carveout == WS_APART) {
		if (m->sm_shared_asked == WS_AUTO)
			m->sm_shared_asked = largest(m);
		return settle_given(m, err);
	}
	/* The file's shared memory gives way to a carve-out that is given. */
	if (m->given & WS_GIVEN_CARVEOUT && !(m->given & WS_GIVEN_SHARED))
		m->sm_shared_asked = WS_AUTO;
	return m->sm_shared_asked == WS_AUTO ? take_carveout(m, err) : take_shared(m, err);
}

enum ws_status ws_carveout_settle(struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status;

	/* A caller's machine may hold anything. */
	if (m->sm_carveouts.count > WS_CARVEOUTS_MAX)
		return ws_fail(err, WS_EINVAL, "sm.carveouts: %zu sizes, want at most %u",
			       m->sm_carveouts.count, WS_CARVEOUTS_MAX);
	status = m->sm_unified_bytes ? settle_shared(m, err) : settle_apart(m, err);
	if (status != WS_OK)
		return status;
	m->sm_shared_bytes = m->sm_shared_asked;
	if (m->sm_shared_asked == WS_AUTO)
		m->sm_shared_bytes = m->sm_carveout == WS_AUTO ? largest(m) : m->sm_carveout;
	return WS_OK;
}

/* ---- a launch -------------------------------------------------------------------------- */

static bool exceeds(const struct ws_demand *a, const struct ws_demand *b)
{
	if (a->shared_bytes != b->shared_bytes)
		return a->shared_bytes > b->shared_bytes;
	if (a->ctas != b->ctas)
		return b->ctas && (!a->ctas || a->ctas > b->ctas);
	if (a->threads != b->threads)
		return a->threads < b->threads;
	return a->registers < b->registers;
}

void ws_demand_add(struct ws_demand *to, struct ws_demand other)
{
	if (exceeds(&other, to))
		*to = other;
}

/* Shared memory of all CTAs that an SM has of the launch at once.  Schedulers that know no time
 * know no residency either: all the CTAs that there is shared memory for. */
static enum ws_status wanted(const struct ws_machine *m, const struct ws_demand *d,
			     uint64_t *bytes, struct ws_err *err)
{
	bool timed = m->sm_scheduler < WS_SCHED_SEQUENTIAL;
	uint64_t each = d->shared_bytes + m->sm_shared_reserved, ctas, share;
	const char *limit;

	*bytes = largest(m);
	if (each < m->sm_shared_reserved || ws_machine_residency(m, d, &ctas, &limit, err))
		return timed ? WS_EINVAL : WS_OK;
	share = d->ctas / m->sm_count + (d->ctas % m->sm_count != 0);
	if (share && share < ctas)
		ctas = share;
	*bytes = each * ctas;
	return WS_OK;
}

enum ws_status ws_machine_adapt(const struct ws_machine *m, const struct ws_demand *d,
				struct ws_machine *out, struct ws_err *err)
{
	struct ws_machine own;
	uint64_t bytes = 0;
	enum ws_status status;

	if (!ws_machine_adapts(m)) {
		if (out != m)
			*out = *m;
		return WS_OK;
	}
	own = *m;
	status = wanted(m, d, &bytes, err);
	own.sm_carveout = largest(m);
	for (size_t i = m->sm_carveouts.count; i-- > 0 && m->sm_carveouts.bytes[i] >= bytes;)
		own.sm_carveout = m->sm_carveouts.bytes[i];
	own.sm_shared_bytes = own.sm_carveout;
	assert(own.sm_carveout >= least(m) && own.sm_carveout <= largest(m));
	if (status == WS_OK)
		status = leave(&own, own.sm_carveout, err);
	if (status == WS_OK)
		*out = own;
	return status;
}
