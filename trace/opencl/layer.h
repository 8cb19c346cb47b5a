/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/layer.h -- libwarpstack-opencl.so: an OpenCL layer that traces unmodified programs.
 *
 * The loader (OPENCL_LAYERS) puts the layer between a program and its platform.  Every call goes
 * through to the platform; kernels that come from source are run by trace/capture/
 * instead, in place in the platform's buffers.  What capture cannot run the platform runs, with a
 * message.  One file each:
 *   layer.c     what the loader calls, and the table of calls that are taken
 *   state.c     what the layer knows
 *   handles.c   handles of the platform -> what we know of them
 *   device.c    the platform's CPU presented as the machine, a GPU
 *   image.c     images, samplers
 *   memory.c    buffers, sub-buffers, shared virtual memory; their device addresses
 *   program.c   sources and build options, compiled when first enqueued
 *   kernel.c    kernels and their arguments
 *   event.c     events of our launches, and the program's own (user events)
 *   enqueue.c   what becomes of an enqueued kernel, and when
 *   execute.c   a launch in our executor
 *
 * What to trace, and the trace: trace/app/app.h.
 *
 * Private to trace/opencl/.  Two locks: `lock` for all tables, held for moments; `ws_app.run` for
 * compiling and running, held for a launch.  Who holds `lock` takes no other and calls nothing
 * of the platform but to retain an object.
 */
#ifndef WS_LAYER_H
#define WS_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_layer.h>

#include "base/map.h"
#include "trace/app/app.h"

/* ---- handles.c ---- */
struct ws_handle { /* the first member of what is known of a platform's object */
	const void *key;
	size_t refs; /* the program's references, and ours */
};
struct ws_handles { /* all zero: empty */
	struct ws_handle_entry { uint64_t key; struct ws_handle *handle; } *entry;
	size_t count, cap;
	struct ws_map map;
};
/* An entry of the same key, whose object must be gone, is replaced and returned.  Without
 * memory nothing is added: the object is unknown. */
struct ws_handle *ws_handles_put(struct ws_handles *t, struct ws_handle *h);
struct ws_handle *ws_handles_get(const struct ws_handles *t, const void *key);
void ws_handles_remove(struct ws_handles *t, const struct ws_handle *h);

/* ---- memory.c ---- */
struct ws_cl_buffer {
	struct ws_handle handle;
	cl_mem mem;
	cl_context context;
	struct ws_cl_buffer *root; /* a sub-buffer's buffer; else itself */
	size_t origin, bytes;
	cl_mem_flags flags;	/* as the program gave them */
	uint64_t base;		/* device address */
	uint8_t *host;		/* its memory; NULL: not known */
	struct ws_image image;	/* if it is one */
};
struct ws_svm { /* an allocation of shared virtual memory */
	cl_context context;
	uint8_t *host;
	size_t bytes;
	uint64_t base;
};
/* With the lock held.  A buffer is retained. */
struct ws_cl_buffer *ws_buffer_hold(cl_mem mem);
void ws_cl_buffer_drop(struct ws_cl_buffer *b);
/* With the lock held, too.  Without memory a buffer stays unknown (NULL): its kernels are left to
 * the platform.  Its base, host and image are the caller's to set. */
struct ws_cl_buffer *ws_cl_buffer_new(cl_mem mem, cl_context context, size_t bytes,
				      cl_mem_flags flags);
uint64_t ws_address_take(size_t bytes); /* 0: out of memory */
/* A queue of our own, so that nothing the program has queued is in the way; NULL: there is none.
 * Ended, it is waited for, but in a callback. */
cl_command_queue ws_own_queue(cl_context context);
void ws_own_queue_end(cl_command_queue queue);
/* Without those that keep the host away. */
cl_mem_flags ws_without_host(cl_mem_flags flags);
void ws_memory_take(cl_icd_dispatch *d);

/* ---- image.c ---- */
void ws_image_take(cl_icd_dispatch *d);

