/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/launch.c -- launches: checked, run, traced if they are asked for.
 *
 * An argument that points into an allocation may be used for all of it; one that points nowhere is
 * an array of no bytes.  All allocations are known to the launch, since pointers to them may be
 * anywhere.  What a launch that fails has written stays.
 */
#include "trace/cuda/graph.h"

#include <stdlib.h>
#include <string.h>

#define CONFIGURATIONS 16u /* calls of kernels in the arguments of others */
#define GRID_X_MAX     0x7fffffffu
#define GRID_MAX       65535u

/* ---- <<<>>> ---------------------------------------------------------------------------- */

struct configuration {
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream;
};
static _Thread_local struct configuration pushed[CONFIGURATIONS];
static _Thread_local unsigned pushes;

WS_CUDA_CALL unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
						      struct CUstream_st *stream)
{
	if (pushes == CONFIGURATIONS)
		return (unsigned)cudaErrorInvalidConfiguration;
	pushed[pushes++] = (struct configuration){ grid, block, shared, stream };
	return 0;
}

WS_CUDA_CALL cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
						    void *stream)
{
	const struct configuration *c;

	if (!pushes)
		return cudaErrorInvalidConfiguration;
	c = &pushed[--pushes];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	memcpy(stream, &c->stream, sizeof c->stream);
	return cudaSuccess;
}

/* ---- a launch's parts ------------------------------------------------------------------ */

static enum ws_status make_buffers(struct ws_program *p, struct ws_err *err)
{
	p->buffer = ws_alloc_zero(ws_cuda.arrays, sizeof *p->buffer);
	if (!p->buffer)
		return ws_fail_memory(err, "a launch's buffers");
	for (; p->buffers < ws_cuda.arrays; p->buffers++) {
		const struct ws_cuda_array *a = &ws_cuda.array[p->buffers];

		p->buffer[p->buffers] = (struct ws_buffer){
			.name = (char *)(uintptr_t)"of the program", .bytes = a->bytes,
			.host = a->host, .base = a->base,
		};
	}
	return WS_OK;
}

static void bind_pointer(struct ws_arguments *a, size_t i, const uint8_t *pointer)
{
	const struct ws_cuda_array *array = pointer ? ws_cuda_find(pointer) : NULL;

	memcpy(a->store[i], &pointer, sizeof pointer);
	if (!array)
		return;
	a->buffer[i] = (size_t)(array - ws_cuda.array);
	a->bound[i] = (struct ws_bound_argument){
		.bytes = array->bytes, .device = array->base,
		.before = (uint64_t)(pointer - array->host),
	};
}

/* given: what cudaLaunchKernel has, of the kernel's own parameters. */
static enum ws_status bind_all(struct ws_app_launch *l, struct ws_cuda_kernel *k, void **given,
			       size_t shared, struct ws_err *err)
{
	struct ws_arguments *a = &l->arguments;
	enum ws_status status = ws_arguments_init(a, l->kernel, err);

	for (size_t i = 0; i < l->kernel->args && status == WS_OK; i++) {
		const struct ws_kernel_arg *arg = &l->kernel->arg[i];
		uint8_t *pointer;

		if (arg->symbol) {
			pointer = ws_cuda_variable_of(k->module, arg->symbol, arg->extent);
			bind_pointer(a, i, pointer);
		} else if (arg->kind == WS_ARG_LOCAL) {
			a->local_bytes[i] = a->bound[i].bytes = shared;
		} else if (arg->kind == WS_ARG_GLOBAL) {
			memcpy(&pointer, given[i], sizeof pointer);
			bind_pointer(a, i, pointer);
		} else {
			a->value[i] = given[i];
		}
	}
	if (status == WS_OK)
		ws_arguments_place(a, l->kernel);
	return status;
}

/* Variables get their memory before the launch's buffers are listed. */
static bool place_variables(const struct ws_cuda_kernel *k)
{
	bool good = true;

	for (size_t i = 0; i < k->kernel->args; i++) {
		const struct ws_kernel_arg *arg = &k->kernel->arg[i];

		if (arg->symbol)
			good &= ws_cuda_variable_of(k->module, arg->symbol, arg->extent) != NULL;
	}
	return good;
}

static void set_sizes(struct ws_launch_spec *s, char *name, dim3 grid, dim3 block)
{
	const uint64_t blocks[3] = { grid.x, grid.y, grid.z };
	const uint64_t threads[3] = { block.x, block.y, block.z };

	*s = (struct ws_launch_spec){ .kernel = name, .dim = 3, .repeat = 1 };
	for (unsigned d = 0; d < 3; d++) {
		s->local[d] = threads[d];
		s->global[d] = blocks[d] * threads[d];
	}
}

static void count_items(struct ws_cuda_kernel *k, dim3 grid, dim3 block)
{
	struct ws_launch_spec spec;

	set_sizes(&spec, k->name, grid, block);
	k->items = ws_quick_items(k->items, &spec);
	ws_cta_shapes_add(&k->shapes, spec.local);
}

/* Code that is made in little time is slow: once it has run for as long as better code takes to be
 * made, the next launch has that. */
