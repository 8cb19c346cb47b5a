/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/enqueue.c -- runs an enqueued kernel.
 *
 * A marker in the program's queue tells when all that the launch waits for is done.  Usually the
 * call waits for it, runs the launch and returns: launches are traced in the order in which they
 * are enqueued.  But while the program holds events that it will complete itself, and in its
 * callbacks, waiting might be for ever: then a thread waits and runs the launch, and a second
 * marker, behind an event of ours, holds back what comes after it in the queue.
 *
 * Whatever is wrong with a call is left to the platform to refuse.
 */
#include "trace/opencl/layer.h"

#include <stdlib.h>
#include <string.h>

struct call { /* of clEnqueueNDRangeKernel or clEnqueueTask */
	cl_command_queue queue;
	cl_kernel kernel;
	cl_uint dim;
	const size_t *offset, *global, *local;
	cl_uint waits;
	const cl_event *wait;
	cl_event *event;
	cl_command_type type;
};

static cl_int platform(const struct call *c)
{
	if (c->type == CL_COMMAND_TASK)
		return ws_layer.next->clEnqueueTask(c->queue, c->kernel, c->waits, c->wait,
						    c->event);
	return ws_layer.next->clEnqueueNDRangeKernel(c->queue, c->kernel, c->dim, c->offset,
						     c->global, c->local, c->waits, c->wait,
						     c->event);
}

/* What we cannot run; a call that it refuses was wrong, and no matter of ours. */
static cl_int platform_instead(const struct call *c, struct ws_compiled *compiled, const char *why)
{
	cl_int status = platform(c);

	if (status == CL_SUCCESS) {
		pthread_mutex_lock(&ws_app.run);
		ws_tally_left();
		ws_say_left(compiled, why);
		pthread_mutex_unlock(&ws_app.run);
	}
	return status;
}

/* ---- a launch with all that it needs --------------------------------------------------- */

static void job_free(struct ws_job *j)
{
	if (!j)
		return;
	for (size_t i = 0; j->buffer && i < j->args; i++) {
		if (!j->buffer[i])
			continue;
		ws_layer.next->clReleaseMemObject(j->buffer[i]->mem);
		pthread_mutex_lock(&ws_layer.lock);
		ws_cl_buffer_drop(j->buffer[i]);
		pthread_mutex_unlock(&ws_layer.lock);
	}
	ws_cl_args_free(j->arg, j->args);
	free(j->buffer);
	free(j);
}

struct wish { /* what to compile; unit NULL: none of ours */
	struct ws_unit *unit;
	char *name;
	struct ws_opaque *opaque; /* [args] */
	size_t args;
};

static void wish_clear(struct wish *w)
{
	free(w->name);
	free(w->opaque);
}

/* The lock is held.  Without memory it has no name. */
static struct wish wish_of(const struct ws_cl_kernel *k)
{
	struct wish w = { .unit = k->unit, .args = k->args };

	w.opaque = ws_alloc_zero(k->args, sizeof *w.opaque);
	if (w.opaque)
		w.name = ws_strdup(k->name);
	for (size_t i = 0; w.opaque && i < k->args; i++)
		w.opaque[i] = ws_opaque_of(&k->arg[i]);
	return w;
}

/* False: not to be traced. */
static bool wanted(cl_kernel kernel, struct wish *w)
{
	const struct ws_settings *s = &ws_app.settings;
	struct ws_cl_kernel *k;
	bool good = false;

	*w = (struct wish){ 0 };
	pthread_mutex_lock(&ws_layer.lock);
	k = ws_kernel_find(kernel);
	if (k && (!s->kernel || strcmp(s->kernel, k->name) == 0)) {
		uint64_t number = ++ws_layer.launches;

		good = number >= s->first && number <= s->last;
		if (good)
			*w = wish_of(k);
	}
	pthread_mutex_unlock(&ws_layer.lock);
	return good;
}

static bool is_buffer(const struct ws_compiled *c, size_t i)
{
	enum ws_arg_kind kind = c->kernel->arg[i].kind;

	return kind == WS_ARG_GLOBAL || kind == WS_ARG_CONSTANT || kind == WS_ARG_IMAGE;
}

