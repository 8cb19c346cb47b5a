/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/base/t-option.c -- every form of an option, every mistake; and random
 * command lines against what they were made from.
 */
#include "tests/test.h"

struct values {
	bool flag, other;
	const char *text, *choice;
	uint64_t number, bounded;
	double real, rate;
	struct ws_list list;
};

#define AT(member) offsetof(struct values, member)

static const struct ws_option own[] = {
	{ .name = "flag", .letter = 'f', .type = WS_OPT_FLAG, .offset = AT(flag) },
	{ .name = "text", .letter = 't', .type = WS_OPT_STRING, .offset = AT(text), .arg = "TEXT" },
	{ .name = "number", .letter = 'n', .type = WS_OPT_U64, .offset = AT(number) },
	{ .name = "bounded", .type = WS_OPT_U64, .offset = AT(bounded), .min = 3, .max = 70 },
	{ .name = "real", .type = WS_OPT_REAL, .offset = AT(real) },
	{ .name = "rate", .type = WS_OPT_REAL, .offset = AT(rate), .above = 0, .most = 1 },
	{ .name = "list", .letter = 'l', .type = WS_OPT_LIST, .offset = AT(list), .arg = "ITEM" },
	{ 0 },
};

static const struct ws_option shared[] = {
	{ .name = "other", .letter = 'o', .type = WS_OPT_FLAG, .offset = AT(other) },
	{ .name = "choice", .letter = 'c', .type = WS_OPT_CHOICE, .offset = AT(choice),
	  .choices = "tsv csv json" },
	{ 0 },
};

static const struct ws_option *const tables[] = { own, shared };

#define WORDS_MAX 64

struct line { /* a command line, parsed */
	struct values v;
	struct ws_list operands;
	struct ws_err err;
	enum ws_status status;
	char copy[512];
	char *argv[WORDS_MAX];
};

static void clear(struct line *l)
{
	ws_list_clear(&l->v.list);
	ws_list_clear(&l->operands);
}

/* Words are separated by single blanks; "@" stands for an empty word. */
static void parse(struct line *l, const char *text)
{
	int argc = 0;

	*l = (struct line){ 0 };
	snprintf(l->copy, sizeof l->copy, "command%s%s", *text ? " " : "", text);
	for (char *word = strtok(l->copy, " "); word; word = strtok(NULL, " ")) {
		if (strcmp(word, "@") == 0)
			word[0] = '\0';
		l->argv[argc++] = word;
	}
	l->status = ws_options_parse(tables, WS_COUNT(tables), &l->v, argc, l->argv, &l->operands,
				     &l->err);
}

static void refuses(const char *text, const char *message)
{
	struct line l;

	parse(&l, text);
	test_ok(l.status == WS_EINVAL && l.err.status == WS_EINVAL, "'%s' is refused", text);
	test_str(l.err.text, message, text);
	clear(&l);
}

static void test_forms(void)
{
	struct line l;

	parse(&l, "--flag --text one --number=48K -ltwo -l three --list=four=4 -cjson left");
	test_ok(l.status == WS_OK, "all forms at once: %s", l.err.text);
	test_ok(l.v.flag && !l.v.other, "a flag given, one not");
	test_str(l.v.text, "one", "--name value");
	test_u64(l.v.number, 49152, "--name=value with a suffix");
	test_u64(l.v.list.count, 3, "a list three times");
	test_str(l.v.list.item[0], "two", "-nvalue");
	test_str(l.v.list.item[1], "three", "-n value");
	test_str(l.v.list.item[2], "four=4", "only the first = separates");
	test_str(l.v.choice, "json", "a choice from the second table");
	test_u64(l.operands.count, 1, "one operand");
	test_str(l.operands.item[0], "left", "its text");
	clear(&l);

	parse(&l, "");
	test_ok(l.status == WS_OK && l.operands.count == 0 && !l.v.text, "nothing at all");
	clear(&l);
}

static void test_reals(void)
{
	struct line l;

	parse(&l, "--real=-2.5e3 --rate 0.01");
	test_ok(l.status == WS_OK, "real numbers: %s", l.err.text);
	test_abs(l.v.real, -2500, 0, "any number");
	test_abs(l.v.rate, 0.01, 1e-18, "one of a range");
	clear(&l);
	parse(&l, "--rate=1");
	test_ok(l.status == WS_OK && l.v.rate > 0.5, "the most is allowed");
	clear(&l);
	refuses("--real=1x", "--real=1x: want a number");
	refuses("--real=", "--real=: want a number");
	refuses("--real=nan", "--real=nan: want a number");
	refuses("--rate=0", "--rate=0: want more than 0 and at most 1");
	refuses("--rate=-0.5", "--rate=-0.5: want more than 0 and at most 1");
	refuses("--rate=1.5", "--rate=1.5: want more than 0 and at most 1");
}

