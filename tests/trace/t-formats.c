/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/trace/t-formats.c -- traces of threads and work-items: what readers make of small files,
 * counted by hand; what they say of wrong ones; which format a file is taken for.
 */
#include "tests/test.h"
#include "tests/trace/foreign.h"

#include <dirent.h>
#include <regex.h>
#include <sys/resource.h>

/* ---- known answers ------------------------------------------------------------------- */

struct answer {
	const char *format, *text, *want; /* want: tell() of the launches, "--" between them */
};

static const struct answer answers[] = {
	/* Of three instructions before a load the last one is its own; one after the last
	 * access. */
	{ "lackey", "==1== Lackey\nI  10,2\nI  12,2\nI  14,2\n L 1000,8\n M 2000,4\nI  16,1\n"
	  " S 1008,8\nI  18,1\n==1== end\n",
	  "0.0: Lg8+2 0:1000; Lg4 0:2000; Sg4 0:2000; Sg8 0:1008; +1;\n" },
	{ "lackey", "I  10,2\r\n L 1000,8\r\nI  10,2\r\n L 1004,8",
	  "0.0: Lg8 0:1000; Lg8 0:1004;\n" },
	{ "lackey", "==1== nothing was traced\n", "" },
	{ "pinatrace", "0x10: R 0x1003\n0x14: W 0x2000 8 0x5\n0x10: R 0x7fffffffffff 1\n#eof\n",
	  "0.0: Lg4 0:1000; Sg8 0:2000; Lg1 0:7fffffffffff;\n" },
	{ "plain", "# x\nR 4097\nW 0x1001 2\n\nr 16 3 # y\n w 0X20",
	  "0.0: Lg4 0:1000; Sg2 0:1001; Lg3 0:10; Sg4 0:20;\n" },
	{ "xdin", "i 40 4\ni 44 4\nr 1000 10\nW 0x1001 2 note\nm 20 1\nc 0 0\nv 0 0\n",
	  "0.0: Lg16+1 0:1000; Sg2 0:1001; Lg1 0:20;\n" },
	{ "din", "2 400\n2 404\n0 1003 note\n1 0xFFFFFFFFFFFFFFFF\n3 8\n5 1000\n2 0\n",
	  "0.0: Lg4+1 0:1000; Sg4 0:fffffffffffffffc; Lg4 0:8; +1;\n" },
	{ "din", "0 0\n4 0\n1 0\n", "0.0: Lg4 0:0;\n--\n0.0: Sg4 0:0;\n" },
	/* Crawford's listing 5.1: items 0 and 16 of x are of two groups; the barrier is 16's. */
	{ "crawford", "local size:16 16 1\n"
	  "0x9CAE000F0000319|0x0|0x10000000000\n0x9CAE000F0000319|0x10|0x10000000000\n"
	  "0x9CBB000F000031A|0x0|0x10000000000\n0x9CBB040F000031A|0x10|0x10000000000\n"
	  "0x9CAE004F0000319|0x0|0x20000000000\n0x9CAE004F0000319|0x10|0x20000000000\n"
	  "0x9CBB1C0F000031A|0x0|0x20000000000\n0x9CBB200F000031A|0x10|0x20000000000\n"
	  "0x1|0x10|0x0\n",
	  "0.0: Lg4 0:9cae000; Lg4 0:9cbb000; Lg4 0:9cae004; Lg4 0:9cbb1c0;\n"
	  "1.0: Lg4 0:9cae000; Lg4 0:9cbb040; Lg4 0:9cae004; Lg4 0:9cbb200; B;\n" },
	/* Two lanes as a CPU runs them, one after the other; the first has one more iteration. */
	{ "crawford", "local size:2 1 1\n"
	  "0x1000F0000319|0x0|0x10000000000\n0x1010F0000319|0x0|0x20000000000\n"
	  "0x2000A000031A|0x0|0x0\n"
	  "0x1100F0000319|0x1|0x10000000000\n0x2004A000031A|0x1|0x0\n--\n",
	  "0.0: Lg4 0:1000,1:1100; Lg4 0:1010; Sg4 0:2000,1:2004;\n" },
	/* Loop 1 within loop 0, whichever field is whose: (1,1) (1,2) (2,1). */
	{ "crawford", "local size:3 1 1\n"
	  "0x1200F0000319|0x2|0x20000010001\n0x1100F0000319|0x1|0x100020000100000\n"
	  "0x1000F0000319|0x0|0x11000100000\n",
	  "0.0: Lg4 0:1000; Lg4 1:1100; Lg4 2:1200;\n" },
	/* Before and after a loop, by instruction; a lane in none of it. */
	{ "crawford", "local size:2 1 1\n"
	  "0x1000F0000319|0x0|0x0\n0x2000F000031A|0x0|0x10000000000\n0x3000F000031B|0x0|0x0\n"
	  "0x1004F0000319|0x1|0x0\n0x3004F000031B|0x1|0x0\n",
	  "0.0: Lg4 0:1000,1:1004; Lg4 0:2000; Lg4 0:3000,1:3004;\n" },
	/* A lane waits at a barrier for the other, not for one that has ended. */
	{ "crawford", "local size:3 1 1\n0x2|0x1|0x0\n0x2000F000031A|0x1|0x0\n"
	  "0x1000F0000319|0x0|0x0\n0x2|0x0|0x0\n0x2004F000031A|0x0|0x0\n0x1008F0000319|0x2|0x0\n",
	  "0.0: Lg4 0:1000,2:1008; B; Lg4 0:2004,1:2000;\n" },
	/* 2 x 2 groups of 2 x 1 x 1: linear numbers, and an empty one. */
	{ "crawford", "local size:2 1 1\n0x1000F0000319|0x100003|0x0\n0x2000F0000319|0x1|0x0\n"
	  "-----\nlocal size:1 1 1\n----\n0x0A0000319|0x0|0x0\n",
	  "0.0: Lg4 1:2000;\n3.0: Lg4 1:1000;\n--\n--\n0.0: Sg4 0:0;\n" },
	/* Listing 5.3, shortened. */
	{ "crawford-order", "1 4\n0x83BD000 R 0 0 1\n0x83BD000 R 0 0 1\n0x83BD000 R 1 0 1\n"
	  "0x83BD080 R 0 0 1\n",
	  "0.0: Lg4 0:83bd000; Lg4 0:83bd000; Lg4 0:83bd080;\n1.0: Lg4 0:83bd000;\n" },
	/* Lanes come together up to the warp's, if nothing of another warp or instruction comes
	 * between; groups past the number in the header. */
	{ "crawford-order", "2 2\n0x10 R 0 1 1\n0x14 R 0 1 1\n0x18 R 0 1 1\n0x20 R 0 0 1\n"
		"0x1C R 0 1 1\n"
	  "0x30 W 0 1 2\n0x34 W 0 1 3\n0x38 R 4 0 1\n1 1\n0x0 R 0 0 1\n",
	  "0.0: Lg4 0:20;\n"
	  "0.1: Lg4 0:10,1:14; Lg4 0:18; Lg4 0:1c; Sg4 0:30; Sg4 0:34;\n"
	  "4.0: Lg4 0:38;\n--\n0.0: Lg4 0:0;\n" },
};

