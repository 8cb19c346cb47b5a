/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/profile_file.c -- the profile file, warpstack-profile(5): the
 * checksummed blocks of base.h, in this order,
 *
 *   PMAC  seed, number of sections, the machine as a .conf text
 *   PSEC  a section: kernel, launch geometry, totals, number of geometries
 *   PGEO  one of its geometries: three kinds of counts, six sparse histograms
 *   PEND  empty, and nothing after it
 *
 * with the PGEO of a section behind its PSEC.  Every number is a varint.  A
 * profile has one encoding only.
 *
 * The reader believes nothing: counts must add up, set counts ascend, cold and
 * uncached counts must not depend on the set count, capacity misses must be no
 * more than misses at any number of ways, and a distance must be less than the
 * number of cold requests, which brought in the lines that it counts.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stackdist/lines.h"
#include "stackdist/profile.h"

#define VERSION 1u
#define MACHINE WS_BLOCK_TYPE('P', 'M', 'A', 'C')
#define SECTION WS_BLOCK_TYPE('P', 'S', 'E', 'C')
#define GEOMETRY WS_BLOCK_TYPE('P', 'G', 'E', 'O')
#define END WS_BLOCK_TYPE('P', 'E', 'N', 'D')
#define KERNEL_MAX 4096u	/* bytes of a kernel's name, as in a trace */
#define CONF_MAX (1u << 20)	/* bytes of a machine's text */
#define ENTRIES_MAX (1ull << 29) /* of all histograms of a file, zeros too: 8 GiB */

static const char magic[8] = "WSPROF";

bool ws_profile_recognise(const void *data, size_t len)
{
	return len >= sizeof(magic) && !memcmp(data, magic, sizeof(magic));
}

/* ---- writing ------------------------------------------------------------------ */

static enum ws_status put_block(struct ws_out *out, uint32_t type, struct ws_buf *raw,
				struct ws_err *err)
{
	struct ws_buf packed = { 0 };
	enum ws_status status;

	if (raw->failed)
		status = ws_fail_memory(err, "a block of the profile");
	else
		status = ws_block_pack(&packed, type, raw->data, raw->len, err);
	if (!status)
		ws_out_write(out, packed.data, packed.len);
	ws_buf_clear(&packed);
	ws_buf_clear(raw);
	return status;
}

/* Number of entries that are not 0, then each as the zeros before it and its count. */
static void put_sparse(struct ws_buf *raw, const uint64_t *count, size_t len)
{
	size_t filled = 0, zeros = 0;

	for (size_t i = 0; i < len; i++)
		filled += count[i] != 0;
	ws_put_var(raw, filled);
	for (size_t i = 0; i < len; i++) {
		if (count[i] == 0) {
			zeros++;
			continue;
		}
		ws_put_var(raw, zeros);
		ws_put_var(raw, count[i]);
		zeros = 0;
	}
}

static enum ws_status put_geometry(struct ws_out *out, const struct ws_geometry *g,
				   struct ws_err *err)
{
	struct ws_buf raw = { 0 };

	ws_put_var(&raw, g->sets);
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		ws_put_var(&raw, g->kind[kind].requests);
		ws_put_var(&raw, g->kind[kind].cold);
		ws_put_var(&raw, g->kind[kind].uncached);
	}
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		put_sparse(&raw, g->kind[kind].distance, g->kind[kind].len);
		put_sparse(&raw, g->kind[kind].capacity, g->kind[kind].len);
	}
	return put_block(out, GEOMETRY, &raw, err);
}

static enum ws_status put_section(struct ws_out *out, const struct ws_section *s,
				  struct ws_err *err)
{
	struct ws_buf raw = { 0 };
	enum ws_status status;

