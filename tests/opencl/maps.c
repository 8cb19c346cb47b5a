/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/maps.c -- buffers that the program has mapped, or waits to have mapped, while its
 * launches run: of every kind of memory, launches at once and those that wait for the program.
 */
#include "tests/opencl/host.h"

#include <pthread.h>

#define N 4096
#define ROUNDS 20

static const char source[] =
	"kernel void twice(global const int *from, global int *to) {\n"
	"	size_t i = get_global_id(0);\n"
	"	to[i] = from[i] * 2 + 1;\n"
	"}\n";

struct given {
	const struct host *h;
	cl_kernel k;
	cl_command_queue other;
};

static int *map(cl_command_queue q, cl_mem m, cl_bool wait, size_t from, cl_uint waits,
		const cl_event *before, cl_event *done)
{
	cl_int status;
	int *p = clEnqueueMapBuffer(q, m, wait, CL_MAP_READ | CL_MAP_WRITE, from * sizeof(int),
				    (N - from) * sizeof(int), waits, before, done, &status);

	host_try(status, "map");
	return p;
}

static void unmap(cl_command_queue q, cl_mem m, void *p)
{
	host_try(clEnqueueUnmapMemObject(q, m, p, 0, NULL, NULL), "unmap");
}

static cl_event launch(const struct given *g, size_t n, cl_uint waits, const cl_event *before)
{
	cl_event e;

	host_try(clEnqueueNDRangeKernel(g->h->queue, g->k, 1, NULL, &n, NULL, waits, before, &e),
		 "launch");
	return e;
}

/* to[i] = 2 from[i] + 1, and to[] is cleared. */
static bool came(int *to, int first, size_t n)
{
	bool good = true;

	for (size_t i = 0; i < n; i++) {
		good &= to[i] == 2 * (first + (int)i) + 1;
		to[i] = 0;
	}
	return good;
}

/* Asked only where the program has mapped nothing yet: PoCL 3.1 may lose count when two of its
 * threads map and unmap one buffer, and OpenCL calls the count stale at once. */
static cl_uint maps_of(cl_mem m)
{
	cl_uint n = 99;

	clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof n, &n, NULL);
	return n;
}

/* A launch that waits for the program, and a mapping of its result that waits for the launch:
 * asked for before (first) or after the program lets it begin. */
static bool mapped_result(const struct given *g, cl_mem to, bool first)
{
	bool good = true;

	for (int i = 0; i < ROUNDS; i++) {
		cl_event go = clCreateUserEvent(g->h->context, NULL), e = launch(g, N, 1, &go), at;
		int *p = NULL;

		if (first)
			p = map(g->h->queue, to, CL_FALSE, 0, 0, NULL, &at);
		host_try(clSetUserEventStatus(go, CL_COMPLETE), "go");
		if (first) {
			host_try(clWaitForEvents(1, &at), "wait");
			clReleaseEvent(at);
		} else {
			p = map(i % 2 ? g->other : g->h->queue, to, CL_TRUE, 0, 1, &e, NULL);
		}
		good &= came(p, 0, N);
		unmap(g->h->queue, to, p);
		if (i % 3 == 0)
			host_try(clFinish(g->h->queue), "finish");
		clReleaseEvent(go);
		clReleaseEvent(e);
	}
	host_try(clFinish(g->h->queue), "finish");
	return good;
}

/* The program reads what the launch reads, through mappings that it holds or waits for: whole, and
 * from the middle on. */
static bool mapped_input(const struct given *g, cl_mem from, cl_mem to, bool waits)
{
	static int got[N];
	bool good = true;

	for (int i = 0; i < ROUNDS; i++) {
		cl_event go = waits ? clCreateUserEvent(g->h->context, NULL) : NULL, at, e;
		int *whole = map(g->h->queue, from, CL_TRUE, 0, 0, NULL, NULL);
		int *half = map(g->other, from, CL_FALSE, N / 2, waits, waits ? &go : NULL, &at);

		clFlush(g->other);
		e = launch(g, N, waits, waits ? &go : NULL);
		if (waits)
			host_try(clSetUserEventStatus(go, CL_COMPLETE), "go");
		host_try(clWaitForEvents(1, &at), "wait");
		host_try(clEnqueueReadBuffer(g->h->queue, to, CL_TRUE, 0, sizeof got, got, 1, &e,
					     NULL), "read");
		good &= came(got, 0, N) && whole[N - 1] == N - 1 && half[0] == N / 2;
		unmap(g->h->queue, from, whole);
		unmap(g->other, from, half);
		host_try(clFinish(g->h->queue), "finish");
		host_try(clFinish(g->other), "finish");
		if (waits)
			clReleaseEvent(go);
		clReleaseEvent(at);
		clReleaseEvent(e);
	}
	return good;
}

