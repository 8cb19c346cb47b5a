/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/runtime.h -- libwarpstack-cuda.so: the CUDA runtime of programs that warpstack-nvcc
 * has made.
 *
 * Such a program has its device code as LLVM bitcode where others have a GPU's.  Kernels are run by
 * trace/capture/, and traced if `warpstack trace --app` has started the program.  Device memory is
 * the host's, so pointers are the same on both sides; in the trace each allocation has a device
 * address.  One file each:
 *   state.c     what is known
 *   error.c     errors, the last one and those that stay
 *   memory.c    allocations
 *   copy.c      copies and fills
 *   pool.c      pools, launches with attributes: other forms of what there is
 *   array.c     arrays of texels
 *   texture.c   textures and surfaces
 *   module.c    device code, kernels, variables
 *   launch.c    launches
 *   device.c    the machine as a device
 *   driver.c    the driver's calls, by those of the runtime
 *   driver_array.c    arrays, textures and surfaces by the driver's calls
 *   driver_module.c   modules that the program loads
 *   image.c     such modules as text, in place of PTX
 *   link.c      such modules linked by the program
 *   library.c   such modules by another name, and the driver's calls by name
 *   steps.c     launches said step by step
 *   nvrtc.c     modules that the program compiles
 *   random.c    cuRAND's calls of the host
 *   sobol.c     Sobol's sequences
 *   graph.h     graphs, and streams that are captured: further files
 *   virtual.c   the driver's virtual memory
 *   stream.c    streams and events: all work is done when a call returns
 *
 * Meanings are those of the CUDA Runtime API.  Private to trace/cuda/.  One lock, ws_app.run, is
 * held by each call that looks at what is known.
 */
#ifndef WS_CUDA_RUNTIME_H
#define WS_CUDA_RUNTIME_H

#include <cuda.h>
#include <cuda_runtime_api.h>

#include "trace/app/app.h"

#define WS_CUDA_CALL __attribute__((visibility("default")))

/* ---- error.c ---- */
/* Notes an error that a call returns, and returns it. */
cudaError_t ws_cuda_error(cudaError_t error);
/* The same of one after which all calls fail. */
cudaError_t ws_cuda_broken(cudaError_t error);
/* The error that stays; cudaSuccess: none. */
cudaError_t ws_cuda_stays(void);

/* ---- memory.c ---- */
struct ws_cuda_array { /* an allocation */
	uint8_t *host;
	uint64_t bytes, base;	/* base: its device address */
	void *mapping;		/* NULL: the memory is another's */
	bool pinned;		/* the host's own */
	bool managed;		/* the host uses it, too */
	bool graphs;		/* a graph's, which uses it again: it stays */
};
/* The allocation that an address is in; NULL: none.  The lock is held. */
struct ws_cuda_array *ws_cuda_find(const void *pointer);
/* A new one; NULL: out of memory. */
struct ws_cuda_array *ws_cuda_allocate(size_t bytes);
/* Memory of a graph.  Takes the lock. */
cudaError_t ws_cuda_allocate_for_graph(void **pointer, size_t bytes);
/* The same in memory that is there. */
struct ws_cuda_array *ws_cuda_adopt(void *host, size_t bytes);
/* The array that begins there is none any more. */
void ws_cuda_forget(const void *host);

/* ---- copy.c ---- */
struct ws_cuda_box { /* rows and slices of memory */
	uint8_t *memory;
	size_t pitch, slice;	/* bytes from one to the next */
};
/* Copies depth slices of height rows of width bytes. */
cudaError_t ws_cuda_copy(const struct ws_cuda_box *to, const struct ws_cuda_box *from,
			 const struct cudaExtent *extent, enum cudaMemcpyKind kind);

/* ---- array.c ---- */
struct cudaArray {
	uint8_t *memory;	/* an allocation */
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent; /* texels; height and depth 0: there is none */
	size_t texel, pitch, slice; /* bytes */
	unsigned int flags;
	struct cudaArray *next;	/* of those that there are */
};
/* Bytes of a texel; 0: there is no such format. */
size_t ws_cuda_texel(const struct cudaChannelFormatDesc *format);
/* A box of so many bytes, rows and slices that begins at byte x of row y of slice z; false: it is
 * not all there. */
bool ws_cuda_array_box(struct ws_cuda_box *box, cudaArray_const_t array, size_t x, size_t y,
		       size_t z, const struct cudaExtent *bytes);

#define WS_BLOCK_Z_MAX 64 /* threads */

