/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/read.c -- the words of a gpgpusim.config, and a machine of its options.
 *
 * Words are separated by space; '#' to the end of a line is a comment, quotes or not; a word
 * that begins with a double quote goes on to the next one, over lines if need be.  A word of '-'
 * and a letter is an option, and the word after it its value.  The last value of an option
 * counts, as in GPGPU-Sim, and one that is left out is GPGPU-Sim's default.  What GPGPU-Sim dies
 * of is a warning: unknown options (with what follows up to the next one), values without an
 * option.  -config FILE is read in its place, as there, but FILE is looked for where the file that
 * names it is; other files that options name are not read.
 */
#include "machine/gpgpusim/gpgpusim.h"

#include <stdlib.h>
#include <string.h>

#define SPACE " \t\r\v\f\n"

static const struct {
	const char *old, *name;
} aliases[] = {
	{ "-rop_latency", "-gpgpu_l2_rop_latency" },
	{ "-gmem_skip_L1D", "-gpgpu_gmem_skip_L1D" },
	{ "-smem_latency", "-gpgpu_smem_latency" },
	{ "-l1_latency", "-gpgpu_l1_latency" },
	{ "-memory_partition_indexing", "-gpgpu_memory_partition_indexing" },
	{ "-perf_sim_memcpy", "-gpgpu_perf_sim_memcpy" },
	{ "-adaptive_cache_config", "-gpgpu_adaptive_cache_config" },
	{ "-adaptive_volta_cache_config", "-gpgpu_adaptive_cache_config" },
};

/* ---- words ------------------------------------------------------------------------- */

static void skip_comment(struct ws_gs *r)
{
	const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));

	r->at = newline ? newline : r->end;
}

static void skip_space(struct ws_gs *r)
{
	for (; r->at < r->end && (*r->at == '#' || strchr(SPACE, *r->at)); r->at++) {
		if (*r->at == '#')
			skip_comment(r);
		if (r->at == r->end)
			return;
		r->line += *r->at == '\n';
	}
}

/* Up to the closing quote; false if there is none. */
static bool scan_quoted(struct ws_gs *r)
{
	while (r->at < r->end && *r->at != '"') {
		if (*r->at == '#')
			skip_comment(r);
		if (r->at == r->end)
			return false;
		r->line += *r->at++ == '\n';
	}
	return r->at < r->end;
}

/* *word with at NULL: there is none left. */
static enum ws_status next_word(struct ws_gs *r, struct ws_gs_word *word, struct ws_err *err)
{
	*word = (struct ws_gs_word){ .at = NULL };
	skip_space(r);
	if (r->at == r->end)
		return WS_OK;
	*word = (struct ws_gs_word){ .at = r->at, .line = r->line, .quoted = *r->at == '"' };
	if (word->quoted) {
		word->at = ++r->at;
		if (!scan_quoted(r))
			return ws_fail(err, WS_EFORMAT, "%s:%zu: a quote that nothing closes",
				       r->file, word->line);
		word->len = (size_t)(r->at++ - word->at);
		return WS_OK;
	}
	while (r->at < r->end && *r->at != '#' && !strchr(SPACE, *r->at))
		r->at++;
	word->len = (size_t)(r->at - word->at);
	return WS_OK;
}

