/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/output.c -- output to -o or standard output, all or nothing.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct ws_option cli_report[] = { CLI_OPT_REPORT(CLI_FORMATS, CLI_FORMATS_HELP), { 0 } };

void cli_put_quoted(struct ws_buf *buf, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=:,./+@%";

	if (*text && text[strspn(text, plain)] == '\0') {
		ws_put_bytes(buf, text, strlen(text));
		return;
	}
	ws_put_u8(buf, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			ws_put_bytes(buf, "'\\''", 4);
		else
			ws_put_u8(buf, (uint8_t)*text);
	}
	ws_put_u8(buf, '\'');
}

/* Parts' lines are those of the whole.  *i: moved over the option's argument. */
static bool names_part(const struct cli_call *call, int *i)
{
	static const char option[] = "--part";
	const char *text = call->argv[*i];
	size_t len = strlen(option);

	if (!call->parts || strncmp(text, option, len) != 0 || (text[len] && text[len] != '='))
		return false;
	*i += !text[len];
	return true;
}

char *cli_provenance(const struct cli_call *call, const struct ws_study_plan *plan)
{
	struct ws_buf buf = { 0 };
	char seed[40], machine[WS_NAME_MAX + 16] = "";

	ws_put_bytes(&buf, "warpstack " WS_VERSION, strlen("warpstack " WS_VERSION));
	for (int i = 0; i < call->argc; i++) {
		if (names_part(call, &i))
			continue;
		ws_put_u8(&buf, ' ');
		cli_put_quoted(&buf, call->argv[i]);
	}
	snprintf(seed, sizeof seed, " seed=%" PRIu64, call->seed);
	ws_put_bytes(&buf, seed, strlen(seed));
	if (plan && plan->machine_vary == plan->varies)
		snprintf(machine, sizeof machine, " machine=%s", plan->machine.name);
	ws_put_bytes(&buf, machine, strlen(machine) + 1);
	if (!buf.failed)
		return (char *)buf.data;
	ws_buf_clear(&buf);
	return NULL;
}

/* ---- rows ------------------------------------------------------------------ */

static enum ws_format format_of(const struct cli_options *o)
{
	bool standard = !o->output || strcmp(o->output, "-") == 0;
	enum ws_format format;

	if (ws_format_parse(o->format, &format))
		return format;
	return standard && !o->part && isatty(STDOUT_FILENO) ? WS_ALIGNED : WS_TSV;
}

bool cli_aligned(const struct cli_call *call)
{
	const struct cli_options *o = call->options;

	return !o->output && format_of(o) == WS_ALIGNED;
}

static struct ws_table_options table_options(const struct cli_call *call)
{
	const struct cli_options *o = call->options;
	enum ws_format format = format_of(o);

	return (struct ws_table_options){
		.format = format, .columns = o->columns, .sort = o->sort, .where = &o->where,
		.top = o->top, .others = "--columns all",
		.remarks = format == WS_TSV || o->provenance, .goes_on = call->part > 1,
	};
}

/* A table's own complaint is about an option. */
static enum ws_status complain(const struct cli_call *call, enum ws_status status,
			       const struct ws_err *inner, struct ws_err *err)
{
	if (status == WS_EINVAL)
		return cli_usage(call->command, err, "%s", inner->text);
	return status == WS_OK ? WS_OK : ws_fail(err, status, "%s", inner->text);
}

/* All columns that any table may have, those of keys too.  Caller frees. */
static struct ws_field *all_fields(struct ws_column **keys, size_t *count)
{
	struct ws_field *field;
	size_t n = 0;

	while (ws_keys[n].name)
		n++;
	*keys = ws_alloc(n, sizeof **keys);
	field = ws_alloc(WS_COLS + n, sizeof *field);
	*count = field && *keys ? WS_COLS + n : 0;
	for (size_t i = 0; i < *count; i++) {
		const struct ws_column *column = &ws_columns[i < WS_COLS ? i : 0];

		if (i >= WS_COLS) {
			(*keys)[i - WS_COLS] = ws_column_of_key(&ws_keys[i - WS_COLS]);
			column = &(*keys)[i - WS_COLS];
		}
		field[i] = (struct ws_field){ (unsigned)i, column };
	}
	return field;
}

enum ws_status cli_report_check(const struct cli_call *call, struct ws_err *err)
{
	const struct cli_options *o = call->options;
	struct ws_table_options options = table_options(call);
	struct ws_err inner = { 0 };
	struct ws_column *keys;
	struct ws_field *field;
	struct ws_table *t = NULL;
	size_t fields;
	enum ws_status status = WS_OK;

