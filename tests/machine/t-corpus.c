/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-corpus.c -- the fuzzers' seed files through the machine readers: as
 * they are, cut at every byte, and with bytes changed.  A file ok-* must be
 * read, bad-* refused; all else must end in a machine or one sentence.
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <dirent.h>
#include <stdlib.h>

struct reader {
	const char *folder;
	unsigned files;		/* at least */
	unsigned changes;	/* of each */
	enum ws_status (*read)(struct ws_machine *m, const char *text, size_t len,
			       struct ws_err *err);
};

static enum ws_status read_conf(struct ws_machine *m, const char *text, size_t len,
				struct ws_err *err)
{
	return ws_machine_read(m, text, len, "corpus", err);
}

static enum ws_status read_gpgpusim(struct ws_machine *m, const char *text, size_t len,
				    struct ws_err *err)
{
	struct ws_notes notes = { .note = NULL };
	enum ws_status status = ws_gpgpusim_read(m, text, len, "corpus", &notes, err);

	for (size_t i = 0; i < notes.count; i++) {
		if (strpbrk(notes.note[i].text, "\n\033") ||
		    strpbrk(notes.note[i].option, "\n\033"))
			status = WS_ENOCONV;
	}
	ws_notes_clear(&notes);
	return status;
}

static const struct reader readers[] = {
	{ "tests/fuzz/corpus-machine", 8, 1500, read_conf },
	{ "tests/fuzz/corpus-gpgpusim", 12, 300, read_gpgpusim },
};

/* In a block of its own length, so that a sanitizer sees a read past its end. */
static enum ws_status read_exactly(const struct reader *r, const char *text, size_t len,
				   struct ws_err *err)
{
	char *copy = malloc(len ? len : 1);
	struct ws_machine m;
	enum ws_status status;

	if (!copy)
		return WS_ENOMEM;
	memcpy(copy, text, len);
	*err = (struct ws_err){ .status = WS_OK };
	status = r->read(&m, copy, len, err);
	free(copy);
	if (status == WS_OK && ws_set_index(&m.l1, UINT64_MAX) >= m.l1.sets)
		return WS_ENOCONV;
	return status;
}

static bool sane(const struct reader *r, const char *text, size_t len)
{
	struct ws_err err;
	enum ws_status status = read_exactly(r, text, len, &err);

	return status == err.status && (status == WS_OK || status == WS_EFORMAT) &&
	       (status == WS_OK) == (err.text[0] == '\0') && !strpbrk(err.text, "\n\033");
}

static void cut(const struct reader *r, const char *name, const char *text, size_t len)
{
	size_t bad = 0;

	for (size_t n = 0; n < len; n++)
		bad += !sane(r, text, n);
	test_ok(bad == 0, "%s cut at each of %zu bytes: %zu wrong", name, len, bad);
}

static void change(const struct reader *r, const char *name, const char *text, size_t len,
		   struct ws_rng *rng)
{
	char *copy = malloc(len + 1);
	unsigned bad = 0;

	for (unsigned i = 0; copy && len && i < r->changes; i++) {
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
		bad += !sane(r, copy, len);
	}
	free(copy);
	test_ok(bad == 0, "%s with bytes changed: %u of %u wrong", name, bad, r->changes);
}

static void one(const struct reader *r, const char *name, struct ws_rng *rng)
{
	char path[512], text[8192];
	struct ws_err err;
	enum ws_status status;
	FILE *file;
	size_t len;

	snprintf(path, sizeof path, "%s/%s", r->folder, name);
	file = fopen(path, "rb");
	if (!test_ok(file != NULL, "%s opens", path))
		return;
	len = fread(text, 1, sizeof text, file);
	fclose(file);
	status = read_exactly(r, text, len, &err);
	if (strncmp(name, "ok-", 3) == 0)
		test_ok(status == WS_OK, "%s is read: %s", name, err.text);
	else
		test_ok(status == WS_EFORMAT, "%s is refused: %s", name, err.text);
	cut(r, name, text, len);
	change(r, name, text, len, rng);
}

static void all(const struct reader *r, struct ws_rng *rng)
{
	DIR *folder = opendir(r->folder);
	struct dirent *entry;
	unsigned files = 0;

	if (!test_ok(folder != NULL, "%s is here", r->folder))
		return;
	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		one(r, entry->d_name, rng);
		files++;
	}
	closedir(folder);
	test_ok(files >= r->files, "%u files", files);
}

int main(void)
{
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(31));
	for (size_t i = 0; i < WS_COUNT(readers); i++)
		all(&readers[i], &rng);
	return test_done();
}
