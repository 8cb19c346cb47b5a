/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study/options.c -- the query's machines, and messages to the caller.
 */
#include "study/private.h"

#include <stdlib.h>
#include <string.h>

#define TEXT 1024

void ws_study_detail(const struct ws_study_options *o, const char *fmt, ...)
{
	char text[TEXT];
	va_list ap;

	if (!o->detail)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	o->detail(o->context, text);
}

enum ws_status ws_study_load(const struct ws_study_options *o, const char *name, bool say,
			     struct ws_machine *m, struct ws_err *err)
{
	struct ws_notes notes = { 0 };
	enum ws_status status = ws_machine_load_notes(m, name, &notes, err);

	if (status == WS_OK)
		status = ws_policy_loaded(o, m, name, err);
	for (size_t i = 0; say && i < notes.count && status == WS_OK; i++) {
		const struct ws_note *n = &notes.note[i];

		if (n->kind != WS_NOTE_WARNING)
			ws_study_detail(o, "%s %s%s%s", n->option, n->text,
					n->why ? ": not modelled: " : "", n->why ? n->why : "");
		else if (o->note)
			o->note(o->context, n->text);
	}
	ws_notes_clear(&notes);
	return status;
}

enum ws_status ws_study_set(struct ws_machine *m, const struct ws_list *set, struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t i = 0; i < set->count && status == WS_OK; i++)
		status = ws_machine_set(m, set->item[i], err);
	return status;
}

enum ws_status ws_study_settle(struct ws_machine *m, struct ws_err *err)
{
	enum ws_status status = ws_machine_check(m, err);

	return status == WS_OK ? ws_policy_check(m, err) : status;
}

enum ws_status ws_study_machine(const struct ws_study_options *o, struct ws_machine *m,
				struct ws_err *err)
{
	enum ws_status status = ws_study_load(o, o->machine ? o->machine : WS_MACHINE_DEFAULT,
					      false, m, err);

	if (status == WS_OK)
		status = ws_study_set(m, &o->set, err);
	if (status == WS_OK && !o->band)
		status = ws_machine_single(m, err);
	return status == WS_OK ? ws_study_settle(m, err) : status;
}

const struct ws_key *ws_assigned_key(const char *assignment)
{
	char name[WS_NAME_MAX];
	size_t from = strspn(assignment, " \t"), len = strcspn(assignment + from, "= \t");

	if (len >= sizeof name)
		return NULL;
	memcpy(name, assignment + from, len);
	name[len] = '\0';
	return ws_key_find(name);
}

/* ---- kernels ------------------------------------------------------------- */

/* The number of the kernel; count: there is none. */
static size_t number_of(const struct ws_study_kernels *k, const char *name)
{
	size_t i = 0;

	while (i < k->count && strcmp(k->name[i], name) != 0)
		i++;
	return i;
}

enum ws_status ws_study_kernels_find(struct ws_study_kernels *k, const struct ws_trace *trace,
				     const struct ws_profile *profile, struct ws_err *err)
{
	size_t count = trace ? ws_trace_launches(trace) : profile->sections;

	*k = (struct ws_study_kernels){ .name = ws_alloc(count + 1, sizeof *k->name),
					.demand = ws_alloc(count + 1, sizeof *k->demand) };
	if (!k->name || !k->demand)
		return ws_fail_memory(err, "the kernels' names");
	for (size_t i = 0; i < count; i++) {
		const char *name = trace ? ws_trace_launch(trace, i)->kernel
					 : profile->section[i].kernel;
		struct ws_demand d = trace ? ws_launch_demand(ws_trace_launch(trace, i))
					   : profile->section[i].demand;
		size_t at = number_of(k, name);

		if (at < k->count) {
			ws_demand_add(&k->demand[at], d);
			continue;
		}
		k->demand[at] = d;
		k->name[k->count++] = name;
	}
	return WS_OK;
}

enum ws_status ws_study_kernel_machine(const struct ws_study_kernels *k, size_t i,
				       const struct ws_machine *m, struct ws_machine *out,
				       struct ws_err *err)
{
	return ws_machine_adapt(m, &k->demand[i], out, err);
}

bool ws_study_kernels_only(struct ws_study_kernels *k, const char *name)
{
	for (size_t i = 0; i < k->count; i++) {
		if (strcmp(k->name[i], name) == 0) {
			k->name[0] = k->name[i];
			k->demand[0] = k->demand[i];
			k->count = 1;
			return true;
		}
	}
	return false;
}

void ws_study_kernels_clear(struct ws_study_kernels *k)
{
	free(k->name);
	free(k->demand);
	*k = (struct ws_study_kernels){ 0 };
}
