/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/event.c -- the events that a program gets for launches we ran, and its own.
 *
 * The event of a launch is the platform's marker behind it, so that waiting, callbacks and status
 * are the platform's.  Queries answer as for a kernel: it began when all before it was done (the
 * marker `ready`) and ended with the marker; so the time it took is that of the traced run.
 */
#include "trace/opencl/layer.h"

#include <stdlib.h>

struct event {
	struct ws_handle handle;
	cl_event ready;	 /* NULL: a user event */
	cl_command_type type;
	bool pending;	/* a user event that has not been completed */
};

static struct event *find_event(cl_event event)
{
	return (struct event *)ws_handles_get(&ws_layer.events, event);
}

/* The event to be released once the lock is not held. */
static cl_event event_free(struct event *e)
{
	cl_event ready = e ? e->ready : NULL;

	if (e && e->pending)
		ws_layer.user_events--;
	free(e);
	return ready;
}

static void add_event(cl_event key, cl_event ready, cl_command_type type)
{
	struct event *e = ws_alloc_zero(1, sizeof *e);
	cl_event old = ready;

	if (e) {
		*e = (struct event){ .handle = { .key = key, .refs = 1 }, .ready = ready,
				     .type = type, .pending = !ready };
		pthread_mutex_lock(&ws_layer.lock);
		ws_layer.user_events += e->pending;
		old = event_free((struct event *)ws_handles_put(&ws_layer.events, &e->handle));
		pthread_mutex_unlock(&ws_layer.lock);
	}
	if (old)
		ws_layer.next->clReleaseEvent(old);
}

void ws_event_add(cl_event done, cl_event ready, cl_command_type type)
{
	add_event(done, ready, type);
}

bool ws_event_pending(void)
{
	bool pending;

	pthread_mutex_lock(&ws_layer.lock);
	pending = ws_layer.user_events > 0;
	pthread_mutex_unlock(&ws_layer.lock);
	return pending;
}

static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *status)
{
	cl_event event = ws_layer.next->clCreateUserEvent(context, status);

	if (event)
		add_event(event, NULL, CL_COMMAND_USER);
	return event;
}

static cl_int CL_API_CALL set_user_event_status(cl_event event, cl_int value)
{
	cl_int status = ws_layer.next->clSetUserEventStatus(event, value);
	struct event *e;

	if (status == CL_SUCCESS) {
		pthread_mutex_lock(&ws_layer.lock);
		e = find_event(event);
		if (e && e->pending) {
			e->pending = false;
			ws_layer.user_events--;
		}
		pthread_mutex_unlock(&ws_layer.lock);
	}
	return status;
}

static cl_int CL_API_CALL retain(cl_event event)
{
	cl_int status = ws_layer.next->clRetainEvent(event);
	struct event *e;

	if (status == CL_SUCCESS) {
		pthread_mutex_lock(&ws_layer.lock);
		if ((e = find_event(event)))
			e->handle.refs++;
		pthread_mutex_unlock(&ws_layer.lock);
	}
	return status;
}

static cl_int CL_API_CALL release(cl_event event)
{
	cl_event ready = NULL;
	struct event *e;

	pthread_mutex_lock(&ws_layer.lock);
	if ((e = find_event(event)) && --e->handle.refs == 0) {
		ws_handles_remove(&ws_layer.events, &e->handle);
		ready = event_free(e);
	}
	pthread_mutex_unlock(&ws_layer.lock);
	if (ready)
		ws_layer.next->clReleaseEvent(ready);
	return ws_layer.next->clReleaseEvent(event);
}

/* Of a launch of ours: the marker before it, retained, and its type.  Else NULL. */
static cl_event ready_of(cl_event event, cl_command_type *type)
{
	cl_event ready = NULL;
	struct event *e;

	pthread_mutex_lock(&ws_layer.lock);
	if ((e = find_event(event)) && e->ready) {
		ready = e->ready;
		*type = e->type;
		ws_layer.next->clRetainEvent(ready); /* takes no lock of ours */
	}
	pthread_mutex_unlock(&ws_layer.lock);
	return ready;
}

static cl_int CL_API_CALL get_info(cl_event event, cl_event_info what, size_t room, void *to,
				   size_t *size)
{
	cl_command_type type = 0;
	cl_event ready = what == CL_EVENT_COMMAND_TYPE ? ready_of(event, &type) : NULL;

	if (!ready)
		return ws_layer.next->clGetEventInfo(event, what, room, to, size);
	ws_layer.next->clReleaseEvent(ready);
	return ws_answer(&type, sizeof type, room, to, size);
}

static cl_int CL_API_CALL get_profile(cl_event event, cl_profiling_info what, size_t room,
				      void *to, size_t *size)
{
	cl_int status = ws_layer.next->clGetEventProfilingInfo(event, what, room, to, size);
	cl_command_type type;
	cl_event ready;

	if (status != CL_SUCCESS || what == CL_PROFILING_COMMAND_END ||
	    what == CL_PROFILING_COMMAND_COMPLETE || !(ready = ready_of(event, &type)))
		return status;
	status = ws_layer.next->clGetEventProfilingInfo(
		ready, what == CL_PROFILING_COMMAND_START ? CL_PROFILING_COMMAND_END : what, room,
		to, size);
	ws_layer.next->clReleaseEvent(ready);
	return status;
}

/* ---- callbacks ------------------------------------------------------------------------- */

/* Callbacks run on the platform's threads, which must not wait for what they are to do
 * themselves. */
static _Thread_local bool in_callback;

struct callback {
	void(CL_CALLBACK *function)(cl_event, cl_int, void *);
	void *data;
};

static void CL_CALLBACK call_back(cl_event event, cl_int value, void *data)
{
	struct callback *c = data;

	in_callback = true;
	c->function(event, value, c->data);
	in_callback = false;
	free(c);
}

static cl_int CL_API_CALL set_callback(cl_event event, cl_int when,
				       void(CL_CALLBACK *function)(cl_event, cl_int, void *),
				       void *data)
{
	struct callback *c = function ? ws_alloc_zero(1, sizeof *c) : NULL;
	cl_int status;

	if (!c) /* the platform refuses it, or has it as it is */
		return ws_layer.next->clSetEventCallback(event, when, function, data);
	*c = (struct callback){ function, data };
	status = ws_layer.next->clSetEventCallback(event, when, call_back, c);
	if (status != CL_SUCCESS)
		free(c);
	return status;
}

bool ws_event_in_callback(void)
{
	return in_callback;
}

void ws_event_take(cl_icd_dispatch *d)
{
	d->clCreateUserEvent = create_user_event;
	d->clSetUserEventStatus = set_user_event_status;
	d->clRetainEvent = retain;
	d->clReleaseEvent = release;
	d->clSetEventCallback = set_callback;
	d->clGetEventInfo = get_info;
	d->clGetEventProfilingInfo = get_profile;
}
