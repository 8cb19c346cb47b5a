/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of hardware: their points and bars against the values that the table was made of.
 */
#include "tests/plots/script.h"

#define GPUS 5u
#define PARTS 5u

struct drawn {
	long of[GPUS][2][PARTS]; /* hundredths of points; -1: none */
	char text[8192];
	size_t len;
};

WS_PRINTF(2, 3)
static void put(struct drawn *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->len += (size_t)vsnprintf(d->text + d->len, sizeof d->text - d->len, fmt, ap);
	va_end(ap);
}

static void put_cell(struct drawn *d, long value)
{
	if (value < 0)
		put(d, "\t");
	else
		put(d, "\t%ld.%02ld", value / 100, value % 100);
}

/* Rows of launches and kernels between those of GPUs, which the figure is of. */
static void make_rows(struct drawn *d, struct ws_rng *rng)
{
	*d = (struct drawn){ .len = 0 };
	put(d, "item\tgpu\tkernel\tlevel\tmean_abs_pp\tpolicy_pp\ttime_pp\tmachine_pp\tnoise_pp\n");
	for (unsigned g = 0; g < GPUS; g++)
		for (unsigned l = 0; l < 2; l++) {
			long *v = d->of[g][l];

			for (unsigned p = 0; p < PARTS; p++)
				v[p] = (long)ws_rng_below(rng, 3000);
			if (g == 1)
				v[3] = -1; /* noise that is not known */
			put(d, "launch\tG%u\tk\tL%u\t1\t1\t1\t1\t1\n", g, l + 1);
			put(d, "gpu\tG%u\t\tL%u", g, l + 1);
			put_cell(d, v[4]);
			for (unsigned p = 0; p < 4; p++)
				put_cell(d, v[p]);
			put(d, "\nkernel\tG%u\tk\tL%u\t2\t2\t2\t2\t2\n", g, l + 1);
		}
}

static struct ws_in table_of(const char *text)
{
	return (struct ws_in){ .data = (const uint8_t *)text, .len = strlen(text),
			       .name = (char *)"rows" };
}

static void check_bars(const struct drawn *d)
{
	struct ws_in table = table_of(d->text);
	struct ws_figure_input in = { .table = &table };
	char *script = script_of("hardware-budget", &in);
	const char *line = find_line(script, "$budget << EOD\n");
	unsigned wrong = 0, bars = 0, g, l;
	long v[PARTS];

	for (; line && sscanf(line, "%u %u %ld %ld %ld %ld %ld", &g, &l, &v[0], &v[1], &v[2], &v[3],
			      &v[4]) == 7; line = strchr(line, '\n') + 1, bars++)
		wrong += g >= GPUS || l > 1 || memcmp(v, d->of[g][l], sizeof v) != 0;
	test_u64(bars, 2 * GPUS, "a bar of each level of each GPU");
	test_u64(wrong, 0, "with its parts");
	test_u64(variable(script, "groups"), GPUS, "groups");
	test_ok(find_line(script, "group3 = 'G3'\n") != NULL, "and their names");
	free(script);
	in.bars.group = "kernel";
	script = script_of("hardware-budget", &in);
	test_ok(find_line(script, "group4 = 'G4: k'\n") != NULL, "of kernels");
	free(script);
}

/* What is no number, and no mean, is no bar; too many groups are an error. */
static void check_odd(void)
{
	struct drawn d = { .len = 0 };
	struct ws_in table;
	struct ws_figure_input in = { .table = &table };
	struct ws_buf script = { 0 };
	struct ws_err err = { 0 };

	put(&d, "item\tgpu\tkernel\tlevel\tmean_abs_pp\tpolicy_pp\ttime_pp\tmachine_pp\tnoise_pp\n"
	    "gpu\tA\t\tL1\tnan\t1\t1\t1\t1\ngpu\tA\t\tL1\t1e300\t1\t1\t1\t1\n"
	    "gpu\tA\t\tL1\t-1\t1\t1\t1\t1\n");
	table = table_of(d.text);
	test_ok(ws_figure_find("hardware-budget")->data(&in, &script, &err) == WS_EINVAL,
		"no mean: %s", err.text);
	for (unsigned i = 0; i < 70; i++)
		put(&d, "gpu\tG%u\t\tL1\t1\t1\t1\t1\t1\n", i);
	table = table_of(d.text);
	err = (struct ws_err){ 0 };
	test_ok(ws_figure_find("hardware-budget")->data(&in, &script, &err) == WS_EINVAL &&
		strstr(err.text, "rows:69: bars of over 64 groups"), "many groups: %s", err.text);
	ws_buf_clear(&script);
}

static void check_points(void)
{
	static const char text[] = "item\tlevel\tscored\tmeasured_hit\tpredicted_hit\t"
		"predicted_hit_low\tpredicted_hit_high\n"
		"launch\tL1\tyes\t50\t60\t55.5\t70\nlaunch\tL1\tno\t1\t1\t1\t1\n"
		"launch\tL1\tyes\t40\t20\t20\t20\nlaunch\tL2\tyes\t\t1\t1\t1\n";
	struct ws_in table = table_of(text);
	struct ws_figure_input in = { .table = &table };
	char *script = script_of("hardware", &in);

	test_u64(variable(script, "count_L1"), 2, "scored launches of the L1");
	test_u64(variable(script, "count_L2"), 0, "and of the L2, where it was measured");
	test_ok(find_line(script, "50.00 60.00 55.50 70.00\n") != NULL, "a point and its band");
	test_ok(find_line(script, "mean_L1 = 15.00\n") != NULL, "and the mean error");
	free(script);
}

int main(void)
{
	struct ws_rng rng;
	struct drawn d;

	ws_rng_seed(&rng, test_seed(19));
	make_rows(&d, &rng);
	check_bars(&d);
	check_odd();
	check_points();
	return test_done();
}
