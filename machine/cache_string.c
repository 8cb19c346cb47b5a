/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/cache_string.c -- the cache string of GPGPU-Sim configurations, in its four forms:
 *
 *   3.0    sets:line:ways,REPLACE:WRITE:ALLOC:WALLOC,MSHR:entries:merge,queue[:result]
 *   3.2    and ,port at the end
 *   3.2.2  and :INDEX after WALLOC
 *   4.x    and N: or S: in front
 *
 * Capitals stand for a letter of the tables below, the rest are numbers.  A 3.x cache is not
 * sectored, and its index is linear if the letter is left out.  A position in a message counts
 * characters from 1.
 *
 * Refused is what GPGPU-Sim refuses, and what it takes without meaning it: sets or lines that
 * are no power of two (indexed wrongly), text after the end.  What it stops at in some builds only,
 * what forks of it add, and a string without a miss queue (an uninitialised one there) is a
 * doubt.  Source: GPGPU-Sim 4, gpu-cache.h, cache_config::init.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

#define NUMBER_MAX (1u << 20)	/* sets * line * ways fits 64 bits */
#define QUEUE	   16u		/* where it is left out: that of its presets' L1s */
#define SECTORED_LINE 128u	/* four sectors, hard-coded there */

/* ---- letters ------------------------------------------------------------------- */

struct letter {
	char letter;
	const char *meaning;
};

static const struct letter types[] = {
	{ 'N', "not sectored: a miss fetches the whole line" },
	{ 'S', "sectored: a miss fetches those sectors of the line that were asked for" },
	{ 0, NULL },
};

static const struct letter replacements[] = {
	{ 'L', "the least recently used line of the set goes: lru" },
	{ 'F', "the line that came first into the set goes: fifo" },
	{ 'S', "static re-reference interval prediction: srrip-kumar" },
	{ 'B', "bimodal re-reference interval prediction: brrip-kumar" },
	{ 'H', "the least frequently used line of the set goes: lfu-kumar" },
	{ 0, NULL },
};

static const struct letter writes[] = {
	{ 'R', "read only: for instructions, constants and textures" },
	{ 'B', "write back: stores stay here until their line is evicted" },
	{ 'T', "write through: stores go to the next level too" },
	{ 'E', "write evict: stores go to the next level and throw out what they hit" },
	{ 'L', "write evict for global stores, write back for local ones" },
	{ 0, NULL },
};

static const struct letter allocations[] = {
	{ 'm', "on miss: the way is taken when the miss happens" },
	{ 'f', "on fill: the way is taken when the data come back" },
	{ 's', "streaming: on fill, and on miss in kernels without shared memory" },
	{ 0, NULL },
};

static const struct letter write_allocations[] = {
	{ 'N', "none: a store that misses leaves the cache as it is" },
	{ 'W', "the store goes to the next level and its line is fetched besides" },
	{ 'F', "fetch on write, unless the store covers all it would fetch" },
	{ 'L', "lazy fetch on read: a store that misses allocates without fetching" },
	{ 0, NULL },
};

static const struct letter indices[] = {
	{ 'L', "linear: the line number modulo the sets: modulo" },
	{ 'X', "the line number's low bits xor those above them: xor" },
	{ 'P', "the line number as a polynomial modulo another: ipoly" },
	{ 'H', "the hash of Fermi's L1: fermi" },
	{ 'C', "custom: there is none, every line goes to set 0" },
	{ 0, NULL },
};

static const struct letter mshrs[] = {
	{ 'A', "associative: an entry for each line or sector that is outstanding" },
	{ 'S', "associative, above a sectored cache: waits for all sectors of a line" },
	{ 'F', "a texture cache's queues" },
	{ 'T', "a texture cache's queues, above a sectored cache" },
	{ 0, NULL },
};

static const char *meaning(const struct letter *table, char letter)
{
	while (table->letter && table->letter != letter)
		table++;
	return table->meaning;
}

/* GPGPU-Sim's letter and ours; S, B and H are those of a fork of it. */
static const struct {
	char letter;
	const char *policy;
} policies[] = {
	{ 'L', "lru" }, { 'F', "fifo" },
	{ 'S', "srrip-kumar" }, { 'B', "brrip-kumar" }, { 'H', "lfu-kumar" },
};

const char *ws_gpgpusim_policy(char letter)
{
	for (size_t i = 0; i < WS_COUNT(policies); i++) {
		if (policies[i].letter == letter)
			return policies[i].policy;
	}
	return NULL;
}