	ws_put_str(&raw, s->kernel);
	for (int i = 0; i < 3; i++)
		ws_put_var(&raw, s->grid[i]);
	for (int i = 0; i < 3; i++)
		ws_put_var(&raw, s->block[i]);
	ws_put_var(&raw, s->launches);
	ws_put_var(&raw, s->ctas);
	ws_put_var(&raw, s->warp_instructions);
	ws_put_var(&raw, s->cycles);
	ws_put_var(&raw, s->resident_ctas);
	ws_put_var(&raw, s->geometries);
	status = put_block(out, SECTION, &raw, err);
	for (size_t i = 0; i < s->geometries && !status; i++)
		status = put_geometry(out, s->geometry + i, err);
	return status;
}

enum ws_status ws_profile_write(const struct ws_profile *p, struct ws_out *out,
				struct ws_err *err)
{
	struct ws_buf raw = { 0 }, conf = { 0 };
	enum ws_status status;

	ws_blocks_begin(out, magic, VERSION);
	ws_machine_write(&p->machine, &conf);
	ws_put_var(&raw, p->seed);
	ws_put_var(&raw, p->sections);
	ws_put_var(&raw, conf.len);
	ws_put_bytes(&raw, conf.data, conf.len);
	raw.failed |= conf.failed;
	ws_buf_clear(&conf);
	status = put_block(out, MACHINE, &raw, err);
	for (size_t i = 0; i < p->sections && !status; i++)
		status = put_section(out, p->section + i, err);
	if (!status)
		status = put_block(out, END, &raw, err);
	return status;
}

/* ---- reading ------------------------------------------------------------------- */

struct reader {
	const struct ws_in *in;
	struct ws_block block;	/* the one being read */
	uint64_t next;		/* offset of the one after it */
	struct ws_buf raw;
	struct ws_cursor c;	/* in raw */
	struct ws_profile *profile;
	uint64_t entries;	/* of histograms so far */
	struct ws_err *err;
};

static enum ws_status bad(struct reader *r, const char *what)
{
	return ws_fail(r->err, WS_EFORMAT, "%s: offset %" PRIu64 ": %s", r->in->name,
		       r->block.offset, what);
}

static enum ws_status open_block(struct reader *r, uint32_t type)
{
	enum ws_status status = ws_block_at(r->in, r->next, &r->block, r->err);

	if (status)
		return status;
	if (r->block.type != type)
		return ws_fail(r->err, WS_EFORMAT, "%s: offset %" PRIu64 ": a block of type "
			       "0x%08" PRIx32 ": expected %c%c%c%c", r->in->name, r->next,
			       r->block.type, (int)(type & 0xff), (int)(type >> 8 & 0xff),
			       (int)(type >> 16 & 0xff), (int)(type >> 24));
	status = ws_block_unpack(r->in, &r->block, &r->raw, r->err);
	if (status)
		return status;
	r->c = (struct ws_cursor){ r->raw.data, r->raw.data + r->raw.len, false };
	r->next = r->block.next;
	return WS_OK;
}

static enum ws_status close_block(struct reader *r)
{
	if (r->c.bad)
		return bad(r, "the block ends too soon, or has a malformed number in it");
	if (r->c.p != r->c.end)
		return bad(r, "the block is longer than what is in it");
	return WS_OK;
}

/* One sparse histogram, entry by entry. */
struct sparse {
	struct ws_cursor c;
	uint64_t left, index, count;	/* of the current entry */
	bool more;			/* there is a current entry */
};

/* An index past what a profile may hold is malformed too. */
static void sparse_next(struct sparse *s)
{
	uint64_t zeros;

	s->more = s->left > 0 && !s->c.bad;
	if (!s->more)
		return;
	s->left--;
	zeros = ws_get_var(&s->c);
	s->count = ws_get_var(&s->c);
	s->c.bad |= s->count == 0 || zeros >= WS_LINES_MAX - s->index;
	s->index += zeros + 1;
	s->more = !s->c.bad;
}

static struct sparse sparse_begin(struct ws_cursor c)
{
	struct sparse s = { .c = c };

	s.left = ws_get_count(&s.c, 2);
	sparse_next(&s);
	return s;
}

