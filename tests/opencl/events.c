/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/events.c -- events, wait lists, two queues, one out of order, callbacks, profiling,
 * and launches that wait for what the program does after it enqueued them.
 */
#include "tests/opencl/host.h"

#define N 2048

static const char source[] =
	"kernel void add(global int *a, int by) { a[get_global_id(0)] += by; }\n"
	"kernel void times(global int *a, int by) { a[get_global_id(0)] *= by; }\n";

static const size_t global = N, local = 64;

static cl_event launch(cl_command_queue q, cl_kernel k, int by, cl_uint waits, const cl_event *wait)
{
	cl_event e = NULL;

	host_arg(k, 1, sizeof by, &by);
	host_try(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, waits, wait, &e), "launch");
	return e;
}

static bool all(const int *a, int value)
{
	bool good = true;

	for (int i = 0; i < N; i++)
		good &= a[i] == value;
	return good;
}

static void CL_CALLBACK called(cl_event e, cl_int status, void *data)
{
	(void)e;
	__atomic_store_n((int *)data, status == CL_COMPLETE ? 1 : -1, __ATOMIC_SEQ_CST);
}

static cl_command_queue queue(const struct host *h, cl_command_queue_properties properties)
{
	cl_int status;
	cl_command_queue q = clCreateCommandQueue(h->context, h->device, properties, &status);

	host_try(status, "queue");
	return q;
}

/* ((0 + 3) * 5 + 4) * 2, over two queues. */
static void chain(const struct host *h, cl_kernel add, cl_kernel times)
{
	static int a[N];
	cl_command_queue other = queue(h, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, a);
	cl_event e[5];
	int ends = 0;

	host_arg(add, 0, sizeof m, &m);
	host_arg(times, 0, sizeof m, &m);
	e[0] = launch(other, add, 3, 0, NULL);
	e[1] = launch(h->queue, times, 5, 1, &e[0]);
	e[2] = launch(other, add, 4, 1, &e[1]);
	e[3] = launch(other, times, 2, 3, e);
	host_try(clSetEventCallback(e[3], CL_COMPLETE, called, &ends), "callback");
	host_try(clEnqueueReadBuffer(other, m, CL_FALSE, 0, sizeof a, a, 1, &e[3], &e[4]), "read");
	clFlush(h->queue);
	clFlush(other);
	host_try(clWaitForEvents(1, &e[4]), "wait");
	host_check(all(a, 38), "a chain over two queues");
	clFinish(other);
	for (int i = 0; i < 1000 && !__atomic_load_n(&ends, __ATOMIC_SEQ_CST); i++)
		clFinish(h->queue);
	host_check(ends == 1, "a callback");
	for (int i = 0; i < 5; i++)
		clReleaseEvent(e[i]);
	clReleaseMemObject(m);
	clReleaseCommandQueue(other);
}

static void queries(const struct host *h, cl_kernel add)
{
	cl_command_queue q = queue(h, CL_QUEUE_PROFILING_ENABLE), of = NULL;
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, N * sizeof(int), NULL);
	cl_ulong t[4] = { 0 };
	cl_command_type type = 0;
	cl_int state = 1;
	cl_event e;

	host_arg(add, 0, sizeof m, &m);
	e = launch(q, add, 1, 0, NULL);
	host_try(clRetainEvent(e), "retain");
	host_try(clReleaseEvent(e), "release");
	host_try(clWaitForEvents(1, &e), "wait");
	for (cl_profiling_info i = 0; i < 4; i++)
		host_try(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_QUEUED + i, sizeof t[i],
						 &t[i], NULL), "profile");
	host_check(t[0] <= t[1] && t[1] <= t[2] && t[2] < t[3], "times in order");
	clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL);
	clGetEventInfo(e, CL_EVENT_COMMAND_QUEUE, sizeof of, &of, NULL);
	clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
	host_check(type == CL_COMMAND_NDRANGE_KERNEL && of == q && state == CL_COMPLETE,
		   "type, queue and status");
	clReleaseEvent(e);
	e = launch(h->queue, add, 1, 0, NULL);
	clFinish(h->queue);
	host_check(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof t[0], t, NULL) ==
		   CL_PROFILING_INFO_NOT_AVAILABLE, "no profile of a queue without");
	clReleaseEvent(e);
	clReleaseMemObject(m);
	clReleaseCommandQueue(q);
}

/* Enqueued, changed and released before the program lets them begin. */
static void later(const struct host *h, cl_kernel add, cl_kernel times)
{
	static int a[N];
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, a), none = NULL;
	cl_event go = clCreateUserEvent(h->context, NULL), e[2];
	cl_int state = -1;

	host_arg(add, 0, sizeof m, &m);
	host_arg(times, 0, sizeof m, &m);
	e[0] = launch(h->queue, add, 7, 1, &go);
	e[1] = launch(h->queue, times, 6, 0, NULL);
	host_arg(add, 0, sizeof m, &none);
	host_arg(times, 0, sizeof m, &none);
	host_try(clEnqueueReadBuffer(h->queue, m, CL_FALSE, 0, sizeof a, a, 0, NULL, NULL), "read");
	clReleaseMemObject(m);
	clFlush(h->queue);
	clGetEventInfo(e[1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
	host_check(state > CL_COMPLETE, "a launch that waits for the program");
	host_try(clSetUserEventStatus(go, CL_COMPLETE), "go");
	host_try(clFinish(h->queue), "finish");
	host_check(all(a, 42), "and then runs");
	clReleaseEvent(go);
	clReleaseEvent(e[0]);
	clReleaseEvent(e[1]);
}

struct onward {
	const struct host *h;
	cl_kernel k;
	cl_event go;
};

/* Enqueues what is next, as programs that never wait do. */
static void CL_CALLBACK enqueue_next(cl_event e, cl_int status, void *data)
{
	struct onward *o = data;

	(void)e;
	host_try(clEnqueueNDRangeKernel(o->h->queue, o->k, 1, NULL, &global, &local, 0, NULL, NULL),
		 "launch from a callback");
	clFlush(o->h->queue);
	clSetUserEventStatus(o->go, status);
}

static void callbacks(const struct host *h, cl_kernel add)
{
	static int a[N];
	cl_mem m = host_buffer(h, CL_MEM_READ_WRITE, sizeof a, a);
	struct onward o = { h, add, clCreateUserEvent(h->context, NULL) };
	cl_event e, write;

	host_arg(add, 0, sizeof m, &m);
	host_try(clEnqueueWriteBuffer(h->queue, m, CL_FALSE, 0, sizeof a, a, 0, NULL, &write),
		 "write");
	e = launch(h->queue, add, 8, 1, &write);
	host_try(clSetEventCallback(e, CL_COMPLETE, enqueue_next, &o), "callback");
	clFlush(h->queue);
	host_try(clWaitForEvents(1, &o.go), "wait");
	host_read(h, m, sizeof a, a);
	host_check(all(a, 16), "a launch from a callback");
	clReleaseEvent(e);
	clReleaseEvent(write);
	clReleaseEvent(o.go);
	clReleaseMemObject(m);
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	cl_kernel add = host_kernel(p, "add"), times = host_kernel(p, "times");

	chain(&h, add, times);
	queries(&h, add);
	later(&h, add, times);
	callbacks(&h, add);
	clReleaseKernel(add);
	clReleaseKernel(times);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
