/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-corpus.c -- the fuzzer's seed files through the machine reader: as
 * they are, cut at every byte, and with bytes changed.  A file ok-* must be
 * read, bad-* refused; all else must end in a machine or one sentence.
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <dirent.h>
#include <stdlib.h>

#define FOLDER "tests/fuzz/corpus-machine"
#define CHANGES 1500u

/* In a block of its own length, so that a sanitizer sees a read past its end. */
static enum ws_status read_exactly(const char *text, size_t len, struct ws_err *err)
{
	char *copy = malloc(len ? len : 1);
	struct ws_machine m;
	enum ws_status status;

	if (!copy)
		return WS_ENOMEM;
	memcpy(copy, text, len);
	*err = (struct ws_err){ .status = WS_OK };
	status = ws_machine_read(&m, copy, len, "corpus", err);
	free(copy);
	if (status == WS_OK && ws_set_index(&m.l1, UINT64_MAX) >= m.l1.sets)
		return WS_ENOCONV;
	return status;
}

static bool sane(const char *text, size_t len)
{
	struct ws_err err;
	enum ws_status status = read_exactly(text, len, &err);

	return status == err.status && (status == WS_OK || status == WS_EFORMAT) &&
	       (status == WS_OK) == (err.text[0] == '\0') && !strpbrk(err.text, "\n\033");
}

static void cut(const char *name, const char *text, size_t len)
{
	size_t bad = 0;

	for (size_t n = 0; n < len; n++)
		bad += !sane(text, n);
	test_ok(bad == 0, "%s cut at each of %zu bytes: %zu wrong", name, len, bad);
}

static void change(const char *name, const char *text, size_t len, struct ws_rng *rng)
{
	char *copy = malloc(len + 1);
	unsigned bad = 0;

	for (unsigned i = 0; copy && len && i < CHANGES; i++) {
		memcpy(copy, text, len);
		for (uint64_t n = 1 + ws_rng_below(rng, 3); n > 0; n--) {
			size_t at = ws_rng_below(rng, len), from = ws_rng_below(rng, len);
			uint64_t what = ws_rng_below(rng, 3);

			if (what == 0)
				copy[at] = (char)ws_rng_u64(rng);
			else if (what == 1)
				copy[at] ^= (char)(1u << ws_rng_below(rng, 8));
			else
				copy[at] = copy[from];
		}
		bad += !sane(copy, len);
	}
	free(copy);
	test_ok(bad == 0, "%s with bytes changed: %u of %u wrong", name, bad, CHANGES);
}

static void one(const char *name, struct ws_rng *rng)
{
	char path[512], text[8192];
	struct ws_err err;
	enum ws_status status;
	FILE *file;
	size_t len;

	snprintf(path, sizeof path, "%s/%s", FOLDER, name);
	file = fopen(path, "rb");
	if (!test_ok(file != NULL, "%s opens", path))
		return;
	len = fread(text, 1, sizeof text, file);
	fclose(file);
	status = read_exactly(text, len, &err);
	if (strncmp(name, "ok-", 3) == 0)
		test_ok(status == WS_OK, "%s is read: %s", name, err.text);
	else
		test_ok(status == WS_EFORMAT, "%s is refused: %s", name, err.text);
	cut(name, text, len);
	change(name, text, len, rng);
}

int main(void)
{
	DIR *folder = opendir(FOLDER);
	struct dirent *entry;
	struct ws_rng rng;
	unsigned files = 0;

	ws_rng_seed(&rng, test_seed(31));
	if (!test_ok(folder != NULL, FOLDER " is here"))
		return test_done();
	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		one(entry->d_name, &rng);
		files++;
	}
	closedir(folder);
	test_ok(files >= 8, "%u files", files);
	return test_done();
}
