/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/module.c -- the program's device code: modules, their kernels and variables, as the
 * code that clang puts into a program registers them before main.
 *
 * What warpstack-nvcc hands clang as the device code is a line, "warpstack-cuda 1 BYTES SOURCE",
 * with BYTES of 12 digits, and as many bytes of bitcode behind it.  A source that begins with
 * cuda/include/ is one of our libraries', in the data directory.
 */
#include "trace/cuda/runtime.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC	    "warpstack-cuda 1 "
#define LIBRARY	    "cuda/include/"
#define BYTES_CHARS 12u
#define LINE_MAX    4096u

/* What clang registers. */
struct fat_binary {
	int magic, version;
	const char *data;
	void *file;
};

struct ws_cuda_module **__cudaRegisterFatBinary(const struct fat_binary *binary);
void __cudaRegisterFatBinaryEnd(struct ws_cuda_module **handle);
void __cudaUnregisterFatBinary(struct ws_cuda_module **handle);
int __cudaRegisterFunction(struct ws_cuda_module **handle, const void *stub, char *device,
			   const char *name, int limit, void *tid, void *bid, void *block,
			   void *grid, int *warp);
void __cudaRegisterVar(struct ws_cuda_module **handle, void *shadow, char *address,
		       const char *name, int external, size_t bytes, int constant, int global);

void __cudaRegisterTexture(struct ws_cuda_module **handle, struct textureReference *texture,
			   const void **address, const char *name, int axes, int normalized,
			   int external);
void __cudaRegisterSurface(struct ws_cuda_module **handle, struct surfaceReference *surface,
			   const void **address, const char *name, int axes, int external);

/* ---- modules --------------------------------------------------------------------------- */

static char *path_of(const char *line, size_t chars)
{
	char *source = strndup(line, chars), *path;

	if (!source || strncmp(source, LIBRARY, sizeof LIBRARY - 1) != 0)
		return source;
	path = ws_data_path(source);
	if (!path)
		return source;
	free(source);
	return path;
}

bool ws_cuda_code(struct ws_bitcode *code, const char *data, size_t bytes)
{
	const size_t head = sizeof MAGIC - 1 + BYTES_CHARS + 1;
	const char *line = data + head, *end;
	char digits[BYTES_CHARS + 1];
	uint64_t inside;

	if (bytes <= head || strncmp(data, MAGIC, sizeof MAGIC - 1) != 0)
		return false;
	memcpy(digits, data + sizeof MAGIC - 1, BYTES_CHARS);
	digits[BYTES_CHARS] = '\0';
	end = memchr(line, '\n', bytes - head < LINE_MAX ? bytes - head : LINE_MAX);
	if (!end || !ws_parse_u64(digits, &inside) ||
	    inside > bytes - (size_t)(end + 1 - data))
		return false;
	code->source = path_of(line, (size_t)(end - line));
	code->data.data = (uint8_t *)(uintptr_t)(end + 1);
	code->data.len = (size_t)inside;
	code->cuda = true;
	return code->source != NULL;
}

enum ws_status ws_cuda_pack(struct ws_buf *out, const struct ws_bitcode *code, const char *source,
			    struct ws_err *err)
{
	char line[sizeof MAGIC + LINE_MAX];

	snprintf(line, sizeof line, MAGIC "%012zu %s\n", code->data.len, source);
	ws_put_bytes(out, line, strlen(line));
	ws_put_bytes(out, code->data.data, code->data.len);
	return out->failed ? ws_fail_memory(err, "a module") : WS_OK;
}

