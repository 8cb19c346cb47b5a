/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/import/builder.c -- what readers of foreign traces tell, kept until a launch ends.
 *
 * The static part of a launch comes first in a .wst file and is known last, so the
 * accesses of a launch are kept as records (builder.h), a list of blocks per warp: 3 to 8 bytes an
 * affine access of a warp, 1 to 5 a lane else.  Warps come in any order.  Only warps
 * that something is told of take memory, so a header's claims cost nothing.
 */
#include "base/demangle.h"
#include "trace/import/builder.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 4096u
#define BLOCK_FIRST 64u		/* bytes of a warp's blocks: each twice the one before, up to */
#define BLOCK_LAST 8192u
#define NONE UINT32_MAX
#define ITEMS_MAX ((uint64_t)WST_ITEMS_MAX / 2) /* each is an instruction and a segment */

/* ---- items ------------------------------------------------------------------------ */

static bool same_item(const struct ws_item *a, const struct ws_item *b)
{
	return a->pc == b->pc && a->bytes == b->bytes && a->gap == b->gap && a->file == b->file &&
	       a->line == b->line && a->kind == b->kind && a->space == b->space &&
	       a->path == b->path &&
	       a->pace.chain == b->pace.chain &&
	       a->pace.code == b->pace.code && a->pace.code_end == b->pace.code_end;
}

/* item->key becomes its own: a hash of all that tells it from others. */
static uint32_t *item_slot(const struct ws_builder *b, struct ws_item *item)
{
	uint64_t h = ws_map_mix(ws_map_mix(item->pc, (uint64_t)item->bytes << 32 | item->gap),
				(uint64_t)item->file << 32 | item->line);
	uint32_t *slot;

	if (item->pace.chain || item->pace.code_end)
		h = ws_map_mix(ws_map_mix(h, item->pace.chain),
			       (uint64_t)item->pace.code << 32 | item->pace.code_end);
	item->key = ws_map_mix(h, (uint64_t)item->path << 16 |
				  (uint64_t)(item->kind << 8 | item->space));
	while (*(slot = ws_map_slot(&b->item_map, b->item, sizeof *b->item, item->key)) &&
	       !same_item(&b->item[*slot - 1], item))
		item->key++;
	return slot;
}

static enum ws_status find_item(struct ws_builder *b, struct ws_item *item, uint32_t *out,
				struct ws_err *err)
{
	uint32_t *slot;

	if (!ws_map_room(&b->item_map, b->item, sizeof *b->item, b->items + 1) ||
	    !WS_ROOM(b->item, b->item_cap, b->items + 1))
		return ws_fail_memory(err, "instructions of a trace");
	slot = item_slot(b, item);
	if (!*slot) {
		if (b->items >= ITEMS_MAX)
			return ws_fail(err, WS_EFORMAT, "more than %" PRIu64
				       " different instructions", ITEMS_MAX);
		b->item[b->items] = *item;
		b->item[b->items].low = UINT64_MAX;
		*slot = (uint32_t)++b->items;
	}
	*out = *slot - 1;
	return WS_OK;
}

/* The same with the warp's last item's guess tried first; log->item is the result. */
static enum ws_status follow_guess(struct ws_builder *b, struct ws_warp_log *log,
				   struct ws_item *item, struct ws_err *err)
{
	uint32_t last = log->item, guess = last == NONE ? NONE : b->item[last].next;
	enum ws_status status;

	if (guess < b->items && same_item(&b->item[guess], item)) {
		log->item = guess;
		return WS_OK;
	}
	status = find_item(b, item, &log->item, err);
	if (status == WS_OK && last != NONE)
		b->item[last].next = log->item;
	return status;
}

/* ---- source files ------------------------------------------------------------------- */

/* 1 + its index; 0: none. */
static enum ws_status find_file(struct ws_builder *b, const char *name, uint32_t *out,
				struct ws_err *err)
{
	struct ws_launch *l = &b->launch;
	size_t i;

	*out = 0;
	if (!name)
		return WS_OK;
	if (b->file_now < l->files && strcmp(l->file[b->file_now], name) == 0) {
		*out = (uint32_t)b->file_now + 1;
		return WS_OK;
	}
	for (i = 0; i < l->files && strcmp(l->file[i], name) != 0; i++)
		continue;
	if (i == l->files) {
		if (i >= FILES_MAX || strlen(name) > WST_STRING_MAX)
			return ws_fail(err, WS_EFORMAT, "more than %u source files, or one whose "
				       "name is longer than %u bytes", FILES_MAX, WST_STRING_MAX);
		if (!WS_ROOM(l->file, b->file_cap, i + 1) || !(l->file[i] = ws_strdup(name)))
			return ws_fail_memory(err, "source files");
		l->files++;
	}
	b->file_now = i;
	*out = (uint32_t)i + 1;
	return WS_OK;
}

