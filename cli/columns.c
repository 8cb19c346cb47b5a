/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/columns.c -- the columns of all tables, explained: `warpstack help columns`.
 */
#include "cli/cli.h"

#include <string.h>

#define NAME 26u

const char cli_columns_name[] = "columns";

const char cli_columns_introduction[] =
	"A column means the same in every command that has it, and stands in the same place: "
	"varied keys (--vary) first, then the columns in the order of this list.  Counts and "
	"reals are numbers; a missing value is empty in tsv, csv, md and aligned tables, and null "
	"in json: it is never 0 and never a dash.";

static void put_column(FILE *file, const struct ws_column *c)
{
	int n = fprintf(file, "  %s", c->name);

	if (n + 2 > (int)NAME) {
		fputc('\n', file);
		n = 0;
	}
	fprintf(file, "%*s", (int)NAME - n, "");
	cli_wrap(file, c->meaning, NAME, NAME);
	fprintf(file, "%*s%s", (int)NAME, "", ws_column_types[c->type]);
	if (c->unit)
		fprintf(file, ", in %s", c->unit);
	fputc('\n', file);
	if (c->formula) {
		fprintf(file, "%*s= ", (int)NAME, "");
		cli_wrap(file, c->formula, NAME + 2, NAME + 2);
	}
	if (c->when) {
		fprintf(file, "%*sin: ", (int)NAME, "");
		cli_wrap(file, c->when, NAME + 4, NAME + 4);
	}
}

void cli_help_columns(FILE *file)
{
	cli_wrap(file, cli_columns_introduction, 0, 0);
	for (const struct ws_column_group *g = ws_column_groups; g->title; g++) {
		fprintf(file, "\n%s:\n", g->title);
		for (unsigned i = g[0].first; i < (unsigned)g[1].first; i++)
			put_column(file, &ws_columns[i]);
	}
}
