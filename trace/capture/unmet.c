/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/unmet.c -- barriers that not all work-items of a group reach, since some returned
 * before, or the barrier is in a branch that they do not take.
 *
 * This is undefined in OpenCL.  Here, as on most devices, the other work-items continue.  It is
 * reported once for each source line of a launch, and noted in the trace's index.
 */
#include "trace/capture/child.h"
#include "trace/capture/kernel.h"
#include "trace/capture/lockstep.h"

#include <string.h>

void ws_unmet_note(struct ws_cta_run *r, uint32_t segment, uint64_t ended)
{
	struct unmet *u = &r->unmet[segment];

	if (!ended || u->last == r->cta + 1)
		return;
	if (!u->ctas || r->cta < u->cta) {
		u->cta = r->cta;
		u->threads = ended;
	}
	u->ctas++;
	u->last = r->cta + 1;
}

void ws_cta_run_unmet(const struct ws_cta_run *r, struct ws_unmet *unmet)
{
	const struct ws_kernel *k = r ? r->config->kernel : NULL;

	for (size_t s = 0; k && s < k->segments; s++) {
		const struct unmet *from = &r->unmet[s];

		if (!from->ctas)
			continue;
		if (!unmet[s].ctas || from->cta < unmet[s].cta) {
			unmet[s].cta = from->cta;
			unmet[s].threads = from->threads;
		}
		unmet[s].file = k->barrier_file[s] < k->files ? k->barrier_file[s] : 0;
		unmet[s].line = k->barrier_line[s];
		unmet[s].ctas += from->ctas;
	}
}

/* Merges barriers of one source line: a function may be inlined several times. */
static size_t by_line(const struct ws_kernel *k, const struct ws_unmet *unmet,
		      struct ws_unmet out[WS_UNMET_MAX])
{
	size_t n = 0;

	for (size_t s = 0; s < k->segments; s++) {
		const struct ws_unmet *u = &unmet[s];
		size_t i = 0;

		if (!u->ctas)
			continue;
		while (i < n && (out[i].line != u->line || out[i].file != u->file))
			i++;
		if (i == WS_UNMET_MAX)
			continue;
		if (i == n) {
			out[n++] = *u;
			continue;
		}
		if (u->cta < out[i].cta) {
			out[i].cta = u->cta;
			out[i].threads = u->threads;
		}
		out[i].ctas = u->ctas > out[i].ctas ? u->ctas : out[i].ctas;
	}
	return n;
}

static void put_string(struct ws_buf *message, const char *text)
{
	ws_put_bytes(message, text, strlen(text) + 1);
}

static const char *get_text(struct ws_cursor *c)
{
	const uint8_t *text = c->p, *end = memchr(c->p, 0, (size_t)(c->end - c->p));

	c->bad |= !end;
	c->p = end ? end + 1 : c->end;
	return (const char *)text;
}

/* The file's name in messages: the source's path as given; only the name of an included file. */
static const char *file_of(const struct ws_cta_config *c, uint32_t file)
{
	const struct ws_instruction at = { .file = file, .line = 1 };

	return file < c->kernel->files ? ws_file_of(c, &at) : c->program->source;
}

enum ws_status ws_unmet_put(const struct ws_launch_run *run, const struct ws_cta_config *config,
			    const struct ws_unmet *unmet, struct ws_err *err)
{
	struct ws_unmet line[WS_UNMET_MAX];
	size_t n = by_line(config->kernel, unmet, line);
	struct ws_buf message = { 0 };
	enum ws_status status;

	if (!n)
		return WS_OK;
	ws_put_u64(&message, n);
	ws_put_u64(&message, config->launch->ctas);
	ws_put_u64(&message, ws_launch_threads(config->launch));
	put_string(&message, config->kernel->name);
	for (size_t i = 0; i < n; i++) {
		ws_put_u64(&message, line[i].file);
		ws_put_u64(&message, line[i].line);
		ws_put_u64(&message, line[i].ctas);
		ws_put_u64(&message, line[i].cta);
		ws_put_u64(&message, line[i].threads);
		put_string(&message, file_of(config, line[i].file));
	}
	if (message.failed)
		status = ws_fail_memory(err, "barriers of a launch");
	else if (run->port)
		status = ws_port_send(run->port, WS_MSG_UNMET, &message, err);
	else
		status = ws_unmet_take(run->writer, run->options, message.data, message.len, err);
	ws_buf_clear(&message);
	return status;
}

enum ws_status ws_unmet_take(struct ws_trace_writer *w, const struct ws_capture_options *options,
			     const void *data, size_t len, struct ws_err *err)
{
	struct ws_cursor c = { .p = data, .end = (const uint8_t *)data + len };
	struct ws_unmet line[WS_UNMET_MAX];
	struct ws_unmet_barrier b[WS_UNMET_MAX];
	uint64_t n = ws_get_u64(&c), ctas = ws_get_u64(&c), threads = ws_get_u64(&c);
	const char *kernel = get_text(&c);
	enum ws_status status;

	for (uint64_t i = 0; !c.bad && i < n && i < WS_UNMET_MAX; i++) {
		line[i].file = (uint32_t)ws_get_u64(&c);
		line[i].line = (uint32_t)ws_get_u64(&c);
		line[i].ctas = ws_get_u64(&c);
		line[i].cta = ws_get_u64(&c);
		line[i].threads = ws_get_u64(&c);
		b[i] = (struct ws_unmet_barrier){ kernel, get_text(&c), line[i], ctas, threads };
	}
	if (c.bad || n > WS_UNMET_MAX)
		return ws_fail(err, WS_EINPUT, "what a kernel's process handed back is damaged: "
			       "barriers");
	status = w ? ws_trace_writer_unmet(w, line, (size_t)n, err) : WS_OK;
	for (uint64_t i = 0; status == WS_OK && i < n && options->unmet; i++)
		options->unmet(options->context, &b[i]);
	return status;
}