/* ---- warps -------------------------------------------------------------------------- */

/* The key of the warp that goes there: its own, or the one it would have. */
static uint32_t *log_slot(const struct ws_builder *b, uint64_t cta, uint32_t warp, uint64_t *key)
{
	uint32_t *slot;

	*key = ws_map_mix(cta, warp);
	while (*(slot = ws_map_slot(&b->log_map, b->log, sizeof *b->log, *key)) &&
	       (b->log[*slot - 1].cta != cta || b->log[*slot - 1].warp != warp))
		++*key;
	return slot;
}

static enum ws_status check_warp(const struct ws_builder *b, uint64_t cta, uint32_t warp,
				 struct ws_err *err)
{
	if (!b->open)
		return ws_fail(err, WS_EFORMAT, "an access before any launch");
	if (cta >= b->ctas)
		return ws_fail(err, WS_EFORMAT, "CTA %" PRIu64 " of a launch of %" PRIu64, cta,
			       b->ctas);
	if (warp >= b->warps)
		return ws_fail(err, WS_EFORMAT, "warp %" PRIu32 " of a CTA of %" PRIu32, warp,
			       b->warps);
	return WS_OK;
}

static enum ws_status add_log(struct ws_builder *b, uint64_t cta, uint32_t warp, size_t *out,
			      struct ws_err *err)
{
	struct ws_warp_log new = { .cta = cta, .warp = warp, .item = NONE };
	uint32_t *slot;

	if (!ws_map_room(&b->log_map, b->log, sizeof *b->log, b->logs + 1) ||
	    !WS_ROOM(b->log, b->log_cap, b->logs + 1))
		return ws_fail_memory(err, "the warps of a launch");
	slot = log_slot(b, cta, warp, &new.key);
	if (!*slot) {
		if (b->logs >= NONE - 1)
			return ws_fail(err, WS_EFORMAT, "more than %" PRIu32 " warps in a launch",
				       NONE - 1);
		b->log[b->logs++] = new;
		*slot = (uint32_t)b->logs;
	}
	*out = *slot - 1;
	return WS_OK;
}

static enum ws_status find_log(struct ws_builder *b, uint64_t cta, uint32_t warp,
			       struct ws_warp_log **out, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (b->log_now >= b->logs || b->log[b->log_now].cta != cta ||
	    b->log[b->log_now].warp != warp) {
		status = check_warp(b, cta, warp, err);
		if (status == WS_OK)
			status = add_log(b, cta, warp, &b->log_now, err);
	}
	*out = status == WS_OK ? &b->log[b->log_now] : NULL;
	return status;
}

/* ---- records ------------------------------------------------------------------------ */