WS_CUDA_CALL struct ws_cuda_module **__cudaRegisterFatBinary(const struct fat_binary *binary)
{
	struct ws_cuda_module *m = ws_alloc_zero(1, sizeof *m);

	if (!m || !WS_ROOM(ws_cuda.module, ws_cuda.module_cap, ws_cuda.modules + 1)) {
		fputs("warpstack: out of memory for the program's device code\n", stderr);
		abort();
	}
	if (!ws_cuda_code(&m->code, binary->data, SIZE_MAX))
		fputs("warpstack: another warpstack-nvcc compiled the program's device code: its "
		      "kernels cannot be run\n", stderr);
	ws_cuda.module[ws_cuda.modules++] = m;
	return &ws_cuda.module[ws_cuda.modules - 1];
}

/* The trace may still be written to: all is kept until the process ends. */
WS_CUDA_CALL void __cudaUnregisterFatBinary(struct ws_cuda_module **handle)
{
	(void)handle;
}

/* ---- kernels --------------------------------------------------------------------------- */

WS_CUDA_CALL int __cudaRegisterFunction(struct ws_cuda_module **handle, const void *stub,
					char *device, const char *name, int limit, void *tid,
					void *bid, void *block, void *grid, int *warp)
{
	/* A table that grew has moved; the last module is the one that registers. */
	struct ws_cuda_module *m = ws_cuda.module[ws_cuda.modules - 1];
	struct ws_cuda_kernel *k = ws_alloc_zero(1, sizeof *k);

	(void)handle;
	(void)device;
	(void)limit;
	(void)tid;
	(void)bid;
	(void)block;
	(void)grid;
	(void)warp;
	if (!k || !WS_ROOM(m->kernel, m->kernel_cap, m->kernels + 1))
		return 0;
	k->stub = stub;
	k->name = ws_strdup(name);
	k->module = m;
	m->kernel[m->kernels++] = k;
	return 0;
}

struct ws_cuda_kernel *ws_cuda_kernel(const void *stub)
{
	for (size_t i = 0; i < ws_cuda.modules; i++) {
		const struct ws_cuda_module *m = ws_cuda.module[i];

		for (size_t j = 0; j < m->kernels; j++) {
			if (m->kernel[j]->stub == stub)
				return m->kernel[j];
		}
	}
	return NULL;
}

/* Its module's code, with the others' for what it only declares. */
static enum ws_status make_kernel(struct ws_kernel **out, const struct ws_cuda_kernel *k, bool bare,
				  bool quick, struct ws_err *err)
{
	const struct ws_instrument_options options = {
		.local = ws_app.settings.local, .out_of_bounds = ws_app.settings.out_of_bounds,
		.printf = WS_PRINTF_STDOUT, .bare = bare,
		.quick = quick,
		.shapes = k->shapes,
		.fibres = ws_app.settings.fibres,
	};
	const struct ws_bitcode **other = ws_alloc_zero(ws_cuda.modules, sizeof *other);
	struct ws_bitcode code = k->module->code;
	enum ws_status status;

	for (size_t i = 0; other && i < ws_cuda.modules; i++) {
		if (ws_cuda.module[i] != k->module && ws_cuda.module[i]->code.source &&
		    !ws_cuda.module[i]->alone && !k->module->alone)
			other[code.others++] = &ws_cuda.module[i]->code;
	}
	code.other = other;
	status = other ? ws_kernel_make(out, &code, k->name, &options, err)
		       : ws_fail_memory(err, "the program's device code");
	free(other);
	return status;
}

/* Makes it, or makes it well once it has run for long, or anew for CTAs of another shape. */
static enum ws_status make_ready(struct ws_kernel **kernel, const struct ws_cuda_kernel *k,
				 bool bare, struct ws_err *err)
{
	bool quick = k->items > 0 && k->items <= WS_QUICK_ITEMS;
	struct ws_kernel *made;
	enum ws_status status;

	if (*kernel && (quick || !(*kernel)->quick) &&
	    ws_cta_shapes_cover(&(*kernel)->shapes, &k->shapes))
		return WS_OK;
	status = make_kernel(&made, k, bare, quick, err);
	if (status != WS_OK)
		return status;
	ws_kernel_free(*kernel);
	*kernel = made;
	return WS_OK;
}