	if (!o->columns && !o->sort && !o->where.count)
		return WS_OK;
	field = all_fields(&keys, &fields);
	options.format = WS_JSON; /* no header is written */
	status = fields ? ws_table_new(&t, stdout, field, fields, &options, &inner)
			: ws_fail_memory(&inner, "the columns");
	ws_table_free(t);
	free(field);
	free(keys);
	return complain(call, status, &inner, err);
}

/* The varied keys, then the columns in the schema's order. */
static enum ws_status set_fields(struct cli_report *r, const struct ws_study_plan *plan,
				 const enum ws_col *column, size_t columns,
				 struct ws_field **field, size_t *fields, struct ws_err *err)
{
	size_t varies = plan ? plan->shown : 0;
	bool has[WS_COLS] = { false };

	r->key = ws_alloc(varies, sizeof *r->key);
	*field = ws_alloc(varies + columns, sizeof **field);
	*fields = 0;
	if (!r->key || !*field)
		return ws_fail_memory(err, "the columns");
	for (size_t v = 0; v < varies; v++) {
		r->key[v] = ws_column_of_key(plan->vary[v].key);
		(*field)[(*fields)++] = (struct ws_field){ WS_COL_VARIED(v), &r->key[v] };
	}
	for (size_t i = 0; i < columns; i++)
		has[column[i]] = true;
	if (plan && plan->machine_vary < plan->varies) /* it is a varied key already */
		has[WS_COL_MACHINE] = false;
	for (unsigned i = 0; i < WS_COLS; i++)
		if (has[i])
			(*field)[(*fields)++] = (struct ws_field){ i, &ws_columns[i] };
	return WS_OK;
}

static enum ws_status begin_table(struct cli_report *r, const struct cli_call *call,
				  const struct ws_study_plan *plan,
				  const struct ws_field *field, size_t fields, struct ws_err *err)
{
	struct ws_table_options options = table_options(call);
	bool wanted = options.remarks && !call->options->no_provenance &&
		      !options.goes_on;
	char *provenance = wanted ? cli_provenance(call, plan) : NULL;
	struct ws_err inner = { 0 };
	enum ws_status status;

	if (wanted && !provenance)
		return ws_fail_memory(err, "the provenance line");
	options.provenance = provenance;
	status = ws_table_new(&r->table, r->out.file, field, fields, &options, &inner);
	free(provenance);
	return complain(call, status, &inner, err);
}

enum ws_status cli_report_begin(struct cli_report *r, struct cli_call *call,
				const struct ws_study_plan *plan, const enum ws_col *column,
				size_t columns, struct ws_err *err)
{
	enum ws_status status = cli_out_open(&r->out, call, call->options->output, err);
	struct ws_field *field = NULL;
	size_t fields = 0;

	if (status != WS_OK)
		return status;
	r->begun = true;
	r->call = call;
	status = set_fields(r, plan, column, columns, &field, &fields, err);
	if (status == WS_OK)
		status = begin_table(r, call, plan, field, fields, err);
	free(field);
	return status;
}

void cli_report_remark(struct cli_report *r, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!ws_table_remark(r->table, text))
		cli_note(r->call, "%s", text);
}

enum ws_status cli_report_end(struct cli_report *r, enum ws_status status, struct ws_err *err)
{
	if (!r->begun)
		return status;
	r->begun = false;
	if (status == WS_OK)
		status = ws_table_end(r->table, err);
	if (status == WS_OK)
		status = ws_out_commit(&r->out, err);
	if (status == WS_OK && cli_aligned(r->call) && ws_table_all_left_out(r->table))
		cli_note(r->call, "no row is what --where asks for");
	ws_out_abort(&r->out);
	ws_table_free(r->table);
	free(r->key);
	*r = (struct cli_report){ 0 };
	return status;
}

enum ws_status cli_binary_open(struct ws_out *out, const struct cli_call *call, const char *what,
			       struct ws_err *err)
{
	const char *path = call->options->output;

	if ((!path || strcmp(path, "-") == 0) && isatty(STDOUT_FILENO))
		return cli_usage(call->command, err,
				 "a %s is binary and standard output is a terminal: "
				 "want -o FILE or a pipe", what);
	return cli_out_open(out, call, path, err);
}