static inline uint8_t *put_var(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

static enum ws_status append(struct ws_builder *b, struct ws_warp_log *log, const uint8_t *record,
			     size_t len, struct ws_err *err)
{
	struct ws_store_block *block = log->last;

	if (!block || block->cap - block->used < len) {
		uint32_t cap = !block ? BLOCK_FIRST :
			       block->cap < BLOCK_LAST / 2 ? 2 * block->cap : BLOCK_LAST;

		block = ws_store_block(&b->store, len > cap ? (uint32_t)len : cap);
		if (!block)
			return ws_fail_memory(err, "the accesses of a launch");
		if (log->last)
			log->last->next = block;
		else
			log->first = block;
		log->last = block;
	}
	memcpy(block->data + block->used, record, len);
	block->used += (uint32_t)len;
	return WS_OK;
}

/* The addresses of the lanes as a record has them. */
static uint8_t *put_addresses(uint8_t *p, uint64_t mask, const uint64_t *address, uint64_t before,
			      bool *list)
{
	uint64_t first = address[ws_lowest_bit(mask)], rest = mask & (mask - 1), last = first;
	uint64_t stride;
	uint8_t *start;

	*list = false;
	p = put_var(p, ws_zigzag(first - before));
	if (!rest)
		return p;
	start = p;
	stride = address[ws_lowest_bit(rest)] - first;
	for (uint64_t left = rest; left && !*list; left &= left - 1) {
		*list = address[ws_lowest_bit(left)] - last != stride;
		last = address[ws_lowest_bit(left)];
	}
	if (!*list)
		return put_var(p, ws_zigzag(stride));
	for (p = start, last = first; rest; rest &= rest - 1) {
		p = put_var(p, ws_zigzag(address[ws_lowest_bit(rest)] - last));
		last = address[ws_lowest_bit(rest)];
	}
	return p;
}

static enum ws_status record_access(struct ws_builder *b, struct ws_warp_log *log,
				    const struct ws_built_access *a, struct ws_err *err)
{
	uint8_t record[WS_RECORD_MAX], body[WS_RECORD_MAX], *end, *p;
	bool list, mask = log->mask != a->lanes;

	end = put_addresses(body, a->lanes, a->address, log->base, &list);
	p = put_var(record, (uint64_t)log->item << WS_RECORD_BITS | (mask ? WS_RECORD_MASK : 0) |
				    (list ? WS_RECORD_LIST : 0));
	if (mask) {
		ws_word_put(p, a->lanes, 8);
		p += 8;
	}
	memcpy(p, body, (size_t)(end - body));
	log->mask = a->lanes;
	log->base = a->address[ws_lowest_bit(a->lanes)];
	return append(b, log, record, (size_t)(p - record) + (size_t)(end - body), err);
}

/* ---- accesses ----------------------------------------------------------------------- */

static enum ws_status check_access(const struct ws_builder *b, const struct ws_built_access *a,
				   struct ws_err *err)
{
	uint64_t threads = ws_launch_threads(&b->launch) - (uint64_t)a->warp * b->width;
	uint64_t lanes = threads < b->width ? threads : b->width;

	if (a->kind >= WS_KINDS || a->space > WS_SPACE_LOCAL)
		return ws_fail(err, WS_EFORMAT, "an access of kind %u to space %u", a->kind,
			       a->space);
	if (a->bytes < 1 || a->bytes > WS_ACCESS_BYTES_MAX)
		return ws_fail(err, WS_EFORMAT, "an access of %" PRIu32 " bytes a lane, want 1..%u",
			       a->bytes, WS_ACCESS_BYTES_MAX);
	if (!a->lanes || (lanes < 64 && a->lanes >> lanes))
		return ws_fail(err, WS_EFORMAT, "active lanes 0x%" PRIx64 ", but warp %" PRIu32
			       " has %" PRIu64 " lanes", a->lanes, a->warp, lanes);
	return WS_OK;
}

/* False: no memory. */
static inline bool add_page(struct ws_builder *b, uint64_t page)
{
	uint64_t *last = &b->last_page[page % WS_LAST_PAGES];

	if (page + 1 == *last)
		return true;
	*last = page + 1;
	return ws_keys_add(&b->pages, page) != WS_MAP_NONE;
}

/* Notes which bytes are touched. */
static enum ws_status touch_bytes(struct ws_builder *b, struct ws_item *item,
				  const struct ws_built_access *a, struct ws_err *err)
{
	bool pages = b->arrays && a->space == WS_SPACE_GLOBAL;

	for (uint64_t left = a->lanes; left; left &= left - 1) {
		uint64_t low = a->address[ws_lowest_bit(left)], high = low + a->bytes - 1;

		if (high < low)
			return ws_fail(err, WS_EFORMAT, "%" PRIu32 " bytes from 0x%" PRIx64
				       " pass the end of the address space", a->bytes, low);
		if (low < item->low)
			item->low = low;
		if (high > item->high)
			item->high = high;
		if (pages && !(add_page(b, low >> WS_PAGE_SHIFT) &&
			       add_page(b, high >> WS_PAGE_SHIFT)))
			return ws_fail_memory(err, "touched pages");
	}
	return WS_OK;
}

/* More instructions: the longest chain of them all is taken to be the longer one. */
static void add_pace(struct ws_pace *to, const struct ws_pace *more)
{
	bool first = !to->code_end;

	to->chain = more->chain > to->chain ? more->chain : to->chain;
	if (!more->code_end)
		return;
	to->code = first || more->code < to->code ? more->code : to->code;
	to->code_end = more->code_end > to->code_end ? more->code_end : to->code_end;
}

/* Takes what is known of `gap` other instructions. */
static struct ws_pace take_pace(struct ws_warp_log *log, uint32_t gap)
{
	struct ws_pace pace = log->pace;

	pace.chain = pace.chain < gap ? pace.chain : gap;
	if (pace.code > pace.code_end || pace.code_end >= WS_CODE_MAX)
		pace.code = pace.code_end = 0;
	log->pace = (struct ws_pace){ 0 };
	return pace;
}

/* Takes the path to an item of so many instructions; 0 if it is not known. */
static enum ws_status take_path(struct ws_builder *b, struct ws_warp_log *log, uint64_t length,
				uint32_t *path, struct ws_err *err)
{
	enum ws_status status = ws_built_path(&b->code, path, err);

	if (!*path)
		*path = log->path;
	log->path = 0;
	if (*path && b->code.path[*path - 1].path.length != length)
		*path = 0;
	return status;
}

/* Takes the other instructions of a warp; as many as fit in one item. */
static uint32_t take_other(struct ws_warp_log *log)
{
	uint32_t gap = log->other < WS_GAP_MAX ? (uint32_t)log->other : WS_GAP_MAX;

	log->other = 0;
	return gap;
}

enum ws_status ws_builder_access(struct ws_builder *b, const struct ws_built_access *a,
				 struct ws_err *err)
{
	struct ws_item key = { .pc = a->pc, .bytes = a->bytes, .line = a->line, .kind = a->kind,
			       .space = a->space, .used = a->used, .next = NONE };
	struct ws_warp_log *log;
	enum ws_status status = find_log(b, a->cta, a->warp, &log, err);

	if (status == WS_OK)
		status = check_access(b, a, err);
	if (status == WS_OK)
		status = find_file(b, a->file, &key.file, err);
	if (status != WS_OK)
		return status;
	if (!key.file)
		key.line = 0;
	log->other += a->gap;
	add_pace(&log->pace, &a->pace);
	key.gap = take_other(log);
	key.pace = take_pace(log, key.gap);
	status = take_path(b, log, key.gap + 1ull, &key.path, err);
	if (status != WS_OK)
		return status;
	status = follow_guess(b, log, &key, err);
	if (status == WS_OK)
		status = touch_bytes(b, &b->item[log->item], a, err);
	if (status != WS_OK)
		return status;
	log->pc = a->pc;
	b->last = log->item;
	if (!b->lone)
		return record_access(b, log, a, err);
	b->launch.accesses[a->kind]++;
	return ws_lone_put(b->lone, log->item, a->address, err);
}

static inline bool is_item(const struct ws_item *item, const struct ws_built_access *a)
{
	return item->pc == a->pc && item->bytes == a->bytes && item->gap == a->gap &&
	       item->kind == a->kind && item->space == a->space && !item->file;
}

/* Addresses of an item that is known, none of which passes the end of the address space. */
static enum ws_status put_known(struct ws_builder *b, struct ws_item *item, const uint64_t *address,
				size_t count, struct ws_err *err)
{
	uint32_t number = (uint32_t)(item - b->item);
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < count && status == WS_OK; i++) {
		uint64_t low = address[i], high = low + item->bytes - 1;

		if (b->arrays && !(add_page(b, low >> WS_PAGE_SHIFT) &&
				   add_page(b, high >> WS_PAGE_SHIFT)))
			return ws_fail_memory(err, "touched pages");
		item->low = low < item->low ? low : item->low;
		item->high = high > item->high ? high : item->high;
		status = ws_lone_put(b->lone, number, &address[i], err);
	}
	b->launch.accesses[item->kind] += count;
	return status;
}

