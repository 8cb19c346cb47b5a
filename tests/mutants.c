/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/mutants.c -- damaged files given to the tool itself: mutants TOOL N [READER...]
 *
 * For each reader of traces, profiles, launch files, machines, counters, outputs, data sets and
 * measured loads, N mutations of its valid files (the corpora's ok-*), some of them packed by
 * gzip, xz or zstd before or after the damage, each given to one of the commands that read it.
 * Whatever the file is, the tool exits with 0 or 3, says one line if it fails, takes at most 10 s
 * of a processor and 1 GiB, and leaves a whole output file or none. It may exit with 2 where the
 * file is read without complaint and asks for what the machine, or the trace, has not: a CTA of
 * more threads than an SM takes; and with 4 for want of memory where a machine has, within the
 * ranges of its keys, caches too large to be filled.  Of a
 * data set one file is damaged; what it says may also be too far from the prediction (1), or no
 * launch that was asked for (2).
 *
 * Mutation I of a reader follows from the seed (WS_TEST_SEED), the reader and I alone.  Files that
 * fail are kept in TOOL's folder, as mutants.kept/READER-I.
 */
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <lzma.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/test.h"
#include "trace/import.h"

#define MEMORY (UINT64_C(1) << 30)
#define SECONDS 10u	/* of a processor; what waits without one has six times as long */
#define WORDS_MAX 16u
#define ROOM (UINT64_C(4) << 20) /* of a mutant */

/* ---- readers ------------------------------------------------------------------- */

/* Commands as words: IN is the mutant, OUT the output, GOOD a valid trace. */
static const char *const traces[] = {
	"info -q IN", "convert -q IN -o OUT", "predict -q IN --threads 2 -o OUT",
	"convert -q --from FORMAT IN -o OUT", "profile -q IN --threads 2 -o OUT",
	"sweep -q IN --vary l1.size=8K,16K --per launch --threads 2 -o OUT", NULL,
};
static const char *const profiles[] = {
	"info -q IN", "predict -q IN --threads 2 -o OUT", "merge -q IN IN -o OUT",
	"sweep -q IN --vary l1.ways=1,2 --threads 2 -o OUT", NULL,
};
static const char *const launches[] = { "info -q IN", NULL };
static const char *const machines[] = {
	"machine -q IN -o OUT", "predict -q GOOD -m IN --threads 2 -o OUT",
	"machine -q IN --to gpgpusim -o OUT", "convert -q GOOD -m IN --to din -o OUT", NULL,
};

/* IN is the folder. */
static const char *const datasets[] = {
	"validate -q IN --quick --kernel-timeout 1 --threads 2 -o OUT",
	"validate -q IN --quick --kernel-timeout 1 --threads 2 --all --means -o OUT",
	"validate -q IN --kernel-timeout 1 --set l1.ways=2 --rows n<50 --threads 2 -o OUT",
	"fit -q IN --free l1.ways=1|4 --level l1 --quick --kernel-timeout 1 --threads 2 -o OUT",
	NULL,
};
static const char *const states[] = {
	"validate -q set --quick --means --threads 2 --state IN -o OUT", NULL,
};

static const char *const counters[] = {
	"counters -q IN", "counters -q IN --aggregate --format csv -o OUT", NULL,
};

static const char *const compared[] = {
	"compare -q IN IN -o OUT", "compare -q IN IN --match name --means --format csv -o OUT",
	NULL,
};

static const char *const chases[] = {
	"pchase infer -q IN -o OUT", "pchase curve -q --like IN -o OUT", NULL
};

/* Those of other tools' traces are the rows of ws_trace_formats. */
static const struct reader {
	const char *name, *corpus; /* in tests/fuzz/corpus-... */
	const char *const *command;
	bool packs;		/* reads packed files */
	bool sizes;		/* says how large caches are */
	bool folder;		/* the file is one of the folder "set" */
	bool asks;		/* its commands say that an answer is no (1), or that nothing is
				 * there that was asked for (2) */
} readers[] = {
	{ "wst", "wst/ok-file", traces, .packs = false },
	{ "profile", "profile/ok-*", profiles, .packs = false },
	{ "launch", "launch/good", launches, .packs = false },
	{ "images", "launch/images", launches, .packs = false },
	{ "machine", "machine/ok-*", machines, .sizes = true },
	{ "gpgpusim", "gpgpusim/ok-*", machines, .sizes = true },
	{ "counters", "counters/ok-*", counters, .packs = false },
	{ "compare", "compare/ok-*", compared, .packs = false },
	{ "dataset", "dataset/../../cli/files/counters/*.c[os]*", datasets, .sizes = true,
	  .folder = true, .asks = true },
	{ "state", "state/ok-*", states, .asks = true },
	{ "pchase", "pchase/ok-*", chases, .packs = false },
};

/* ---- bytes ----------------------------------------------------------------------- */

struct bytes {
	uint8_t *data;		/* ROOM */
	size_t len;
};

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return below ? (z ^ z >> 31) % below : 0;
}