/* The launch writes one sub-buffer while the program holds a mapping of the other's part. */
static bool sub_buffers(const struct given *g, cl_mem to)
{
	cl_buffer_region low = { 0, N / 2 * sizeof(int) };
	cl_int status;
	cl_mem sub = clCreateSubBuffer(to, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &low,
				       &status);
	bool good = true;

	host_try(status, "sub-buffer");
	host_arg(g->k, 1, sizeof sub, &sub);
	for (int i = 0; i < ROUNDS; i++) {
		cl_event go = clCreateUserEvent(g->h->context, NULL), e;
		int *high = map(g->other, to, CL_TRUE, N / 2, 0, NULL, NULL), *p;

		high[0] = i;
		e = launch(g, N / 2, 1, &go);
		host_try(clSetUserEventStatus(go, CL_COMPLETE), "go");
		p = clEnqueueMapBuffer(g->h->queue, sub, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
				       low.size, 1, &e, NULL, &status);
		host_try(status, "map");
		good &= came(p, 0, N / 2) && high[0] == i;
		unmap(g->h->queue, sub, p);
		unmap(g->other, to, high);
		host_try(clFinish(g->h->queue), "finish");
		clReleaseEvent(go);
		clReleaseEvent(e);
	}
	host_arg(g->k, 1, sizeof to, &to);
	clReleaseMemObject(sub);
	return good;
}

static void buffers(const struct given *g, cl_mem_flags flags, const char *name)
{
	_Alignas(128) static int from[N], to[N];
	void *use = flags & CL_MEM_USE_HOST_PTR ? to : NULL;
	char what[96];
	cl_int status;
	cl_event e;
	cl_mem m[2];

	for (int i = 0; i < N; i++)
		from[i] = i;
	m[0] = clCreateBuffer(g->h->context, CL_MEM_READ_ONLY |
			      (use ? CL_MEM_USE_HOST_PTR : flags | CL_MEM_COPY_HOST_PTR),
			      sizeof from, from, &status);
	host_try(status, "buffer");
	m[1] = clCreateBuffer(g->h->context, CL_MEM_READ_WRITE | flags, sizeof to, use, &status);
	host_try(status, "buffer");
	snprintf(what, sizeof what, "%s: not mapped", name);
	host_check(maps_of(m[0]) == 0 && maps_of(m[1]) == 0, what);
	host_arg(g->k, 0, sizeof m[0], &m[0]);
	host_arg(g->k, 1, sizeof m[1], &m[1]);
	e = launch(g, N, 0, NULL);
	host_try(clFinish(g->h->queue), "finish");
	clReleaseEvent(e);
	snprintf(what, sizeof what, "%s: not mapped by a launch", name);
	host_check(maps_of(m[0]) == 0 && maps_of(m[1]) == 0, what);
	for (int first = 0; first < 2; first++) {
		snprintf(what, sizeof what, "%s: result mapped %s", name, first ? "early" : "late");
		host_check(mapped_result(g, m[1], first), what);
	}
	for (int waits = 0; waits < 2; waits++) {
		snprintf(what, sizeof what, "%s: input mapped, launch %s", name,
			 waits ? "later" : "at once");
		host_check(mapped_input(g, m[0], m[1], waits), what);
	}
	snprintf(what, sizeof what, "%s: sub-buffers", name);
	host_check(sub_buffers(g, m[1]), what);
	clReleaseMemObject(m[0]);
	clReleaseMemObject(m[1]);
}

/* ---- shared virtual memory ------------------------------------------------------------ */

static void shared(const struct given *g)
{
	int *from = clSVMAlloc(g->h->context, CL_MEM_READ_WRITE, N * sizeof(int), 0);
	int *to = clSVMAlloc(g->h->context, CL_MEM_READ_WRITE, N * sizeof(int), 0);
	bool good = from && to;

	for (int i = 0; good && i < ROUNDS; i++) {
		cl_event go = clCreateUserEvent(g->h->context, NULL), e, at;

		host_try(clEnqueueSVMMap(g->h->queue, CL_TRUE, CL_MAP_WRITE, from,
					 N * sizeof(int), 0, NULL, NULL), "map");
		for (int k = 0; k < N; k++)
			from[k] = i + k;
		host_try(clEnqueueSVMUnmap(g->h->queue, from, 0, NULL, NULL), "unmap");
		host_try(clSetKernelArgSVMPointer(g->k, 0, from), "argument");
		host_try(clSetKernelArgSVMPointer(g->k, 1, to), "argument");
		e = launch(g, N, 1, &go);
		host_try(clEnqueueSVMMap(g->h->queue, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, to,
					 N * sizeof(int), 1, &e, &at), "map");
		host_try(clSetUserEventStatus(go, CL_COMPLETE), "go");
		host_try(clWaitForEvents(1, &at), "wait");
		good &= came(to, i, N);
		host_try(clEnqueueSVMUnmap(g->h->queue, to, 0, NULL, NULL), "unmap");
		clReleaseEvent(go);
		clReleaseEvent(e);
		clReleaseEvent(at);
	}
	clFinish(g->h->queue);
	host_check(good, "shared virtual memory");
	clSVMFree(g->h->context, from);
	clSVMFree(g->h->context, to);
}

