/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stackdist/profile_chunks.c -- distances of chunks and sectors in a profile file, and what must
 * hold of them.
 */
#include "stackdist/profile_file.h"

#include "stackdist/profile.h"

void ws_chunked_put(struct ws_buf *raw, const struct ws_section *s)
{
	ws_put_var(raw, s->chunkeds);
	for (size_t i = 0; i < s->chunkeds; i++) {
		ws_put_var(raw, s->chunked[i].sets);
		for (unsigned j = 0; j < WS_FORMS * WS_KINDS; j++)
			ws_histogram_put(raw, s->chunked[i].kind[j / WS_KINDS] + j % WS_KINDS,
					 false, false);
	}
}

/* A set count of lines of 128 B that the profile has; ascending; in all sections the same. */
static bool sets_hold(const struct ws_profile_reader *r, const struct ws_section *s, size_t i)
{
	const struct ws_section *first = r->profile->section;
	const struct ws_chunked *c = s->chunked + i;

	return ws_section_geometry(s, WS_GRAIN_LINE, c->sets) &&
	       (i == 0 || c->sets > c[-1].sets) &&
	       (s == first || c->sets == first->chunked[i].sets);
}

/* The requests are those of the lines, and what is not finite does not depend on the sets. */
static const char *check_form(const struct ws_profile *p, const struct ws_section *s, size_t i,
			      unsigned form)
{
	const struct ws_chunked *c = s->chunked + i;
	const struct ws_geometry *g = ws_section_geometry(s, WS_GRAIN_LINE, c->sets);
	const struct ws_cache *l1 = &p->machine.l1;
	bool there = form != WS_FORM_SECTORS || l1->sector_bytes >= l1->line_bytes;

	for (unsigned kind = 0; kind < WS_KINDS; kind++) {
		const struct ws_histogram *h = c->kind[form] + kind;
		const struct ws_histogram *other = i ? c[-1].kind[form] + kind : h;

		if (h->requests != (there ? g->kind[kind].requests : 0))
			return "the requests of chunks are not those of lines";
		if (h->cold != other->cold || h->uncached != other->uncached)
			return "what is cold in chunks depends on the number of sets";
		if (form != WS_FORM_SECTORS && h->len > WS_CHUNK_LINES + 1)
			return "chunks at a distance of more lines than are told apart";
	}
	return NULL;
}

enum ws_status ws_chunked_get(struct ws_profile_reader *r, struct ws_section *s)
{
	uint64_t count = ws_get_var(&r->c);
	enum ws_status status;

	if (count == 0 || count > s->geometries ||
	    (s > r->profile->section && count != r->profile->section->chunkeds))
		return ws_reader_bad(r, "chunks at no set count, at more than there are, or at as many "
				     "as depend on the kernel");
	status = ws_reader_alloc(r, &s->chunked, (size_t)count, sizeof(*s->chunked));
	if (status)
		return status;
	for (s->chunkeds = 0; s->chunkeds < count && !status;) {
		struct ws_chunked *c = s->chunked + s->chunkeds++;

		c->sets = ws_get_var(&r->c);
		if (!sets_hold(r, s, s->chunkeds - 1))
			return ws_reader_bad(r, "chunks at a set count that does not suit");
		for (unsigned j = 0; j < WS_FORMS * WS_KINDS && !status; j++)
			status = ws_histogram_get(r, c->kind[j / WS_KINDS] + j % WS_KINDS, false,
						  false);
		for (unsigned j = 0; j < WS_FORMS && !status; j++) {
			const char *wrong = check_form(r->profile, s, s->chunkeds - 1, j);

			status = wrong ? ws_reader_bad(r, wrong) : WS_OK;
		}
	}
	return status;
}