/* The lock is held.  False: leave it to the platform. */
static bool copy_args(struct ws_job *j, const struct ws_cl_kernel *k)
{
	for (size_t i = 0; i < j->args; i++) {
		const struct ws_cl_arg *from = &k->arg[i];
		const struct ws_opaque *made = &j->compiled->opaque[i];
		struct ws_opaque now = ws_opaque_of(from); /* a thread may have set another since */
		cl_mem mem = NULL;

		if (now.bits != made->bits || now.tiled != made->tiled || !from->set ||
		    !ws_cl_arg_set(&j->arg[i], from->size, from->value))
			return false;
		j->arg[i].svm = from->svm;
		if (!is_buffer(j->compiled, i) || from->svm || !from->value ||
		    from->size != sizeof mem)
			continue;
		memcpy(&mem, from->value, sizeof mem);
		if (!mem)
			continue;
		j->buffer[i] = ws_buffer_hold(mem);
		if (!j->buffer[i])
			return false;
		ws_layer.next->clRetainMemObject(mem);
		if (j->buffer[i]->context != j->context)
			return false;
	}
	return true;
}

static bool copy_sizes(struct ws_job *j, const struct call *c)
{
	if (c->dim < 1 || c->dim > 3 || !c->global || (c->waits > 0) != (c->wait != NULL))
		return false;
	j->dim = c->dim;
	j->local_given = c->local != NULL;
	for (cl_uint d = 0; d < c->dim; d++) {
		j->global[d] = c->global[d];
		j->offset[d] = c->offset ? c->offset[d] : 0;
		j->local[d] = c->local ? c->local[d] : 1;
		if (!j->global[d] || !j->local[d])
			return false;
	}
	return true;
}

static struct ws_job *job_new(const struct call *c, struct ws_compiled *compiled,
			      const struct ws_unit *unit)
{
	struct ws_job *j = ws_alloc_zero(1, sizeof *j);
	const struct ws_cl_kernel *k;
	bool good;

	if (!j)
		return NULL;
	j->compiled = compiled;
	j->unit = unit;
	j->kernel = c->kernel;
	j->arg = ws_alloc_zero(compiled->kernel->args, sizeof *j->arg);
	j->buffer = ws_alloc_zero(compiled->kernel->args, sizeof(struct ws_cl_buffer *));
	j->args = compiled->kernel->args;
	good = j->arg && j->buffer && copy_sizes(j, c) &&
	       ws_layer.next->clGetCommandQueueInfo(c->queue, CL_QUEUE_CONTEXT, sizeof j->context,
						    &j->context, NULL) == CL_SUCCESS &&
	       ws_layer.next->clGetCommandQueueInfo(c->queue, CL_QUEUE_DEVICE, sizeof j->device,
						    &j->device, NULL) == CL_SUCCESS;
	pthread_mutex_lock(&ws_layer.lock);
	k = ws_kernel_find(c->kernel);
	good = good && k && k->args == j->args && copy_args(j, k);
	pthread_mutex_unlock(&ws_layer.lock);
	if (good)
		return j;
	job_free(j);
	return NULL;
}

/* ---- now ------------------------------------------------------------------------------- */

/* An event for when all that a launch waits for is done; NULL: the call is wrong. */
static cl_event ready_event(const struct call *c)
{
	cl_event ready = NULL;

	for (cl_uint i = 0; i < c->waits; i++) {
		cl_command_queue queue = NULL;

		if (ws_layer.next->clGetEventInfo(c->wait[i], CL_EVENT_COMMAND_QUEUE, sizeof queue,
						  &queue, NULL) == CL_SUCCESS && queue)
			ws_layer.next->clFlush(queue);
	}
	if (ws_layer.next->clEnqueueMarkerWithWaitList(c->queue, c->waits, c->wait, &ready))
		return NULL;
	ws_layer.next->clFlush(c->queue);
	return ready;
}

/* WS_OK and *whole: done.  Else the platform has to run it; err is set if it was to be traced. */
static enum ws_status run_job(struct ws_job *j, bool *whole, struct ws_err *err)
{
	double begun = ws_seconds();
	enum ws_status status = WS_OK;

	*whole = false;
	pthread_mutex_lock(&ws_app.run);
	if (ws_app.tracing) {
		status = ws_job_execute(j, whole, err);
		if (status == WS_OK)
			ws_tally_traced(&j->compiled->said, *whole);
		ws_tally_ran(begun, j->compiled->name);
	}
	pthread_mutex_unlock(&ws_app.run);
	return status;
}