/* ---- another thread ------------------------------------------------------------ */

struct reader {
	const struct given *g;
	cl_mem m;
	bool good;
};

static void *read_on(void *context)
{
	struct reader *r = context;

	for (int i = 0; i < 10 * ROUNDS; i++) {
		int *p = map(r->g->other, r->m, (cl_bool)i % 2, 0, 0, NULL, NULL);

		host_try(clFinish(r->g->other), "finish");
		r->good &= p[N - 1] == N - 1;
		unmap(r->g->other, r->m, p);
	}
	return NULL;
}

static void threads(const struct given *g)
{
	static int from[N], got[N];
	struct reader r = { g, NULL, true };
	bool good = true;
	pthread_t thread;
	cl_mem to;

	for (int i = 0; i < N; i++)
		from[i] = i;
	r.m = host_buffer(g->h, CL_MEM_READ_ONLY, sizeof from, from);
	to = host_buffer(g->h, CL_MEM_READ_WRITE, sizeof got, NULL);
	host_arg(g->k, 0, sizeof r.m, &r.m);
	host_arg(g->k, 1, sizeof to, &to);
	if (pthread_create(&thread, NULL, read_on, &r))
		exit(1);
	for (int i = 0; i < ROUNDS; i++) {
		host_run(g->h, g->k, N, 0);
		host_read(g->h, to, sizeof got, got);
		good &= came(got, 0, N);
	}
	pthread_join(thread, NULL);
	host_check(good && r.good, "mapped by another thread");
	clReleaseMemObject(r.m);
	clReleaseMemObject(to);
}

/* ---- a callback ------------------------------------------------------------ */

struct onward {
	const struct given *g;
	cl_event go;
	cl_mem m;
};

static void CL_CALLBACK make_next(cl_event e, cl_int status, void *data)
{
	struct onward *o = data;

	(void)e;
	o->m = clCreateBuffer(o->g->h->context, CL_MEM_READ_WRITE, N * sizeof(int), NULL, NULL);
	host_arg(o->g->k, 1, sizeof o->m, &o->m);
	clReleaseEvent(launch(o->g, N, 0, NULL));
	clFlush(o->g->h->queue);
	clSetUserEventStatus(o->go, status);
}

/* A buffer made, and launched on, where nothing may be waited for. */
static void callbacks(const struct given *g)
{
	static int from[N];
	struct onward o = { g, clCreateUserEvent(g->h->context, NULL), NULL };
	cl_mem m;
	cl_event e;
	int *p;

	for (int i = 0; i < N; i++)
		from[i] = i;
	m = host_buffer(g->h, CL_MEM_READ_ONLY, sizeof from, from);
	host_arg(g->k, 0, sizeof m, &m);
	host_try(clEnqueueMarkerWithWaitList(g->h->queue, 0, NULL, &e), "marker");
	host_try(clSetEventCallback(e, CL_COMPLETE, make_next, &o), "callback");
	clFlush(g->h->queue);
	host_try(clWaitForEvents(1, &o.go), "wait");
	p = map(g->h->queue, o.m, CL_TRUE, 0, 0, NULL, NULL);
	host_check(came(p, 0, N), "a buffer made in a callback");
	unmap(g->h->queue, o.m, p);
	host_try(clFinish(g->h->queue), "finish");
	clReleaseMemObject(m);
	clReleaseMemObject(o.m);
	clReleaseEvent(o.go);
	clReleaseEvent(e);
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, "");
	struct given g = { &h, host_kernel(p, "twice"), NULL };
	cl_int status;

	g.other = clCreateCommandQueue(h.context, h.device, 0, &status);
	host_try(status, "queue");
	buffers(&g, 0, "plain");
	buffers(&g, CL_MEM_ALLOC_HOST_PTR, "the platform's memory");
	buffers(&g, CL_MEM_USE_HOST_PTR, "the program's memory");
	shared(&g);
	threads(&g);
	callbacks(&g);
	clReleaseKernel(g.k);
	clReleaseProgram(p);
	clReleaseCommandQueue(g.other);
	host_close(&h);
	return host_wrong > 0;
}
