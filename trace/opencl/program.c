/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/program.c -- programs: their source and the options they are built with.
 *
 * The platform builds every program too: it answers queries and logs, and runs what we cannot.
 * Ours are compiled when a kernel of theirs is first enqueued, once for the same source
 * and options, however many programs are made of them.  Programs from binaries or intermediate
 * code, and those compiled and linked in two steps, have no source here.
 */
#include "trace/opencl/layer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct program {
	struct ws_handle handle;
	char *source;
	struct ws_unit *unit; /* of the last build */
};

static struct program *find_program(cl_program program)
{
	return (struct program *)ws_handles_get(&ws_layer.programs, program);
}

static void program_free(struct program *p)
{
	if (p)
		free(p->source);
	free(p);
}

static char *join_sources(cl_uint count, const char **text, const size_t *lens)
{
	size_t total = 0, used = 0;
	char *all;

	for (cl_uint i = 0; i < count; i++)
		total += lens && lens[i] ? lens[i] : strlen(text[i]);
	all = malloc(total + 1);
	for (cl_uint i = 0; all && i < count; i++) {
		size_t len = lens && lens[i] ? strnlen(text[i], lens[i]) : strlen(text[i]);

		memcpy(all + used, text[i], len);
		used += len;
	}
	if (all)
		all[used] = '\0';
	return all;
}

static cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count,
						 const char **text, const size_t *lens,
						 cl_int *status)
{
	cl_program program = ws_layer.next->clCreateProgramWithSource(context, count, text, lens,
								      status);
	struct program *p = program ? ws_alloc_zero(1, sizeof *p) : NULL;

	if (p && (p->source = join_sources(count, text, lens))) {
		p->handle = (struct ws_handle){ .key = program, .refs = 1 };
		pthread_mutex_lock(&ws_layer.lock);
		program_free((struct program *)ws_handles_put(&ws_layer.programs, &p->handle));
		pthread_mutex_unlock(&ws_layer.lock);
	} else {
		free(p);
	}
	return program;
}

static struct ws_unit *unit_new(const char *source, const char *options)
{
	struct ws_unit *u = ws_alloc_zero(1, sizeof *u);

	if (!u)
		return NULL;
	u->source = ws_strdup(source);
	u->options = ws_strdup(options);
	if (!u->source || !u->options) {
		free(u->source);
		free(u->options);
		free(u);
		return NULL;
	}
	snprintf(u->name, sizeof u->name, "program-%zu.cl", ++ws_layer.unit_count);
	u->next = ws_layer.units;
	ws_layer.units = u;
	return u;
}

/* The lock is held. */
static struct ws_unit *unit_get(const char *source, const char *options)
{
	for (struct ws_unit *u = ws_layer.units; u; u = u->next) {
		if (strcmp(u->source, source) == 0 && strcmp(u->options, options) == 0)
			return u;
	}
	return unit_new(source, options);
}

static cl_int CL_API_CALL build(cl_program program, cl_uint devices, const cl_device_id *device,
				const char *options,
				void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	struct program *p;

	pthread_mutex_lock(&ws_layer.lock);
	if ((p = find_program(program)))
		p->unit = unit_get(p->source, options ? options : "");
	pthread_mutex_unlock(&ws_layer.lock);
	return ws_layer.next->clBuildProgram(program, devices, device, options, notify, data);
}

static cl_int CL_API_CALL retain(cl_program program)
{
	cl_int status = ws_layer.next->clRetainProgram(program);
	struct program *p;

	if (status == CL_SUCCESS) {
		pthread_mutex_lock(&ws_layer.lock);
		if ((p = find_program(program)))
			p->handle.refs++;
		pthread_mutex_unlock(&ws_layer.lock);
	}
	return status;
}

/* Kernels keep the platform's program alive; they have its unit already. */
static cl_int CL_API_CALL release(cl_program program)
{
	struct program *p;

	pthread_mutex_lock(&ws_layer.lock);
	if ((p = find_program(program)) && --p->handle.refs == 0) {
		ws_handles_remove(&ws_layer.programs, &p->handle);
		program_free(p);
	}
	pthread_mutex_unlock(&ws_layer.lock);
	return ws_layer.next->clReleaseProgram(program);
}

struct ws_unit *ws_unit_of(cl_program program)
{
	struct program *p;
	struct ws_unit *u;

	pthread_mutex_lock(&ws_layer.lock);
	p = find_program(program);
	u = p ? p->unit : NULL;
	pthread_mutex_unlock(&ws_layer.lock);
	return u;
}

/* ---- compiling ------------------------------------------------------------------------- */

/* The source as a file that clang can read, under the unit's name. */
static int source_file(const struct ws_unit *u, char path[32])
{
	int fd = memfd_create("program", 0);
	FILE *file = fd < 0 ? NULL : fdopen(dup(fd), "wb");
	bool good = file && fprintf(file, "# 1 \"%s\"\n", u->name) > 0 &&
		    fputs(u->source, file) >= 0;

	if (file && fclose(file))
		good = false;
	if (!good && fd >= 0)
		close(fd);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return good ? fd : -1;
}

