/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/advise/scan.c -- what the accesses of a kernel have in common.
 *
 * One pass over the trace, without order or caches: for each source line and array the requests and
 * sectors of its warp instructions, and the distances that occur most between neighbouring lanes,
 * neighbouring rows of lanes, one execution and the next, and accesses to an array that follow each
 * other.  Distances are counted as by Misra and Gries (1982): one that makes more than a ninth of
 * them is found.
 */
#include "base/bits.h"
#include "study/advise/private.h"

#include <stdlib.h>
#include <string.h>

#define CTAS_OF_LINES 32u	/* whose distinct lines are counted */

struct seen {			/* an instruction of the launch */
	size_t site;		/* + 1; 0: none yet */
	uint64_t last;		/* address of its lowest lane, when it was executed last */
	size_t lane;
	bool known;
};

struct before {			/* the access before, of an array */
	uint64_t address;	/* of its lowest lane */
	bool known;
};

struct scanning {
	struct ws_scan *scan;
	const struct ws_machine *machine;
	const struct ws_launch *launch;
	struct seen *seen;
	struct before *before;	/* [array] */
	struct ws_request *request;
	uint64_t *line;		/* of the CTA at hand */
	size_t lines, cap;
	bool counts_lines;
};

static const char *without_folders(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- sites ---------------------------------------------------- */

static void add_stride(struct ws_strides *s, uint64_t a, uint64_t b)
{
	uint64_t bytes = a < b ? b - a : a - b;
	size_t free_one = WS_STRIDES;

	for (size_t i = 0; i < WS_STRIDES; i++) {
		if (s->count[i] && s->bytes[i] == bytes) {
			s->count[i]++;
			return;
		}
		if (!s->count[i])
			free_one = i;
	}
	if (free_one < WS_STRIDES) {
		s->bytes[free_one] = bytes;
		s->count[free_one] = 1;
		return;
	}
	for (size_t i = 0; i < WS_STRIDES; i++)
		s->count[i]--;
}

static void name_site(struct ws_scan_site *site, const struct ws_launch *l,
		      const struct ws_instruction *in)
{
	snprintf(site->array, sizeof site->array, "%s",
		 in->array < l->arrays ? l->array[in->array].name : "?");
	if (in->line && in->file < l->files)
		snprintf(site->source, sizeof site->source, "%.80s:%u",
			 without_folders(l->file[in->file]), (unsigned)in->line);
	else
		snprintf(site->source, sizeof site->source, "?");
	site->kind = in->kind;
}

static enum ws_status find_site(struct scanning *s, uint32_t instruction,
				struct ws_scan_site **out, struct ws_err *err)
{
	struct seen *seen = &s->seen[instruction];
	struct ws_scan *scan = s->scan;
	struct ws_scan_site one = { .bytes = 0 };

	if (!seen->site) {
		name_site(&one, s->launch, &s->launch->instruction[instruction]);
		for (size_t i = 0; i < scan->count && !seen->site; i++)
			if (strcmp(scan->site[i].array, one.array) == 0 &&
			    strcmp(scan->site[i].source, one.source) == 0 &&
			    scan->site[i].kind == one.kind)
				seen->site = i + 1;
	}
	if (!seen->site) {
		if (!WS_ROOM(scan->site, scan->cap, scan->count + 1))
			return ws_fail_memory(err, "the lines of a kernel");
		scan->site[scan->count++] = one;
		seen->site = scan->count;
	}
	*out = &scan->site[seen->site - 1];
	return WS_OK;
}

/* ---- warp instructions ---------------------------------------------------- */

static void add_sum(struct ws_access_sum *to, const struct ws_access_sum *from)
{
	to->instructions += from->instructions;
	to->requests += from->requests;
	to->sectors += from->sectors;
	to->needed += from->needed;
	to->lanes += from->lanes;
}

static enum ws_status keep_lines(struct scanning *s, size_t count, struct ws_err *err)
{
	if (!s->counts_lines)
		return WS_OK;
	if (!WS_ROOM(s->line, s->cap, s->lines + count))
		return ws_fail_memory(err, "the lines of a CTA");
	for (size_t i = 0; i < count; i++)
		s->line[s->lines++] = s->request[i].address;
	return WS_OK;
}

static enum ws_status add_warp(struct scanning *s, struct ws_scan_site *site,
			       const uint64_t *address, uint64_t mask, uint32_t bytes,
			       struct ws_err *err)
{
	size_t count = ws_coalesce(s->machine, address, mask, bytes, s->request);
	struct ws_access_sum sum = { .instructions = 1, .requests = count,
				     .lanes = ws_popcount(mask) };
	unsigned first = ws_lowest_bit(mask);

	for (size_t i = 0; i < count; i++)
		sum.sectors += ws_popcount(s->request[i].sectors);
	sum.needed = (sum.lanes * bytes + WS_SECTOR_BYTES - 1) / WS_SECTOR_BYTES;
	sum.needed = sum.needed < sum.sectors ? sum.needed : sum.sectors;
	add_sum(&site->sum, &sum);
	add_sum(&s->scan->all, &sum);
	if (first < 63 && mask >> (first + 1) & 1)
		add_stride(&site->stride[WS_STRIDE_LANE], address[first], address[first + 1]);
	return keep_lines(s, count, err);
}

/* From the access before to the same array, in the same step, by another instruction. */
static void add_other_stride(struct scanning *s, struct ws_scan_site *site, uint32_t array,
			     uint64_t address)
{
	struct before *b = array < s->launch->arrays ? &s->before[array] : NULL;

	if (!b)
		return;
	if (b->known)
		add_stride(&site->stride[WS_STRIDE_OTHER], b->address, address);
	*b = (struct before){ .address = address, .known = true };
}

/* The lowest lane that is active, and the one in the next row of the block. */
static void add_step_strides(struct scanning *s, struct ws_scan_site *site, uint32_t number,
			     const struct ws_step *step, const uint64_t *address)
{
	struct seen *seen = &s->seen[number];
	size_t lane = 0, below;

	while (!step->mask[lane / 64])
		lane += 64;
	lane += ws_lowest_bit(step->mask[lane / 64]);
	below = lane + (size_t)s->launch->block[0];
	if (below / 64 < step->words && ws_bit(step->mask, below))
		add_stride(&site->stride[WS_STRIDE_ROW], address[lane], address[below]);
	if (seen->known && seen->lane == lane)
		add_stride(&site->stride[WS_STRIDE_STEP], seen->last, address[lane]);
	seen->known = true;
	seen->last = address[lane];
	seen->lane = lane;
	add_other_stride(s, site, s->launch->instruction[number].array, address[lane]);
}

static enum ws_status add_access(struct scanning *s, const struct ws_step *step, uint32_t i,
				 struct ws_err *err)
{
	uint32_t number = s->launch->segment[step->segment].first + i;
	const struct ws_instruction *in = &s->launch->instruction[number];
	uint64_t width = s->machine->warp_width, threads = ws_launch_threads(s->launch);
	struct ws_scan_site *site = NULL;
	enum ws_status status;

	if (in->space != WS_SPACE_GLOBAL || in->texture)
		return WS_OK;
	status = find_site(s, number, &site, err);
	if (status != WS_OK)
		return status;
	site->bytes = in->bytes > site->bytes ? in->bytes : site->bytes;
	add_step_strides(s, site, number, step, step->address[i]);
	for (uint64_t first = 0; first < threads && status == WS_OK; first += width) {
		uint64_t mask = ws_step_lanes(step, (size_t)first, width);

		if (mask)
			status = add_warp(s, site, step->address[i] + first, mask, in->bytes, err);
	}
	return status;
}

/* ---- CTAs and launches ---------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void count_lines(struct scanning *s)
{
	if (!s->counts_lines)
		return;
	if (s->lines)
		qsort(s->line, s->lines, sizeof *s->line, by_address);
	for (size_t i = 0; i < s->lines; i++)
		s->scan->cta_lines += !i || s->line[i] != s->line[i - 1];
	s->scan->ctas_scanned++;
	s->lines = 0;
}

static enum ws_status add_step(struct scanning *s, const struct ws_step *step, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < s->launch->arrays; i++)
		s->before[i].known = false;
	for (uint32_t i = 0; status == WS_OK && i < s->launch->segment[step->segment].count; i++)
		status = add_access(s, step, i, err);
	return status;
}

static enum ws_status scan_cta(struct scanning *s, struct ws_decoder *d, uint64_t cta,
			       struct ws_err *err)
{
	struct ws_step step;
	bool more = true;
	enum ws_status status = ws_decoder_seek(d, cta, err);

	s->counts_lines = s->scan->ctas_scanned < CTAS_OF_LINES;
	for (size_t i = 0; i < s->launch->instructions; i++)
		s->seen[i].known = false;
	while (status == WS_OK && more) {
		status = ws_decoder_next(d, &step, &more, err);
		if (status == WS_OK && more)
			status = add_step(s, &step, err);
	}
	count_lines(s);
	return status;
}

static uint32_t widest(const struct ws_launch *l)
{
	uint32_t bytes = 1;

	for (size_t i = 0; i < l->instructions; i++)
		if (l->instruction[i].bytes > bytes)
			bytes = l->instruction[i].bytes;
	return bytes;
}

static enum ws_status scan_launch(struct scanning *s, const struct ws_trace *t, size_t launch,
				  struct ws_err *err)
{
	const struct ws_launch *l = s->launch = ws_trace_launch(t, launch);
	struct ws_decoder *d = NULL;
	enum ws_status status = ws_decoder_new(&d, t, launch, err);

	if (!s->scan->launch || l->ctas > s->scan->launch->ctas)
		s->scan->launch = l;
	s->seen = ws_alloc_zero(l->instructions, sizeof *s->seen);
	s->before = ws_alloc_zero(l->arrays + 1, sizeof *s->before);
	s->request = ws_alloc(WS_COALESCE_MAX(s->machine->warp_width, widest(l)),
			      sizeof *s->request);
	if (status == WS_OK && (!s->seen || !s->before || !s->request))
		status = ws_fail_memory(err, "the requests of a warp");
	for (uint64_t cta = 0; cta < l->ctas && status == WS_OK; cta++)
		status = scan_cta(s, d, cta, err);
	free(s->seen);
	free(s->before);
	free(s->request);
	ws_decoder_free(d);
	return status;
}

enum ws_status ws_scan_kernel(struct ws_scan *scan, const struct ws_trace *t, const char *kernel,
			      const struct ws_machine *m, struct ws_err *err)
{
	struct scanning s = { .scan = scan, .machine = m };
	const char *limit;
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < ws_trace_launches(t) && status == WS_OK; i++)
		if (strcmp(ws_trace_launch(t, i)->kernel, kernel) == 0)
			status = scan_launch(&s, t, i, err);
	free(s.line);
	return status == WS_OK && scan->launch
		       ? ws_residency(scan->launch, m, &scan->resident, &limit, err)
			       : status;
}

void ws_scan_clear(struct ws_scan *scan)
{
	free(scan->site);
	*scan = (struct ws_scan){ 0 };
}
