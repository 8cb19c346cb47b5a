/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/profile_parts.c -- a profile in parts: what each part finds that is not in its file, and how
 * they are put together.
 *
 * A part's notes are bytes: how the whole is split (enum ws_split), then of each section how its
 * sites are told apart (enum ws_site_level).  A part that has nothing to do writes no notes and no
 * profile.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <unistd.h>

enum ws_status cli_profile_part(const struct cli_call *call, const struct ws_profile *p,
				enum ws_split how, struct ws_err *err)
{
	struct ws_buf notes = { 0 };
	enum ws_status status = WS_OK;

	ws_put_u8(&notes, (uint8_t)how);
	for (size_t i = 0; i < p->sections; i++)
		ws_put_u8(&notes, (uint8_t)p->section[i].sites_level);
	if (notes.failed)
		status = ws_fail_memory(err, "a part's notes");
	else if (write(call->asked->notes, notes.data, notes.len) != (ssize_t)notes.len)
		status = ws_fail(err, WS_EIO, "a part's notes cannot be written");
	ws_buf_clear(&notes);
	return status;
}

static enum ws_status read_notes(struct ws_profile *p, const struct ws_buf *notes,
				 enum ws_split *how, struct ws_err *err)
{
	bool good = notes->len == 1 + p->sections && notes->data[0] <= WS_SPLIT_LAUNCHES;

	for (size_t i = 0; i < p->sections && good; i++) {
		good = notes->data[1 + i] <= WS_SITES_NONE;
		p->section[i].sites_level = notes->data[1 + i];
	}
	if (!good)
		return ws_fail(err, WS_EFORMAT, "a part's notes do not fit its profile");
	*how = notes->data[0];
	return WS_OK;
}

/* A profile that was written. */
static enum ws_status read_part(struct ws_profile **out, const struct ws_buf *bytes,
				struct ws_err *err)
{
	struct ws_out written = { 0 };
	struct ws_in in = { 0 };
	enum ws_status status = ws_out_temporary(&written, err);

	if (status == WS_OK) {
		ws_out_write(&written, bytes->data, bytes->len);
		status = ws_in_written(&in, &written, "a part's profile", err);
	}
	if (status == WS_OK)
		status = ws_profile_read(out, &in, err);
	ws_in_close(&in);
	ws_out_abort(&written);
	return status;
}

/* The first part's machine stays. */
enum ws_status cli_profile_add(struct ws_profile **sum, const struct ws_buf *bytes,
			       const struct ws_buf *notes, struct ws_err *err)
{
	struct ws_profile *p = NULL;
	enum ws_split how = WS_SPLIT_NONE;
	enum ws_status status;

	if (!bytes->len)
		return WS_OK;
	status = read_part(&p, bytes, err);
	if (status == WS_OK)
		status = read_notes(p, notes, &how, err);
	if (status == WS_OK && *sum)
		status = how == WS_SPLIT_LAUNCHES ? ws_profile_append(*sum, p, err)
						  : ws_profile_merge(*sum, p, err);
	if (status == WS_OK && !*sum) {
		*sum = p;
		p = NULL;
	}
	ws_profile_free(p);
	return status;
}

static void tell_sites(const struct cli_call *call, const struct ws_profile *p)
{
	for (size_t i = 0; i < p->sections; i++)
		if (p->section[i].sites_level)
			cli_note(call, "%s: too many sites, or too large ones: those of all "
				 "arrays%s are counted together", p->section[i].kernel,
				 p->section[i].sites_level == WS_SITES_NONE ? " and lines" : "");
}

enum ws_status cli_profile_end(const struct cli_call *call, struct ws_profile *p,
			       struct ws_out *out, struct ws_err *err)
{
	tell_sites(call, p);
	return ws_profile_write(p, out, err);
}
