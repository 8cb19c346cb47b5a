/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_graph_params.h -- what a graph's nodes do, asked and changed, of graphs and of what is launched.
 * Part of cuda_runtime_api.h.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_GRAPH_PARAMS_H
#define WARPSTACK_CUDA_GRAPH_PARAMS_H

enum cudaGraphInstantiateResult {
	cudaGraphInstantiateSuccess = 0, cudaGraphInstantiateError = 1,
	cudaGraphInstantiateInvalidStructure = 2, cudaGraphInstantiateNodeOperationNotSupported = 3,
	cudaGraphInstantiateMultipleDevicesNotSupported = 4,
};
typedef struct cudaGraphInstantiateParams_st {
	unsigned long long flags;
	cudaStream_t uploadStream;
	cudaGraphNode_t errNode_out;
	enum cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;
enum cudaGraphDebugDotFlags { cudaGraphDebugDotFlagsVerbose = 1 };

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
					   cudaGraphInstantiateParams *params);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
					   const cudaGraphNode_t *after, size_t afters,
					   const void *symbol, const void *from, size_t bytes,
					   size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
					     const cudaGraphNode_t *after, size_t afters,
					     void *to, const void *symbol, size_t bytes,
					     size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
					 const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
					   size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
						 const void *from, size_t bytes, size_t offset,
						 enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to,
						   const void *symbol, size_t bytes, size_t offset,
						   enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
					 const struct cudaMemsetParams *params);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
				       const struct cudaHostNodeParams *params);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
					   struct cudaMemAllocNodeParams *params);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
					   size_t *count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
					const cudaGraphNode_t *to, size_t count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
/* Nodes in the form of Graphviz's dot. */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);
/* Of what is launched: kernels, copies and fills that are not done, or are again. */
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
				    unsigned int enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
				    unsigned int *enabled);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
						     const void *symbol, const void *from,
						     size_t bytes, size_t offset,
						     enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
						       void *to, const void *symbol, size_t bytes,
						       size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
						 cudaGraph_t child);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
						 cudaEvent_t event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
					       cudaEvent_t event);
#ifdef __cplusplus
}
#endif

#endif