enum ws_status ws_builder_single(struct ws_builder *b, const struct ws_built_access *a,
				 struct ws_err *err)
{
	uint64_t low = *a->address, high = low + a->bytes - 1;
	uint32_t *known = &b->known[(a->pc ^ a->pc >> 8 ^ a->gap ^ a->kind * 85u ^ a->bytes) %
				    WS_KNOWN_ITEMS];
	enum ws_status status;

	/* What was done of late again, and nothing that has to be looked up. */
	if (*known && !b->log->other && high >= low && is_item(&b->item[*known - 1], a)) {
		b->log->item = b->last = *known - 1;
		b->log->pc = a->pc;
		return put_known(b, &b->item[b->last], a->address, 1, err);
	}
	status = ws_builder_access(b, a, err);
	if (status == WS_OK && b->lone)
		*known = b->last + 1;
	return status;
}

enum ws_status ws_builder_again(struct ws_builder *b, const struct ws_built_access *a,
				const uint64_t *address, size_t count, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct ws_built_access one = *a;

	if (b->lone)
		return put_known(b, &b->item[b->last], address, count, err);
	for (size_t i = 0; i < count && status == WS_OK; i++) {
		one.address = &address[i];
		status = ws_builder_access(b, &one, err);
	}
	return status;
}