/* Puts len bytes in place of `gone` at `at`, if there is room. */
static void replace(struct bytes *b, size_t at, size_t gone, const void *data, size_t len)
{
	if (b->len - gone + len > ROOM)
		return;
	memmove(b->data + at + len, b->data + at + gone, b->len - at - gone);
	if (len)
		memcpy(b->data + at, data, len);
	b->len += len - gone;
}

static bool digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* The first number of text from a random place on becomes another. */
static void number(struct bytes *b)
{
	static const char *const value[] = {
		"1152921504606846976", "18446744073709551615", "18446744073709551616", "-1", "0",
		"4294967296", "4294967295", "0xffffffffffffffff", "9999999999999999999999999", "65",
		"1e308", "nan", "1048576", "1025",
	};
	const char *text = value[draw(WS_COUNT(value))];
	size_t at = draw(b->len), end;

	while (at < b->len && !digit(b->data[at]))
		at++;
	for (end = at; end < b->len && digit(b->data[end]); end++)
		;
	if (end > at)
		replace(b, at, end - at, text, strlen(text));
}

static void crlf(struct bytes *b)
{
	for (size_t i = 0; i < b->len; i++)
		if (b->data[i] == '\n')
			replace(b, i++, 0, "\r", 1);
}

/* A block, once more or many times, anywhere. */
static void duplicate(struct bytes *b, size_t at)
{
	uint8_t block[512];
	size_t len = 1 + draw(sizeof block);
	uint64_t times = draw(8) ? 1 : 1000;

	if (len > b->len - at)
		len = b->len - at;
	memcpy(block, b->data + at, len);
	at = draw(b->len + 1);
	while (times--)
		replace(b, at, 0, block, len);
}

static void word(struct bytes *b, size_t at)
{
	static const uint8_t ends[2][8] = { { 0 }, { 255, 255, 255, 255, 255, 255, 255, 255 } };
	size_t len = 1 + draw(8);

	replace(b, at, len < b->len - at ? len : b->len - at, ends[draw(2)], len);
}

static void mutate_once(struct bytes *b)
{
	size_t at = draw(b->len), len = 1 + draw(draw(2) ? 4 : 64);
	uint8_t noise = (uint8_t)draw(256);

	if (b->len == 0)
		replace(b, 0, 0, &noise, 1);
	switch (draw(12)) {
	case 0: case 1: b->data[at] ^= (uint8_t)(1u << draw(8)); break;
	case 2: replace(b, at, len < b->len - at ? len : b->len - at, "", 0); break;
	case 3: replace(b, at, 0, &noise, 1); break;
	case 4: b->len = at; break;
	case 5: duplicate(b, at); break;
	case 6: case 7: case 8: number(b); break;
	case 9: replace(b, at, draw(2), "\0", 1); break;
	case 10: draw(4) ? word(b, at) : crlf(b); break;
	default: b->len -= b->data[b->len - 1] == '\n'; break;
	}
}

static void mutate(struct bytes *b)
{
	for (uint64_t times = draw(4) ? 1 : 1 + draw(4); times--;)
		mutate_once(b);
}

/* ---- packing ------------------------------------------------------------------------ */

static size_t gz(const struct bytes *b, uint8_t *out)
{
	z_stream z = { .next_in = b->data, .avail_in = (uInt)b->len, .next_out = out,
		       .avail_out = ROOM };
	bool ok = deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK &&
		  deflate(&z, Z_FINISH) == Z_STREAM_END;

	deflateEnd(&z);
	return ok ? ROOM - z.avail_out : 0;
}

static size_t xz(const struct bytes *b, uint8_t *out)
{
	size_t len = 0;

	return lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, b->data, b->len, out, &len,
				       ROOM) == LZMA_OK ? len : 0;
}

static size_t zst(const struct bytes *b, uint8_t *out)
{
	size_t len = ZSTD_compress(out, ROOM, b->data, b->len, 1);

	return ZSTD_isError(len) ? 0 : len;
}

static void pack(struct bytes *b, uint8_t *scratch)
{
	size_t (*const how[])(const struct bytes *, uint8_t *) = { gz, xz, zst };
	size_t len = how[draw(3)](b, scratch);

	if (len)
		memcpy(b->data, scratch, b->len = len);
}