char ws_gpgpusim_letter(const char *policy)
{
	for (size_t i = 0; i < WS_COUNT(policies); i++) {
		if (strcmp(policies[i].policy, policy) == 0)
			return policies[i].letter;
	}
	return '\0';
}

/* ---- scanning ------------------------------------------------------------------- */

struct scan {
	const char *text, *at;
	struct ws_err *err;
};

/* "character 12: 'Q'" */
static enum ws_status refuse(const struct scan *s, const char *at, const char *wanted)
{
	char found[16] = "the end";

	if (*at)
		snprintf(found, sizeof found, "'%c'", *at >= ' ' && *at <= '~' ? *at : '?');
	return ws_fail(s->err, WS_EINVAL, "character %zu: %s: want %s",
		       (size_t)(at - s->text) + 1, found, wanted);
}

/* c, before what comes next. */
static enum ws_status expect(struct scan *s, char c, const char *what)
{
	char wanted[64];

	if (*s->at == c) {
		s->at++;
		return WS_OK;
	}
	snprintf(wanted, sizeof wanted, "'%c' and %s", c, what);
	return refuse(s, s->at, wanted);
}

static enum ws_status scan_number(struct scan *s, uint64_t *value, const char *what)
{
	const char *from = s->at;
	char wanted[96];

	snprintf(wanted, sizeof wanted, "a number 0..%u, %s", NUMBER_MAX, what);
	if (*s->at < '0' || *s->at > '9')
		return refuse(s, from, wanted);
	for (*value = 0; *s->at >= '0' && *s->at <= '9' && *value <= NUMBER_MAX; s->at++)
		*value = 10 * *value + (uint64_t)(*s->at - '0');
	return *value > NUMBER_MAX ? refuse(s, from, wanted) : WS_OK;
}

static enum ws_status letter(struct scan *s, char *value, const struct letter *table,
			     const char *what)
{
	char wanted[96];
	size_t used = 0;

	if (*s->at && meaning(table, *s->at)) {
		*value = *s->at++;
		return WS_OK;
	}
	for (size_t i = 0; table[i].letter && used < sizeof wanted; i++)
		used += (size_t)snprintf(wanted + used, sizeof wanted - used, "%s%c",
					 i == 0 ? "" : table[i + 1].letter ? ", " : " or ",
					 table[i].letter);
	if (used < sizeof wanted)
		snprintf(wanted + used, sizeof wanted - used, ", %s", what);
	return refuse(s, s->at, wanted);
}

/* ---- the three groups ------------------------------------------------------------ */

/* [TYPE:]sets:line:ways, */
static enum ws_status scan_shape(struct scan *s, struct ws_cache_string *c)
{
	enum ws_status status = WS_OK;

	c->type = 'N';
	c->form = WS_CACHE_FORM_30;
	if (*s->at < '0' || *s->at > '9') {
		c->form = WS_CACHE_FORM_4;
		status = letter(s, &c->type, types, "or the number of sets");
		if (status == WS_OK)
			status = expect(s, ':', "the sets");
	}
	if (status == WS_OK)
		status = scan_number(s, &c->sets, "the sets");
	if (status == WS_OK)
		status = expect(s, ':', "the bytes of a line");
	if (status == WS_OK)
		status = scan_number(s, &c->line_bytes, "the bytes of a line");
	if (status == WS_OK)
		status = expect(s, ':', "the ways");
	if (status == WS_OK)
		status = scan_number(s, &c->ways, "the ways");
	return status != WS_OK ? status : expect(s, ',', "what to replace");
}

/* REPLACE:WRITE:ALLOC:WALLOC[:INDEX], */
static enum ws_status scan_policies(struct scan *s, struct ws_cache_string *c)
{
	enum ws_status status = letter(s, &c->replacement, replacements, "what to replace");

	if (status == WS_OK)
		status = expect(s, ':', "what a store does");
	if (status == WS_OK)
		status = letter(s, &c->write, writes, "what a store does");
	if (status == WS_OK)
		status = expect(s, ':', "when a way is taken");
	if (status == WS_OK)
		status = letter(s, &c->alloc, allocations, "when a way is taken");
	if (status == WS_OK)
		status = expect(s, ':', "what a store that misses does");
	if (status == WS_OK)
		status = letter(s, &c->write_alloc, write_allocations,
				"what a store that misses does");
	c->index = 'L';
	if (status != WS_OK || (*s->at == ',' && c->form != WS_CACHE_FORM_4))
		return status != WS_OK ? status : expect(s, ',', "what holds misses");
	status = expect(s, ':', "the set index");
	if (status == WS_OK)
		status = letter(s, &c->index, indices, "the set index");
	if (status == WS_OK && c->form != WS_CACHE_FORM_4)
		c->form = WS_CACHE_FORM_322;
	return status != WS_OK ? status : expect(s, ',', "what holds misses");
}

