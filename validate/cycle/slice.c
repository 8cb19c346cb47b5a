/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/cycle/slice.c -- the slices of one DRAM channel, and the channel.
 *
 * A slice is visited in cycles with an event: data from DRAM, an arriving packet, a reply taken by
 * the port.  A failed look-up fails again until the slice's next fill, as nothing else frees space;
 * the failures between are counted then.
 */
#include "validate/cycle/banks.h"
#include "validate/cycle/cycle.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT64_MAX
#define NONE UINT32_MAX
#define WARM_MAX (1ull << 36) /* bytes */

struct waiting_packet {		/* a packet that waits for fetches */
	struct ws_packet packet;
	uint64_t number;	/* in the order in which they began to wait */
	unsigned fetches;
	uint32_t next;		/* free ones: the next */
};

struct slice {
	struct ws_tags *tags;
	struct ws_slice_stats *stats;
	struct ws_packets in;
	struct ws_packets dram;	/* fetches under way, with banks such as have come: .arrival of the
				 * data, .ticket: MSHR */
	uint32_t *left;		/* [MSHR], with banks: sectors to come */
	size_t left_cap;
	struct ws_packets out;	/* .arrival: when it is ready */
	struct waiting_packet *waiting;
	size_t cap;
	uint32_t vacant;	/* of waiting, or NONE */
	uint32_t *served;	/* of the cycle at hand */
	size_t serve_cap;
	uint64_t numbers;	/* of waiting, given so far */
	uint64_t port;		/* free from this cycle on */
	uint64_t looked;	/* no look-up before this cycle */
	uint64_t in_flight, counted; /* MSHRs in use since cycle counted */
	bool blocked;		/* the head failed, and will until the next fill */
	uint8_t cause;
};

struct ws_channel {
	const struct ws_machine *machine;
	struct ws_cache cache;	/* of a slice, allocating on a miss */
	struct ws_site_table *sites;
	struct slice *slice;
	uint64_t *due;		/* [slices]: the next cycle with something to do */
	uint64_t first;		/* slice of the machine */
	size_t slices;
	uint64_t channels, icnt, hit; /* cycles: one way, and a hit's */
	uint64_t atom;		/* of DRAM, in sectors */
	bool each;		/* sectors are counted */
	uint64_t free;		/* DRAM, in 1 / dram.bandwidth cycles */
	struct ws_banks *banks;	/* NULL: bandwidth and rows alone */
	uint64_t row, last;	/* open, + 1; when the last data comes: with dram.row */
	struct ws_packets replies;
	struct ws_credits credits;
};

/* ---- life ------------------------------------------------------------------------------ */

static enum ws_status make_slices(struct ws_channel *c, const struct ws_use *use, uint64_t seed,
				  struct ws_err *err)
{
	enum ws_status status = WS_OK;

	c->slice = ws_alloc_zero(c->slices, sizeof *c->slice);
	c->due = ws_alloc_zero(c->slices, sizeof *c->due);
	if (!c->slice || !c->due)
		return ws_fail_memory(err, "slices of the L2");
	for (size_t i = 0; i < c->slices && status == WS_OK; i++) {
		c->slice[i].vacant = NONE;
		status = ws_tags_new(&c->slice[i].tags, &c->cache, use, c->cache.sets,
				     c->cache.line_bytes, seed + c->first + i, err);
	}
	return status;
}

enum ws_status ws_channel_new(struct ws_channel **out, const struct ws_machine *m,
			      const struct ws_use *use, uint64_t channel, uint64_t seed,
			      struct ws_err *err)
{
	struct ws_channel *c = ws_alloc_zero(1, sizeof *c);
	enum ws_status status;

	if (!c)
		return ws_fail_memory(err, "a channel");
	c->machine = m;
	c->cache = m->l2;
	c->cache.alloc = WS_ALLOC_ON_MISS;
	c->channels = ws_dram_channels(m);
	c->first = channel * m->l2_slices / c->channels;
	c->slices = (size_t)((channel + 1) * m->l2_slices / c->channels - c->first);
	c->icnt = ws_icnt_cycles(m);
	c->hit = ws_l2_cycles(m);
	c->atom = m->dram_atom / WS_SECTOR_BYTES;
	c->each = m->profile == WS_BEHAVES_GPGPUSIM && m->l2.sector_bytes < m->l2.line_bytes;
	status = make_slices(c, use, seed, err);
	if (status == WS_OK && ws_dram_has_banks(m))
		status = ws_banks_new(&c->banks, m, c->slices, err);
	if (status != WS_OK) {
		ws_channel_free(c);
		return status;
	}
	*out = c;
	return WS_OK;
}

