/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/link.c -- the driver's linker (cuLinkCreate, ...): modules that the program adds
 * become one, which cuModuleLoadData takes.
 */
#include "trace/cuda/runtime.h"

#include <stdlib.h>
#include <string.h>

struct CUlinkState_st {
	struct ws_bitcode *code;
	size_t codes, cap;
	struct ws_buf image;
	char *log;		/* the program's: for errors; NULL: none */
	size_t log_bytes;
	float *milliseconds;	/* NULL: not asked for */
	double begun;
};

/* Values are numbers that are written where an address would be. */
static void take_options(struct CUlinkState_st *s, unsigned int count, const CUjit_option *option,
			 void **value)
{
	for (unsigned int i = 0; i < count; i++) {
		if (option[i] == CU_JIT_ERROR_LOG_BUFFER)
			s->log = value[i];
		else if (option[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			s->log_bytes = (size_t)(uintptr_t)value[i];
		else if (option[i] == CU_JIT_WALL_TIME)
			s->milliseconds = (float *)(void *)&value[i];
		else if (option[i] == CU_JIT_INFO_LOG_BUFFER && value[i])
			*(char *)value[i] = '\0';
		else if (option[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
			value[i] = NULL; /* so many bytes of it are used */
	}
	if (s->log && s->log_bytes)
		*s->log = '\0';
}

WS_CUDA_CALL CUresult cuLinkCreate(unsigned int count, CUjit_option *option, void **value,
				   CUlinkState *state)
{
	struct CUlinkState_st *s;

	if (!state || (count && (!option || !value)))
		return CUDA_ERROR_INVALID_VALUE;
	s = *state = ws_alloc_zero(1, sizeof *s);
	if (!s)
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->begun = ws_seconds();
	take_options(s, count, option, value);
	return CUDA_SUCCESS;
}

static CUresult failed(const struct CUlinkState_st *s, CUresult result, const char *text)
{
	if (s->log && s->log_bytes)
		snprintf(s->log, s->log_bytes, "%s", text);
	ws_say("%s", text);
	return result;
}

static CUresult add_module(struct CUlinkState_st *s, const char *data, size_t bytes,
			   const char *name)
{
	char text[200];

	if (!WS_ROOM(s->code, s->cap, s->codes + 1))
		return CUDA_ERROR_OUT_OF_MEMORY;
	s->code[s->codes] = (struct ws_bitcode){ 0 };
	if (ws_cuda_image(&s->code[s->codes], data, bytes)) {
		s->codes++;
		return CUDA_SUCCESS;
	}
	snprintf(text, sizeof text, "%s cannot be linked: want what this warpstack-nvcc compiled "
		 "with -cubin, -fatbin or -ptx, or NVRTC", name ? name : "a module");
	return failed(s, CUDA_ERROR_INVALID_IMAGE, text);
}

WS_CUDA_CALL CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data,
				    size_t bytes, const char *name, unsigned int count,
				    CUjit_option *option, void **value)
{
	(void)type;
	(void)count;
	(void)option;
	(void)value;
	return state && data ? add_module(state, data, bytes, name) : CUDA_ERROR_INVALID_VALUE;
}

/* The library of kernels that launch kernels is listed by many that launch none. */
WS_CUDA_CALL CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
				    unsigned int count, CUjit_option *option, void **value)
{
	size_t bytes;
	char *data;
	CUresult result;

	(void)count;
	(void)option;
	(void)value;
	if (!state || !path)
		return CUDA_ERROR_INVALID_VALUE;
	if (type == CU_JIT_INPUT_LIBRARY && strstr(path, "cudadevrt"))
		return CUDA_SUCCESS;
	data = ws_cuda_file(path, &bytes);
	result = data ? add_module(state, data, bytes, path) : CUDA_ERROR_FILE_NOT_FOUND;
	free(data);
	return result;
}

static CUresult make_image(struct CUlinkState_st *s)
{
	struct ws_bitcode all = { .source = s->code[0].source };
	struct ws_err err = { 0 };
	enum ws_status status = ws_bitcode_merge(&all.data, s->code, s->codes, &err);

	if (status == WS_OK)
		status = ws_cuda_pack(&s->image, &all, all.source, &err);
	ws_buf_clear(&all.data);
	return status == WS_OK	     ? CUDA_SUCCESS
	       : status == WS_ENOMEM ? CUDA_ERROR_OUT_OF_MEMORY
				     : failed(s, CUDA_ERROR_INVALID_IMAGE, err.text);
}

WS_CUDA_CALL CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
	CUresult result;

	if (!state || !image || !state->codes)
		return CUDA_ERROR_INVALID_VALUE;
	ws_buf_clear(&state->image);
	result = make_image(state);
	*image = result == CUDA_SUCCESS ? state->image.data : NULL;
	if (bytes)
		*bytes = result == CUDA_SUCCESS ? state->image.len : 0;
	if (state->milliseconds)
		*state->milliseconds = (float)((ws_seconds() - state->begun) * 1e3);
	return result;
}

WS_CUDA_CALL CUresult cuLinkDestroy(CUlinkState state)
{
	if (!state)
		return CUDA_ERROR_INVALID_HANDLE;
	for (size_t i = 0; i < state->codes; i++)
		ws_cuda_code_free(&state->code[i]);
	ws_buf_clear(&state->image);
	free(state->code);
	free(state);
	return CUDA_SUCCESS;
}
