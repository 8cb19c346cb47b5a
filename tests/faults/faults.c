/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/faults/faults.c -- faults of the machine: faults TOOL PRELOAD POINTS [COMMAND...]
 *
 * Each command is run once to count what it asks for (tests/faults/preload.c), and then POINTS
 * times with one request for memory or a thread failing, or all from one on; a quarter as often
 * with such requests for descriptors, and with files that may not grow past some size.  Half of the
 * points are drawn from all requests, half from the places that ask.  A file that the output is to
 * replace is there, and the command ends
 *
 *   - as it does without the fault, with the same output; or
 *   - with exit 4 and one line on standard error, and the file is as it was;
 *
 * and nothing else is left in the output's folder and in TMPDIR.  The seed is WS_TEST_SEED.  With
 * 0 POINTS, what the commands read is made and left in a folder, to try one by hand there:
 *
 *   WS_FAIL_KIND=memory WS_FAIL_AT=92 LD_PRELOAD=PRELOAD TOOL trace a.launch -o out/a
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "tests/test.h"
#include "trace/capture.h"

#define WORDS_MAX 40u
#define SECONDS 20u
#define SAID_MAX 16384 /* fits into a pipe */
#define OLD "what was there\n"

/* ---- commands ---------------------------------------------------------------------- */

/* What the commands read, in the order in which it is made. */
static const char *const made[] = {
	"trace -q a.launch -o a.wst",
	"profile -q --threads 1 a.wst -o a.wsp",
	"profile -q --threads 1 --chunks a.wst -o b.wsp",
	"sweep -q a.wsp --vary l1.ways=1,2 -o a.tsv",
	"convert -q a.wst --to accel-sim -o l.g",
	"machine gtx480 --conf -o a.conf",
	"machine gtx480 --to gpgpusim -o a.config",
};

/* corpus is tests/fuzz of the source tree.  Outputs are out/a, a.g or a.svg, and out/b; without one
 * it is standard output. */