void ws_channel_free(struct ws_channel *c)
{
	if (!c)
		return;
	for (size_t i = 0; c->slice && i < c->slices; i++) {
		struct slice *s = &c->slice[i];

		ws_tags_free(s->tags);
		ws_packets_clear(&s->in);
		ws_packets_clear(&s->dram);
		ws_packets_clear(&s->out);
		free(s->waiting);
		free(s->served);
		free(s->left);
	}
	ws_packets_clear(&c->replies);
	ws_banks_free(c->banks);
	free(c->credits.credit);
	free(c->slice);
	free(c->due);
	free(c);
}

size_t ws_channel_shared(const struct ws_channel *c, uint64_t **shared)
{
	for (size_t i = 0; i < c->slices; i++)
		shared[i] = ws_tags_shared(c->slice[i].tags);
	return c->slices;
}

static uint64_t set_of(const struct ws_channel *c, uint64_t address)
{
	return ws_set_index(&c->cache, ws_l2_local(c->machine, address));
}

/* ---- l2.start = warm, copies ----------------------------------------------------------------- */

/* The lines of [from, last], in one slice. */
static enum ws_status warm_block(struct ws_channel *c, uint64_t slice, uint64_t from, uint64_t last,
				 struct ws_err *err)
{
	uint32_t all = UINT32_MAX >> (32 - c->cache.line_bytes / WS_SECTOR_BYTES);
	enum ws_status status = WS_OK;

	for (uint64_t line = from; status == WS_OK; line += c->cache.line_bytes) {
		status = ws_tags_warm(c->slice[slice].tags, line, set_of(c, line), all, err);
		if (last - line < c->cache.line_bytes)
			break;
	}
	return status;
}

/* The lines of this channel in [from, last]: a slice has whole blocks of l2.interleave bytes. */
static enum ws_status warm_lines(struct ws_channel *c, uint64_t from, uint64_t last,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;
	uint64_t block = c->machine->l2_interleave_bytes;

	while (status == WS_OK) {
		uint64_t end = from | (block - 1);
		uint64_t slice = ws_l2_slice(c->machine, from) - c->first; /* wraps for lower
									    * channels */

		end = end < last ? end : last;
		if (slice < c->slices)
			status = warm_block(c, slice, from, end, err);
		if (end == last)
			break;
		from = end + 1;
	}
	return status;
}

static enum ws_status warm_arrays(struct ws_channel *c, const struct ws_launch *launch,
				  const bool *copied, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	uint64_t bytes = 0;

	for (size_t i = 0; i < launch->arrays && status == WS_OK; i++) {
		const struct ws_array *a = &launch->array[i];
		uint64_t last = a->base + a->bytes - 1;

		if (!a->bytes || !copied[i])
			continue;
		if (a->bytes > WARM_MAX - bytes || last < a->base)
			return ws_fail(err, WS_EINVAL, "kernel %s: l2.start, but its arrays have "
				       "more than %llu bytes", launch->kernel, WARM_MAX);
		bytes += a->bytes;
		status = warm_lines(c, a->base - a->base % c->cache.line_bytes, last, err);
	}
	return status;
}

static enum ws_status warm(struct ws_channel *c, const struct ws_launch *launch,
			   struct ws_err *err)
{
	bool *copied = ws_alloc(launch->arrays + 1, sizeof *copied);
	enum ws_status status;

	if (!copied)
		return ws_fail_memory(err, "what an L2 holds at the start");
	ws_launch_inputs(launch, copied);
	for (size_t i = 0; i < launch->arrays && c->machine->l2_start == WS_L2_WARM; i++)
		copied[i] = true;
	status = warm_arrays(c, launch, copied, err);
	free(copied);
	return status;
}

