/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/nvrtc.c -- NVRTC's calls: device code that the program compiles itself.
 *
 * The source and the headers that come with it are written into a folder of their own, and compiled
 * as a kernel's file is (trace/capture/compile.c).  What is made is what driver_module.c loads: a
 * line, then bitcode.  A name that is asked for, as of a template with its arguments, is an address
 * in a variable behind the source, where it is looked up; a function of the host's uses it, too,
 * for which clang makes the template's code.
 */
#include "trace/cuda/runtime.h"

#include <dirent.h>
#include <errno.h>
#include <nvrtc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
	char *name, *text;
};

struct _nvrtcProgram {
	struct file *file; /* the source, then headers */
	size_t files, file_cap;
	struct name {
		char *expression, *lowered;
	} *name;
	size_t names, name_cap;
	struct ws_buf module, text; /* of the same: text stands for PTX */
	char *folder; /* that its name has, for what it includes */
	char *log;
};

WS_CUDA_CALL const char *nvrtcGetErrorString(nvrtcResult result)
{
	static const char *const text[] = {
		"NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY",
		"NVRTC_ERROR_PROGRAM_CREATION_FAILURE", "NVRTC_ERROR_INVALID_INPUT",
		"NVRTC_ERROR_INVALID_PROGRAM", "NVRTC_ERROR_INVALID_OPTION",
		"NVRTC_ERROR_COMPILATION", "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
		"NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
		"NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
		"NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "NVRTC_ERROR_INTERNAL_ERROR",
		"NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
	};

	return (unsigned)result < WS_COUNT(text) ? text[result] : "NVRTC_ERROR unknown";
}

WS_CUDA_CALL nvrtcResult nvrtcVersion(int *major, int *minor)
{
	*major = 12;
	*minor = 0;
	return NVRTC_SUCCESS;
}

/* What modules are made for matters to nobody here. */
WS_CUDA_CALL nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
	*count = 1;
	return NVRTC_SUCCESS;
}

WS_CUDA_CALL nvrtcResult nvrtcGetSupportedArchs(int *list)
{
	*list = 70;
	return NVRTC_SUCCESS;
}

/* ---- programs -------------------------------------------------------------------------- */

static bool add_file(struct _nvrtcProgram *p, const char *name, const char *text)
{
	struct file *f;

	if (!WS_ROOM(p->file, p->file_cap, p->files + 1))
		return false;
	f = &p->file[p->files++];
	*f = (struct file){ ws_strdup(name), ws_strdup(text) };
	return f->name && f->text;
}

static const char *last_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Of a header: it stays below the folder that it is written to. */
static bool is_below(const char *name)
{
	return *name && *name != '/' && !strstr(name, "..");
}

WS_CUDA_CALL nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
	struct _nvrtcProgram *p = program ? *program : NULL;

	if (!p)
		return NVRTC_ERROR_INVALID_PROGRAM;
	for (size_t i = 0; i < p->files; i++) {
		free(p->file[i].name);
		free(p->file[i].text);
	}
	for (size_t i = 0; i < p->names; i++) {
		free(p->name[i].expression);
		free(p->name[i].lowered);
	}
	free(p->file);
	free(p->name);
	free(p->log);
	free(p->folder);
	ws_buf_clear(&p->module);
	ws_buf_clear(&p->text);
	free(p);
	*program = NULL;
	return NVRTC_SUCCESS;
}