/* Warps of a trace are told of with the lanes that they were read with. */
static unsigned width_of(const struct answer *a)
{
	unsigned width = strcmp(a->format, "crawford") == 0 ? 32 : 1;

	if (strcmp(a->format, "crawford-order") == 0)
		width = (unsigned)atoi(a->text);
	return width;
}

static char *tell_all(const struct ws_trace *t, unsigned width)
{
	char *text, *one;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	must(to != NULL, "open_memstream");
	for (size_t i = 0; i < ws_trace_launches(t); i++) {
		one = tell(t, i, width);
		fprintf(to, "%s%s", i ? "--\n" : "", one);
		free(one);
	}
	fclose(to);
	return text;
}

static void known_answers(void)
{
	for (size_t i = 0; i < WS_COUNT(answers); i++) {
		const struct answer *a = &answers[i];
		struct ws_err err = { 0 };
		struct ws_trace *t;
		struct file f;
		char *got;

		if (read_text(a->format, a->text, &f, &t, &err) != WS_OK) {
			test_ok(false, "%s %zu: %s", a->format, i, err.text);
			continue;
		}
		got = tell_all(t, width_of(a));
		if (!test_ok(strcmp(got, a->want) == 0, "%s %zu", a->format, i))
			printf("# got %s# want %s", got, a->want);
		free(got);
		ws_trace_close(t);
		free(f.data);
	}
}

static void put_record(struct ws_buf *b, uint32_t time, uint64_t id, uint32_t size, uint64_t next)
{
	ws_put_u32(b, time);
	ws_put_u64(b, id);
	ws_put_u32(b, size);
	ws_put_u64(b, next);
}