/* Walks a histogram to its end: *len is one more than the last index, *rest loses
 * all its counts.  False: malformed, or more counts than *rest. */
static bool measure(struct ws_cursor *c, size_t *len, uint64_t *rest)
{
	struct sparse s = sparse_begin(*c);

	*len = 0;
	for (; s.more; sparse_next(&s)) {
		if (s.count > *rest)
			return false;
		*rest -= s.count;
		*len = (size_t)s.index;
	}
	*c = s.c;
	return !s.c.bad;
}

/* Of two histograms of the same sum: no tail of `capacity` is heavier than the
 * same tail of `distance`. */
static bool lighter_tail(struct ws_cursor capacity, struct ws_cursor distance)
{
	struct sparse c = sparse_begin(capacity), d = sparse_begin(distance);
	uint64_t c_below = 0, d_below = 0;

	for (; c.more; sparse_next(&c)) {
		for (; d.more && d.index < c.index; sparse_next(&d))
			d_below += d.count;
		if (c_below < d_below)
			return false;
		c_below += c.count;
	}
	return true;
}

static uint64_t *expand(struct ws_cursor c, size_t len)
{
	uint64_t *count = ws_alloc_zero(len, sizeof(*count));

	for (struct sparse s = sparse_begin(c); count && s.more; sparse_next(&s))
		count[s.index - 1] = s.count;
	return count;
}

static enum ws_status read_histogram(struct reader *r, struct ws_histogram *h, uint64_t cold)
{
	uint64_t finite = h->requests - h->cold - h->uncached, rest = finite, again = finite;
	struct ws_cursor distance = r->c, capacity;
	size_t len = 0, capacity_len = 0;

	if (!measure(&r->c, &len, &rest) || rest)
		return bad(r, "a histogram of distances is malformed or does not add up");
	if (len > cold)
		return bad(r, "a distance is larger than the number of lines");
	capacity = r->c;
	if (!measure(&r->c, &capacity_len, &again) || again || capacity_len > len ||
	    !lighter_tail(capacity, distance))
		return bad(r, "a histogram of capacity misses does not go with its distances");
	if (len > ENTRIES_MAX - r->entries)
		return bad(r, "histograms of more than 2^29 entries in one profile");
	r->entries += len;
	if (len == 0)
		return WS_OK;
	h->distance = expand(distance, len);
	h->capacity = expand(capacity, len);
	h->len = len;
	return h->distance && h->capacity ? WS_OK : ws_fail_memory(r->err, "a histogram");
}

static enum ws_status read_counts(struct reader *r, const struct ws_section *s,
				  struct ws_geometry *g, uint64_t *cold)
{
	uint64_t all = 0;

	*cold = 0;
	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *first = s->geometry[0].kind + kind;
		struct ws_histogram *h = g->kind + kind;

		h->requests = ws_get_var(&r->c);
		h->cold = ws_get_var(&r->c);
		h->uncached = ws_get_var(&r->c);
		if (h->requests > UINT64_MAX - all || h->cold > h->requests ||
		    h->uncached > h->requests - h->cold)
			return bad(r, "more cold and uncached requests than requests");
		if (h->requests != first->requests || h->cold != first->cold ||
		    h->uncached != first->uncached)
			return bad(r, "the number of requests depends on the number of sets");
		all += h->requests;
		*cold += h->cold;
	}
	return WS_OK;
}

static enum ws_status read_geometry(struct reader *r, const struct ws_section *s, size_t i)
{
	struct ws_geometry *g = s->geometry + i;
	enum ws_status status = open_block(r, GEOMETRY);
	uint64_t cold = 0;

