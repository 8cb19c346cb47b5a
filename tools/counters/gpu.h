/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tools/counters/gpu.h -- one source for CUDA, HIP and plain C++.
 *
 * KERNEL, SHARED and LAUNCH say what the three say differently; memory is copied by gpu_in and
 * gpu_out.  Plain C++ runs a kernel on the CPU: blocks one after the other, the threads of a block
 * as contexts that take turns at __syncthreads.
 */
#ifndef GPU_H
#define GPU_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define GLOBAL /* address spaces, which OpenCL wants */
#define LOCAL

static inline void gpu_fail(const char *what, const char *why)
{
	fprintf(stderr, "run: %s: %s\n", what, why);
	exit(1);
}

#if defined(__CUDACC__) || defined(__HIPCC__)

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#else
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#endif
#define KERNEL __global__ void
#define SHARED(type, name) extern __shared__ type name[]
#define LAUNCH(kernel, grid, block, shared, ...) \
	do { \
		kernel<<<grid, block, shared>>>(__VA_ARGS__); \
		gpu_check(GPU(GetLastError)(), #kernel); \
		gpu_check(GPU(DeviceSynchronize)(), #kernel); \
	} while (0)

static inline void gpu_check(GPU(Error_t) error, const char *what)
{
	if (error != GPU(Success))
		gpu_fail(what, GPU(GetErrorString)(error));
}

template <class T> T *gpu_new(size_t count)
{
	T *p = nullptr;

	gpu_check(GPU(Malloc)((void **)&p, count * sizeof(T)), "allocation");
	return p;
}

template <class T> void gpu_in(T *to, const std::vector<T> &from)
{
	gpu_check(GPU(Memcpy)(to, from.data(), from.size() * sizeof(T),
			      GPU(MemcpyHostToDevice)), "copy to the GPU");
}

template <class T> void gpu_out(std::vector<T> &to, const T *from)
{
	gpu_check(GPU(Memcpy)(to.data(), from, to.size() * sizeof(T), GPU(MemcpyDeviceToHost)),
		  "copy from the GPU");
}

/* What the runtime says of the first GPU, as keys of a machine. */
static inline void gpu_describe(void)
{
#if defined(__CUDACC__)
	cudaDeviceProp p;
#else
	hipDeviceProp_t p;
#endif
	gpu_check(GPU(GetDeviceProperties)(&p, 0), "the GPU");
#if defined(__CUDACC__)
	size_t shared = p.sharedMemPerMultiprocessor, registers = (size_t)p.regsPerMultiprocessor;
#else /* what all versions of HIP have */
	size_t shared = p.sharedMemPerBlock, registers = (size_t)p.regsPerBlock;
#endif
	printf("title = %s\nsm.count = %d\nsm.threads = %d\nsm.registers = %zu\nsm.shared = %zu\n"
	       "l2.size = %zu\nwarp.width = %d\n", p.name, p.multiProcessorCount,
	       p.maxThreadsPerMultiProcessor, registers, shared, (size_t)p.l2CacheSize, p.warpSize);
}

#else /* plain C++ */

#include <ucontext.h>

#define KERNEL static void
#define SHARED(type, name) type *name = (type *)gpu_block.shared.data()

struct dim3 {
	unsigned x, y, z;
	dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
static dim3 gridDim, blockDim, blockIdx, threadIdx;

struct gpu_thread {
	ucontext_t context;
	std::vector<char> stack;
	bool done;
};

static struct {			/* the block that runs */
	ucontext_t scheduler;
	std::vector<gpu_thread> thread;
	std::vector<double> shared;
	void (*body)(void *);
	void *arguments;
	gpu_thread *current;
} gpu_block;

static void __syncthreads(void)
{
	dim3 own = threadIdx;

	swapcontext(&gpu_block.current->context, &gpu_block.scheduler);
	threadIdx = own;
}

static void gpu_enter(void)
{
	gpu_block.body(gpu_block.arguments);
	gpu_block.current->done = true;
}

static void gpu_begin(gpu_thread &t)
{
	t.done = false;
	t.stack.resize(64 << 10);
	getcontext(&t.context);
	t.context.uc_stack.ss_sp = t.stack.data();
	t.context.uc_stack.ss_size = t.stack.size();
	t.context.uc_link = &gpu_block.scheduler;
	makecontext(&t.context, gpu_enter, 0);
}

/* All threads in turn to their next barrier or end, until none is left. */
static void gpu_run_block(void)
{
	size_t left = gpu_block.thread.size();

	for (gpu_thread &t : gpu_block.thread)
		gpu_begin(t);
	while (left) {
		for (size_t i = 0; i < gpu_block.thread.size(); i++) {
			gpu_thread &t = gpu_block.thread[i];

			if (t.done)
				continue;
			gpu_block.current = &t;
			threadIdx = dim3((unsigned)i % blockDim.x, (unsigned)i / blockDim.x % blockDim.y,
					 (unsigned)i / blockDim.x / blockDim.y);
			swapcontext(&gpu_block.scheduler, &t.context);
			left -= t.done;
		}
	}
}

template <class F> void gpu_launch(dim3 grid, dim3 block, size_t shared, F body)
{
	gridDim = grid;
	blockDim = block;
	gpu_block.body = [](void *p) { (*(F *)p)(); };
	gpu_block.arguments = &body;
	gpu_block.shared.assign(shared / sizeof(double) + 1, -1e30); /* nothing may be taken for 0 */
	gpu_block.thread.resize((size_t)block.x * block.y * block.z);
	for (unsigned i = 0; i < grid.x * grid.y * grid.z; i++) {
		blockIdx = dim3(i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y);
		gpu_run_block();
	}
}
#define LAUNCH(kernel, grid, block, shared, ...) \
	gpu_launch(grid, block, shared, [&] { kernel(__VA_ARGS__); })

static inline int atomicAdd(int *p, int v)
{
	int old = *p;

	*p += v;
	return old;
}

template <class T> T *gpu_new(size_t count)
{
	T *p = (T *)calloc(count, sizeof(T));

	if (!p)
		gpu_fail("allocation", "out of memory");
	return p;
}

template <class T> void gpu_in(T *to, const std::vector<T> &from)
{
	memcpy(to, from.data(), from.size() * sizeof(T));
}

template <class T> void gpu_out(std::vector<T> &to, const T *from)
{
	memcpy(to.data(), from, to.size() * sizeof(T));
}

static inline void gpu_describe(void)
{
	puts("title = CPU, for tests");
}

#endif
#endif