static void test_order(void)
{
	struct line l;

	parse(&l, "a -fo - --text -x -- --flag -z");
	test_ok(l.status == WS_OK && l.v.flag && l.v.other, "flags bundled");
	test_str(l.v.text, "-x", "a value may begin with a dash");
	test_u64(l.operands.count, 4, "operands mixed with options");
	test_str(l.operands.item[1], "-", "a lone dash is an operand");
	test_str(l.operands.item[2], "--flag", "-- ends the options");
	clear(&l);

	parse(&l, "-fn7 -f --text= @");
	test_ok(l.status == WS_OK && l.v.flag, "a flag, twice, and a value bundled: %s",
		l.err.text);
	test_str(l.v.text, "", "an empty value");
	test_u64(l.v.number, 7, "a number");
	test_u64(l.operands.count, 1, "an empty operand");
	clear(&l);
}

static void test_refusals(void)
{
	refuses("--flga", "unknown option '--flga', did you mean '--flag'?");
	refuses("--fla", "unknown option '--fla', did you mean '--flag'?");
	refuses("--bou", "unknown option '--bou', did you mean '--bounded'?");
	refuses("--txet", "unknown option '--txet', did you mean '--text'?");
	refuses("--zzzzzz=1", "unknown option '--zzzzzz'");
	refuses("-fz", "unknown option '-z'");
	refuses("--flag=1", "option '--flag' takes no value");
	refuses("--text", "option '--text' wants a value, TEXT");
	refuses("-fn", "option '-n' wants a value, VALUE");
	refuses("--number=", "--number=: want a whole number, K, M and G allowed");
	refuses("--number -5", "--number=-5: want a whole number, K, M and G allowed");
	refuses("--number 99999999999999999999", "--number=99999999999999999999: want a whole "
		"number, K, M and G allowed");
	refuses("--bounded 2", "--bounded=2: want 3..70");
	refuses("--bounded 71", "--bounded=71: want 3..70");
	refuses("--choice xml", "--choice=xml: want one of tsv csv json");
	refuses("--choice cs", "--choice=cs: want one of tsv csv json");
	refuses("--choice=", "--choice=: want one of tsv csv json");
	refuses("-n5 --number 7", "--number is given twice: want one");
	refuses("--text= --text=", "--text is given twice: want one");
	refuses("-fcjson --real 1 -ccsv", "--choice is given twice: want one");
	refuses("--choice=csv\tjson", "--choice=csv\tjson: want one of tsv csv json");
}

/* ---- random lines -------------------------------------------------------- */

static void add(char *text, size_t len, const char *word)
{
	size_t at = strlen(text);

	snprintf(text + at, len - at, "%s%s", at ? " " : "", word);
}

/* Writes options at random and keeps what they should come to. */
static bool random_line(struct ws_rng *rng)
{
	struct line l;
	char text[400] = "", word[64];
	size_t lists = 0, operands = 0, numbers = 0;
	uint64_t number = 0;
	bool flag = false, same;

	for (uint64_t n = ws_rng_below(rng, 12); n-- > 0;) {
		uint64_t value = ws_rng_below(rng, 1000);

		switch (ws_rng_below(rng, 4)) {
		case 0:
			flag = true;
			snprintf(word, sizeof word, ws_rng_below(rng, 2) ? "-f" : "--flag");
			break;
		case 1:
			if (numbers++)
				continue;
			number = value;
			snprintf(word, sizeof word, "%s%u",
				 ws_rng_below(rng, 2) ? "-n" : "--number=", (unsigned)value);
			break;
		case 2:
			lists++;
			snprintf(word, sizeof word, "%s%u",
				 ws_rng_below(rng, 2) ? "-l " : "--list ", (unsigned)value);
			break;
		default:
			operands++;
			snprintf(word, sizeof word, "x%u", (unsigned)value);
		}
		add(text, sizeof text, word);
	}
	parse(&l, text);
	same = l.status == WS_OK && l.v.flag == flag && l.v.number == number &&
	       l.v.list.count == lists && l.operands.count == operands;
	clear(&l);
	return same;
}

static void test_random(void)
{
	struct ws_rng rng;
	bool same = true;

	ws_rng_seed(&rng, test_seed(20));
	for (int i = 0; i < 1000 && same; i++)
		same = random_line(&rng);
	test_ok(same, "1000 random command lines");
}

static void test_lists(void)
{
	struct ws_list list = { 0 };
	static const char *const word[] = { "seven", "ninety-six" };
	bool added = true;

	for (size_t i = 0; i < 97; i++)
		added = added && ws_list_add(&list, word[i % 2]);
	test_ok(added && list.count == 97, "a list grows");
	test_str(list.item[96], "seven", "its last item");
	ws_list_clear(&list);
	test_ok(!list.item && list.count == 0, "a cleared list is empty");
}

int main(void)
{
	test_forms();
	test_reals();
	test_order();
	test_refusals();
	test_random();
	test_lists();
	return test_done();
}