/* ---- files --------------------------------------------------------------------------- */

static bool read_bytes(const char *path, struct bytes *b)
{
	FILE *f = fopen(path, "rb");

	if (!f)
		return false;
	b->len = fread(b->data, 1, ROOM / 4, f);
	return fclose(f) == 0;
}

static void write_bytes(const char *path, const struct bytes *b)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(b->data, 1, b->len, f) != b->len || fclose(f)) {
		perror(path);
		exit(2);
	}
}

struct bench { /* what a run needs */
	const char *tool;
	char work[512], keep[512];
	glob_t good;		/* of the reader at hand */
	struct bytes mutant;
	char path[64];		/* of the mutant */
	uint8_t *scratch;
	bool release;		/* else sanitizers want more of everything */
};

static void make_mutant(struct bench *t, const struct reader *r, uint64_t seed, uint64_t i)
{
	const char *path;
	uint64_t packed;

	state = seed ^ i * UINT64_C(0xd1342543de82ef95);
	for (const char *c = r->name; *c; c++)
		state = state * 31 + (uint8_t)*c;
	packed = r->packs ? draw(8) : 7;
	path = t->good.gl_pathv[draw(t->good.gl_pathc)];
	if (!read_bytes(path, &t->mutant))
		exit(2);
	snprintf(t->path, sizeof t->path, "%s%.40s", r->folder ? "set" : "in",
		 r->folder ? strrchr(path, '/') : "");
	if (packed == 0)
		pack(&t->mutant, t->scratch);
	mutate(&t->mutant);
	if (packed == 1)
		pack(&t->mutant, t->scratch);
}

/* ---- one run ------------------------------------------------------------------------- */

/* The words of a command; text is cut up. */
static void words(char *text, char **word, const struct reader *r)
{
	static char in[] = "./in", set[] = "set", out[] = "out/out", good[] = "good";
	char *from = r->folder ? set : in;
	size_t n = 1;

	for (char *w = strtok(text, " "); w && n < WORDS_MAX - 1; w = strtok(NULL, " "))
		word[n++] = strcmp(w, "FORMAT") == 0 ? (char *)r->name :
			    strcmp(w, "IN") == 0 ? from : strcmp(w, "OUT") == 0 ? out :
			    strcmp(w, "GOOD") == 0 ? good : w;
	word[n] = NULL;
}

static void become(const struct bench *t, char **word)
{
	const struct rlimit memory = { MEMORY, MEMORY }, file = { MEMORY, MEMORY };
	unsigned seconds = t->release ? SECONDS : 10 * SECONDS;
	const struct rlimit time = { seconds, seconds + 1 }, no_core = { 0, 0 };
	int in = open("/dev/null", O_RDONLY);
	int out = open("out.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int err = open("err.txt", O_WRONLY | O_CREAT | O_TRUNC, 0666);

	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	setrlimit(RLIMIT_FSIZE, &file);
	if (t->release)
		setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_CORE, &no_core);
	setrlimit(RLIMIT_CPU, &time);
	alarm(6 * seconds);
	execv(t->tool, word);
	_exit(127);
}

/* Files in the folder of outputs, which are removed; *len: of the last one. */
static unsigned outputs(size_t *len)
{
	DIR *folder = opendir("out");
	struct dirent *entry;
	struct stat info;
	unsigned count = 0;
	char path[512];

	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.' && strspn(entry->d_name, ".") == strlen(entry->d_name))
			continue;
		snprintf(path, sizeof path, "out/%s", entry->d_name);
		*len = stat(path, &info) == 0 ? (size_t)info.st_size : 0;
		unlink(path);
		count++;
	}
	if (folder)
		closedir(folder);
	return count;
}

/* Is what was said on standard error one line, that begins so? */
static bool one_line(const struct bench *t, const char *begin)
{
	struct bytes said = { t->scratch, 0 };
	size_t lines = 0;

	if (!t->release) /* they warn of large allocations, too */
		return true;
	if (!read_bytes("err.txt", &said))
		return false;
	for (size_t i = 0; i < said.len; i++)
		lines += said.data[i] == '\n';
	return lines == 1 && said.len > strlen(begin) &&
	       memcmp(said.data, begin, strlen(begin)) == 0;
}

/* Reading aside: may a command end so? */
static bool excused(const struct bench *t, const struct reader *r, int code)
{
	return code == 2 || (code == 1 && r->asks) ||
	       (code == 4 && r->sizes && one_line(t, "warpstack: out of memory for "));
}

