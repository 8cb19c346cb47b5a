/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/capture/launch_build.c -- build options: which of a text reach the compiler.
 *
 * An allow-list: clang has hundreds of options, and some load code, read or write files.  What is
 * let through defines macros, names folders of headers, chooses the language and what is warned
 * of.  Each option is handed on as one word that begins with '-', since clang reads a word that
 * begins with '@' as the name of a file with more options.
 */
#include "trace/capture/launch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Cuts at blanks; single and double quotes keep blanks, as a shell would. */
static bool next_word(char **text, char **word)
{
	char *in = *text, *out, quote = 0;

	while (*in == ' ' || *in == '\t' || *in == '\n')
		in++;
	if (!*in)
		return false;
	*word = out = in;
	for (; *in && (quote || (*in != ' ' && *in != '\t' && *in != '\n')); in++) {
		if (quote ? *in == quote : *in == '"' || *in == '\'')
			quote = quote ? 0 : *in;
		else
			*out++ = *in;
	}
	*text = *in ? in + 1 : in;
	*out = '\0';
	return true;
}

/* ---- what may be said ------------------------------------------------------------------- */

static bool starts(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

/* Letters, digits and the marks that names of options and standards have: no path. */
static bool plain(const char *text)
{
	for (; *text; text++) {
		if (!isalnum((unsigned char)*text) && !strchr("-+_=.", *text))
			return false;
	}
	return true;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Assembler, other names for functions and the library's own are refused in sources by a pragma
 * (compile.c), which a macro that is defined before it would get round. */
static bool reserved(const char *text)
{
	static const char *const word[] = { "asm", "__asm", "__asm__", "weakref", "__weakref__",
					    "redefine_extname" };

	for (size_t len; *text; text += len ? len : 1) {
		for (len = 0; in_name(text[len]);)
			len++;
		for (size_t i = 0; i < WS_COUNT(word); i++) {
			if (len == strlen(word[i]) && strncmp(text, word[i], len) == 0)
				return true;
		}
		if (starts(text, "__ws_") || (unsigned char)*text < ' ')
			return true;
	}
	return false;
}

/* A macro's name must come first. */
static bool macro(const char *text)
{
	return in_name(*text) && !isdigit((unsigned char)*text) && !reserved(text);
}

static bool level(const char *text)
{
	static const char *const known[] = { "", "0", "1", "2", "3", "s", "z", "g", "fast" };

	for (size_t i = 0; i < WS_COUNT(known); i++) {
		if (strcmp(text, known[i]) == 0)
			return true;
	}
	return false;
}

/* Accepted as they stand. */
static bool accepted(const char *word)
{
	if (starts(word, "-D") || starts(word, "-U"))
		return macro(word + 2);
	if (starts(word, "-O"))
		return level(word + 2);
	if (strcmp(word, "-w") == 0 || strcmp(word, "-g") == 0)
		return true;
	return (starts(word, "-cl-") || starts(word, "-W") || starts(word, "-std=")) && plain(word);
}

/* Accepted, and means nothing here. */
static bool ignored(const char *word)
{
	return starts(word, "-cl-nv-") || strcmp(word, "-cl-kernel-arg-info") == 0 ||
	       strcmp(word, "-g") == 0;
}

/* Is the option's value the next word? */
static bool takes_word(const char *word)
{
	return strcmp(word, "-D") == 0 || strcmp(word, "-U") == 0 || strcmp(word, "-I") == 0;
}

/* ---- folders of headers -------------------------------------------------------------------- */

/* Is path, which exists, folder or below it? */
static bool below(const char *folder, const char *path)
{
	char *top = realpath(*folder ? folder : ".", NULL), *real = realpath(path, NULL);
	size_t len = top ? strlen(top) : 0;
	bool good = top && real && strncmp(real, top, len) == 0 &&
		    (real[len] == '\0' || real[len] == '/' || (len && top[len - 1] == '/'));

	free(top);
	free(real);
	return good;
}

/* The folder that -I names, of a launch file: as seen from it, and below its own.  One that is not
 * there is the empty name: compilers take no notice of it. */
static enum ws_status folder_of_file(char **out, const struct ws_build_source *from,
				     const char *name, struct ws_err *err)
{
	char *top = ws_path_beside(from->file, "."), *path = ws_path_beside(from->file, name);
	char *real = path ? realpath(path, NULL) : NULL;
	enum ws_status status = WS_OK;

	*out = NULL;
	if (!top || !path)
		status = ws_fail_memory(err, "build options");
	else if (real && !below(top, path))
		status = ws_fail(err, WS_EINVAL, "build option '-I%.200s': want a folder below "
				 "the launch file's", name);
	else if (!(*out = ws_strdup(real ? path : "")))
		status = ws_fail_memory(err, "build options");
	free(top);
	free(path);
	free(real);
	return status;
}

/* ---- the words ----------------------------------------------------------------------------- */

static enum ws_status put_word(struct ws_build *b, const char *flag, const char *value,
			       struct ws_err *err)
{
	size_t len = strlen(flag) + strlen(value) + 1;
	char *word = malloc(len);

	if (!word || !WS_ROOM(b->word, b->cap, b->words + 1)) {
		free(word);
		return ws_fail_memory(err, "build options");
	}
	snprintf(word, len, "%s%s", flag, value);
	b->word[b->words++] = word;
	return b->words <= WS_BUILD_WORDS_MAX ? WS_OK
				     : ws_fail(err, WS_EINVAL, "more than %u build options: want "
					       "fewer", WS_BUILD_WORDS_MAX);
}

static enum ws_status put_folder(struct ws_build *b, const struct ws_build_source *from,
				 const char *name, struct ws_err *err)
{
	enum ws_status status;
	char *folder = NULL;

	if (!*name)
		return ws_fail(err, WS_EINVAL, "build option '-I': want a folder behind it");
	if (!from->file)
		return put_word(b, "-I", name, err);
	status = folder_of_file(&folder, from, name, err);
	if (status == WS_OK && *folder)
		status = put_word(b, "-I", folder, err);
	free(folder);
	return status;
}

/* Of a program: what is not let through, each once. */
static enum ws_status drop(struct ws_build *b, const char *word, struct ws_err *err)
{
	if (b->dropped.len)
		ws_put_bytes(&b->dropped, " ", 1);
	ws_put_bytes(&b->dropped, word, strlen(word));
	return b->dropped.failed ? ws_fail_memory(err, "build options") : WS_OK;
}

static enum ws_status put_option(struct ws_build *b, const struct ws_build_source *from,
				 const char *word, struct ws_err *err)
{
	if (starts(word, "-I"))
		return put_folder(b, from, word + 2, err);
	if (!accepted(word) && from->lenient)
		return drop(b, word, err);
	if (!accepted(word))
		return ws_fail(err, WS_EINVAL, "build option '%.200s': want one of -DNAME[=VALUE] "
			       "-UNAME -IFOLDER -cl-... -W... -w -O... -std=...", word);
	b->standard |= starts(word, "-cl-std=") || starts(word, "-std=");
	return ignored(word) ? WS_OK : put_word(b, word, "", err);
}

/* An option whose value is the next word, as one word. */
static enum ws_status put_pair(struct ws_build *b, const struct ws_build_source *from,
			       const char *flag, const char *value, struct ws_err *err)
{
	size_t len = strlen(flag) + strlen(value) + 1;
	char *joined = malloc(len);
	enum ws_status status;

	if (!joined)
		return ws_fail_memory(err, "build options");
	snprintf(joined, len, "%s%s", flag, value);
	status = put_option(b, from, joined, err);
	free(joined);
	return status;
}

enum ws_status ws_build_parse(struct ws_build *b, const char *text,
			      const struct ws_build_source *from, struct ws_err *err)
{
	char *copy = ws_strdup(text), *rest = copy, *word, *value;
	enum ws_status status = copy ? WS_OK : ws_fail_memory(err, "build options");

	*b = (struct ws_build){ 0 };
	while (status == WS_OK && next_word(&rest, &word)) {
		if (!takes_word(word))
			status = put_option(b, from, word, err);
		else if (next_word(&rest, &value))
			status = put_pair(b, from, word, value, err);
		else
			status = ws_fail(err, WS_EINVAL, "build option '%s': want a value behind "
					 "it", word);
	}
	if (status == WS_OK && !b->standard)
		status = put_word(b, from->cuda ? "-std=c++17" : "-cl-std=CL1.2", "", err);
	free(copy);
	if (status != WS_OK)
		ws_build_clear(b);
	return status;
}

void ws_build_clear(struct ws_build *b)
{
	for (size_t i = 0; i < b->words; i++)
		free(b->word[i]);
	free(b->word);
	ws_buf_clear(&b->dropped);
	*b = (struct ws_build){ 0 };
}