static const struct command {
	const char *name, *command;
} commands[] = {
	{ "trace", "trace a.launch -o out/a" },
	{ "trace-kernel", "trace a.cl --kernel second --global 64 --local 32 --arg "
	  "data=buffer:float:64:random --arg factor=3 --build -DN=64 --local-accesses --check "
	  "data=a.raw:9 -o out/a" },
	{ "trace-outside", "trace -q a.cl --kernel second --global 64 --local 32 --arg "
	  "data=buffer:float:40:random --arg factor=3 --build -DN=64 --out-of-bounds record -o "
	  "out/a" },
	{ "trace-image", "trace image.cl --kernel k --global 8,8 --local 8,8 --arg "
	  "m=image2d:rgba:unorm_int8:block-linear:8x8:random --arg s=sampler:linear:clamp --arg "
	  "out=buffer:float:64 -o out/a" },
	{ "trace-app", "trace --app -o out/a -- true" },
	{ "info-launch", "info a.launch -o out/a" },
	{ "info-trace", "info a.wst -o out/a" },
	{ "info-profile", "info b.wsp -o out/a" },
	{ "info-json", "info b.wsp --format json" },
	{ "profile", "profile --threads 1 a.wst -o out/a" },
	{ "profile-launch", "profile --threads 2 a.launch -o out/a" },
	{ "profile-threads", "profile --threads 2 a.wst -o out/a" },
	{ "profile-l2", "profile --threads 1 --l2 a.wst -o out/a" },
	{ "profile-chunks", "profile --threads 1 --grains 500 a.wst -o out/a" },
	{ "profile-sample", "profile --threads 1 --sample 0.1 a.wst -o out/a" },
	{ "profile-sets", "profile --threads 1 --sets 16,32 --distances a.wst -o out/a" },
	{ "predict", "predict --threads 1 a.wst -o out/a" },
	{ "predict-profile", "predict --threads 2 a.wsp -o out/a" },
	{ "predict-level", "predict --threads 2 --level all --kind all --per launch a.wst -o "
	  "out/a" },
	{ "predict-source", "predict --threads 1 a.wst --by site -o out/a" },
	{ "predict-policy", "predict --threads 1 a.wsp --set l1.policy=srrip:2 --format json" },
	{ "sweep", "sweep --threads 1 a.wsp --vary l1.policy=all --vary l1.size=8K,16K -o out/a" },
	{ "sweep-trace", "sweep --threads 2 a.wst --vary l1.size=8K,16K --vary l1.ways=1,2 "
	  "--verify "
	  "-o out/a" },
	{ "sweep-best", "sweep --threads 1 a.wst --best miss_ratio --budget 1K -o out/a" },
	{ "sweep-latency", "sweep --threads 1 a.wst --latency --vary l1.mshr=8,32 --sort l1.mshr "
	  "-o out/a" },
	{ "simulate", "simulate --threads 1 a.wst --level all -o out/a" },
	{ "simulate-threads", "simulate --threads 2 a.wst --vary l1.policy=lru,srrip:2,opt -o "
	  "out/a" },
	{ "simulate-organisations", "simulate --threads 1 a.wst --vary "
	  "l1.organisation=line,sector,elastic:32,dycache:50 -o out/a" },
	{ "simulate-cycles", "simulate --threads 1 a.wst --cycles --by array -o out/a" },
	{ "simulate-pool", "simulate --threads 2 a.wst --cycles --format gpgpusim --timeline out/b "
	  "-o out/a" },
	{ "softcache", "softcache --threads 1 a.wst --lines 0,2 --threshold 2 -o out/a" },
	{ "softcache-launch", "softcache --threads 2 a.wst --by launch --simulate --choice thread "
	  "-o out/a" },
	{ "softcache-traffic", "softcache --threads 1 a.wst --by traffic --cycles --line 4,16 "
	  "-o out/a" },
	{ "softcache-trace", "softcache --threads 1 a.wst --lines 2 --threshold 2 --trace out/b "
	  "-o out/a" },
	{ "softcache-transform", "softcache --threads 1 a.launch --transform --lines 1 -o out/a" },
	{ "convert", "convert --arrays auto a.din -o out/a" },
	{ "convert-din", "convert a.wst --to din -o out/a" },
	{ "convert-order", "convert a.wst --to crawford-order -o out/a" },
	{ "convert-lackey", "convert --from lackey a.lackey -o out/a" },
	{ "convert-to-accel-sim", "convert a.wst --to accel-sim -o out/a.g" },
	{ "convert-gz", "convert corpus/corpus-accel-sim/ok-packed.traceg.gz -o out/a" },
	{ "convert-xz", "convert corpus/corpus-accel-sim/ok-packed.traceg.xz -o out/a" },
	{ "convert-zstd", "convert a.din.zst -o out/a" },
	{ "convert-list", "convert l.g -o out/a" },
	{ "convert-nvbit", "convert corpus/corpus-nvbit/ok-two -o out/a" },
	{ "convert-nugteren", "convert corpus/corpus-nugteren/ok-two -o out/a" },
	{ "convert-crawford", "convert corpus/corpus-crawford/ok-launches -o out/a" },
	{ "convert-warps", "convert corpus/corpus-crawford-order/ok-warps -o out/a" },
	{ "convert-oracle", "convert corpus/corpus-oracle-general/ok-lines -o out/a" },
	{ "plot-reuse", "plot reuse a.wsp -o out/a.svg" },
	{ "plot-missratio", "plot missratio --threads 1 a.wst -o out/a.svg" },
	{ "plot-access", "plot access a.wst --order sequential -o out/a.svg" },
	{ "plot-time", "plot missrate-time --threads 1 a.wst -o out/a.svg" },
	{ "plot-bars", "plot bars a.tsv -o out/a.svg" },
	{ "plot-sizes", "plot request-sizes a.wst -o out/a.svg" },
	{ "plot-softcache", "plot softcache-lines a.wst -o out/a.svg" },
	{ "crosscheck", "crosscheck --threads 1 a.wst --vary l1.policy=lru,fifo -o out/a" },
	{ "crosscheck-cycles", "crosscheck --threads 2 a.wst --cycles --level all -o out/a" },
	{ "merge", "merge a.wsp a.wsp -o out/a" },
	{ "merge-chunks", "merge b.wsp b.wsp -o out/a" },
	{ "counters", "counters corpus/corpus-counters/ok-ncu-raw.csv -o out/a" },
	{ "counters-groups", "counters --aggregate corpus/corpus-counters/ok-rocprof-v1.csv "
	  "corpus/corpus-counters/ok-nvprof-trace.csv -o out/a" },
	{ "pchase", "pchase infer -m gtx480 -o out/a" },
	{ "pchase-trace", "pchase trace -m gtx480 -o out/a" },
	{ "pchase-curve", "pchase curve -m gtx480 --array 20K -o out/a" },
	{ "pchase-conf", "pchase conf -m gtx480 -o out/a" },
	{ "machine", "machine ./a.conf -o out/a" },
	{ "machine-list", "machine -o out/a" },
	{ "machine-gpgpusim", "machine ./a.config --to gpgpusim -o out/a" },
	{ "machine-keys", "machine -k --format table" },
	{ "policies", "policies -o out/a" },
	{ "help", "help sweep" },
	{ "version", "version -v" },
};