static void oracle(void)
{
	struct ws_err err = { 0 };
	struct ws_buf b = { 0 };
	struct ws_trace *t;
	struct file f;
	char *got;

	put_record(&b, 5, 0x1080, 4096, 3);
	put_record(&b, 5, UINT64_MAX, 64, UINT64_MAX);
	put_record(&b, 9, 0x1080, 4096, INT64_MAX);
	must(!read_named(NULL, "x", b.data, b.len, &f, &t, &err), err.text);
	got = tell_all(t, 1);
	test_ok(strcmp(got, "0.0: Lg1 0:1080; Lg1 0:ffffffffffffffff; Lg1 0:1080;\n") == 0,
		"oracle-general");
	free(got);
	ws_trace_close(t);
	free(f.data);
	b.data[16] = 2; /* the next request for it is another's */
	test_ok(read_named(NULL, "x", b.data, b.len, &f, &t, &err) == WS_EFORMAT,
		"oracle-general: a wrong next request is not recognised");
	free(f.data);
	ws_buf_clear(&b);
}

/* ---- errors ---------------------------------------------------------------------------- */

static const struct {
	const char *format, *text, *want;
} errors[] = {
	{ "lackey", "I  10,2\n L 1000,8\nhello\n", "^x:3: 'hello' is no line of lackey.*log-file" },
	{ "lackey", " L 1000,0\n", "^x:1: an access of 0 bytes, want 1..4096$" },
	{ "lackey", " L fffffffffffffffc,8\n",
	  "^x:1: 8 bytes from 0xfffffffffffffffc pass the end" },
	{ "lackey", " L 1fffffffffffffffff,8\n", "^x:1: ' L 1ff" },
	{ "pinatrace", "0x1: R 0x2\n0x1: X 0x2\n", "^x:2: '0x1: X 0x2' is no line of pinatrace" },
	{ "plain", "R 1\nR 10 4097\n", "^x:2: an access of 4097 bytes, want 1..4096" },
	{ "plain", "R 18446744073709551616\n", "^x:1: 'R 18446744073709551616': want 'R" },
	{ "xdin", "r 1000\n",
	  "^x:1: 'r 1000' is no line of xdin: want 'r.w.i.m.c.v ADDRESS BYTES'" },
	{ "din", "0 0\r\n6 1000\r\n", "^x:2: '6 1000' is no line of din: want a label of 0..5" },
	{ "crawford", "local size:1 0 1\n",
	  "^x:1: 'local size:1 0 1': want three numbers from 1 on" },
	{ "crawford", "", "no line 'local size:X Y Z'$" },
	{ "crawford", "0x1|0x0|0x0\n", "^x:1: an access before the line 'local size:X Y Z'$" },
	{ "crawford", "--\n", "^x:1: a launch ends before any began$" },
	{ "crawford", "local size:1 1 1\n0x1|0x0|0x0\nlocal size:1 1 1\n",
	  "^x:3: .* within a launch" },
	{ "crawford", "local size:1 1 1\n0xC00000000|0x0|0x0\n",
	  "^x:2: .*want 'ACCESS.WORK-ITEM.LOOPS'" },
	{ "crawford", "local size:1 1 1\n0x1|0x1000000000000000|0x0\n",
	  "^x:2: work-item 0x1000000000000000" },
	{ "crawford", "local size:65 65 1\n0x1|0x0|0x0\n",
	  "^x:2: .* 65x65x1 threads, want at most 4096" },
	{ "crawford", "local size:1 1 1\n0x1|0xFFFFFFFFFFFFFFF|0x0\n", "^x:2: .* CTAs" },
	{ "crawford-order", "65 1\n0x0 R 0 0 1\n", "^x:1: warps of 65 lanes, want 1..64$" },
	{ "crawford-order", "0x0 R 0 0 1\n",
	  "^x:1: an access before the line 'WARP-SIZE WORK-GROUPS'$" },
	{ "crawford-order", "32 1\n0x0 R 0 128 1\n", "^x:2: warp 128 of 32 lanes" },
	{ "crawford-order", "1 1\n0x0 R 4294967296 0 1\n", "^x:2: work-group 4294967296" },
	{ "crawford-order", "32 1152921504606846976\n0x0 R 0 0 1\n",
	  "^x:2: .*1152921504606846976" },
	{ "crawford-order", "32 1\n0x0 R 0 0\n", "^x:2: '0x0 R 0 0': want 'ADDRESS R.W" },
	{ "oracle-general", "0123456789012345678901234567",
	  "^x: offset 28: the last record has 4 bytes" },
};