cudaError_t ws_cuda_compile(struct ws_cuda_kernel *k)
{
	struct ws_err err = { 0 };
	double begun = ws_seconds();

	if (k->failed != cudaSuccess)
		return k->failed;
	if (!k->name || !k->module->code.source) {
		k->failed = cudaErrorNoKernelImageForDevice;
	} else if (make_ready(&k->kernel, k, k->kernel ? k->kernel->bare : !ws_app.tracing,
			      &err) != WS_OK) {
		k->failed = err.status == WS_ENOMEM ? cudaErrorMemoryAllocation
						    : cudaErrorNotSupported;
		k->missing = strstr(err.text, ": no kernel '") != NULL;
		ws_say("kernel %s cannot be run: %s", k->name, err.text);
	}
	ws_app.tally->compile_seconds += ws_seconds() - begun;
	return k->failed;
}

const struct ws_kernel *ws_cuda_bare(struct ws_cuda_kernel *k)
{
	struct ws_err err = { 0 };

	if (k->kernel->bare)
		return k->kernel;
	return make_ready(&k->bare, k, true, &err) == WS_OK ? k->bare : NULL;
}

/* ---- variables ------------------------------------------------------------------------- */

static struct ws_cuda_variable *add_variable(struct ws_cuda_module *m, void *shadow,
					     const char *name, uint64_t bytes)
{
	struct ws_cuda_variable *v;

	if (!WS_ROOM(m->variable, m->variable_cap, m->variables + 1))
		return NULL;
	v = &m->variable[m->variables];
	*v = (struct ws_cuda_variable){ .shadow = shadow, .name = ws_strdup(name), .bytes = bytes };
	m->variables += v->name != NULL;
	return v->name ? v : NULL;
}

WS_CUDA_CALL void __cudaRegisterVar(struct ws_cuda_module **handle, void *shadow,
				    char *address, const char *name, int external, size_t bytes,
				    int constant, int global)
{
	(void)handle;
	(void)address;
	(void)external;
	(void)constant;
	(void)global;
	(void)add_variable(ws_cuda.module[ws_cuda.modules - 1], shadow, name, bytes);
}

/* To device code it is the object that it is bound to, its first field. */
static void add_reference(void *reference, const char *name)
{
	const uint64_t bytes = sizeof(cudaTextureObject_t);
	struct ws_cuda_variable *v = add_variable(ws_cuda.module[ws_cuda.modules - 1], reference,
						  name, bytes);
	struct ws_cuda_array *a = v ? ws_cuda_adopt(reference, bytes) : NULL;

	if (a)
		v->host = a->host;
}

WS_CUDA_CALL void __cudaRegisterTexture(struct ws_cuda_module **handle,
					struct textureReference *texture, const void **address,
					const char *name, int axes, int normalized, int external)
{
	(void)handle;
	(void)address;
	(void)axes;
	(void)normalized;
	(void)external;
	add_reference(texture, name);
}

WS_CUDA_CALL void __cudaRegisterSurface(struct ws_cuda_module **handle,
					struct surfaceReference *surface, const void **address,
					const char *name, int axes, int external)
{
	(void)handle;
	(void)address;
	(void)axes;
	(void)external;
	add_reference(surface, name);
}

/* False, without a word: it is not known what it begins with. */
static bool adopt_begun(const struct ws_cuda_module *m, struct ws_cuda_variable *v)
{
	uint8_t *begin = ws_alloc_zero(1, (size_t)v->bytes);
	struct ws_cuda_array *a = NULL;
	struct ws_err err = { 0 };

	if (begin && m->code.source &&
	    ws_cuda_initial(&m->code, v->name, NULL, begin, v->bytes, &err) == WS_OK)
		a = ws_cuda_adopt(v->shadow, (size_t)v->bytes);
	if (a) {
		v->host = a->host;
		memcpy(v->host, begin, (size_t)v->bytes);
	}
	free(begin);
	return a != NULL;
}