static const char image_text[] =
	"__kernel void k(__read_only image2d_t m, sampler_t s, __global float *out)\n"
	"{\n"
	"	int x = get_global_id(0), y = get_global_id(1);\n"
	"	out[8 * y + x] = read_imagef(m, s, (float2)(x, y + 0.5f)).x;\n"
	"}\n";

static const char launch_text[] =
	"source = a.cl\n"
	"options = -DN=64\n"
	"[buffers]\n"
	"data = float 64 random\n"
	"out = float 64\n"
	"[launch]\n"
	"kernel = first\n"
	"global = 64\n"
	"local = 32\n"
	"args = data out\n"
	"[launch]\n"
	"kernel = second\n"
	"global = 64\n"
	"local = 32\n"
	"args = data 3\n";

static const char kernel_text[] =
	"struct pair { float a, b; };\n"
	"__constant float table[4] = { 1, 2, 3, 4 };\n"
	"__kernel void first(__global const float *data, __global float *out)\n"
	"{\n"
	"	__local float tile[32];\n"
	"	struct pair p;\n"
	"	int i = get_global_id(0), l = get_local_id(0);\n"
	"	tile[l] = data[i];\n"
	"	barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	p.a = tile[31 - l];\n"
	"	p.b = 0;\n"
	"	for (int k = 0; k < (i & 3); k++)\n"
	"		p.b += data[(i * 7 + k) % N] * table[k & 3];\n"
	"	out[i] = p.a + p.b;\n"
	"	if (i == 3)\n"
	"		printf(\"warpstack: note: %d\\n\", i);\n"
	"}\n"
	"__kernel void second(__global float *data, int factor)\n"
	"{\n"
	"	data[get_global_id(0)] *= (float)factor;\n"
	"}\n";

static const char lackey_text[] = " L 1000,4\nI  400,3\n S 1010,8\n M 8000,4\n";
static const char din_text[] = "0 1000\n0 1020\n1 1040\n0 1000\n0 8000\n1 8020\n";

/* ---- a run ------------------------------------------------------------------------ */

enum kind { MEMORY, FILES, DISK, KINDS };
static const char *const kind_names[KINDS] = { "memory", "files", "disk" };

struct bench {
	char tool[4096], preload[4096], work[512];
	bool svg, layer;	/* gnuplot, and the OpenCL layer, are there */
};

struct point {
	enum kind kind;
	uint64_t at;		/* 0: no fault; of DISK: bytes and 1 */
	bool on;		/* the later ones fail too */
};

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	if (!f || fputs(text, f) < 0 || fclose(f)) {
		perror(path);
		exit(2);
	}
}

/* The words of a command; text is cut up. */
static void words(char *text, char **word)
{
	size_t n = 1;

	word[0] = (char *)"warpstack";
	for (char *w = strtok(text, " "); w && n < WORDS_MAX - 1; w = strtok(NULL, " "))
		word[n++] = w;
	word[n] = NULL;
}