WS_CUDA_CALL nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source,
					    const char *name, int headers,
					    const char *const *header,
					    const char *const *include_name)
{
	struct _nvrtcProgram *p;
	bool good;

	if (!program || !source || headers < 0 || (headers && (!header || !include_name)))
		return NVRTC_ERROR_INVALID_INPUT;
	*program = NULL;
	p = ws_alloc_zero(1, sizeof *p);
	good = p && add_file(p, name && *last_of(name) ? last_of(name) : "default_program",
			     source);
	if (good)
		p->folder = strndup(name ? name : "", name ? (size_t)(last_of(name) - name) : 0);
	good = good && p->folder;
	for (int i = 0; i < headers && good; i++) {
		if (!is_below(include_name[i])) {
			nvrtcDestroyProgram(&p);
			return NVRTC_ERROR_INVALID_INPUT;
		}
		good = add_file(p, include_name[i], header[i]);
	}
	if (!good && p)
		nvrtcDestroyProgram(&p);
	*program = p;
	return good ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

/* ---- options --------------------------------------------------------------------------- */

/* Options without the dashes that they begin with. */
static const struct {
	const char *given, *word; /* what follows `given` follows `word` */
} passed[] = {
	{ "include-path=", "-I" }, { "I", "-I" }, { "define-macro=", "-D" }, { "D", "-D" },
	{ "undefine-macro=", "-U" }, { "U", "-U" }, { "std=", "-std=" },
	{ "pre-include=", "-include" }, { "include=", "-include" },
};

static const char *const device_default[] = {
	"default-device", "device-as-default-execution-space",
};

/* Those whose value is the next word. */
static bool takes_next(const char *name)
{
	static const char *const alone[] = {
		"gpu-architecture", "arch", "maxrregcount", "std", "include-path", "I",
		"define-macro", "D", "undefine-macro", "U", "pre-include", "include",
	};

	for (size_t i = 0; i < WS_COUNT(alone); i++) {
		if (strcmp(name, alone[i]) == 0)
			return true;
	}
	return false;
}

static bool add_word(struct ws_build *b, const char *begin, const char *rest)
{
	rest += strspn(rest, " ");
	if (!WS_ROOM(b->word, b->cap, b->words + 1) ||
	    asprintf(&b->word[b->words], "%s%s", begin, rest) < 0)
		return false;
	b->words++;
	return true;
}

static bool pass_option(struct ws_build *b, const char *option)
{
	for (size_t i = 0; i < WS_COUNT(passed); i++) {
		size_t len = strlen(passed[i].given);

		if (strncmp(option, passed[i].given, len) == 0)
			return add_word(b, passed[i].word, option + len);
	}
	return true;
}

/* What chooses a GPU or tunes its assembler has no meaning here. */
static bool take_option(struct ws_build *b, const char *option, const char *next, bool *device)
{
	char *joined;
	bool good;

	for (size_t i = 0; i < WS_COUNT(device_default); i++)
		*device |= strcmp(option, device_default[i]) == 0;
	if (!next)
		return pass_option(b, option);
	/* A letter's value follows it at once. */
	if (asprintf(&joined, "%s%s%s", option, option[1] ? "=" : "", next) < 0)
		return false;
	good = pass_option(b, joined);
	free(joined);
	return good;
}

static bool take_options(struct ws_build *b, const struct _nvrtcProgram *p, int options,
			 const char *const *option, bool *device)
{
	bool good = true;

	for (int i = 0; i < options && good; i++) {
		const char *name = option[i] + strspn(option[i], "-");
		bool two = takes_next(name) && i + 1 < options;

		good = take_option(b, name, two ? option[i + 1] : NULL, device);
		i += two;
	}
	return good && add_word(b, "-D__CUDACC_RTC__", "") && add_word(b, "-I", ".") &&
	       (!*p->folder || add_word(b, "-I", p->folder));
}

/* The folder that it is written to: for its headers, and not to be seen in assertions. */
static bool hide_folder(struct ws_build *b, const char *folder)
{
	char *map;
	bool good;

	if (asprintf(&map, "%s/=", folder) < 0)
		return false;
	good = add_word(b, "-I", folder) && add_word(b, "-fmacro-prefix-map=", map);
	free(map);
	return good;
}

/* ---- the folder ------------------------------------------------------------------------ */

/* The folders that `path` has beyond its first `from` bytes. */
static void make_folders(char *path, size_t from)
{
	for (char *at = path + from; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
}

static bool write_file(const struct _nvrtcProgram *p, size_t i, const char *folder, bool device)
{
	char *path = NULL;
	FILE *f = NULL;
	bool good;

	if (asprintf(&path, "%s/%s", folder, p->file[i].name) < 0)
		return false;
	make_folders(path, strlen(folder) + 1);
	f = fopen(path, "w");
	free(path);
	if (!f)
		return false;
	if (i == 0 && device)
		fputs("#pragma clang force_cuda_host_device begin\n#line 1\n", f);
	fputs(p->file[i].text, f);
	if (i == 0 && device)
		fputs("\n#pragma clang force_cuda_host_device end\n", f);
	for (size_t n = 0; i == 0 && n < p->names; n++)
		fprintf(f, "\n__device__ void *" WS_CUDA_POINTED "%zu = (void *)(%s);\n"
			"void *__ws_use_%zu() { return (void *)(%s); }\n", n,
			p->name[n].expression, n, p->name[n].expression);
	good = !ferror(f);
	return fclose(f) == 0 && good;
}

static void remove_all(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *path = NULL;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    asprintf(&path, "%s/%s", folder, e->d_name) < 0)
			continue;
		if (unlink(path) != 0)
			remove_all(path);
		free(path);
	}
	if (d)
		closedir(d);
	rmdir(folder);
}

/* ---- compiling ------------------------------------------------------------------------- */

/* Messages name the file as the program does, not as it is written. */
static char *as_named(const char *text, const char *folder)
{
	size_t len = strlen(folder);
	char *out = ws_strdup(text), *at;

	while (out && (at = strstr(out, folder))) {
		const char *rest = at + len + (at[len] == '/');

		memmove(at, rest, strlen(rest) + 1);
	}
	return out;
}

static enum ws_status compile(struct ws_bitcode *code, const struct _nvrtcProgram *p,
			      const struct ws_build *build, const char *folder,
			      struct ws_err *err)
{
	char *headers = ws_data_path("cuda/include"), *source = NULL;
	struct ws_compile from = { .build = build, .trusted = true, .headers = headers };
	enum ws_status status;

	if (!headers)
		return ws_fail(err, WS_EIO, "the headers of CUDA are not there: want "
			       "WARPSTACK_DATA to name the data directory");
	if (asprintf(&source, "%s/%s", folder, p->file[0].name) < 0) {
		free(headers);
		return ws_fail_memory(err, "a file name");
	}
	from.source = source;
	status = ws_compile(code, &from, err);
	free(source);
	free(headers);
	return status;
}