/* MSHR:entries:merge[,queue[:result[,port]]] */
static enum ws_status scan_queues(struct scan *s, struct ws_cache_string *c)
{
	enum ws_status status = letter(s, &c->mshr, mshrs, "what holds misses");

	if (status == WS_OK)
		status = expect(s, ':', "the entries for misses");
	if (status == WS_OK)
		status = scan_number(s, &c->mshr_entries, "the entries for misses");
	if (status == WS_OK)
		status = expect(s, ':', "the requests of an entry");
	if (status == WS_OK)
		status = scan_number(s, &c->mshr_merge, "the requests of an entry");
	c->queue = QUEUE;
	c->queue_left_out = status == WS_OK && !*s->at;
	if (status != WS_OK || c->queue_left_out)
		return status;
	status = expect(s, ',', "the miss queue, or the end");
	if (status == WS_OK)
		status = scan_number(s, &c->queue, "the miss queue");
	if (status != WS_OK || *s->at != ':')
		return status;
	s->at++;
	c->has_result = true;
	status = scan_number(s, &c->result, "the result queue");
	if (status != WS_OK || *s->at != ',')
		return status;
	s->at++;
	c->has_port = true;
	if (c->form == WS_CACHE_FORM_30)
		c->form = WS_CACHE_FORM_32;
	return scan_number(s, &c->port_bytes, "the bytes of the data port");
}

/* ---- what a whole string must be --------------------------------------------------- */

/* Where the n-th group or field begins: separators counted from the start. */
static const char *field(const struct scan *s, unsigned separators)
{
	const char *at = s->text;

	for (; separators > 0; at++)
		separators -= *at == ':' || *at == ',';
	return at;
}

static bool texture(const struct ws_cache_string *c)
{
	return c->mshr == 'F' || c->mshr == 'T';
}

static enum ws_status check_shape(const struct scan *s, const struct ws_cache_string *c)
{
	unsigned first = c->form == WS_CACHE_FORM_4; /* separators before the sets */

	if (!ws_is_pow2(c->sets))
		return refuse(s, field(s, first), "a power of two of sets: GPGPU-Sim masks with "
			      "sets - 1");
	if (!ws_is_pow2(c->line_bytes))
		return refuse(s, field(s, first + 1), "a line that is a power of two of bytes");
	if (c->type == 'S' && c->line_bytes != SECTORED_LINE)
		return refuse(s, field(s, first + 1), "128, the one line that a sectored cache may "
			      "have there: 4 sectors of 32 bytes");
	if (c->ways == 0)
		return refuse(s, field(s, first + 2), "one way or more");
	return WS_OK;
}

static enum ws_status check_policies(const struct scan *s, const struct ws_cache_string *c)
{
	unsigned first = 3u + (c->form == WS_CACHE_FORM_4);

	if (c->alloc != 'm' && c->write == 'B')
		return refuse(s, field(s, first + 2), "m with write back: another way deadlocks");
	if (c->alloc != 'm' && (c->write_alloc == 'F' || c->write_alloc == 'L'))
		return refuse(s, field(s, first + 3), "N or W where ways are taken on fill");
	return WS_OK;
}

static enum ws_status check_queues(const struct scan *s, const struct ws_cache_string *c)
{
	unsigned first = 7u + (c->form == WS_CACHE_FORM_4) +
			 (c->form == WS_CACHE_FORM_4 || c->form == WS_CACHE_FORM_322);

	if (c->mshr_entries == 0)
		return refuse(s, field(s, first + 1), "one entry or more");
	if (c->mshr_merge == 0)
		return refuse(s, field(s, first + 2), "one request or more: the first counts");
	if (c->queue == 0)
		return refuse(s, field(s, first + 3), "a queue of one or more: no miss could "
			      "leave");
	if (texture(c) && c->queue_left_out)
		return refuse(s, s->at, "',' and the reorder buffer, which F and T need");
	if (texture(c) && !c->has_result)
		return refuse(s, s->at, "':' and the result queue, which F and T need");
	if (texture(c) && c->has_port)
		return refuse(s, field(s, first + 5) - 1, "the end: F and T have no port");
	if (c->port_bytes && c->line_bytes % c->port_bytes)
		return refuse(s, field(s, first + 5), "a port that divides the line, or 0 for "
			      "the whole line");
	return WS_OK;
}