/* What the program gets to know when a launch is done: behind `after`. */
static cl_int done_event(const struct call *c, cl_event after, cl_event ready)
{
	cl_event done = NULL;
	cl_int status = ws_layer.next->clEnqueueMarkerWithWaitList(c->queue, 1, &after, &done);

	if (status == CL_SUCCESS && c->event) {
		ws_layer.next->clRetainEvent(ready);
		ws_event_add(done, ready, c->type);
		*c->event = done;
	} else if (status == CL_SUCCESS) {
		ws_layer.next->clReleaseEvent(done);
	}
	return status;
}

static cl_int run_now(const struct call *c, struct ws_job *j, cl_event ready)
{
	struct ws_err err = { 0 };
	bool whole = false;
	cl_int status;

	if (ws_layer.next->clWaitForEvents(1, &ready) != CL_SUCCESS)
		status = platform(c); /* which tells of the failure, as it does */
	else if (run_job(j, &whole, &err) != WS_OK)
		status = platform_instead(c, j->compiled, err.text);
	else if (!whole)
		status = platform(c);
	else
		status = c->event ? done_event(c, ready, ready) : CL_SUCCESS;
	ws_layer.next->clReleaseEvent(ready);
	job_free(j);
	return status;
}

/* ---- later ----------------------------------------------------------------------------- */

struct later {
	struct ws_job *job;
	cl_event ready, done; /* done: ours to complete */
	cl_kernel own;	      /* the same kernel, for the platform */
};

/* A kernel with the arguments of now: the program may change those of its own. */
static cl_kernel own_kernel(const struct ws_job *j)
{
	cl_program program = NULL;
	cl_kernel own;

	ws_layer.next->clGetKernelInfo(j->kernel, CL_KERNEL_PROGRAM, sizeof program, &program,
				       NULL);
	own = program ? ws_layer.next->clCreateKernel(program, j->compiled->name, NULL) : NULL;
	for (size_t i = 0; own && i < j->args; i++) {
		const struct ws_cl_arg *a = &j->arg[i];
		void *pointer = NULL;

		if (a->svm) {
			memcpy(&pointer, a->value, sizeof pointer);
			ws_layer.next->clSetKernelArgSVMPointer(own, (cl_uint)i, pointer);
		} else {
			ws_layer.next->clSetKernelArg(own, (cl_uint)i, a->size, a->value);
		}
	}
	return own;
}

static cl_int platform_later(const struct later *l)
{
	const struct ws_job *j = l->job;
	cl_int status = CL_SUCCESS;
	cl_command_queue queue = ws_layer.next->clCreateCommandQueue(j->context, j->device, 0,
								     &status);

	if (!queue)
		return status;
	status = ws_layer.next->clEnqueueNDRangeKernel(queue, l->own, j->dim, j->offset, j->global,
						       j->local_given ? j->local : NULL, 0, NULL,
						       NULL);
	if (status == CL_SUCCESS)
		status = ws_layer.next->clFinish(queue);
	ws_layer.next->clReleaseCommandQueue(queue);
	return status;
}

static cl_int run_waited(const struct later *l)
{
	struct ws_err err = { 0 };
	bool whole = false;
	cl_int status;

	if (run_job(l->job, &whole, &err) == WS_OK && whole)
		    return CL_SUCCESS;
	status = platform_later(l);
	if (status == CL_SUCCESS && err.status != WS_OK) {
		pthread_mutex_lock(&ws_app.run);
		ws_tally_left();
		ws_say_left(l->job->compiled, err.text);
		pthread_mutex_unlock(&ws_app.run);
	}
	return status;
}

static void *wait_and_run(void *context)
{
	struct later *l = context;
	cl_int status = ws_layer.next->clWaitForEvents(1, &l->ready);

	if (status == CL_SUCCESS)
		status = run_waited(l);
	/* Given back before the program knows: the addresses of what it makes next, and its exit,
	 * do not depend on how soon this thread goes on. */
	ws_layer.next->clReleaseEvent(l->ready);
	ws_layer.next->clReleaseKernel(l->own);
	job_free(l->job);
	ws_layer.next->clSetUserEventStatus(l->done, status < 0 ? status : CL_COMPLETE);
	ws_layer.next->clReleaseEvent(l->done);
	free(l);
	return NULL;
}