/* ---- program.c ---- */
struct ws_compiled { /* a kernel of a unit */
	struct ws_compiled *next;
	char *name;
	struct ws_opaque *opaque; /* what it is made for, by argument */
	size_t opaques;
	struct ws_kernel *kernel; /* NULL: capture cannot run it */
	bool left;		  /* a message was printed that the platform runs it */
	struct ws_app_said said;
};
struct ws_unit { /* a source and its build options; kept until the end */
	struct ws_unit *next;
	char *source, *options;
	char name[32];		/* "program-1.cl" */
	bool tried;
	struct ws_err failed; /* why there is no code */
	struct ws_bitcode code;
	struct ws_compiled *kernels;
};
/* The unit that a kernel created now comes from; NULL: not from source.  Takes the lock. */
struct ws_unit *ws_unit_of(cl_program program);
/* Compiles what is not yet.  NULL: out of memory.  The run lock is held. */
struct ws_compiled *ws_unit_kernel(struct ws_unit *u, const char *name,
				   const struct ws_opaque *opaque, size_t opaques);
/* Once per kernel: why the platform runs it. */
void ws_say_left(struct ws_compiled *c, const char *why);
void ws_program_take(cl_icd_dispatch *d);

/* ---- kernel.c ---- */
struct ws_cl_arg {
	size_t size;
	uint8_t *value;		/* aligned to 128 bytes; NULL: local memory, or no buffer */
	bool set, svm;
};
struct ws_cl_kernel {
	struct ws_handle handle;
	cl_kernel kernel;
	char *name;
	struct ws_unit *unit;
	struct ws_cl_arg *arg;
	size_t args;
};
/* The lock is held: what an argument asks a kernel to be made for (image.c). */
struct ws_opaque ws_opaque_of(const struct ws_cl_arg *a);
/* The lock is held. */
struct ws_cl_kernel *ws_kernel_find(cl_kernel kernel);
/* False if memory is out. */
bool ws_cl_arg_set(struct ws_cl_arg *a, size_t size, const void *value);
void ws_cl_args_free(struct ws_cl_arg *arg, size_t args);
void ws_kernel_take(cl_icd_dispatch *d);

/* ---- event.c ---- */
/* done: the event that the program gets for a launch; ready (taken over): all before it is done. */
void ws_event_add(cl_event done, cl_event ready, cl_command_type type);
/* Does the program hold events that it has yet to complete itself? */
bool ws_event_pending(void);
/* Is this thread one of the platform's, in a callback of the program's? */
bool ws_event_in_callback(void);
void ws_event_take(cl_icd_dispatch *d);

/* ---- enqueue.c ---- */
struct ws_job { /* a launch, with all that it needs */
	struct ws_compiled *compiled;
	const struct ws_unit *unit;
	cl_kernel kernel;
	cl_context context;
	cl_device_id device;
	cl_uint dim;
	size_t offset[3], global[3], local[3];
	bool local_given;
	struct ws_cl_arg *arg;
	struct ws_cl_buffer **buffer; /* by argument; NULL: none */
	size_t args;
};
void ws_enqueue_take(cl_icd_dispatch *d);

/* ---- execute.c ---- */
/* Runs it into the trace.  *whole: the buffers hold the results; if not, or if it fails, they are
 * as before.  The run lock is held. */
enum ws_status ws_job_execute(const struct ws_job *job, bool *whole,
			      struct ws_err *err) WS_MUST_CHECK;

/* ---- device.c ---- */
void ws_device_take(cl_icd_dispatch *d);
/* A query's answer, as OpenCL hands them out. */
cl_int ws_answer(const void *value, size_t len, size_t room, void *to, size_t *size);

/* ---- state.c ---- */
struct ws_layer {
	const cl_icd_dispatch *next; /* the platform */
	cl_icd_dispatch own;
	pthread_mutex_t lock;
	struct ws_handles buffers, programs, kernels, events, samplers;
	struct ws_svm *svm;
	size_t svms, svm_cap;
	struct ws_unit *units;
	size_t unit_count, user_events;
	uint64_t launches;	/* enqueued, of the kernels to be traced */
	bool said_other;	/* under the run lock */
};
extern struct ws_layer ws_layer;

#endif