static void become(const struct bench *t, char **word, const struct point *p, const char *log,
		   int err)
{
	int in = open("/dev/null", O_RDONLY);
	int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	const struct rlimit no_core = { 0, 0 }, size = { p->at - 1, p->at - 1 };
	char at[32];

	setenv("WARPSTACK_CACHE", "", 0);
	dup2(in, 0);
	dup2(out, 1);
	dup2(err, 2);
	close(in);
	close(out);
	close(err);
	setrlimit(RLIMIT_CORE, &no_core);
	alarm(SECONDS);
	if (p->kind == DISK) {
		setenv("TMPDIR", "tmp", 1);
		if (p->at)
			setrlimit(RLIMIT_FSIZE, &size);
		execv(t->tool, word);
		_exit(127);
	}
	snprintf(at, sizeof at, "%" PRIu64 "%s", p->at, p->on ? "+" : "");
	setenv("TMPDIR", "tmp", 1);
	setenv("WS_FAIL_KIND", kind_names[p->kind], 1);
	setenv("WS_FAIL_AT", at, 1);
	if (log)
		setenv("WS_FAIL_LOG", log, 1);
	setenv("LD_PRELOAD", t->preload, 1);
	execv(t->tool, word);
	_exit(127);
}

/* Runs a command; returns its status. */
static int run(const struct bench *t, const char *command, const struct point *p, const char *log)
{
	char text[512], *word[WORDS_MAX], said[SAID_MAX] = "";
	int status, err[2];
	ssize_t n;
	pid_t pid;

	snprintf(text, sizeof text, "%s", command);
	words(text, word);
	fflush(stdout);
	pid = pipe2(err, O_CLOEXEC) ? -1 : fork();
	if (pid == 0)
		become(t, word, p, log, err[1]);
	if (pid < 0 || close(err[1]) || waitpid(pid, &status, 0) != pid) {
		perror("fork");
		exit(2);
	}
	n = read(err[0], said, sizeof said - 1);
	said[n > 0 ? n : 0] = '\0';
	close(err[0]);
	write_text("stderr", said);
	return status;
}

/* ---- what it left ------------------------------------------------------------------ */

struct bytes {
	char *data;
	size_t len;
};

static struct bytes slurp(const char *path)
{
	struct bytes b = { 0 };
	FILE *f = fopen(path, "rb");
	struct stat info;

	if (!f || fstat(fileno(f), &info))
		return b;
	b.data = malloc((size_t)info.st_size + 1);
	b.len = fread(b.data, 1, (size_t)info.st_size, f);
	b.data[b.len] = '\0';
	fclose(f);
	return b;
}

#define OUTPUTS 5
static const char *const outputs[OUTPUTS] = { "out/a", "out/a.g", "out/a.svg", "out/b",
					     "stdout" };

struct left {
	int status;
	unsigned before;	/* files that were there */
	struct bytes said, output[OUTPUTS];
};

static struct left look(int status)
{
	struct left l = { .status = status, .said = slurp("stderr") };

	for (size_t i = 0; i < OUTPUTS; i++)
		l.output[i] = slurp(outputs[i]);
	return l;
}

static void forget(struct left *l)
{
	free(l->said.data);
	for (size_t i = 0; i < OUTPUTS; i++)
		free(l->output[i].data);
}

static bool equal(const struct bytes *a, const struct bytes *b)
{
	return a->len == b->len && (!a->len || memcmp(a->data, b->data, a->len) == 0);
}

static bool is_old(const struct bytes *b)
{
	return b->len == strlen(OLD) && memcmp(b->data, OLD, b->len) == 0;
}

/* Files of a folder, which are removed if clear is set. */
static unsigned files(const char *folder, bool clear)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	unsigned count = 0;
	char path[512];

	while (dir && (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (clear)
			unlink(path);
		count++;
	}
	if (dir)
		closedir(dir);
	return count;
}

/* Returns how many there are. */
static unsigned prepare_outputs(const char *command)
{
	unsigned count = 0;

	files("out", true);
	files("tmp", true);
	for (size_t i = 0; i < OUTPUTS - 1; i++) {
		const char *at = strstr(command, outputs[i]);
		size_t len = strlen(outputs[i]);

		if (at && (at[len] == '\0' || at[len] == ' ')) {
			write_text(outputs[i], OLD);
			count++;
		}
	}
	return count;
}

/* One line, and one of ours; notes of what went before may precede it. */
static bool one_line(const struct bytes *said)
{
	const char *line = said->data, *end;
	unsigned lines = 0;

	for (; line && *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end || strncmp(line, "warpstack: ", 11) != 0)
			return false;
		lines += strncmp(line, "warpstack: note: ", 17) != 0;
	}
	return lines == 1;
}