#define QUICK_SECONDS 0.05

static void count_seconds(struct ws_cuda_kernel *k, double begun)
{
	k->seconds += ws_seconds() - begun;
	if (k->seconds > QUICK_SECONDS)
		k->items = WS_QUICK_ITEMS + 1;
}

/* ---- running it ------------------------------------------------------------------------ */

/* Is it one that is asked for? */
static bool is_wanted(const struct ws_cuda_kernel *k)
{
	const struct ws_settings *s = &ws_app.settings;

	if (s->kernel && !ws_cuda_is_named(k->kernel->name, s->kernel))
		return false;
	ws_cuda.launches++;
	return ws_cuda.launches >= s->first && ws_cuda.launches <= s->last && ws_trace_ours();
}

static enum ws_status run(struct ws_app_launch *l, struct ws_cuda_kernel *k, struct ws_err *err)
{
	bool wanted = is_wanted(k);
	double begun = ws_seconds();
	bool whole = false;
	enum ws_status status = ws_app_launch_make(l, wanted && ws_app.settings.ctas, err);

	if (status == WS_OK && wanted) {
		status = ws_app_launch_trace(l, &whole, err);
		if (status == WS_OK)
			ws_tally_traced(l->said, whole);
	}
	ws_tally_ran(begun, l->kernel->name);
	if (status == WS_OK && !whole) {
		l->bare = ws_cuda_bare(k);
		begun = ws_seconds();
		status = ws_app_launch_run(l, err);
	}
	count_seconds(k, begun);
	return status;
}

static cudaError_t error_of(enum ws_status status, const struct ws_err *err)
{
	if (status == WS_ENOMEM)
		return cudaErrorMemoryAllocation;
	if (strstr(err->text, "an assertion failed"))
		return cudaErrorAssert;
	return strstr(err->text, "out of bounds") ? cudaErrorIllegalAddress
	       : strstr(err->text, "misaligned")  ? cudaErrorMisalignedAddress
						  : cudaErrorLaunchFailure;
}

static cudaError_t check_sizes(dim3 grid, dim3 block, size_t shared)
{
	const struct ws_machine *m = &ws_app.settings.machine;
	uint64_t threads = (uint64_t)block.x * block.y * block.z;

	if (!grid.x || !grid.y || !grid.z || !threads || grid.x > GRID_X_MAX ||
	    grid.y > GRID_MAX || grid.z > GRID_MAX)
		return cudaErrorInvalidConfiguration;
	if (block.x > m->cta_threads || block.y > m->cta_threads || block.z > WS_BLOCK_Z_MAX ||
	    threads > m->cta_threads)
		return cudaErrorInvalidConfiguration;
	return m->sm_shared_bytes && shared > m->sm_shared_bytes ? cudaErrorInvalidValue
								 : cudaSuccess;
}

static cudaError_t launch(struct ws_cuda_kernel *k, dim3 grid, dim3 block, void **given,
			  size_t shared)
{
	struct ws_app_launch l = { .kernel = k->kernel, .said = &k->said };
	struct ws_err err = { 0 };
	enum ws_status status;

	if (!place_variables(k))
		return cudaErrorMemoryAllocation;
	if (!ws_app.pool && ws_cta_pool_new(&ws_app.pool, &err) != WS_OK)
		return cudaErrorMemoryAllocation;
	set_sizes(&l.spec, k->kernel->name, grid, block);
	l.program.source = k->module->code.source;
	status = make_buffers(&l.program, &err);
	if (status == WS_OK)
		status = bind_all(&l, k, given, shared, &err);
	if (status == WS_OK)
		status = run(&l, k, &err);
	if (status != WS_OK)
		ws_say("%s", err.text);
	ws_app_launch_clear(&l);
	ws_arguments_clear(&l.arguments);
	free(l.program.buffer);
	return status == WS_OK ? cudaSuccess : ws_cuda_broken(error_of(status, &err));
}

WS_CUDA_CALL cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
					  void **arguments, size_t shared, cudaStream_t stream)
{
	cudaError_t error = cudaErrorInitializationError;
	const struct cudaKernelNodeParams p = {
		(void *)(uintptr_t)kernel, grid, block, (unsigned)shared, arguments, NULL,
	};
	struct ws_cuda_kernel *k;

	if (ws_captures(stream))
		return ws_cuda_error(ws_capture_kernel(stream, &p));
	if (ws_cuda_enter() && (error = ws_cuda_stays()) == cudaSuccess) {
		k = ws_cuda_kernel(kernel);
		error = k ? check_sizes(grid, block, shared) : cudaErrorInvalidDeviceFunction;
		if (error == cudaSuccess) {
			count_items(k, grid, block);
			error = ws_cuda_compile(k);
		}
		if (error == cudaSuccess)
			error = launch(k, grid, block, arguments, shared);
	}
	ws_cuda_leave();
	return ws_cuda_error(error);
}

/* Blocks that wait for each other run together anyway. */
WS_CUDA_CALL cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
						     void **arguments, size_t shared,
						     cudaStream_t stream)
{
	return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