static void failures(void)
{
	for (size_t i = 0; i < WS_COUNT(errors); i++) {
		struct ws_err err = { 0 };
		struct ws_trace *t;
		struct file f;
		enum ws_status status = read_text(errors[i].format, errors[i].text, &f, &t, &err);
		regex_t re;

		must(!regcomp(&re, errors[i].want, REG_EXTENDED | REG_NOSUB), errors[i].want);
		test_ok(status == WS_EFORMAT && regexec(&re, err.text, 0, NULL, 0) == 0,
			"%s: %s", errors[i].format, err.text);
		regfree(&re);
		ws_trace_close(t);
		free(f.data);
	}
}

/* ---- recognition -------------------------------------------------------------------------- */

static const struct {
	const char *text, *format; /* NULL: none */
} kinds[] = {
	{ "==1== Lackey\n==1== \nI  04,3\n L 10,4\n", "lackey" },
	{ "I  04,3\r\n", "lackey" },
	{ " S 04,3", "lackey" },
	{ "I  04,3\n L 10", "lackey" },		/* cut off */
	{ "==1== Memcheck\n", NULL },
	{ "0x10: R 0x20\n", "pinatrace" },
	{ "#eof\n", NULL },
	{ "R 10\nW 20\n", "plain" },
	{ "r 10\nw 20\n", "plain" },			/* no sizes: no xdin */
	{ "R 10 4\n", "plain" },			/* capital letters: decimal */
	{ "R 0x10 4\n", "plain" },
	{ "R ff 4\n", "xdin" },			/* that is no decimal number */
	{ "R 10 4\nR ff 4\n", "xdin" },
	{ "r 10 4\n", "xdin" },
	{ "i 400 4\nr 10 4\n", "xdin" },
	{ "0 10\n", "din" },
	{ "2 400 call\n0 10\n", "din" },
	{ "1 4\n", "din" },				/* a header alone */
	{ "1 4\n0x0 R 0 0 1\n", "crawford-order" },
	{ "1 4\n2 ff\n", "din" },
	{ "32 4\n", NULL },
	{ "0x0 R 0 0 1\n", "crawford-order" },	/* and then an error: no header */
	{ "local size:1 1 1\n", "crawford" },
	{ "source = a.cl\n[launch]\nkernel = k\n", NULL },
	/* What comes first decides, so a wrong line later is named. */
	{ "R 10\nnonsense\n", "plain" }, { "0 10\nnonsense\n", "din" },
	{ "1 4\n0x0 R 0 0 1\n0 1\n", "crawford-order" },
	{ "# comment\nR 10\n", "plain" }, { "# comment\nsource = a.cl\n", NULL },
	{ "R\n", NULL }, { "W", NULL }, { "WS", NULL }, { "0\n", NULL }, { "\n\n", NULL }, { "",
	  NULL },
	{ "hello world\n", NULL },
};

static const char *taken_for(const void *data, size_t len)
{
	struct ws_in in = { .data = data, .len = len, .name = (char *)(uintptr_t)"x" };
	const struct ws_trace_format *f = NULL;
	struct ws_err err = { 0 };

	must(!ws_trace_format_recognise(&in, &f, &err), err.text);
	return f ? f->name : "none";
}

static void recognition(void)
{
	uint8_t zero[4096] = { 0 };

	for (size_t i = 0; i < WS_COUNT(kinds); i++) {
		const char *text = kinds[i].text, *got = taken_for(text, strlen(text));
		const char *want = kinds[i].format ? kinds[i].format : "none";

		test_ok(strcmp(got, want) == 0, "what begins '%.*s' is taken for %s, want %s",
			(int)strcspn(text, "\n"), text, got, want);
	}
	test_str(taken_for(zero, sizeof zero), "none", "zeros");
}

/* ---- nothing is forgotten ------------------------------------------------------------------- */

/* Of formats of single threads.  Those of warps have tests of their own; oracle-general is no
 * text. */
