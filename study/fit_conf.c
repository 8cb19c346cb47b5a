/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/fit_conf.c -- the fitted machine as a .conf file, with the evidence in comments.
 */
#include "study/fit_private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FITTED ", fitted"
#define TITLE_MAX 128u		/* with "title = " */

static enum ws_status put_errors(const struct ws_fit *fit, struct ws_buf *text, struct ws_err *err)
{
	static const char *const words[WS_FIT_WAYS] = {
		"at the start", "fitted", "fitted, in its own order",
		"of each kernel, fitted without it", "of each GPU, fitted without it",
	};
	enum ws_status status = WS_OK;
	const char *between = "";

	ws_put_printf(text, "# Mean absolute error of hit rates, in points: ");
	for (unsigned w = 0; w < WS_FIT_WAYS && status == WS_OK; w++) {
		struct ws_agreement a;

		status = ws_fit_errors(fit, (enum ws_fit_way)w, NULL, &a, err);
		if (status != WS_OK || !a.count)
			continue;
		ws_put_printf(text, "%s%s %.2f", between, words[w], a.mean_abs);
		between = "; ";
	}
	ws_put_printf(text, ".\n");
	return status;
}

static enum ws_status put_head(const struct ws_fit *fit, const struct ws_data_set *set,
			       struct ws_buf *text, struct ws_err *err)
{
	ws_put_printf(text, "# Machine %s, fitted to: %s.\n", fit->start.name,
		      ws_set_value(set->section, "title"));
	ws_put_printf(text, "# Licence: %s.\n", ws_set_value(set->section, "licence"));
	ws_put_printf(text, "# Attribution: %s.\n", ws_set_value(set->section, "attribution"));
	ws_put_printf(text, "# %" PRIu64 " launches, %zu hit rates%s; GPUs:", fit->launches,
		      fit->points, fit->trivial ? ", all trivial" : "");
	for (size_t i = 0; ws_fit_gpu(fit, i); i++)
		ws_put_printf(text, " %s", ws_fit_gpu(fit, i));
	ws_put_printf(text, ".\n");
	ws_put_printf(text, "# %" PRIu64 " of %" PRIu64 " combinations of the free keys' values "
		      "were tried.\n", fit->tried, fit->combinations);
	ws_put_printf(text, "# Errors below %.2f points, the noise, tell nothing.\n", fit->noise);
	return put_errors(fit, text, err);
}

/* The value that comes nearest to the fitted one. */
static size_t next_best(const struct ws_fit *fit, size_t k)
{
	const struct ws_fit_key *key = &fit->key[k];
	size_t next = key->fitted;

	for (size_t i = 0; i < fit->vary[k].count; i++)
		if (i != key->fitted && !isnan(key->value[i].error) &&
		    (next == key->fitted || key->value[i].error < key->value[next].error))
			next = i;
	return next;
}

static void put_evidence(const struct ws_fit *fit, size_t k, struct ws_buf *text)
{
	const struct ws_vary *v = &fit->vary[k];
	const struct ws_fit_key *key = &fit->key[k];
	bool stays = key->fitted == key->start;
	size_t next = next_best(fit, k);

	ws_put_printf(text, "# %s: %s.  Least error with %s: %.2f points", v->key->name,
		      stays && key->determined == WS_DETERMINED_NO
			? "not determined; the start's value stays"
			: stays && key->best != key->start
			? "not told from the best; the start's value stays"
			: stays ? "fitted, as at the start" : "fitted",
		      v->value[key->fitted], key->value[key->fitted].error);
	if (!stays)
		ws_put_printf(text, "; with %s, the start: %.2f", v->value[key->start],
			      key->value[key->start].error);
	if (next != key->fitted && (stays || next != key->start))
		ws_put_printf(text, "; with %s, the next: %.2f", v->value[next],
			      key->value[next].error);
	ws_put_printf(text, ".\n");
}

/* The line of the free key, or fit->keys. */
static size_t free_key(const struct ws_fit *fit, const char *line)
{
	size_t len = strcspn(line, " "), k = 0;

	while (k < fit->keys && (strlen(fit->vary[k].key->name) != len ||
				 strncmp(fit->vary[k].key->name, line, len) != 0))
		k++;
	return k;
}

enum ws_status ws_fit_conf(const struct ws_fit *fit, const struct ws_data_set *set,
			   struct ws_buf *text, struct ws_err *err)
{
	struct ws_buf all = { 0 };
	enum ws_status status = put_head(fit, set, text, err);
	const char *line;

	ws_machine_write(&fit->fitted, &all);
	ws_put_u8(&all, 0);
	if (all.failed)
		status = ws_fail_memory(err, "the machine");
	line = (const char *)all.data;
	for (size_t len; status == WS_OK && *line; line += len) {
		size_t k = free_key(fit, line);

		len = strcspn(line, "\n") + 1;
		if (strncmp(line, "name = ", 7) == 0) /* the file's is */
			continue;
		if (strncmp(line, "title = ", 8) == 0 && len + strlen(FITTED) < TITLE_MAX) {
			ws_put_bytes(text, line, len - 1);
			ws_put_bytes(text, FITTED "\n", strlen(FITTED "\n"));
			continue;
		}
		if (k < fit->keys)
			put_evidence(fit, k, text);
		ws_put_bytes(text, line, len);
	}
	ws_buf_clear(&all);
	if (status == WS_OK && text->failed)
		status = ws_fail_memory(err, "the machine");
	return status;
}
