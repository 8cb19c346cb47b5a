/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/gpgpusim/write.c -- a machine as options of GPGPU-Sim 4.
 *
 * A fragment: it says what our keys say, and goes after a complete configuration of a like GPU,
 * whose values it overrides.  What no option can say is found by reading the fragment back, so
 * the comment that lists it is right by construction.
 */
#include "machine/gpgpusim/gpgpusim.h"

#include <inttypes.h>
#include <string.h>

static void put_option(struct ws_buf *buf, const struct ws_machine *m, const struct ws_gs_row *row)
{
	if (row->section)
		ws_gs_put(buf, "\n");
	if (row->from)
		row->from(buf, m, row->name);
	else if (row->written)
		ws_gs_put(buf, "%s %s\n", row->name, row->written);
	else if (row->key)
		ws_gs_put(buf, "%s %" PRIu64 "\n", row->name,
			  ws_key_number(m, ws_key_find(row->key)));
}

/* The keys that what was written reads back otherwise. */
static enum ws_status put_rest(struct ws_buf *buf, size_t from, const struct ws_machine *m,
			       struct ws_err *err)
{
	char mine[2 * WS_NAME_MAX], theirs[2 * WS_NAME_MAX];
	struct ws_machine back;
	unsigned count = 0;
	enum ws_status status;

	if (buf->failed)
		return ws_fail_memory(err, "a configuration");
	status = ws_gpgpusim_read(&back, (const char *)buf->data + from, buf->len - from,
				  "what was written", NULL, err);
	for (const struct ws_key *key = ws_keys; key->name && status == WS_OK; key++) {
		if (key->stage == WS_STAGE_LABEL)
			continue;
		ws_machine_get(m, key, mine, sizeof mine);
		ws_machine_get(&back, key, theirs, sizeof theirs);
		if (strcmp(mine, theirs) == 0)
			continue;
		if (count++ == 0)
			ws_gs_put(buf, "\n# What no option says, and what the options above say "
				  "instead:\n");
		ws_gs_put(buf, "#   %s = %s, not %s\n", key->name, mine, theirs);
	}
	if (status == WS_OK && buf->failed)
		return ws_fail_memory(err, "a configuration");
	return status;
}

enum ws_status ws_gpgpusim_write(const struct ws_machine *m, struct ws_buf *buf,
				 struct ws_err *err)
{
	size_t from = buf->len;

	ws_gs_put(buf, "# %s: %s\n# Options of GPGPU-Sim 4, written by warpstack.  They go after a "
		  "complete configuration of\n# a like GPU: the last value of an option counts.\n",
		  m->name, m->title);
	for (enum ws_gs_option o = 0; o < WS_GS_OPTIONS; o++)
		put_option(buf, m, ws_gs_rows + o);
	return put_rest(buf, from, m, err);
}