/* NULL if all is well. */
static const char *judge(const struct left *l, const struct left *good, unsigned expected)
{
	int code = WIFEXITED(l->status) ? WEXITSTATUS(l->status) : -1;

	if (WIFSIGNALED(l->status))
		return WTERMSIG(l->status) == SIGALRM ? "it takes too long" : "a signal";
	if (files("out", false) != (l->status == good->status ? expected : l->before) ||
	    files("tmp", false))
		return "a file is left, or gone";
	if (l->status == good->status) {
		for (size_t i = 0; i < OUTPUTS; i++)
			if (!equal(&l->output[i], &good->output[i]))
				return "another output";
		return NULL;
	}
	if (code != 4)
		return "another exit code than 4";
	if (!one_line(&l->said))
		return "not one line on standard error";
	for (size_t i = 0; i < OUTPUTS - 1; i++)
		if (l->output[i].len && !is_old(&l->output[i]))
			return "the output has changed";
	return NULL;
}

/* ---- points ---------------------------------------------------------------------------- */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return below ? (z ^ z >> 31) % below : 0;
}

struct requests {
	uint64_t count, *site; /* site: the first request of each place */
	size_t sites;
};

/* Of a log of the preloaded object. */
static struct requests read_log(const char *path)
{
	struct requests r = { 0 };
	struct bytes log = slurp(path);
	size_t cap = 0;

	for (char *line = log.data, *end; line && (end = strchr(line, '\n')); line = end + 1) {
		uint64_t n = strtoull(line + strcspn(line, " "), NULL, 10);

		if (*line == 'a') {
			r.count = n;
			continue;
		}
		if (!WS_ROOM(r.site, cap, r.sites + 1))
			abort();
		r.site[r.sites++] = n;
	}
	free(log.data);
	return r;
}

/* Point i of `points`: each place once where they suffice, else what is drawn. */
static struct point choose(const struct requests *r, enum kind kind, uint64_t i, uint64_t points)
{
	struct point p = { .kind = kind, .on = draw(2) };

	if (kind == DISK) {
		p.at = 1 + draw(r->count);
		p.on = false;
		return p;
	}
	if (r->sites <= points / 2 ? i < r->sites : i % 2)
		p.at = r->site[r->sites <= points / 2 ? i : draw(r->sites)];
	else
		p.at = 1 + draw(r->count);
	return p;
}

static const char *try_point(const struct bench *t, const struct command *c, const struct point *p,
			     const struct left *good, unsigned expected)
{
	unsigned before = prepare_outputs(c->command);
	struct left l = look(run(t, c->command, p, NULL));
	const char *wrong;

	l.before = before;
	wrong = judge(&l, good, expected);
	if (wrong)
		printf("# %s: %s: WS_FAIL_KIND=%s WS_FAIL_AT=%" PRIu64 "%s (status 0x%x): "
		       "warpstack %s\n#   %.300s\n", c->name, wrong, kind_names[p->kind], p->at,
		       p->on ? "+" : "", (unsigned)l.status, c->command,
		       l.said.data ? l.said.data : "");
	forget(&l);
	return wrong;
}

static uint64_t largest(const struct left *l)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < OUTPUTS; i++)
		bytes = l->output[i].len > bytes ? l->output[i].len : bytes;
	return bytes;
}

static void try_command(const struct bench *t, const struct command *c, enum kind kind,
			uint64_t points)
{
	const struct point none = { .kind = kind };
	struct requests r;
	struct left good;
	unsigned expected, failed = 0;

	prepare_outputs(c->command);
	good = look(run(t, c->command, &none, "log"));
	expected = files("out", false);
	r = kind == DISK ? (struct requests){ .count = largest(&good) } : read_log("log");
	if (!WIFEXITED(good.status) || WEXITSTATUS(good.status) > 1) {
		test_ok(false, "%s: without a fault: status 0x%x: %.200s", c->name,
			(unsigned)good.status, good.said.data);
	} else {
		if (points > r.count * 2)
			points = r.count * 2;
		for (uint64_t i = 0; i < points; i++) {
			struct point p = choose(&r, kind, i, points);

			failed += try_point(t, c, &p, &good, expected) != NULL;
		}
		test_ok(!failed, "%s: %u of %" PRIu64 " faults of %s (%" PRIu64
			" requests, %zu places)",
			c->name, failed, points, kind_names[kind], r.count, r.sites);
	}
	free(r.site);
	forget(&good);
}