static bool is_option(const struct ws_gs_word *word)
{
	char c = word->len > 1 && word->at[0] == '-' && !word->quoted ? word->at[1] : '\0';

	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* What a word says: of a quoted one without comments and space.  False: cut to fit. */
static bool spell(const struct ws_gs_word *word, char *out, size_t size)
{
	bool comment = false;
	size_t used = 0;

	for (size_t i = 0; i < word->len; i++) {
		char c = word->at[i];

		comment = word->quoted && c != '\n' && (comment || c == '#');
		if (comment || (word->quoted && strchr(SPACE, c)))
			continue;
		if (used + 1 == size)
			break;
		out[used++] = c;
	}
	out[used] = '\0';
	return used + 1 < size;
}

/* ---- options ------------------------------------------------------------------------ */

static const char *today(const char *name)
{
	for (size_t i = 0; i < WS_COUNT(aliases); i++) {
		if (strcmp(aliases[i].old, name) == 0)
			return aliases[i].name;
	}
	return name;
}

static int find_option(const char *name)
{
	name = today(name);
	for (int i = 0; i < WS_GS_OPTIONS; i++) {
		if (strcmp(ws_gs_rows[i].name, name) == 0)
			return i;
	}
	return -1;
}

static int compare_option(const void *name, const void *row)
{
	return strcmp(name, ((const struct ws_gs_unmodelled *)row)->name);
}

static const char *name_at(size_t i, const void *context)
{
	(void)context;
	return i < WS_GS_OPTIONS ? ws_gs_rows[i].name
				 : ws_gs_unmodelled[i - WS_GS_OPTIONS].name;
}

/* Once for each; true if it has not been said, and there is room. */
static bool first_time(struct ws_gs *r, const struct ws_gs_word *word)
{
	for (size_t i = 0; i < r->warnings; i++) {
		if (r->warned[i].len == word->len &&
		    memcmp(r->warned[i].at, word->at, word->len) == 0)
			return false;
	}
	if (r->warnings == WS_GS_WARNINGS)
		return false;
	r->warned[r->warnings++] = *word;
	if (r->warnings == WS_GS_WARNINGS)
		ws_gs_note(r, WS_NOTE_WARNING, word->line, "",
			   "%s:%zu: more that nobody knows is not listed", r->file, word->line);
	return r->warnings < WS_GS_WARNINGS;
}

static void unknown(struct ws_gs *r, const struct ws_gs_word *word)
{
	char name[80], shown[80];
	int nearest = -1;

	if (!r->notes || !first_time(r, word))
		return;
	if (spell(word, name, sizeof name))
		nearest = ws_nearest_name(name, WS_GS_OPTIONS + ws_gs_unmodelled_count,
					  name_at, NULL);
	ws_shown(name, shown, sizeof shown);
	if (nearest >= 0)
		ws_gs_note(r, WS_NOTE_WARNING, word->line, shown,
			   "%s:%zu: unknown option '%s': did you mean %s?", r->file, word->line,
			   shown, name_at((size_t)nearest, NULL));
	else
		ws_gs_note(r, WS_NOTE_WARNING, word->line, shown, "%s:%zu: unknown option '%s'",
			   r->file, word->line, shown);
}

static void stray(struct ws_gs *r, const struct ws_gs_word *word)
{
	char text[64], shown[64];

	if (!r->notes || !first_time(r, word))
		return;
	spell(word, text, sizeof text);
	ws_shown(text, shown, sizeof shown);
	ws_gs_note(r, WS_NOTE_WARNING, word->line, "", "%s:%zu: '%s' belongs to no option", r->file,
		   word->line, shown);
}

/* The value of an option that counts. */
static enum ws_status take_value(struct ws_gs *r, int o, const struct ws_gs_word *name,
				 struct ws_err *err)
{
	struct ws_gs_word value;
	enum ws_status status = next_word(r, &value, err);

	if (status != WS_OK)
		return status;
	if (!value.at || is_option(&value))
		return ws_fail(err, WS_EFORMAT, "%s:%zu: %s without a value", r->file, name->line,
			       ws_gs_rows[o].name);
	if (r->given[o].line)
		ws_gs_note(r, WS_NOTE_REMARK, name->line, ws_gs_rows[o].name,
			   "in line %zu%s%.200s too: the last one counts", r->given[o].line,
			   r->given[o].file == r->file ? "" : " of ",
			   r->given[o].file == r->file ? "" : r->given[o].file);
	if (!spell(&value, r->given[o].value, sizeof r->given[o].value))
		return ws_fail(err, WS_EFORMAT, "%s:%zu: %s: a value of %zu bytes: want %u at most",
			       r->file, value.line, ws_gs_rows[o].name, value.len,
			       WS_GS_VALUE - 1);
	r->given[o].line = value.line;
	r->given[o].file = r->file;
	return WS_OK;
}

/* The words up to the next option: what an option that does not count has for a value. */
static enum ws_status pass(struct ws_gs *r, const struct ws_gs_word *name, const char *spelt,
			   struct ws_err *err)
{
	const struct ws_gs_unmodelled *known =
		bsearch(today(spelt), ws_gs_unmodelled, ws_gs_unmodelled_count,
			sizeof *ws_gs_unmodelled, compare_option);
	bool config = strcmp(spelt, "-config") == 0;
	enum ws_status status = WS_OK;
	struct ws_gs_word value = { .at = "" };
	char text[WS_GS_VALUE] = "", shown[WS_GS_VALUE];

	if (!known && !config)
		unknown(r, name);
	for (size_t count = 0; status == WS_OK && value.at; count++) {
		const char *at = r->at;
		size_t line = r->line;

		status = next_word(r, &value, err);
		if (status != WS_OK || !value.at)
			break;
		if (is_option(&value)) {
			r->at = at;
			r->line = line;
			break;
		}
		if (count == 0)
			spell(&value, text, sizeof text);
		else if (known)
			stray(r, &value);
	}
	ws_shown(text, shown, sizeof shown);
	if (status == WS_OK && known) {
		struct ws_note *note = ws_gs_note(r, WS_NOTE_UNMODELLED, name->line, spelt, "%s",
						  shown);

		if (note)
			note->why = known->why;
	} else if (status == WS_OK && config && first_time(r, name))
		ws_gs_note(r, WS_NOTE_WARNING, name->line, spelt,
			   "%s:%zu: -config %.100s is not read: want its options in this file",
			   r->file, name->line, shown);
	return status;
}

/* ---- other files ------------------------------------------------------------------ */

static enum ws_status check_text(const char *name, const char *text, size_t len,
				 struct ws_err *err)
{
	const char *zero = len ? memchr(text, '\0', len) : NULL;

	if (len == 0)
		return ws_fail(err, WS_EFORMAT, "%s: an empty configuration", name);
	if (len > WS_CONF_MAX)
		return ws_fail(err, WS_EFORMAT, "%s: %zu bytes: want a configuration of at most %u",
			       name, len, WS_CONF_MAX);
	if (zero)
		return ws_fail(err, WS_EFORMAT, "%s: a zero byte at offset %zu: want text", name,
			       (size_t)(zero - text));
	return WS_OK;
}

/* Goes to the first word, behind a byte order mark. */
static void enter(struct ws_gs *r, const char *name, const char *text, size_t len)
{
	size_t mark = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	r->file = name;
	r->at = text + mark;
	r->end = text + len;
	r->line = 1;
}

static enum ws_status read_options(struct ws_gs *r, struct ws_err *err);

static enum ws_status read_other(struct ws_gs *r, const struct ws_gs_word *name, const char *path,
				 struct ws_err *err)
{
	struct ws_err why = { .status = WS_OK };
	const char *file = r->file, *at = r->at, *end = r->end;
	size_t line = r->line, len = 0, n = r->others;
	enum ws_status status;

	if (r->depth == WS_GS_DEPTH || n == WS_GS_FILES)
		return ws_fail(err, WS_EFORMAT, "%s:%zu: -config %s: want at most %u files, %u "
			       "deep: does it lead back to itself?", file, name->line, path,
			       WS_GS_FILES, WS_GS_DEPTH);
	r->other[n].path = ws_path_beside(file, path);
	r->others++;
	if (!r->other[n].path)
		return ws_fail_memory(err, "a path");
	if (ws_machine_regular_file(r->other[n].path, &r->other[n].text, &len, &why) != WS_OK)
		return ws_fail(err, WS_EFORMAT, "%s:%zu: -config %s: %s", file, name->line, path,
			       why.text);
	status = check_text(r->other[n].path, r->other[n].text, len, err);
	if (status != WS_OK)
		return status;
	enter(r, r->other[n].path, r->other[n].text, len);
	r->depth++;
	status = read_options(r, err);
	r->depth--;
	r->file = file;
	r->at = at;
	r->end = end;
	r->line = line;
	return status;
}

static enum ws_status config(struct ws_gs *r, const struct ws_gs_word *name, struct ws_err *err)
{
	char path[WS_GS_VALUE], shown[WS_GS_VALUE];
	struct ws_gs_word value;
	enum ws_status status = next_word(r, &value, err);

	if (status != WS_OK)
		return status;
	if (!value.at || is_option(&value))
		return ws_fail(err, WS_EFORMAT, "%s:%zu: -config without a value", r->file,
			       name->line);
	if (!spell(&value, path, sizeof path) ||
	    strcmp(path, ws_shown(path, shown, sizeof shown)) != 0)
		return ws_fail(err, WS_EFORMAT, "%s:%zu: -config: want a path of plain characters, "
			       "%u at most", r->file, name->line, WS_GS_VALUE - 2);
	return read_other(r, name, path, err);
}

static enum ws_status read_options(struct ws_gs *r, struct ws_err *err)
{
	enum ws_status status = WS_OK;
	struct ws_gs_word word = { .at = "" };
	char spelt[WS_GS_VALUE];

	while (status == WS_OK) {
		status = next_word(r, &word, err);
		if (status != WS_OK || !word.at)
			break;
		spell(&word, spelt, sizeof spelt);
		if (!is_option(&word))
			stray(r, &word);
		else if (find_option(spelt) >= 0)
			status = take_value(r, find_option(spelt), &word, err);
		else if (r->follow && strcmp(spelt, "-config") == 0)
			status = config(r, &word, err);
		else
			status = pass(r, &word, spelt, err);
	}
	return status;
}

/* ---- a file ------------------------------------------------------------------ */

/* Options left out are GPGPU-Sim's defaults, and that is said. */
static void fill_in(struct ws_gs *r)
{
	for (enum ws_gs_option o = 0; o < WS_GS_OPTIONS; o++) {
		const struct ws_gs_row *row = r->row + o;

		if (r->given[o].line)
			continue;
		snprintf(r->given[o].value, sizeof r->given[o].value, "%s", row->value);
		if (!row->quiet)
			ws_gs_note(r, WS_NOTE_REMARK, 0, row->name,
				   "left out: GPGPU-Sim's default %s", row->value);
	}
}

/* The options as keys of r->m, which has a name already. */
static void set_keys(struct ws_gs *r)
{
	struct ws_err why = { .status = WS_OK };

	r->m->sm_assign = WS_ASSIGN_DYNAMIC;
	for (enum ws_gs_option o = 0; o < WS_GS_OPTIONS && !r->status; o++) {
		if (r->row[o].to)
			r->row[o].to(r, o);
		else if (r->row[o].key)
			ws_gs_set(r, o, r->row[o].key, ws_gs_number(r, o));
	}
	for (enum ws_gs_option o = 0; o < WS_GS_OPTIONS && !r->status; o++) {
		if (r->row[o].ignored && ws_gs_number(r, o))
			ws_gs_warn(r, o, r->row[o].ignored);
	}
	if (!r->status && ws_machine_check(r->m, &why))
		ws_gs_bad(r, strncmp(why.text, "l2", 2) == 0 ? OPT_L2 : OPT_L1, why.text);
}

/* The file's name, or of a .../NAME/gpgpusim.config, as they come, its folder's. */
static void name_it(struct ws_machine *m, const char *file)
{
	static const char usual[] = "/gpgpusim.config";
	size_t len = strlen(file), n = sizeof usual - 1;
	const char *dot;
	char *folder;

	ws_machine_name(m, file);
	if (len > n && strcmp(file + len - n, usual) == 0 && (folder = ws_strdup(file))) {
		folder[len - n] = '\0';
		dot = strrchr(folder, '/');
		dot = dot ? dot + 1 : folder;
		if (*dot && *dot != '.')
			ws_machine_name(m, folder);
		free(folder);
	}
	memcpy(m->title, m->name, sizeof m->name);
}

bool ws_gpgpusim_recognise(const char *text, size_t len)
{
	struct ws_gs r = { .file = "" };
	struct ws_gs_word word;

	if (len == 0)
		return false;
	enter(&r, "", text, len);
	return next_word(&r, &word, NULL) == WS_OK && word.at && is_option(&word);
}

static enum ws_status read_machine(struct ws_gs *r, const char *name, struct ws_err *err)
{
	enum ws_status status = read_options(r, err);

	if (status != WS_OK)
		return status;
	fill_in(r);
	name_it(r->m, name);
	set_keys(r);
	status = r->status;
	if (status == WS_OK && r->no_memory)
		status = ws_fail_memory(err, "what there is to say of a configuration");
	r->m->l1.given = r->m->l2.given = r->m->given = 0;
	return status;
}

static enum ws_status read_text(struct ws_machine *m, const char *text, size_t len,
				const char *name, bool follow, struct ws_notes *notes,
				struct ws_err *err)
{
	struct ws_machine fresh;
	struct ws_gs r = { .row = ws_gs_rows, .m = &fresh, .notes = notes, .follow = follow,
			   .err = err };
	enum ws_status status = check_text(name, text, len, err);

	if (status != WS_OK)
		return status;
	memset(&fresh, 0, sizeof fresh);
	enter(&r, name, text, len);
	status = read_machine(&r, name, err);
	for (size_t i = 0; i < r.others; i++) {
		free(r.other[i].path);
		free(r.other[i].text);
	}
	if (status == WS_OK)
		*m = fresh;
	return status;
}

enum ws_status ws_gpgpusim_read(struct ws_machine *m, const char *text, size_t len,
				const char *name, struct ws_notes *notes, struct ws_err *err)
{
	return read_text(m, text, len, name, false, notes, err);
}

enum ws_status ws_gpgpusim_load(struct ws_machine *m, const char *text, size_t len,
				const char *path, struct ws_notes *notes, struct ws_err *err)
{
	return read_text(m, text, len, path, true, notes, err);
}