static void uncertainty(struct ws_cache_string *c, const char *text)
{
	if (c->uncertainties < WS_COUNT(c->uncertainty))
		c->uncertainty[c->uncertainties++] = text;
}

static void find_uncertainties(struct ws_cache_string *c)
{
	if (c->replacement != 'L' && c->replacement != 'F')
		uncertainty(c, "replacement: GPGPU-Sim itself knows L and F only");
	if (c->index == 'P' && c->sets != 16 && c->sets != 32 && c->sets != 64)
		uncertainty(c, "set index: GPGPU-Sim itself has P for 16, 32 and 64 sets only");
	if (c->index == 'H' && c->sets != 32 && c->sets != 64)
		uncertainty(c, "set index: GPGPU-Sim itself has H for 32 and 64 sets only");
	if (c->queue_left_out)
		uncertainty(
			c,
			"miss queue: left out, and what it is then in GPGPU-Sim is chance; taken "
			"as 16");
	if (c->index == 'C')
		uncertainty(c, "set index: GPGPU-Sim has nothing behind C");
}

enum ws_status ws_cache_string_parse(struct ws_cache_string *c, const char *text,
				     struct ws_err *err)
{
	struct scan s = { .text = text, .at = text, .err = err };
	enum ws_status status;

	*c = (struct ws_cache_string){ .none = strcmp(text, "none") == 0 };
	if (c->none)
		return WS_OK;
	status = scan_shape(&s, c);
	if (status == WS_OK)
		status = scan_policies(&s, c);
	if (status == WS_OK)
		status = scan_queues(&s, c);
	if (status == WS_OK)
		status = check_shape(&s, c);
	if (status == WS_OK)
		status = check_policies(&s, c);
	if (status == WS_OK)
		status = check_queues(&s, c);
	if (status == WS_OK && *s.at)
		status = refuse(&s, s.at, c->has_port ? "the end" : c->has_result ?
				"',' and the port, or the end" :
				"':' and the result queue, or the end");
	if (status == WS_OK)
		find_uncertainties(c);
	return status;
}

/* ---- in words ------------------------------------------------------------------------ */

uint64_t ws_cache_string_size(const struct ws_cache_string *c)
{
	return c->none ? 0 : c->sets * c->line_bytes * c->ways;
}

static const char *const form_meanings[] = {
	[WS_CACHE_FORM_30] = "before July 2013: not sectored, linear index, no port",
	[WS_CACHE_FORM_32] = "from July 2013: not sectored, linear index",
	[WS_CACHE_FORM_322] = "from July 2014: not sectored",
	[WS_CACHE_FORM_4] = "from 2018",
};
static const char *const form_names[] = {
	[WS_CACHE_FORM_30] = "3.0", [WS_CACHE_FORM_32] = "3.2", [WS_CACHE_FORM_322] = "3.2.2",
	[WS_CACHE_FORM_4] = "4.x",
};

static void put_letter(struct ws_cache_field *f, const char *name, const struct letter *table,
		       char value)
{
	f->name = name;
	snprintf(f->value, sizeof f->value, "%c", value);
	snprintf(f->meaning, sizeof f->meaning, "%s", meaning(table, value));
}

static void put_number(struct ws_cache_field *f, const char *name, uint64_t value,
		       const char *unit, const char *means)
{
	f->name = name;
	f->unit = unit;
	snprintf(f->value, sizeof f->value, "%" PRIu64, value);
	snprintf(f->meaning, sizeof f->meaning, "%s", means);
}