/* All variables are registered.  What a managed one begins with is there before the program's first
 * line: which they are is not told, so all get it. */
WS_CUDA_CALL void __cudaRegisterFatBinaryEnd(struct ws_cuda_module **handle)
{
	struct ws_cuda_module *m = ws_cuda.module[ws_cuda.modules - 1];

	(void)handle;
	for (size_t i = 0; i < m->variables; i++) {
		struct ws_cuda_variable *v = &m->variable[i];

		if (!v->host && v->shadow && v->bytes)
			(void)adopt_begun(m, v);
	}
}

static struct ws_cuda_variable *find_variable(struct ws_cuda_module *m, const char *name)
{
	for (size_t i = 0; i < m->variables; i++) {
		if (strcmp(m->variable[i].name, name) == 0)
			return &m->variable[i];
	}
	return NULL;
}

/* Of a variable whose address another one begins with.  What it begins with itself may be the
 * other's address: the place comes first. */
static uint64_t place_of(void *module, const char *name, uint64_t bytes, bool own)
{
	struct ws_cuda_module *m = module;

	if (own && !find_variable(m, name) && !add_variable(m, NULL, name, bytes))
		return 0;
	return (uint64_t)(uintptr_t)ws_cuda_variable_of(m, name, bytes);
}

/* A new variable's memory: what it begins with. */
static void begin_variable(struct ws_cuda_module *m, const char *name, uint8_t *host,
			   uint64_t bytes)
{
	const struct ws_cuda_places places = { .place = place_of, .data = m };
	struct ws_err err = { 0 };

	memset(host, 0, (size_t)bytes);
	if (m->code.source &&
	    ws_cuda_initial(&m->code, name, &places, host, bytes, &err) != WS_OK)
		ws_say("%s: the variable is zero at first", err.text);
}

uint8_t *ws_cuda_variable_of(struct ws_cuda_module *m, const char *name, uint64_t bytes)
{
	struct ws_cuda_variable *v = NULL;
	struct ws_cuda_array *a;
	uint8_t *host;

	v = find_variable(m, name);
	for (size_t i = 0; i < ws_cuda.modules && !v && !m->alone; i++) { /* of linked code */
		if (ws_cuda.module[i]->alone)
			continue;
		v = find_variable(ws_cuda.module[i], name);
		m = v ? ws_cuda.module[i] : m;
	}
	if (!v)
		v = add_variable(m, NULL, name, bytes);
	if (!v || v->host)
		return v ? v->host : NULL;
	a = v->shadow ? ws_cuda_adopt(v->shadow, (size_t)v->bytes)
		      : ws_cuda_allocate((size_t)v->bytes);
	if (!a)
		return NULL;
	host = v->host = a->host;
	begin_variable(m, v->name, host, v->bytes); /* may move variables and arrays */
	return host;
}

/* Up to CUDA 4 a symbol was the variable's name. */
static bool is_called(const struct ws_cuda_variable *v, const void *text)
{
	return strcmp(v->name, text) == 0;
}

static bool is_shadow(const struct ws_cuda_variable *v, const void *shadow)
{
	return v->shadow == shadow;
}

static struct ws_cuda_variable *look_up(const void *symbol, struct ws_cuda_module **module,
					bool (*is)(const struct ws_cuda_variable *, const void *))
{
	for (size_t i = 0; i < ws_cuda.modules; i++) {
		struct ws_cuda_module *m = ws_cuda.module[i];

		for (size_t j = 0; j < m->variables; j++) {
			if (is(&m->variable[j], symbol)) {
				*module = m;
				return &m->variable[j];
			}
		}
	}
	return NULL;
}

struct ws_cuda_variable *ws_cuda_symbol(const void *symbol, struct ws_cuda_module **module)
{
	struct ws_cuda_variable *v = look_up(symbol, module, is_shadow);

	return v || !symbol ? v : look_up(symbol, module, is_called);
}