uint32_t ws_builder_last(const struct ws_builder *b)
{
	return b->last;
}

void ws_builder_use(struct ws_builder *b, uint32_t load, uint64_t distance)
{
	struct ws_item *item = &b->item[load];
	uint32_t use = distance > WS_GAP_MAX ? WS_GAP_MAX : distance < 1 ? 1 : (uint32_t)distance;

	assert(load < b->items);
	if (!item->use || use < item->use)
		item->use = use;
}

/* ---- what is no access ---------------------------------------------------------------- */

static enum ws_status record_other(struct ws_builder *b, struct ws_warp_log *log, int kind,
				   struct ws_err *err)
{
	struct ws_item key = { .pc = log->pc, .kind = (uint8_t)kind, .gap = take_other(log),
			       .next = NONE };
	uint8_t record[WS_RECORD_MAX], *end;
	enum ws_status status;

	key.pace = take_pace(log, key.gap);
	status = take_path(b, log, key.gap + (uint64_t)(kind == WS_ITEM_BARRIER), &key.path, err);
	if (status == WS_OK)
		status = follow_guess(b, log, &key, err);
	if (status != WS_OK)
		return status;
	if (b->lone)
		return ws_lone_put(b->lone, log->item, NULL, err);
	end = put_var(record, (uint64_t)log->item << WS_RECORD_BITS);
	return append(b, log, record, (size_t)(end - record), err);
}

enum ws_status ws_builder_other(struct ws_builder *b, uint64_t cta, uint32_t warp, uint64_t count,
				struct ws_err *err)
{
	struct ws_warp_log *log;
	enum ws_status status = find_log(b, cta, warp, &log, err);

	if (status == WS_OK)
		log->other = count > WS_GAP_MAX - log->other ? WS_GAP_MAX : log->other + count;
	return status;
}

enum ws_status ws_builder_others(struct ws_builder *b, uint64_t cta, uint32_t warp, uint64_t count,
				 const struct ws_pace *pace, struct ws_err *err)
{
	enum ws_status status = ws_builder_other(b, cta, warp, count, err);
	struct ws_warp_log *log;

	if (status != WS_OK)
		return status;
	log = &b->log[b->log_now];
	add_pace(&log->pace, pace);
	return ws_built_path(&b->code, &log->path, err);
}

enum ws_status ws_builder_barrier(struct ws_builder *b, uint64_t cta, uint32_t warp,
				  struct ws_err *err)
{
	struct ws_warp_log *log;
	enum ws_status status = find_log(b, cta, warp, &log, err);

	return status == WS_OK ? record_other(b, log, WS_ITEM_BARRIER, err) : status;
}

/* ---- launches -------------------------------------------------------------------------- */

static enum ws_status end_launch(struct ws_builder *b, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	if (!b->open)
		return WS_OK;
	for (size_t i = 0; i < b->logs && status == WS_OK; i++)
		if (b->log[i].other)
			status = record_other(b, &b->log[i], WS_ITEM_OTHER, err);
	if (status == WS_OK && !ws_built_code_end(&b->code, &b->launch))
		status = ws_fail_memory(err, "machine code");
	if (status == WS_OK)
		status = b->lone ? ws_builder_lone_launch(b, err) : ws_builder_write(b, err);
	ws_built_code_clear(&b->code);
	ws_launch_clear(&b->launch);
	ws_store_reset(&b->store);
	ws_keys_clear(&b->pages);
	memset(b->last_page, 0, sizeof b->last_page);
	memset(b->known, 0, sizeof b->known);
	ws_map_clear(&b->item_map);
	ws_map_clear(&b->log_map);
	b->items = b->logs = b->file_now = b->file_cap = 0;
	b->open = false;
	b->number++;
	return status;
}

static enum ws_status check_launch(struct ws_builder *b, const struct ws_built_launch *launch,
				   struct ws_err *err)
{
	char where[32];
	enum ws_status status;

	snprintf(where, sizeof where, "launch %" PRIu64, b->number);
	if (launch->warp_width < 1 || launch->warp_width > WS_BUILT_WIDTH_MAX)
		return ws_fail(err, WS_EFORMAT, "%s: warps of %" PRIu32 " lanes, want 1..%u", where,
			       launch->warp_width, WS_BUILT_WIDTH_MAX);
	status = ws_launch_check(&b->launch, WS_EFORMAT, where, err);
	if (status != WS_OK)
		return status;
	b->width = launch->warp_width;
	b->warps = (uint32_t)((ws_launch_threads(&b->launch) + b->width - 1) / b->width);
	b->ctas = launch->grid[0] * launch->grid[1] * launch->grid[2];
	return WS_OK;
}