/* ---- module.c ---- */
struct ws_cuda_kernel {
	const void *stub;	/* the host's function of that name */
	char *name;
	struct ws_cuda_module *module;
	struct ws_kernel *kernel; /* NULL: not compiled yet, or it cannot be; bare if the
				   * program is not traced */
	struct ws_kernel *bare;	/* of one that is: for launches that are not; NULL: not yet */
	struct ws_app_said said;
	cudaError_t failed;	/* to compile */
	bool missing;		/* its module has none of that name */
	uint64_t launches;
	uint64_t items;		/* work-items of its launches, up to WS_QUICK_ITEMS + 1 */
	double seconds;		/* that they have taken */
	struct ws_cta_shapes shapes; /* of their CTAs */
	struct ws_cuda_steps *steps; /* of steps.c; NULL: none yet */
};
struct ws_cuda_variable {
	void *shadow;		/* the host's variable of that name; NULL: there is none */
	char *name;
	uint64_t bytes;
	uint8_t *host;		/* NULL: not looked at yet; else shadow, so that the host sees
				 * managed variables, or memory of its own */
};
struct ws_cuda_module {
	bool alone;		/* not linked with others: the program loaded it */
	struct ws_bitcode code;
	struct ws_cuda_kernel **kernel;
	size_t kernels, kernel_cap;
	struct ws_cuda_variable *variable;
	size_t variables, variable_cap;
};
/* What warpstack-nvcc has packed, in `bytes` of data at most; `code` is within them.  False: it is
 * another compiler's, or memory is out. */
bool ws_cuda_code(struct ws_bitcode *code, const char *data, size_t bytes);
/* The same the other way round: what that reads onto out. */
enum ws_status ws_cuda_pack(struct ws_buf *out, const struct ws_bitcode *code, const char *source,
			    struct ws_err *err) WS_MUST_CHECK;
/* NULL: it is no kernel of the program.  The lock is held. */
struct ws_cuda_kernel *ws_cuda_kernel(const void *stub);
/* Compiles it, once; a message tells why it cannot be. */
cudaError_t ws_cuda_compile(struct ws_cuda_kernel *k);
/* The same of what runs launches that are not traced; NULL: none could be made. */
const struct ws_kernel *ws_cuda_bare(struct ws_cuda_kernel *k);
/* Memory of a variable, with what it begins with; NULL: none. */
uint8_t *ws_cuda_variable_of(struct ws_cuda_module *m, const char *name, uint64_t bytes);
/* By the host's shadow of it, or by its name. */
struct ws_cuda_variable *ws_cuda_symbol(const void *symbol, struct ws_cuda_module **module);

/* ---- image.c ---- */
/* An image, as ws_cuda_pack makes it, as text without a zero byte: what stands for PTX. */
enum ws_status ws_cuda_text(struct ws_buf *out, const struct ws_buf *image, struct ws_err *err)
	WS_MUST_CHECK;
/* The other way round, of text in `bytes` of data at most.  False: it is none, or memory is out. */
bool ws_cuda_untext(struct ws_buf *image, const char *data, size_t bytes);
/* The same of either form.  `code` has memory of its own, which ws_cuda_code_free gives back. */
bool ws_cuda_image(struct ws_bitcode *code, const char *data, size_t bytes);
void ws_cuda_code_free(struct ws_bitcode *code);
/* All bytes of a file; NULL: it cannot be read. */
char *ws_cuda_file(const char *path, size_t *bytes);

/* ---- driver_module.c ---- */
#define WS_CUDA_ARGS_MAX 128u /* of a kernel (trace/capture/) */
/* Arguments that lie in one buffer, each where its alignment has it, which `extra` names as that of
 * cuLaunchKernel.  argument: WS_CUDA_ARGS_MAX of them. */
CUresult ws_cuda_spread(const struct ws_cuda_kernel *k, void **extra, void **argument);

/* ---- driver.c ---- */
CUresult ws_driver_error(cudaError_t error);

/* ---- state.c ---- */
struct ws_cuda {
	bool begun, useless;	/* the settings make no sense */
	struct ws_cuda_array *array; /* in the order of host */
	size_t arrays, array_cap;
	uint64_t next;		/* device address */
	struct ws_cuda_module **module;
	size_t modules, module_cap;
	uint64_t launches;	/* of the kernels to be traced */
};
extern struct ws_cuda ws_cuda;
/* Takes the lock; the first call begins.  False: nothing can be run. */
bool ws_cuda_enter(void);
void ws_cuda_leave(void);

#endif