enum ws_status ws_channel_launch(struct ws_channel *c, const struct ws_launch *launch,
				 struct ws_slice_stats *stats, struct ws_site_table *sites,
				 struct ws_err *err)
{
	c->sites = sites;
	c->free = c->row = c->last = 0;
	if (c->banks)
		ws_banks_launch(c->banks);
	ws_packets_empty(&c->replies);
	c->credits.count = 0;
	for (size_t i = 0; i < c->slices; i++) {
		struct slice *s = &c->slice[i];

		if (c->machine->l2_start != WS_L2_KEEP)
			ws_tags_flush(s->tags);
		ws_packets_empty(&s->in);
		ws_packets_empty(&s->dram);
		ws_packets_empty(&s->out);
		s->vacant = NONE;
		for (size_t k = s->cap; k-- > 0; s->vacant = (uint32_t)k)
			s->waiting[k].next = s->vacant;
		s->stats = &stats[i];
		s->numbers = s->port = s->looked = s->in_flight = s->counted = 0;
		s->blocked = false;
		c->due[i] = NEVER;
	}
	return ws_l2_filled(c->machine->l2_start) ? warm(c, launch, err) : WS_OK;
}

/* ---- counts ---------------------------------------------------------------------------- */

static struct ws_cycle_counts *site_counts(const struct ws_channel *c, const struct ws_packet *p)
{
	struct ws_cycle_site *site;
	unsigned sector = 0;

	if (!c->sites)
		return NULL;
	while (sector < 31 && !(p->sectors >> sector & 1))
		sector++;
	site = ws_site_table_at(c->sites, p->instruction,
				p->address + (uint64_t)sector * WS_SECTOR_BYTES);
	return site ? &site->l2 : NULL;
}

static void count_answer(const struct ws_channel *c, struct ws_cycle_counts *n,
			 const struct ws_packet *p, const struct ws_answer *a)
{
	if (c->each)
		ws_cycle_count_each(n, a, p->sectors);
	else
		ws_cycle_count(n, a->outcome, p->sectors);
}

static void count_fails(const struct ws_channel *c, struct slice *s, uint64_t cycles)
{
	const struct ws_packet *p = &s->in.packet[s->in.head];
	struct ws_cycle_counts *site = site_counts(c, p);

	s->stats->l2[p->kind].fails[s->cause] += cycles;
	if (site)
		site->fails[s->cause] += cycles;
}

/* Counts the unchanged state up to cycle - 1. */
static void catch_up(const struct ws_channel *c, struct slice *s, uint64_t cycle)
{
	s->stats->mshrs_sum += s->in_flight * (cycle - s->counted);
	s->counted = cycle;
	if (s->blocked) {
		count_fails(c, s, cycle - s->looked);
		s->looked = cycle;
	}
}

/* ---- DRAM ------------------------------------------------------------------------------ */

/* The cycle in which the channel starts it. */
static uint64_t serve(struct ws_channel *c, struct slice *s, uint64_t cycle, uint64_t bytes)
{
	uint64_t bandwidth = c->machine->dram_bandwidth, start = cycle * bandwidth, begin = cycle;

	if (c->free > start) {
		start = c->free;
		begin = (start + bandwidth - 1) / bandwidth;
	}
	c->free = start + bytes * c->channels * c->atom;
	s->stats->dram_wait_sum += begin - cycle;
	return begin;
}

/* The address's row is open from now on; what that takes. */
static uint64_t open_row(struct ws_channel *c, uint64_t address)
{
	uint64_t channel, before = c->row;

	if (!c->machine->dram_row)
		return 0;
	c->row = ws_dram_row(c->machine, address, &channel) + 1;
	return c->row == before ? 0 : c->machine->dram_row_miss_cycles;
}

/* The look-up's n-th sector, from 0, reaches the queue to DRAM; it began in a cycle. */
static uint64_t enters(const struct ws_channel *c, uint64_t begun, unsigned n)
{
	return begun + 1 + (c->machine->l2_rate ? n / c->machine->l2_rate : 0);
}

static enum ws_status ask_banks(struct ws_channel *c, const struct slice *s,
				struct ws_bank_request r, struct ws_err *err)
{
	r.slice = (uint16_t)(s - c->slice);
	return ws_banks_add(c->banks, &r, err);
}

/* begun: the look-up; cycle: it ends. */
static enum ws_status write_dram(struct ws_channel *c, struct slice *s, uint64_t begun,
				 uint64_t cycle, uint64_t address, uint32_t sectors,
				 struct ws_err *err)
{
	uint64_t bytes;