/* Takes job and ready over, unless it answers CL_OUT_OF_HOST_MEMORY. */
static cl_int run_later(const struct call *c, struct ws_job *j, cl_event ready)
{
	struct later *l = ws_alloc_zero(1, sizeof *l);
	cl_event done = l ? ws_layer.next->clCreateUserEvent(j->context, NULL) : NULL;
	cl_kernel own = done ? own_kernel(j) : NULL;
	cl_int status = CL_OUT_OF_HOST_MEMORY;
	pthread_t thread;

	if (own) {
		*l = (struct later){ j, ready, done, own };
		status = done_event(c, done, ready);
	}
	if (status == CL_SUCCESS) {
		ws_layer.next->clFlush(c->queue);
		if (pthread_create(&thread, NULL, wait_and_run, l) == 0)
			pthread_detach(thread);
		else
			wait_and_run(l);
		return status;
	}
	if (own)
		ws_layer.next->clReleaseKernel(own);
	if (done)
		ws_layer.next->clReleaseEvent(done);
	free(l);
	return CL_OUT_OF_HOST_MEMORY;
}

/* ---- the calls ------------------------------------------------------------------------- */

/* The kernel made ready, or NULL. */
static struct ws_compiled *compile(const struct wish *w)
{
	struct ws_compiled *c = NULL;

	pthread_mutex_lock(&ws_app.run);
	if (w->name && ws_trace_ours() && w->unit)
		c = ws_unit_kernel(w->unit, w->name, w->opaque, w->args);
	if (ws_app.tracing && w->name && !w->unit) {
		ws_tally_left();
		if (!ws_layer.said_other)
			ws_say("kernel %s: left to the platform, not traced: its program has no "
			       "source here (it was made from a binary, as a cache may hold, or "
			       "linked)", w->name);
		ws_layer.said_other = true;
	}
	if (c && !c->kernel)
		ws_tally_left();
	pthread_mutex_unlock(&ws_app.run);
	return c && c->kernel ? c : NULL;
}

static bool group_too_large(const struct call *c)
{
	size_t threads = 1;

	for (cl_uint d = 0; c->local && d < c->dim && d < 3; d++)
		threads = c->local[d] && threads < SIZE_MAX / c->local[d] ? threads * c->local[d]
									  : SIZE_MAX;
	return threads > ws_app.settings.machine.cta_threads;
}

/* No work-items at all, as OpenCL 2.1 allows: nothing to trace. */
static bool empty(const struct call *c)
{
	bool none = false;

	for (cl_uint d = 0; c->global && d < c->dim && d < 3; d++)
		none |= c->global[d] == 0;
	return none;
}

static cl_int enqueue(const struct call *c)
{
	struct ws_compiled *compiled;
	struct ws_job *job = NULL;
	cl_event ready = NULL;
	struct wish wish;
	bool later;

	if (group_too_large(c))
		return CL_INVALID_WORK_GROUP_SIZE;
	if (empty(c) || !wanted(c->kernel, &wish))
		return platform(c);
	compiled = compile(&wish);
	wish_clear(&wish);
	later = ws_event_pending() || ws_event_in_callback();
	if (!compiled)
		return platform(c);
	job = job_new(c, compiled, wish.unit);
	ready = job ? ready_event(c) : NULL;
	if (!ready) {
		job_free(job);
		return platform_instead(c, compiled, "an argument is not known here");
	}
	if (later && run_later(c, job, ready) == CL_SUCCESS)
		return CL_SUCCESS;
	if (!later)
		return run_now(c, job, ready);
	ws_layer.next->clReleaseEvent(ready);
	job_free(job);
	return platform(c);
}

static cl_int CL_API_CALL enqueue_nd_range(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
					   const size_t *offset, const size_t *global,
					   const size_t *local, cl_uint waits,
					   const cl_event *wait, cl_event *event)
{
	return enqueue(&(struct call){ queue, kernel, dim, offset, global, local, waits, wait,
				       event, CL_COMMAND_NDRANGE_KERNEL });
}

static cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint waits,
				       const cl_event *wait, cl_event *event)
{
	static const size_t one = 1;

	return enqueue(&(struct call){ queue, kernel, 1, NULL, &one, &one, waits, wait, event,
				       CL_COMMAND_TASK });
}

void ws_enqueue_take(cl_icd_dispatch *d)
{
	d->clEnqueueNDRangeKernel = enqueue_nd_range;
	d->clEnqueueTask = enqueue_task;
}
