/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/graph.h -- graphs: nodes that are done in an order that their edges allow.  One file
 * each:
 *   graph_node.c	nodes and edges
 *   capture.c		streams whose work becomes nodes
 *   graph.c		the calls that make graphs
 *   graph_params.c	the calls that ask and change what nodes do
 *   capture_calls.c	the calls of captures
 *   graph_user.c	objects that graphs hold
 *   graph_run.c	what is made of a graph to be launched, and its launches
 *
 * Private to trace/cuda/.  Graphs are not shared by threads, as in CUDA.
 */
#ifndef WS_CUDA_GRAPH_H
#define WS_CUDA_GRAPH_H

#include "trace/cuda/runtime.h"

struct ws_graph_copy { /* of bytes, or 3D */
	bool flat;
	void *to;
	const void *from;
	size_t bytes;
	enum cudaMemcpyKind kind;
	struct cudaMemcpy3DParms box;
};

struct CUgraphNode_st {
	enum cudaGraphNodeType type;
	struct CUgraph_st *graph;
	struct CUgraphNode_st **after;	/* what has to be done before */
	size_t afters, after_cap;
	struct CUgraphNode_st *origin;	/* of a copy */
	size_t place;			/* in the graph */
	unsigned mark;			/* while an order is looked for */
	union {
		struct ws_graph_kernel {
			struct cudaKernelNodeParams params; /* kernelParams: copies, ours */
			size_t count;
		} kernel;
		struct ws_graph_copy copy;
		struct cudaMemsetParams fill;
		struct cudaHostNodeParams host;
		struct CUgraph_st *child;	/* ours; of a condition: what depends on it */
		struct cudaEventNodeParams event;
		struct cudaMemAllocNodeParams memory;
	};
	unsigned *condition;		/* of a conditional node: in memory of the device */
	bool again;			/* while it holds, not if */
	bool off;			/* not done */
};

struct ws_graph_condition {
	unsigned *value, first;
	bool set;			/* to `first` at each launch */
};

struct CUgraph_st {
	struct CUgraphNode_st **node;
	size_t nodes, cap;
	struct ws_graph_condition *condition;
	size_t conditions, condition_cap;
	bool inside;			/* another one's: of a conditional node */
	struct cudaUserObject_st **user; /* that it holds, once for each reference */
	size_t users, user_cap;
};

struct CUgraphExec_st {
	struct CUgraph_st *graph;	/* a copy */
};

/* ---- graph_node.c ---- */
/* A node of the type, all else zero; NULL: out of memory. */
struct CUgraphNode_st *ws_graph_add(struct CUgraph_st *g, enum cudaGraphNodeType type,
				    struct CUgraphNode_st *const *after, size_t afters);
bool ws_graph_after(struct CUgraphNode_st *node, struct CUgraphNode_st *before);
/* Copies of the arguments, in place of those that the node has. */
cudaError_t ws_graph_kernel(struct CUgraphNode_st *node, const struct cudaKernelNodeParams *p);
cudaError_t ws_graph_clone(struct CUgraph_st **out, const struct CUgraph_st *g);
void ws_graph_free(struct CUgraph_st *g);
void ws_graph_forget(struct CUgraphNode_st *node); /* its memory alone */
/* What node `of` does, from now on what node does. */
cudaError_t ws_graph_take(struct CUgraphNode_st *node, const struct CUgraphNode_st *of);

/* ---- graph_user.c ---- */
/* A reference to the object is the graph's from now on; false: out of memory. */
bool ws_graph_hold(struct CUgraph_st *g, struct cudaUserObject_st *object);
bool ws_graph_hold_all(struct CUgraph_st *to, const struct CUgraph_st *from);
void ws_graph_let_go(struct CUgraph_st *g);

/* ---- graph_run.c ---- */
/* The node of the launchable graph that stands for `node`; NULL: there is none. */
struct CUgraphNode_st *ws_graph_changed(cudaGraphExec_t exec, cudaGraphNode_t node);

/* ---- capture.c ---- */
struct ws_capture { /* of a stream */
	struct CUgraph_st *graph; /* NULL: it is not captured */
	struct CUgraphNode_st **after; /* what comes next depends on those */
	size_t afters, cap;
	bool begun;	/* in this stream */
	uint64_t id;
};
struct CUstream_st {
	unsigned int flags;
	cudaAccessPolicyWindow window;
	struct ws_capture capture;
};
struct CUevent_st {
	double seconds;
	bool recorded;
	struct ws_capture capture; /* recorded in a stream that is captured */
};
/* Those that are no memory of ours. */
static inline bool ws_stream_is_usual(cudaStream_t stream)
{
	return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}
/* Whether what is asked for in a stream becomes a node. */
static inline bool ws_captures(cudaStream_t stream)
{
	return !ws_stream_is_usual(stream) && stream->capture.graph;
}
/* The node that it becomes; NULL: out of memory. */
struct CUgraphNode_st *ws_capture_node(cudaStream_t stream, enum cudaGraphNodeType type);
void ws_capture_clear(struct ws_capture *c);
/* Streams that there are, for a capture's end; false: out of memory. */
bool ws_stream_list(struct CUstream_st *stream);
void ws_stream_forget(const struct CUstream_st *stream);
/* The graph's capture has ended, in all of them. */
void ws_streams_leave(const struct CUgraph_st *graph);
/* Whether the capture that an event was recorded in has not ended. */
bool ws_capture_goes_on(const struct ws_capture *c);
/* What comes next depends on those, too; false: out of memory. */
bool ws_capture_after(struct ws_capture *c, struct CUgraphNode_st *const *after, size_t afters);
cudaError_t ws_capture_record(cudaEvent_t event, cudaStream_t stream);
cudaError_t ws_capture_wait(cudaStream_t stream, cudaEvent_t event);
/* Of calls by their names. */
cudaError_t ws_capture_kernel(cudaStream_t stream, const struct cudaKernelNodeParams *p);
cudaError_t ws_capture_copy(cudaStream_t stream, const struct ws_graph_copy *copy);
cudaError_t ws_capture_fill(cudaStream_t stream, const struct cudaMemsetParams *fill);
cudaError_t ws_capture_host(cudaStream_t stream, cudaHostFn_t f, void *data);
cudaError_t ws_capture_alloc(cudaStream_t stream, void *pointer, size_t bytes);
cudaError_t ws_capture_free(cudaStream_t stream, void *pointer);

#endif