	if (!sectors)
		return WS_OK;
	bytes = ws_data_bytes(sectors);
	s->stats->dram_write_bytes += bytes;
	if (c->banks)
		return ask_banks(c, s, (struct ws_bank_request){
			.address = address, .entered = enters(c, begun, 0), .write = true,
			.bursts = (ws_popcount(sectors) + (uint32_t)c->atom - 1) /
				(uint32_t)c->atom }, err);
	serve(c, s, cycle, bytes);
	open_row(c, address);
	return WS_OK;
}

/* Each sector is a request of its own. */
static enum ws_status fetch_of_banks(struct ws_channel *c, struct slice *s, uint64_t begun,
				     const struct ws_packet *p, const struct ws_answer *a,
				     struct ws_err *err)
{
	enum ws_status status = WS_OK;
	unsigned n = 0;

	if (!WS_ROOM(s->left, s->left_cap, a->mshr + (size_t)1))
		return ws_fail_memory(err, "requests of DRAM");
	s->left[a->mshr] = ws_popcount(a->fetch);
	for (uint32_t rest = a->fetch; rest && status == WS_OK; rest &= rest - 1) {
		uint32_t sector = rest & -rest;

		n = ws_popcount(p->sectors & (sector - 1));
		status = ask_banks(c, s, (struct ws_bank_request){
			.address = p->address + WS_SECTOR_BYTES * (uint64_t)ws_log2(sector),
			.entered = enters(c, begun, n), .ticket = a->mshr, .bursts = 1 }, err);
	}
	return status;
}

static enum ws_status fetch(struct ws_channel *c, struct slice *s, uint64_t cycle,
			    uint64_t address, const struct ws_answer *a, struct ws_err *err)
{
	uint64_t bytes = ws_data_bytes(a->fetch);
	uint64_t back = serve(c, s, cycle, bytes) + c->machine->dram_latency_cycles +
		open_row(c, address);
	struct ws_packet *data = ws_packets_next(&s->dram, err);

	if (!data)
		return WS_ENOMEM;
	back = back > cycle ? back : cycle + 1;
	if (c->machine->dram_row) { /* data come in the order in which they were asked for */
		back = back > c->last ? back : c->last;
		c->last = back;
	}
	data->arrival = back;
	data->ticket = a->mshr;
	return WS_OK;
}

/* What an accepted look-up asks of DRAM. */
static enum ws_status ask_dram(struct ws_channel *c, struct slice *s, uint64_t begun,
			       uint64_t cycle, const struct ws_packet *p,
			       const struct ws_answer *a, struct ws_err *err)
{
	enum ws_status status = write_dram(c, s, begun, cycle, a->victim, a->victim_sectors, err);

	if (status == WS_OK)
		status = write_dram(c, s, begun, cycle, p->address, a->send, err);
	if (status != WS_OK || !a->fetch)
		return status;
	s->stats->dram_read_bytes += ws_data_bytes(a->fetch);
	s->in_flight++;
	return c->banks ? fetch_of_banks(c, s, begun, p, a, err)
			: fetch(c, s, cycle, p->address, a, err);
}

/* ---- a cycle of a slice ---------------------------------------------------------------- */

static enum ws_status make_ready(struct slice *s, const struct ws_packet *p, uint64_t cycle,
				 struct ws_err *err)
{
	struct ws_packet *out = ws_packets_next(&s->out, err);

	if (!out)
		return WS_ENOMEM;
	*out = *p;
	out->arrival = cycle;
	return WS_OK;
}

/* The requests that now wait for nothing else: their places in served[n ...], by number. */
static enum ws_status serve_waiting(struct slice *s, const uint32_t *waiter, size_t waiters,
				    size_t *n, struct ws_err *err)
{
	if (!WS_ROOM(s->served, s->serve_cap, *n + waiters))
		return ws_fail_memory(err, "requests that wait");
	for (size_t i = 0; i < waiters; i++) {
		struct waiting_packet *w = &s->waiting[waiter[i]];
		size_t k = *n;

		if (--w->fetches)
			continue;
		for (; k && s->waiting[s->served[k - 1]].number > w->number; k--)
			s->served[k] = s->served[k - 1];
		s->served[k] = waiter[i];
		++*n;
	}
	return WS_OK;
}

static enum ws_status fill_line(const struct ws_channel *c, struct slice *s, uint64_t cycle,
				struct ws_err *err)
{
	enum ws_status status = WS_OK;
	size_t n = 0;

