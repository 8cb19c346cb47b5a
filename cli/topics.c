/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/topics.c -- lists that `warpstack help NAME` prints: formats, policies, counters, ...
 */
#include "cli/cli.h"
#include "validate/counters.h"

#include <string.h>

void cli_help_figures(FILE *file)
{
	for (size_t i = 0; ws_figures[i]; i++)
		cli_entry(file, ws_figures[i]->name, ws_figures[i]->summary);
}

void cli_help_formats(FILE *file)
{
	for (size_t i = 0; cli_format_name(i); i++)
		cli_entry(file, cli_format_name(i), cli_format_summary(i));
}

static void help_formats(FILE *file)
{
	fputs("Formats of traces, for --from and convert --to (warpstack-formats(5)):\n\n", file);
	cli_help_formats(file);
	fputs("\nFormats of rows, for --format: table, tsv, csv, json, md.\n"
	      "Besides: predict --format callgrind or ncu-csv, simulate --cycles --format "
	      "gpgpusim.\n", file);
}

static void help_policies(FILE *file)
{
	char form[CLI_POLICY_FORM], text[128];

	fputs("What l1.policy and l2.policy may be, with parameters after a colon.  Errors are of "
	      "the\nmiss ratio, in points, as measured against the simulator.\n\n", file);
	for (size_t i = 0; ws_policies[i]; i++) {
		const struct ws_policy *p = ws_policies[i];

		cli_policy_form(p, form, sizeof form);
		cli_entry(file, form, p->summary);
		snprintf(text, sizeof text, "%s%s", ws_basis_names[p->basis],
			 p->variant ? "; a variant, not in `all`" : "");
		if (p->basis == WS_APPROX && p->max_pp > 0)
			snprintf(text, sizeof text, "%s: %.2f in the mean, %.2f at most%s",
				 ws_basis_names[p->basis], p->mean_pp, p->max_pp,
				 p->variant ? "; a variant, not in `all`" : "");
		cli_entry_more(file, text);
	}
}

static void help_counters(FILE *file)
{
	char text[512];

	fputs("Counters, and which of the profilers' counters they are:\n\n", file);
	for (unsigned i = 0; i < WS_COUNTERS; i++) {
		cli_entry(file, ws_counter_rows[i].name, ws_counter_rows[i].meaning);
		for (const struct ws_counters_name *c = ws_counters_names; c->name; c++)
			if (c->counter == i)
				cli_entry_more(file, cli_counter_form(c, text, sizeof text));
	}
}

const struct cli_topic cli_topics[] = {
	{ cli_columns_name, "the columns of all tables", cli_help_columns },
	{ "keys", "what can be changed about a machine", cli_help_keys },
	{ "formats", "of traces and of rows", help_formats },
	{ "policies", "replacement policies, and how well each is predicted", help_policies },
	{ "counters", "of profilers", help_counters },
	{ "figures", "what `warpstack plot` draws", cli_help_figures },
	{ 0 },
};

const struct cli_topic *cli_topic_find(const char *name)
{
	for (const struct cli_topic *t = cli_topics; t->name; t++)
		if (strcmp(t->name, name) == 0)
			return t;
	return NULL;
}

static const char *topic_name(size_t i, const void *context)
{
	return ((const struct cli_topic *)context)[i].name;
}

const struct cli_topic *cli_topic_nearest(const char *name)
{
	int nearest = ws_nearest_name(name, WS_COUNT(cli_topics) - 1, topic_name, cli_topics);

	return nearest < 0 ? NULL : &cli_topics[nearest];
}