/* NULL if all is well. */
static const char *judge(const struct bench *t, const struct reader *r, int status, long rss_kib,
			 bool writes)
{
	size_t len = 0;
	unsigned files = outputs(&len);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU
			? "longer than allowed" : "a signal";
	if (code != 0 && code != 3 && !excused(t, r, code))
		return "another exit code than 0 and 3";
	if (t->release && (uint64_t)rss_kib * 1024 > MEMORY)
		return "more memory than allowed";
	if (code == 1 && r->asks)
		return files == 1 ? NULL : "it answered without an output";
	if (code && !one_line(t, "warpstack: "))
		return "not one line on standard error";
	if (code && files)
		return "it failed and left a file";
	if (code == 0 && writes && (files != 1 || len == 0))
		return "it succeeded without an output";
	return NULL;
}

struct tally {
	uint64_t run, accepted, failed;
	double slowest;		/* seconds */
	long rss_kib;
};

/* Runs a command; returns its status. */
static int run(const struct bench *t, const struct reader *r, const char *command,
	       struct rusage *usage)
{
	char text[256], *word[WORDS_MAX] = { (char *)"warpstack" };
	int status;
	pid_t pid;

	snprintf(text, sizeof text, "%s", command);
	words(text, word, r);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		become(t, word);
	if (pid < 0 || wait4(pid, &status, 0, usage) != pid) {
		perror("fork");
		exit(2);
	}
	return status;
}

static const char *run_one(const struct bench *t, const struct reader *r, const char *command,
			   struct tally *tally, int *status)
{
	double start = ws_seconds();
	struct rusage usage, other;
	const char *wrong;

	*status = run(t, r, command, &usage);
	tally->run++;
	tally->accepted += WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
	tally->slowest = fmax(tally->slowest, ws_seconds() - start);
	if (usage.ru_maxrss > tally->rss_kib)
		tally->rss_kib = usage.ru_maxrss;
	wrong = judge(t, r, *status, usage.ru_maxrss, strstr(command, "OUT") != NULL);
	/* The first command does nothing but read. */
	if (!wrong && !r->asks && WEXITSTATUS(*status) % 3 != 0 &&
	    run(t, r, r->command[0], &other) != 0)
		wrong = "exit 2 or 4 for what cannot be read";
	outputs(&(size_t){ 0 });
	return wrong;
}

/* ---- a reader --------------------------------------------------------------------------- */

static void keep(const struct bench *t, const struct reader *r, uint64_t i)
{
	char path[1024];

	mkdir(t->keep, 0777);
	snprintf(path, sizeof path, "%s/%s-%" PRIu64, t->keep, r->name, i);
	write_bytes(path, &t->mutant);
	printf("# kept as %s\n", path);
}

/* A folder's other files stay as they are. */
static void restore(struct bench *t, const struct reader *r)
{
	struct bytes whole = { t->scratch, 0 };

	for (size_t i = 0; r->folder && i < t->good.gl_pathc; i++) {
		char path[128];

		snprintf(path, sizeof path, "set%.40s", strrchr(t->good.gl_pathv[i], '/'));
		if (read_bytes(t->good.gl_pathv[i], &whole))
			write_bytes(path, &whole);
	}
}

static void try_reader(struct bench *t, const struct reader *r, uint64_t seed, uint64_t count)
{
	struct tally tally = { 0 };
	size_t commands = 0;

	while (r->command[commands])
		commands++;
	for (uint64_t i = 0; i < count; i++) {
		const char *command = r->command[i % commands], *wrong;
		int status = 0;

		make_mutant(t, r, seed, i);
		write_bytes(t->path, &t->mutant);
		wrong = run_one(t, r, command, &tally, &status);
		restore(t, r);
		if (!wrong)
			continue;
		tally.failed++;
		printf("# %s, mutation %" PRIu64 ": %s (status 0x%x): warpstack %s\n", r->name, i,
		       wrong, (unsigned)status, command);
		keep(t, r, i);
	}
	test_ok(tally.failed == 0 && tally.run > 0, "%s: %" PRIu64 " mutations, %" PRIu64
		" accepted, %" PRIu64 " wrong, at most %.2f s, %ld MiB", r->name, tally.run,
		tally.accepted, tally.failed, tally.slowest, tally.rss_kib / 1024);
}