enum ws_status ws_builder_launch(struct ws_builder *b, const struct ws_built_launch *launch,
				 struct ws_err *err)
{
	enum ws_status status = end_launch(b, err);

	if (status != WS_OK)
		return status;
	b->launch = (struct ws_launch){ .kernel = ws_plain_name(launch->kernel),
					.shared_bytes = launch->shared_bytes,
					.registers = launch->registers };
	memcpy(b->launch.grid, launch->grid, sizeof launch->grid);
	memcpy(b->launch.block, launch->block, sizeof launch->block);
	if (b->launch.kernel && strlen(b->launch.kernel) > WST_STRING_MAX)
		b->launch.kernel[WST_STRING_MAX] = '\0';
	status = b->launch.kernel ? check_launch(b, launch, err)
				  : ws_fail_memory(err, "a kernel's name");
	b->open = status == WS_OK;
	b->launch.copy = b->copy;
	b->launch.copies = b->copies;
	b->copy = NULL;
	b->copies = b->copy_cap = 0;
	if (!b->open)
		ws_launch_clear(&b->launch);
	return status;
}

enum ws_status ws_builder_copy(struct ws_builder *b, uint64_t base, uint64_t bytes,
			       struct ws_err *err)
{
	if (bytes > UINT64_MAX - base)
		return ws_fail(err, WS_EFORMAT, "%" PRIu64 " bytes copied to 0x%" PRIx64
			       " pass the end of the address space", bytes, base);
	if (!WS_ROOM(b->copy, b->copy_cap, b->copies + 1))
		return ws_fail_memory(err, "copies to the device");
	b->copy[b->copies++] = (struct ws_copy){ base, bytes };
	return WS_OK;
}

void ws_builder_executed(struct ws_builder *b, uint64_t threads)
{
	b->launch.executed += threads;
}

/* ---- life ----------------------------------------------------------------------------- */

void ws_builder_partial(const struct ws_builder *b, const char *kernel, uint64_t has,
			uint64_t grid)
{
	if (has < grid && b->options && b->options->partial)
		b->options->partial(b->options->context, kernel, has, grid);
}

enum ws_status ws_builder_new(struct ws_builder **out, struct ws_out *file, bool arrays,
			      struct ws_err *err)
{
	struct ws_builder *b = ws_alloc_zero(1, sizeof *b);
	enum ws_status status;

	*out = NULL;
	if (!b)
		return ws_fail_memory(err, "a trace to be built");
	b->arrays = arrays;
	status = ws_trace_writer_new(&b->writer, file, err);
	if (status != WS_OK) {
		ws_builder_free(b);
		return status;
	}
	*out = b;
	return WS_OK;
}

enum ws_status ws_builder_lone_new(struct ws_builder **out, bool arrays, struct ws_err *err)
{
	struct ws_builder *b = ws_alloc_zero(1, sizeof *b);
	enum ws_status status;

	*out = NULL;
	if (b)
		b->lone = ws_alloc_zero(1, sizeof *b->lone);
	if (!b || !b->lone) {
		free(b);
		return ws_fail_memory(err, "a trace to be built");
	}
	b->arrays = arrays;
	status = ws_lone_writer_init(b->lone, err);
	if (status != WS_OK) {
		ws_builder_free(b);
		return status;
	}
	*out = b;
	return WS_OK;
}

enum ws_status ws_builder_end(struct ws_builder *b, struct ws_err *err)
{
	enum ws_status status = end_launch(b, err);

	return status == WS_OK && !b->lone ? ws_trace_writer_end(b->writer, err) : status;
}

void ws_builder_free(struct ws_builder *b)
{
	if (!b)
		return;
	ws_trace_writer_free(b->writer);
	if (b->lone)
		ws_lone_writer_clear(b->lone);
	free(b->lone);
	ws_launch_clear(&b->launch);
	ws_built_code_clear(&b->code);
	free(b->copy);
	ws_store_clear(&b->store);
	ws_keys_clear(&b->pages);
	free(b->item);
	ws_map_clear(&b->item_map);
	free(b->log);
	ws_map_clear(&b->log_map);
	free(b);
}