/* Options that are not let through are left out: the platform has built it with them. */
static void say_dropped(const struct ws_unit *u, const struct ws_build *build)
{
	if (build->dropped.len)
		ws_say("%s: build options left out: %.*s", u->name, (int)build->dropped.len,
		       (const char *)build->dropped.data);
}

static enum ws_status compile_file(struct ws_unit *u, const char *path, int fd, struct ws_err *err)
{
	const struct ws_build_source from = { .lenient = true };
	struct ws_build build = { 0 };
	struct ws_compile compile = { .source = path, .build = &build, .trusted = true,
				      .open = fd };
	enum ws_status status;
	char *options = NULL, *cache;

	/* The platform has built it: if warnings are errors, then its warnings, not ours. */
	if (asprintf(&options, "%s -I. -Wno-error", u->options) < 0)
		return ws_fail_memory(err, "build options");
	status = ws_build_parse(&build, options, &from, err);
	if (status == WS_OK) {
		say_dropped(u, &build);
		compile.cache = cache = ws_capture_cache();
		status = ws_compile(&u->code, &compile, err);
		free(cache);
	}
	ws_build_clear(&build);
	free(options);
	return status;
}

static enum ws_status compile(struct ws_unit *u, struct ws_err *err)
{
	enum ws_status status;
	char path[32];
	int fd = source_file(u, path);

	if (fd < 0)
		return ws_fail(err, WS_EIO, "a program's source: %s", strerror(errno));
	status = compile_file(u, path, fd, err);
	close(fd);
	free(u->code.source);
	u->code.source = ws_strdup(u->name);
	if (status == WS_OK && !u->code.source)
		status = ws_fail_memory(err, "a program's name");
	return status;
}

static void make_kernel(struct ws_unit *u, struct ws_compiled *c)
{
	struct ws_instrument_options options = {
		.local = ws_app.settings.local,
		.out_of_bounds = ws_app.settings.out_of_bounds,
		.printf = ws_app.settings.ctas ? WS_PRINTF_NOWHERE : WS_PRINTF_STDOUT,
		.opaque = c->opaque,
		.opaques = c->opaques,
	};
	double begun = ws_seconds();
	struct ws_err err = { 0 };
	enum ws_status status;

	if (!u->tried)
		u->failed.status = compile(u, &u->failed);
	u->tried = true;
	status = u->failed.status;
	if (status != WS_OK)
		err = u->failed;
	else
		status = ws_kernel_make(&c->kernel, &u->code, c->name, &options, &err);
	if (status != WS_OK)
		ws_say_left(c, err.text);
	ws_app.tally->compile_seconds += ws_seconds() - begun;
}

static bool made_for(const struct ws_compiled *c, const struct ws_opaque *opaque, size_t opaques)
{
	bool same = c->opaques == opaques;

	for (size_t i = 0; same && i < opaques; i++)
		same = c->opaque[i].bits == opaque[i].bits && c->opaque[i].tiled == opaque[i].tiled;
	return same;
}

static void compiled_free(struct ws_compiled *c)
{
	if (!c)
		return;
	free(c->name);
	free(c->opaque);
	free(c);
}

/* Of a kernel that was made for other images, what was said and counted stays so. */
static struct ws_compiled *compiled_new(const struct ws_compiled *other, const char *name,
					const struct ws_opaque *opaque, size_t opaques)
{
	struct ws_compiled *c = ws_alloc_zero(1, sizeof *c);

	if (!c)
		return NULL;
	c->name = ws_strdup(name);
	c->opaque = ws_alloc_zero(opaques, sizeof *c->opaque);
	c->opaques = opaques;
	if (!c->name || !c->opaque) {
		compiled_free(c);
		return NULL;
	}
	if (opaques)
		memcpy(c->opaque, opaque, opaques * sizeof *opaque);
	c->left = other && other->left;
	c->said.traced = other && other->said.traced;
	return c;
}

void ws_say_left(struct ws_compiled *c, const char *why)
{
	if (!c->left)
		ws_say("kernel %s: left to the platform, not traced: %s", c->name, why);
	c->left = true;
}

struct ws_compiled *ws_unit_kernel(struct ws_unit *u, const char *name,
				   const struct ws_opaque *opaque, size_t opaques)
{
	struct ws_compiled *c, *other = NULL;

	for (c = u->kernels; c; c = c->next) {
		if (strcmp(c->name, name) != 0)
			continue;
		if (made_for(c, opaque, opaques))
			return c;
		other = c;
	}
	c = compiled_new(other, name, opaque, opaques);
	if (!c)
		return NULL;
	make_kernel(u, c);
	c->next = u->kernels;
	u->kernels = c;
	return c;
}

void ws_program_take(cl_icd_dispatch *d)
{
	d->clCreateProgramWithSource = create_with_source;
	d->clBuildProgram = build;
	d->clRetainProgram = retain;
	d->clReleaseProgram = release;
}