static void try_corpus(struct bench *t, const struct reader *r, const char *source, uint64_t seed,
		       uint64_t count)
{
	char pattern[4096];

	snprintf(pattern, sizeof pattern, "%s/tests/fuzz/corpus-%s", source, r->corpus);
	if (glob(pattern, 0, NULL, &t->good) == 0)
		try_reader(t, r, seed, count);
	else
		test_ok(false, "%s: want files tests/fuzz/corpus-%s", r->name, r->corpus);
	globfree(&t->good);
}

static bool asked_for(const struct reader *r, int argc, char **argv)
{
	for (int i = 3; i < argc; i++)
		if (strcmp(argv[i], r->name) == 0)
			return true;
	return argc <= 3;
}

/* Files that stay as they are: what machines are tried on, and what Accel-Sim's list names. */
static void place_seeds(struct bench *t, const char *source)
{
	static const char *const files[][2] = {
		/* Its runs are short: what takes long is the machine's. */
		{ "corpus-wst/ok-past", "good" },
		{ "corpus-accel-sim/ok-v3.traceg", "corpus-accel-sim/ok-v3.traceg" },
		{ "corpus-accel-sim/ok-v5.traceg", "corpus-accel-sim/ok-v5.traceg" },
		{ "../cli/files/counters/mm.cl", "set/mm.cl" },
		{ "../cli/files/counters/set.conf", "set/set.conf" },
		{ "../cli/files/counters/tiny.conf", "set/tiny.conf" },
		{ "../cli/files/counters/tiny.csv", "set/tiny.csv" },
	};
	char from[4096];

	mkdir("corpus-accel-sim", 0777);
	mkdir("set", 0777);
	for (size_t i = 0; i < WS_COUNT(files); i++) {
		snprintf(from, sizeof from, "%s/tests/fuzz/%s", source, files[i][0]);
		if (read_bytes(from, &t->mutant))
			write_bytes(files[i][1], &t->mutant);
	}
}

static void prepare(struct bench *t, const char *tool)
{
	static char path[4096];
	const char *folder = getenv("TMPDIR"), *mode = getenv("CHECK_MODE");
	char *slash;

	t->tool = realpath(tool, path);
	if (!t->tool) {
		perror(tool);
		exit(2);
	}
	snprintf(t->keep, sizeof t->keep, "%s", t->tool);
	slash = strrchr(t->keep, '/');
	snprintf(slash, sizeof t->keep - (size_t)(slash - t->keep), "/mutants.kept");
	snprintf(t->work, sizeof t->work, "%s/mutants.XXXXXX", folder && *folder ? folder : "/tmp");
	t->release = !mode || strcmp(mode, "release") == 0;
	t->mutant.data = malloc(ROOM);
	t->scratch = malloc(ROOM);
	if (!t->mutant.data || !t->scratch || !mkdtemp(t->work) || chdir(t->work) ||
	    mkdir("out", 0777)) {
		perror(t->work);
		exit(2);
	}
}

static void clear(const struct bench *t)
{
	static const char *const left[] = {
		"in", "good", "out.txt", "err.txt", "corpus-accel-sim/ok-v3.traceg",
		"corpus-accel-sim/ok-v5.traceg", "corpus-accel-sim", "out", "set/mm.cl",
		"set/set.conf", "set/tiny.conf", "set/tiny.csv", "set",
	};

	for (size_t i = 0; i < WS_COUNT(left); i++)
		remove(left[i]);
	rmdir(t->work);
}

int main(int argc, char **argv)
{
	struct bench t = { 0 };
	struct reader r;
	char source[2048];
	uint64_t count, seed;

	if (argc < 3 || !ws_parse_u64(argv[2], &count) || !getcwd(source, sizeof source)) {
		fprintf(stderr, "usage: %s TOOL N [READER...], in the source tree\n", argv[0]);
		return 2;
	}
	prepare(&t, argv[1]);
	place_seeds(&t, source);
	seed = test_seed(1);
	for (size_t i = 0; ws_trace_formats[i]; i++) {
		const char *name = ws_trace_formats[i]->name;
		char corpus[128];

		snprintf(corpus, sizeof corpus, "%s/ok-*", name);
		r = (struct reader){ name, corpus, traces, .packs = true };
		if (ws_trace_formats[i]->read && asked_for(&r, argc, argv))
			try_corpus(&t, &r, source, seed, count);
	}
	for (size_t i = 0; i < WS_COUNT(readers); i++)
		if (asked_for(&readers[i], argc, argv))
			try_corpus(&t, &readers[i], source, seed, count);
	clear(&t);
	free(t.mutant.data);
	free(t.scratch);
	printf("1..%d\nmutants: %d passed, %d failed\n", test_run, test_run - test_bad, test_bad);
	return test_bad != 0;
}
