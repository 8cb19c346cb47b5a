/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/validate/t-chase-cpu.c -- levels 1 and 2 of this processor, against what /sys says of them.
 *
 * Skipped where nothing is determined, as on a busy machine, and where a virtual machine shows the
 * caches of a processor that there is not.
 */
#include "tests/test.h"
#include "validate/pchase.h"

#define LOADS 4000000u		/* seconds: two attempts at a level 2 */
#define SECONDS 6		/* idle, half of it; what others spoil is repeated */
#define CACHE "/sys/devices/system/cpu/cpu0/cache/index%u/%s"

static bool read_text(unsigned index, const char *name, char *text, size_t len)
{
	char path[128];
	FILE *f;
	bool good;

	snprintf(path, sizeof path, CACHE, index, name);
	f = fopen(path, "r");
	good = f && fgets(text, (int)len, f);
	if (f)
		fclose(f);
	if (good)
		text[strcspn(text, "\n")] = '\0';
	return good;
}

static uint64_t read_number(unsigned index, const char *name)
{
	char text[64];

	return read_text(index, name, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
}

struct shape {
	uint64_t size, ways, line;
};

static bool read_shape(struct shape *s, unsigned level)
{
	char type[64];

	for (unsigned i = 0; i < 8; i++) {
		if (!read_text(i, "type", type, sizeof type) || strcmp(type, "Instruction") == 0 ||
		    read_number(i, "level") != level)
			continue;
		s->size = read_number(i, "size") << 10;
		s->ways = read_number(i, "ways_of_associativity");
		s->line = read_number(i, "coherency_line_size");
		return s->size && s->ways && s->line;
	}
	return false;
}

/* QEMU's, of processors that it makes up. */
static bool made_up(void)
{
	struct shape l2;
	char text[4096];
	FILE *f = fopen("/proc/cpuinfo", "r");
	bool virtual = false;

	while (f && fgets(text, sizeof text, f))
		virtual |= strstr(text, " hypervisor") != NULL;
	if (f)
		fclose(f);
	return virtual && read_shape(&l2, 2) && l2.ways == 16 &&
		(l2.size == 4096u << 10 || l2.size == 512u << 10);
}

static void compare(const char *what, const struct ws_chase *c, unsigned level)
{
	struct shape s;

	if (!(c->size.confidence > 0.9)) {
		test_skip(what, "nothing was determined: the processor is busy");
		return;
	}
	test_ok(c->loads > 0 && c->levels >= 2, "%s: loads and levels", what);
	if (!read_shape(&s, level) || made_up()) {
		test_skip(what, "/sys does not say what the caches are");
		return;
	}
	test_u64(c->line.value, s.line, what);
	test_u64(c->ways.value, s.ways, what);
	test_u64(c->size.value, s.size, what);
}

static void infer(const char *what, unsigned level, bool small_pages, uint32_t clock_step)
{
	struct ws_chase_cpu options = { .level = level, .small_pages = small_pages,
					.clock_step = clock_step, .seed = 1 };
	struct ws_chase_options asked = { .seed = test_seed(1), .loads = LOADS,
					  .seconds = SECONDS };
	struct ws_chase_target t;
	struct ws_chase *c = calloc(1, sizeof *c);
	struct ws_err err = { 0 };
	enum ws_status status = c ? ws_chase_cpu(&t, &options, &err) : WS_ENOMEM;

	if (status == WS_EINVAL) {
		test_skip(what, err.text);
	} else if (test_ok(status == WS_OK, "%s: opened %s", what, err.text)) {
		test_ok((t.note[0] != '\0') >= small_pages, "%s: %s", what, t.note);
		status = ws_chase_infer(c, &t, &asked, &err);
		if (test_ok(status == WS_OK, "%s: inferred %s", what, err.text))
			compare(what, c, level);
		ws_chase_close(&t);
	}
	free(c);
}

/* A program that is no walk, and one past the end. */
static void answer(void)
{
	static const uint64_t offset[] = { 0, 64, 0, 128, 0, 64, 4096, 0 };
	struct ws_chase_cpu options = { .level = 1 };
	struct ws_chase_target t;
	struct ws_err err = { 0 };
	double cycles[WS_COUNT(offset)] = { 0 };
	uint64_t past;
	bool all = true;

	if (ws_chase_cpu(&t, &options, &err) != WS_OK) {
		test_skip("a list", err.text);
		return;
	}
	test_ok(t.run(t.state, offset, WS_COUNT(offset), true, cycles, &err) == WS_OK, "a list");
	for (size_t i = 0; i < WS_COUNT(offset); i++)
		all &= cycles[i] >= 1;
	test_ok(all, "each load has a latency");
	past = t.bytes - 1;
	test_ok(t.run(t.state, &past, 1, true, cycles, &err) == WS_EINVAL, "%s", err.text);
	ws_chase_close(&t);
}

int main(void)
{
	infer("huge pages, if there are any", 1, false, 0);
	infer("pages of 4 KiB", 1, true, 0);
	infer("level 2", 2, false, 0);
	infer("a clock of 13 ticks a step", 1, false, 13);
	answer();
	return test_done();
}