/* ---- all ------------------------------------------------------------------------------- */

static void write_zstd(const char *path, const char *text)
{
	char packed[1024];
	size_t len = ZSTD_compress(packed, sizeof packed, text, strlen(text), 3);
	FILE *f = fopen(path, "wb");

	if (ZSTD_isError(len) || !f || fwrite(packed, 1, len, f) != len || fclose(f))
		exit(2);
}

static void make_inputs(const struct bench *t)
{
	const struct point none = { 0 };

	write_text("a.launch", launch_text);
	write_text("image.cl", image_text);
	write_text("a.cl", kernel_text);
	write_text("a.din", din_text);
	write_zstd("a.din.zst", din_text);
	write_text("a.lackey", lackey_text);
	write_text("a.raw", "");
	if (truncate("a.raw", 64 * sizeof(float)))
		exit(2);
	for (size_t i = 0; i < WS_COUNT(made); i++) {
		if (run(t, made[i], &none, NULL) != 0) {
			printf("# warpstack %s: %s\n", made[i], slurp("stderr").data);
			exit(2);
		}
	}
}

static bool asked_for(const struct command *c, int argc, char **argv)
{
	for (int i = 4; i < argc; i++)
		if (strcmp(argv[i], c->name) == 0)
			return true;
	return argc <= 4;
}

static void prepare(struct bench *t, char **argv)
{
	const char *folder = getenv("TMPDIR");
	char corpus[4096], layer[4200];

	if (!realpath("tests/fuzz", corpus))
		corpus[0] = '\0';
	snprintf(t->work, sizeof t->work, "%s/faults.XXXXXX", folder && *folder ? folder : "/tmp");
	if (!realpath(argv[1], t->tool) || !realpath(argv[2], t->preload) || !mkdtemp(t->work) ||
	    chdir(t->work) || mkdir("out", 0777) || mkdir("tmp", 0777) ||
	    symlink(corpus, "corpus")) {
		perror(t->work);
		exit(2);
	}
	snprintf(layer, sizeof layer, "%.*s/libwarpstack-opencl.so",
		 (int)(strrchr(t->tool, '/') - t->tool), t->tool);
	t->layer = access(layer, R_OK) == 0;
	t->svg = system("gnuplot --version >stdout 2>&1") == 0;
}

static void clear(const struct bench *t)
{
	files("out", true);
	files("tmp", true);
	rmdir("out");
	rmdir("tmp");
	files(".", true);
	rmdir(t->work);
}

int main(int argc, char **argv)
{
	struct ws_err why = { 0 };
	struct bench t = { 0 };
	uint64_t points, seed;

	if (argc < 4 || !ws_parse_u64(argv[3], &points)) {
		fprintf(stderr, "usage: %s TOOL PRELOAD POINTS [COMMAND...], in the source "
			"tree\n", argv[0]);
		return 2;
	}
	if (ws_capture_load(&why) != WS_OK) { /* nothing makes the trace that is read */
		test_skip("faults", why.text);
		printf("1..1\nfaults: 0 passed, 0 failed, 1 skipped\n");
		return 0;
	}
	prepare(&t, argv);
	seed = test_seed(1);
	make_inputs(&t);
	if (!points) {
		printf("# %s has what the commands read\n", t.work);
		return 0;
	}
	for (size_t i = 0; i < WS_COUNT(commands); i++) {
		state = seed + i;
		if (!asked_for(&commands[i], argc, argv))
			continue;
		if (!t.svg && strstr(commands[i].command, ".svg")) {
			test_skip(commands[i].name, "no gnuplot");
			continue;
		}
		if (!t.layer && strstr(commands[i].command, "--app")) {
			test_skip(commands[i].name, "no OpenCL layer");
			continue;
		}
		try_command(&t, &commands[i], MEMORY, points);
		try_command(&t, &commands[i], FILES, points / 4);
		try_command(&t, &commands[i], DISK, points / 4);
	}
	clear(&t);
	printf("1..%d\nfaults: %d passed, %d failed\n", test_run, test_run - test_bad, test_bad);
	return test_bad != 0;
}