	if (status)
		return status;
	g->sets = ws_get_var(&r->c);
	if (ws_profile_check_sets(&r->profile->machine, g->sets, NULL))
		return bad(r, "a number of sets that the profile's machine cannot have");
	if (i > 0 && g->sets <= g[-1].sets)
		return bad(r, "the numbers of sets do not ascend");
	status = read_counts(r, s, g, &cold);
	for (unsigned kind = 0; kind < WS_KINDS && !status; kind++)
		status = read_histogram(r, g->kind + kind, cold);
	return status ? status : close_block(r);
}

static enum ws_status read_geometries(struct reader *r, struct ws_section *s, uint64_t count)
{
	enum ws_status status = WS_OK;

	/* Each is a block, so the file bounds them. */
	if (count == 0 || count > (r->in->len - r->next) / WS_BLOCK_HEADER)
		return bad(r, "a section without set counts, or with more than the file holds");
	s->geometry = ws_alloc_zero((size_t)count, sizeof(*s->geometry));
	if (!s->geometry)
		return ws_fail_memory(r->err, "set counts");
	s->geometries = (size_t)count;
	for (size_t i = 0; i < count && !status; i++)
		status = read_geometry(r, s, i);
	return status;
}

static enum ws_status read_section(struct reader *r, struct ws_section *s)
{
	enum ws_status status = open_block(r, SECTION);
	bool empty = false;
	uint64_t count;

	if (status)
		return status;
	s->kernel = ws_get_str(&r->c, KERNEL_MAX);
	for (int i = 0; i < 3; i++)
		empty |= !(s->grid[i] = ws_get_var(&r->c));
	for (int i = 0; i < 3; i++)
		empty |= !(s->block[i] = ws_get_var(&r->c));
	s->launches = ws_get_var(&r->c);
	s->ctas = ws_get_var(&r->c);
	s->warp_instructions = ws_get_var(&r->c);
	s->cycles = ws_get_var(&r->c);
	s->resident_ctas = ws_get_var(&r->c);
	count = ws_get_var(&r->c);
	status = close_block(r);
	if (status)
		return status;
	if (empty || s->launches == 0)
		return bad(r, "a section without launches, or of an empty grid");
	return read_geometries(r, s, count);
}

static enum ws_status read_machine(struct reader *r, uint64_t *sections)
{
	enum ws_status status = open_block(r, MACHINE);
	char *text;

	if (status)
		return status;
	r->profile->seed = ws_get_var(&r->c);
	*sections = ws_get_var(&r->c);
	text = ws_get_str(&r->c, CONF_MAX);
	status = close_block(r);
	if (!status)
		status = ws_machine_read(&r->profile->machine, text, strlen(text), r->in->name,
					 r->err);
	free(text);
	if (!status && *sections > (r->in->len - r->next) / WS_BLOCK_HEADER)
		status = bad(r, "more sections than the file holds");
	return status;
}

static enum ws_status read_all(struct reader *r)
{
	struct ws_profile *p = r->profile;
	uint64_t sections;
	enum ws_status status = ws_blocks_check(r->in, magic, VERSION, &r->next, r->err);

	if (!status)
		status = read_machine(r, &sections);
	if (status)
		return status;
	p->section = ws_alloc_zero((size_t)sections + 1, sizeof(*p->section));
	if (!p->section)
		return ws_fail_memory(r->err, "sections");
	for (; p->sections < sections && !status; p->sections++)
		status = read_section(r, p->section + p->sections);
	if (!status)
		status = open_block(r, END);
	if (!status)
		status = close_block(r);
	if (!status && r->next != r->in->len)
		status = bad(r, "there is more after the last block");
	return status;
}

enum ws_status ws_profile_read(struct ws_profile **out, const struct ws_in *in,
			       struct ws_err *err)
{
	struct reader r = { .in = in, .err = err };
	enum ws_status status;

	r.profile = ws_alloc_zero(1, sizeof(*r.profile));
	if (!r.profile)
		return ws_fail_memory(err, "a profile");
	status = read_all(&r);
	ws_buf_clear(&r.raw);
	if (status)
		ws_profile_free(r.profile);
	else
		*out = r.profile;
	return status;
}
