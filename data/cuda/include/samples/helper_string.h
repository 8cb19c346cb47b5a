/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * helper_string.h -- options of a command line (-name=value, with one dash or two) and files beside a
 * program, under the names of NVIDIA's samples.
 */
#pragma GCC system_header
#ifndef WARPSTACK_SAMPLES_HELPER_STRING_H
#define WARPSTACK_SAMPLES_HELPER_STRING_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <strings.h>
#include "../cuda_letters_begin.h"

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

/* Where the text goes on behind those characters. */
inline int stringRemoveDelimiter(char delimiter, const char *text)
{
	int i = 0;

	while (text[i] == delimiter)
		i++;
	return i;
}

inline int getFileExtension(char *filename, char **extension)
{
	char *dot = strrchr(filename, '.');

	*extension = dot ? dot + 1 : filename;
	return (int)(*extension - filename);
}

/* What follows the option's name, as "=value" or ""; NULL: it is not given.  A name may end in "=". */
static inline const char *__ws_option(int argc, const char **argv, const char *name)
{
	size_t len = strcspn(name, "=");

	for (int i = 1; i < argc; i++) {
		const char *word = argv[i] + stringRemoveDelimiter('-', argv[i]);

		if (word != argv[i] && strncasecmp(word, name, len) == 0 &&
		    (word[len] == '\0' || word[len] == '='))
			return word + len;
	}
	return NULL;
}

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name)
{
	return __ws_option(argc, argv, name) != NULL;
}

inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name)
{
	const char *at = __ws_option(argc, argv, name);

	return at && *at ? atoi(at + 1) : 0;
}

inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name)
{
	const char *at = __ws_option(argc, argv, name);

	return at && *at ? (float)atof(at + 1) : 0;
}

template <class T> inline bool getCmdLineArgumentValue(const int argc, const char **argv,
							const char *name, T *value)
{
	const char *at = __ws_option(argc, argv, name);

	if (at && *at)
		*value = (T)atoi(at + 1);
	return at != NULL;
}

inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name,
				     char **value)
{
	const char *at = __ws_option(argc, argv, name);

	*value = at && *at ? const_cast<char *>(at + 1) : NULL;
	return *value != NULL;
}

/* The path of a file that lies in this folder or in data/ below, beside the program, or up to four
 * folders above; from malloc.  NULL: there is none. */
inline char *sdkFindFilePath(const char *filename, const char *executable)
{
	static const char *const inside[] = { "", "data/", "common/data/", "Common/data/" };
	std::string program = executable ? executable : "", up[2] = { "./", "./" };

	if (!filename)
		return NULL;
	if (program.find('/') != std::string::npos)
		up[1] = program.substr(0, program.rfind('/') + 1);
	for (int level = 0; level < 5; level++) {
		for (int from = 0; from < 2; from++) {
			for (const char *folder : inside) {
				std::string path = up[from] + folder + filename;

				if (std::ifstream(path.c_str()).good())
					return strdup(path.c_str());
			}
			up[from] += "../";
		}
	}
	return NULL;
}
#include "../cuda_letters_end.h"

#endif