/* In the largest unit that leaves a whole number: "96 KB", "6 MB", "1536 KB". */
void ws_size_words(uint64_t bytes, char *out, size_t len)
{
	static const char *const units[] = { "bytes", "KB", "MB", "GB", "TB", "PB" };
	size_t unit = 0;

	while (unit + 1 < WS_COUNT(units) && bytes >= 1024 && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	snprintf(out, len, "%" PRIu64 " %s", bytes, units[unit]);
}

static void put_size(struct ws_cache_field *f, const struct ws_cache_string *c)
{
	uint64_t size = ws_cache_string_size(c);
	char words[40];

	ws_size_words(size, words, sizeof words);
	put_number(f, "size", size, "bytes", "");
	snprintf(f->meaning, sizeof f->meaning, "%s = %" PRIu64 " sets x %" PRIu64 " ways x %"
		 PRIu64 " bytes: of one SM if an L1, of one slice if an L2", words, c->sets,
		 c->ways, c->line_bytes);
}

static void put_sector(struct ws_cache_field *f, const struct ws_cache_string *c)
{
	uint64_t sector = c->type == 'S' ? WS_SECTOR_BYTES : c->line_bytes;

	put_number(f, "sector", sector, "bytes", "what a miss fetches: the line");
	if (c->type == 'S')
		snprintf(f->meaning, sizeof f->meaning, "what a miss fetches: %" PRIu64
			 " sectors a line", c->line_bytes / sector);
}

static void put_port(struct ws_cache_field *f, const struct ws_cache_string *c)
{
	uint64_t port = c->port_bytes ? c->port_bytes : c->line_bytes;

	put_number(f, "port", port, "bytes", "");
	snprintf(f->meaning, sizeof f->meaning, "what the data port moves in a cycle: %" PRIu64
		 " cycle%s a line%s", c->line_bytes / port, c->line_bytes == port ? "" : "s",
		 c->port_bytes ? "" : " (left out or 0: the line)");
}

static void put_queue(struct ws_cache_field *f, const struct ws_cache_string *c, size_t i)
{
	static const struct {
		const char *name, *means, *texture_name, *texture_means;
	} queues[] = {
		{ "mshr entries", "misses that may be outstanding: l1.mshr or l2.mshr", "fragments",
		  "entries of the fragment queue" },
		{ "mshr merge", "requests for one of them, the first included: l1.mshr.merge or "
		  "l2.mshr.merge", "requests",
		  "entries of the request queue" },
		{ "miss queue", "requests that wait for the way to the next level: l1.queue + 1",
		  "reorder",
		  "entries of the reorder buffer" },
		{ "result queue", "of texture caches only", "result queue",
		  "entries of the result queue" },
	};
	const uint64_t values[] = { c->mshr_entries, c->mshr_merge, c->queue, c->result };

	put_number(f, texture(c) ? queues[i].texture_name : queues[i].name, values[i], NULL,
		   texture(c) ? queues[i].texture_means : queues[i].means);
}

/* The fields in the order of the string, then what follows from them. */
static bool put_field(struct ws_cache_field *f, const struct ws_cache_string *c, size_t i)
{
	switch (i) {
	case 0:
		f->name = "form";
		snprintf(f->value, sizeof f->value, "%s", form_names[c->form]);
		snprintf(f->meaning, sizeof f->meaning, "%s", form_meanings[c->form]);
		return true;
	case 1: put_letter(f, "type", types, c->type); return true;
	case 2: put_number(f, "sets", c->sets, "sets", "a line is in one of them"); return true;
	case 3: put_number(f, "line", c->line_bytes, "bytes", "bytes under one tag"); return true;
	case 4: put_number(f, "ways", c->ways, "ways", "lines of a set"); return true;
	case 5: put_letter(f, "replacement", replacements, c->replacement); return true;
	case 6: put_letter(f, "write", writes, c->write); return true;
	case 7: put_letter(f, "allocation", allocations, c->alloc); return true;
	case 8: put_letter(f, "write miss", write_allocations, c->write_alloc); return true;
	case 9: put_letter(f, "set index", indices, c->index); return true;
	case 10: put_letter(f, "mshr", mshrs, c->mshr); return true;
	case 11: case 12: case 13: case 14: put_queue(f, c, i - 11); return true;
	case 15: put_port(f, c); return true;
	case 16: put_sector(f, c); return true;
	case 17: put_size(f, c); return true;
	default: return false;
	}
}

bool ws_cache_string_field(const struct ws_cache_string *c, size_t i, struct ws_cache_field *f)
{
	*f = (struct ws_cache_field){ .name = "" };
	if (c->none && i == 0) {
		f->name = "none";
		snprintf(f->meaning, sizeof f->meaning, "there is no such cache");
		return true;
	}
	if (c->none)
		return false;
	if (put_field(f, c, i))
		return true;
	if (i - 18 >= c->uncertainties)
		return false;
	f->name = "note";
	snprintf(f->meaning, sizeof f->meaning, "%s", c->uncertainty[i - 18]);
	return true;
}