static void each_has_rows(void)
{
	for (size_t i = 0; ws_trace_formats[i]; i++) {
		const char *name = ws_trace_formats[i]->name;
		unsigned answer = 0, error = 0, kind = 0;

		if (!ws_trace_formats[i]->single || strcmp(name, "oracle-general") == 0)
			continue;
		for (size_t k = 0; k < WS_COUNT(answers); k++)
			answer += strcmp(answers[k].format, name) == 0;
		for (size_t k = 0; k < WS_COUNT(errors); k++)
			error += strcmp(errors[k].format, name) == 0;
		for (size_t k = 0; k < WS_COUNT(kinds); k++)
			kind += kinds[k].format && strcmp(kinds[k].format, name) == 0;
		test_ok(answer && error && kind, "%s has rows: %u of answers, %u of errors, %u of "
			"kinds", name, answer, error, kind);
	}
}

/* ---- corpora, whole and mutated -------------------------------------------------------------- */

#define MUTATIONS 1000u

static void mutate(struct ws_rng *rng, struct ws_buf *b)
{
	static const char *const numbers[] = { "0", "1152921504606846976", "18446744073709551615",
					       "ffffffffffffffff", "4294967296", "-1", "\r\n",
					       "\n" };
	size_t at = ws_rng_below(rng, b->len), from = ws_rng_below(rng, b->len), n;
	const char *text = numbers[ws_rng_below(rng, WS_COUNT(numbers))];

	switch (ws_rng_below(rng, 7)) {
	case 0:
		b->data[at] = (uint8_t)ws_rng_u64(rng);
		break;
	case 1:
		b->data[at] ^= (uint8_t)(1u << ws_rng_below(rng, 8));
		break;
	case 2:
		b->data[at] = b->data[from];
		break;
	case 3: /* a piece elsewhere */
		n = b->len - (at > from ? at : from);
		n = 1 + ws_rng_below(rng, n);
		memmove(b->data + at, b->data + from, n);
		break;
	case 4: /* cut */
		b->len = at + 1;
		break;
	case 5:
		b->data[at] = 0;
		break;
	default:
		n = strlen(text) < b->len - at ? strlen(text) : b->len - at;
		memcpy(b->data + at, text, n);
	}
}

static void one_file(const char *format, const char *folder, const char *name, struct ws_buf *all)
{
	char path[512];
	struct ws_in in;
	enum ws_status status;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	must(!ws_in_open(&in, path, NULL), path);
	status = try_foreign(format, in.data, in.len);
	if (strncmp(name, "ok-", 3) == 0 || strncmp(name, "bad-", 4) == 0)
		test_ok(status == (*name == 'o' ? WS_OK : WS_EFORMAT), "%s", path);
	if (*name == 'o' && in.len > all->len) {
		all->len = 0;
		ws_put_bytes(all, in.data, in.len);
	}
	ws_in_close(&in);
}

/* Of the largest good file; try_foreign ends the program at what is neither read nor refused. */
static void mutations(const char *format, const struct ws_buf *good, struct ws_rng *rng)
{
	unsigned refused = 0;

	for (unsigned i = 0; i < MUTATIONS; i++) {
		struct ws_buf b = { 0 };

		ws_put_bytes(&b, good->data, good->len);
		for (uint64_t n = 1 + ws_rng_below(rng, 3); n > 0; n--)
			mutate(rng, &b);
		refused += try_foreign(format, b.data, b.len) != WS_OK;
		ws_buf_clear(&b);
	}
	test_ok(refused > 0 && refused < MUTATIONS, "%s: %u of %u mutations refused", format,
		refused, MUTATIONS);
}

static void corpus(const char *format, struct ws_rng *rng)
{
	struct ws_buf good = { 0 };
	char folder[128];
	struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof folder, "tests/fuzz/corpus-%s", format);
	dir = opendir(folder);
	if (!test_ok(dir != NULL, "%s has files ok-* and bad-*", folder))
		return;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			one_file(format, folder, entry->d_name, &good);
	closedir(dir);
	if (test_ok(good.len > 0, "%s has a good file", folder))
		mutations(format, &good, rng);
	ws_buf_clear(&good);
}

static void corpora(void)
{
	struct rusage use;
	struct ws_rng rng;

	ws_rng_seed(&rng, test_seed(11));
	for (size_t i = 0; ws_trace_formats[i]; i++)
		if (ws_trace_formats[i]->read)
			corpus(ws_trace_formats[i]->name, &rng);
	getrusage(RUSAGE_SELF, &use);
	test_ok(use.ru_maxrss < 1 << 20, "%ld KiB of memory at most", use.ru_maxrss);
}

int main(void)
{
	known_answers();
	oracle();
	failures();
	recognition();
	each_has_rows();
	corpora();
	return test_done();
}