	while (s->dram.head < s->dram.count && s->dram.packet[s->dram.head].arrival <= cycle &&
	       status == WS_OK) {
		const uint32_t *waiter;
		size_t waiters;
		uint64_t victim;
		uint32_t sectors; /* none: the way was taken at the miss */

		status = ws_tags_fill(s->tags, s->dram.packet[s->dram.head++].ticket, &waiter,
				      &waiters, &victim, &sectors, err);
		s->in_flight--;
		s->blocked = false;
		if (status == WS_OK)
			status = serve_waiting(s, waiter, waiters, &n, err);
	}
	for (size_t i = 0; i < n && status == WS_OK; i++) {
		struct waiting_packet *w = &s->waiting[s->served[i]];

		status = make_ready(s, &w->packet, cycle + c->hit + (c->banks ? 1 : 0), err);
		w->next = s->vacant;
		s->vacant = s->served[i];
	}
	return status;
}

static enum ws_status find_vacant(struct slice *s, struct ws_err *err)
{
	size_t old = s->cap;

	if (s->vacant != NONE)
		return WS_OK;
	if (!WS_ROOM(s->waiting, s->cap, old + 16))
		return ws_fail_memory(err, "requests that wait");
	for (size_t k = s->cap; k-- > old; s->vacant = (uint32_t)k)
		s->waiting[k].next = s->vacant;
	return WS_OK;
}

/* In the place that was given to ws_tags_lookup. */
static void wait(struct slice *s, const struct ws_packet *p, unsigned fetches)
{
	struct waiting_packet *w = &s->waiting[s->vacant];

	s->vacant = w->next;
	w->packet = *p;
	w->number = s->numbers++;
	w->fetches = fetches;
}

static enum ws_status give_credit(struct ws_channel *c, uint32_t sm, uint64_t arrival,
				  struct ws_err *err)
{
	struct ws_credits *to = &c->credits;

	if (!WS_ROOM(to->credit, to->cap, to->count + 1))
		return ws_fail_memory(err, "credits");
	to->credit[to->count++] = (struct ws_credit){ .arrival = arrival, .sm = sm };
	return WS_OK;
}

/* That the look-up takes after its first. */
static uint64_t more_cycles(const struct ws_channel *c, const struct ws_packet *p)
{
	uint64_t rate = c->machine->l2_rate;

	return rate ? (ws_popcount(p->sectors) - 1) / rate : 0;
}

/* Handles an accepted look-up. */
static enum ws_status accept(struct ws_channel *c, struct slice *s, uint64_t cycle,
			     const struct ws_answer *a, struct ws_err *err)
{
	const struct ws_packet *p = &s->in.packet[s->in.head++];
	struct ws_cycle_counts *site = site_counts(c, p);
	uint64_t more = more_cycles(c, p);
	enum ws_status status;

	s->looked += more;
	cycle += more;
	status = give_credit(c, p->sm, cycle + c->icnt, err);

	if (status != WS_OK)
		return status;
	count_answer(c, &s->stats->l2[p->kind], p, a);
	if (site)
		count_answer(c, site, p, a);
	status = ask_dram(c, s, cycle - more, cycle, p, a, err);
	if ((p->kind == WS_STORE && p->ticket == UINT32_MAX) || status != WS_OK)
		return status;
	if (!a->waits)
		return make_ready(s, p, cycle + c->hit, err);
	wait(s, p, a->waits);
	return WS_OK;
}

static enum ws_status look_up(struct ws_channel *c, struct slice *s, uint64_t cycle,
			      struct ws_err *err)
{
	const struct ws_packet *p = &s->in.packet[s->in.head];
	struct ws_lookup l = {
		.access = { .address = p->address, .instruction = p->instruction,
			    .sectors = p->sectors, .cta = p->cta, .warp = p->warp,
			    .kind = p->kind },
		.set = set_of(c, p->address), .room = UINT32_MAX,
		.written = p->partial ? &p->written : NULL,
	};
	enum ws_status status = find_vacant(s, err);
	struct ws_answer a;

	if (status != WS_OK)
		return status;
	l.waiter = s->vacant;
	status = ws_tags_lookup(s->tags, &l, &a, err);
	if (status != WS_OK)
		return status;
	s->looked = cycle + 1;
	if (a.outcome != WS_FAILED)
		return accept(c, s, cycle, &a, err);
	s->blocked = true;
	s->cause = a.cause;
	count_fails(c, s, 1);
	return WS_OK;
}