static enum ws_status keep_names(struct _nvrtcProgram *p, const struct ws_bitcode *code,
				 struct ws_err *err)
{
	enum ws_status status = WS_OK;

	for (size_t n = 0; n < p->names && status == WS_OK; n++) {
		char symbol[64];

		snprintf(symbol, sizeof symbol, WS_CUDA_POINTED "%zu", n);
		free(p->name[n].lowered); /* of the time before */
		status = ws_cuda_pointed(code, symbol, &p->name[n].lowered, err);
	}
	return status;
}

static enum ws_status make(struct _nvrtcProgram *p, int options, const char *const *option,
			   const char *folder, struct ws_err *err)
{
	struct ws_build build = { 0 };
	struct ws_bitcode code = { 0 };
	enum ws_status status = WS_OK;
	bool device = false;

	if (!hide_folder(&build, folder) || !take_options(&build, p, options, option, &device))
		status = ws_fail_memory(err, "a program's options");
	for (size_t i = 0; i < p->files && status == WS_OK; i++) {
		if (!write_file(p, i, folder, device))
			status = ws_fail(err, WS_EIO, "%s: %s", folder, strerror(errno));
	}
	if (status == WS_OK)
		status = compile(&code, p, &build, folder, err);
	if (status == WS_OK)
		status = keep_names(p, &code, err);
	if (status == WS_OK)
		status = ws_cuda_pack(&p->module, &code, p->file[0].name, err);
	if (status == WS_OK)
		status = ws_cuda_text(&p->text, &p->module, err);
	if (status == WS_OK)
		ws_put_u8(&p->text, 0);
	ws_build_clear(&build);
	ws_buf_clear(&code.data);
	free(code.source);
	return status;
}

WS_CUDA_CALL nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int options,
					     const char *const *option)
{
	struct ws_err err = { 0 };
	enum ws_status status;
	char *folder;

	if (!p)
		return NVRTC_ERROR_INVALID_PROGRAM;
	if (options < 0 || (options && !option))
		return NVRTC_ERROR_INVALID_INPUT;
	p->module.len = p->text.len = 0;
	free(p->log);
	if (ws_temporary_folder(&folder, &err) != WS_OK) {
		p->log = ws_strdup(err.text);
		return NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
	}
	status = make(p, options, option, folder, &err);
	p->log = as_named(status == WS_OK ? "" : err.text, folder);
	remove_all(folder);
	free(folder);
	return status == WS_OK	     ? NVRTC_SUCCESS
	       : status == WS_ENOMEM ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_ERROR_COMPILATION;
}

/* ---- what came of it ------------------------------------------------------------------- */

WS_CUDA_CALL nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *bytes)
{
	if (!p)
		return NVRTC_ERROR_INVALID_PROGRAM;
	*bytes = (p->log ? strlen(p->log) : 0) + 1;
	return NVRTC_SUCCESS;
}

WS_CUDA_CALL nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log)
{
	if (!p)
		return NVRTC_ERROR_INVALID_PROGRAM;
	strcpy(log, p->log ? p->log : "");
	return NVRTC_SUCCESS;
}

WS_CUDA_CALL nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *bytes)
{
	if (!p || !p->module.len)
		return NVRTC_ERROR_INVALID_PROGRAM;
	*bytes = p->module.len;
	return NVRTC_SUCCESS;
}

WS_CUDA_CALL nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *cubin)
{
	if (!p || !p->module.len)
		return NVRTC_ERROR_INVALID_PROGRAM;
	memcpy(cubin, p->module.data, p->module.len);
	return NVRTC_SUCCESS;
}

WS_CUDA_CALL nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *bytes)
{
	if (!p || !p->text.len || p->text.failed)
		return NVRTC_ERROR_INVALID_PROGRAM;
	*bytes = p->text.len;
	return NVRTC_SUCCESS;
}

WS_CUDA_CALL nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *ptx)
{
	if (!p || !p->text.len || p->text.failed)
		return NVRTC_ERROR_INVALID_PROGRAM;
	memcpy(ptx, p->text.data, p->text.len);
	return NVRTC_SUCCESS;
}

WS_CUDA_CALL nvrtcResult nvrtcAddNameExpression(nvrtcProgram p, const char *expression)
{
	struct name *n;

	if (!p || !expression)
		return p ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
	if (p->module.len)
		return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
	if (!WS_ROOM(p->name, p->name_cap, p->names + 1))
		return NVRTC_ERROR_OUT_OF_MEMORY;
	n = &p->name[p->names];
	*n = (struct name){ ws_strdup(expression), NULL };
	p->names += n->expression != NULL;
	return n->expression ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

WS_CUDA_CALL nvrtcResult nvrtcGetLoweredName(nvrtcProgram p, const char *expression,
					     const char **name)
{
	if (!p || !expression)
		return p ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
	if (!p->module.len)
		return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
	for (size_t i = 0; i < p->names; i++) {
		if (strcmp(p->name[i].expression, expression) == 0) {
			*name = p->name[i].lowered;
			return NVRTC_SUCCESS;
		}
	}
	return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
