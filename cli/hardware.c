/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/hardware.c -- which launches of a data set are run, and what is said of the others.
 */
#include "cli/hardware.h"

#include <inttypes.h>
#include <string.h>

const char *const cli_level_words[WS_SET_LEVELS] = { "L1", "L2" };

struct ws_hardware_options cli_hardware_options(struct cli_call *call, const char *machines)
{
	const struct cli_launches *o = (const void *)call->options;

	return (struct ws_hardware_options){
		.study = cli_ask(call), .machines = machines, .state = o->state, .gpu = o->gpu,
		.kernel = o->kernel, .rows = o->rows, .quick = o->quick, .all = o->all,
		.budget = o->budget > 0 ? o->budget : CLI_LAUNCH_BUDGET,
		.seconds = cli_kernel_seconds(call), .keep = true,
	};
}

void cli_hardware_levels(const struct cli_call *call, bool level[WS_SET_LEVELS])
{
	const char *asked = call->options->level ? call->options->level : "all";

	for (unsigned l = 0; l < WS_SET_LEVELS; l++)
		level[l] = strcmp(asked, "all") == 0 || strcmp(asked, ws_set_level_names[l]) == 0;
}

/* ---- what is read ----------------------------------------------------------------------- */

/* The machine of a GPU, in the set or in a folder of others. */
static enum ws_status reads_machine(struct cli_call *call, const struct ws_data_set *set,
				    const char *machines, const char *value, struct ws_err *err)
{
	const char *slash = strrchr(value, '/');
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", machines ? machines : set->base,
		 machines && slash ? slash + 1 : value);
	return cli_reads(call, path, err);
}

enum ws_status cli_hardware_reads(struct cli_call *call, const struct ws_data_set *set,
				  const char *machines, struct ws_err *err)
{
	enum ws_status status = cli_reads(call, set->conf, err);

	for (size_t i = 0; i < set->tables && status == WS_OK; i++)
		status = cli_reads(call, set->table[i].path, err);
	for (size_t i = 0; i < set->sections; i++) {
		const struct ws_set_section *s = &set->section[i];

		for (size_t k = 0; k < s->entries && status == WS_OK; k++) {
			const struct ws_set_entry *e = &s->entry[k];

			if (strncmp(e->key, "machine", 7) == 0) {
				status = reads_machine(call, set, NULL, e->value, err);
				if (status == WS_OK && machines)
					status = reads_machine(call, set, machines, e->value, err);
			} else if (strcmp(s->kind, "kernel") == 0 &&
				   strcmp(e->key, "source") == 0) {
				status = reads_machine(call, set, NULL, e->value, err);
			}
		}
	}
	return status;
}

/* ---- what is not run -------------------------------------------------------------------- */

enum ws_status cli_hardware_any(const struct cli_call *call, const struct ws_hardware *h,
				struct ws_err *err)
{
	return h->rows ? WS_OK
		: ws_fail(err, WS_EINVAL, "%s has no such launch: want a GPU and a kernel "
			  "of its tables, and rows that are there (--gpu, --kernel, --rows, "
			  "--quick)", call->operands.item[0]);
}

void cli_hardware_left(const struct cli_call *call, const struct ws_hardware *h)
{
	if (h->too_large)
		cli_note(call, "%" PRIu64 " of %" PRIu64 " launches are not run, as they make "
			 "too many requests (--budget)", h->too_large, h->rows);
	if (h->no_machine)
		cli_note(call, "%" PRIu64 " of %" PRIu64 " launches are not run, as set.conf "
			 "has no machine for their GPU", h->no_machine, h->rows);
	if (h->no_kernel)
		cli_note(call, "%" PRIu64 " of %" PRIu64 " launches are not run, as set.conf "
			 "has no launch for their kernel", h->no_kernel, h->rows);
	if (h->not_scored)
		cli_note(call, "%" PRIu64 " of %" PRIu64 " launches are not run, as set.conf "
			 "leaves them out%s", h->not_scored, h->rows,
			 cli_has_option(call->command, "all") ? " (--all)" : "");
}

void cli_hardware_source(struct cli_report *r, const struct ws_data_set *set)
{
	cli_report_remark(r, "%s; %s; %s", ws_set_value(set->section, "title"),
			  ws_set_value(set->section, "licence"),
			  ws_set_value(set->section, "attribution"));
}