static enum ws_status send(struct ws_channel *c, struct slice *s, uint64_t cycle,
			   struct ws_err *err)
{
	struct ws_packet *to = ws_packets_next(&c->replies, err);
	const struct ws_packet *p = &s->out.packet[s->out.head++];
	uint64_t bytes = ws_reply_bytes(p);

	if (!to)
		return WS_ENOMEM;
	*to = *p;
	to->arrival = cycle + c->icnt;
	s->port = cycle + ws_packet_cycles(bytes, c->machine->icnt_width);
	return WS_OK;
}

static inline bool arrived(const struct ws_packets *p, uint64_t cycle)
{
	return p->head < p->count && p->packet[p->head].arrival <= cycle;
}

static uint64_t next_event(const struct slice *s)
{
	uint64_t first = NEVER, cycle;

	if (s->dram.head < s->dram.count)
		first = s->dram.packet[s->dram.head].arrival;
	if (s->in.head < s->in.count && !s->blocked) {
		cycle = s->in.packet[s->in.head].arrival;
		cycle = cycle > s->looked ? cycle : s->looked;
		first = cycle < first ? cycle : first;
	}
	if (s->out.head < s->out.count) {
		cycle = s->out.packet[s->out.head].arrival;
		cycle = cycle > s->port ? cycle : s->port;
		first = cycle < first ? cycle : first;
	}
	return first;
}

static enum ws_status simulate_slice(struct ws_channel *c, struct slice *s, uint64_t cycle,
				     struct ws_err *err)
{
	enum ws_status status = WS_OK;

	catch_up(c, s, cycle);
	if (arrived(&s->dram, cycle))
		status = fill_line(c, s, cycle, err);
	if (status == WS_OK && !s->blocked && s->looked <= cycle && arrived(&s->in, cycle))
		status = look_up(c, s, cycle, err);
	if (status == WS_OK && s->port <= cycle && arrived(&s->out, cycle))
		status = send(c, s, cycle, err);
	return status;
}

/* ---- from outside ---------------------------------------------------------------------- */

enum ws_status ws_channel_push(struct ws_channel *c, const struct ws_packet *p, struct ws_err *err)
{
	size_t i = (size_t)(p->slice - c->first);
	struct slice *s = &c->slice[i];
	uint64_t cycle = p->arrival > s->looked ? p->arrival : s->looked;

	if (!s->blocked && cycle < c->due[i])
		c->due[i] = cycle;
	return ws_packets_add(&s->in, p, err);
}

/* What DRAM's banks have for slices in a cycle. */
static enum ws_status receive_data(struct ws_channel *c, uint64_t cycle, struct ws_err *err)
{
	const struct ws_bank_data *data;
	size_t count;
	enum ws_status status = ws_banks_run(c->banks, cycle, &data, &count, err);

	for (size_t i = 0; i < count && status == WS_OK; i++) {
		struct slice *s = &c->slice[data[i].slice];
		struct ws_packet *come;

		s->stats->dram_wait_sum += data[i].waited;
		if (--s->left[data[i].ticket])
			continue;
		come = ws_packets_next(&s->dram, err);
		if (!come)
			return WS_ENOMEM;
		come->arrival = cycle;
		come->ticket = data[i].ticket;
		c->due[data[i].slice] = cycle;
	}
	return status;
}

enum ws_status ws_channel_run(struct ws_channel *c, uint64_t end, uint64_t *due,
			      struct ws_err *err)
{
	uint64_t cycle, dram;

	for (;;) {
		enum ws_status status = WS_OK;

		cycle = dram = c->banks ? ws_banks_due(c->banks) : NEVER;
		for (size_t i = 0; i < c->slices; i++)
			cycle = c->due[i] < cycle ? c->due[i] : cycle;
		if (cycle >= end)
			break;
		if (dram == cycle)
			status = receive_data(c, cycle, err);
		for (size_t i = 0; i < c->slices && status == WS_OK; i++) {
			if (c->due[i] > cycle)
				continue;
			status = simulate_slice(c, &c->slice[i], cycle, err);
			c->due[i] = next_event(&c->slice[i]);
		}
		if (status != WS_OK)
			return status;
	}
	*due = cycle;
	return WS_OK;
}

struct ws_packets *ws_channel_replies(struct ws_channel *c)
{
	return &c->replies;
}

struct ws_credits *ws_channel_credits(struct ws_channel *c)
{
	return &c->credits;
}
