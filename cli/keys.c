/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/keys.c -- the keys of a machine, for a reader: types, ranges, stages.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <string.h>

const char *const cli_stage_names[] = {
	[WS_STAGE_ORDER] = "order", [WS_STAGE_PROFILE] = "profile",
	[WS_STAGE_PREDICT] = "predict", [WS_STAGE_L2_PROFILE] = "l2-profile",
	[WS_STAGE_L2_PREDICT] = "l2-predict", [WS_STAGE_CYCLES] = "cycles",
	[WS_STAGE_LABEL] = "label",
};

const char *const cli_stage_help[] = {
	[WS_STAGE_ORDER] = "the request stream depends on it: another value needs the trace",
	[WS_STAGE_PROFILE] = "the profile depends on it: another value needs the trace",
	[WS_STAGE_PREDICT] = "one profile answers all its values (of line and sets, those it has)",
	[WS_STAGE_L2_PROFILE] =
		"as profile, where the L2 is asked for (--l2, --level); else as cycles",
	[WS_STAGE_L2_PREDICT] = "as predict, where the L2 is asked for; else as cycles",
	[WS_STAGE_CYCLES] = "described, but hit and miss counts do not depend on it",
	[WS_STAGE_LABEL] = "a text for people",
};

const char *const cli_key_types[] = {
	[WS_KEY_U64] = "number", [WS_KEY_SIZE] = "size", [WS_KEY_CHOICE] = "choice",
	[WS_KEY_BOOL] = "boolean", [WS_KEY_NAME] = "name", [WS_KEY_HASH] = "hash",
	[WS_KEY_TEXT] = "text", [WS_KEY_ORGANISATION] = "name", [WS_KEY_SIZES] = "sizes",
	[WS_KEY_SET_WAYS] = "ways",
};

static void join_words(char *text, size_t len, size_t *at, const char *word)
{
	if (*at < len)
		*at += (size_t)snprintf(text + *at, len - *at, "%s%s", *at ? " " : "", word);
}

static void add_organisations(char *text, size_t len)
{
	size_t used = strlen(text);
	char form[WS_NAME_MAX];

	for (size_t i = 0; i < WS_ORGANISATIONS && used < len; i++) {
		const struct ws_organisation *o = &ws_organisations[i];

		ws_organisation_form(o, form, sizeof form);
		used += (size_t)snprintf(text + used, len - used, "%s%s, %s%s", i ? "; " : ": ",
					 form, o->summary,
					 o->predicted ? "" : ", in simulate alone");
	}
}

const char *cli_key_help(const struct ws_key *key, char *text, size_t len)
{
	const char *dot = strrchr(key->name, '.');

	snprintf(text, len, "%s%s", key->help,
		 dot && strcmp(dot, ".policy") == 0 ? ": see `warpstack policies`" : "");
	if (key->type == WS_KEY_ORGANISATION)
		add_organisations(text, len);
	return text;
}

void cli_key_range(const struct ws_key *key, char *text, size_t len)
{
	size_t at = 0;

	text[0] = '\0';
	switch (key->type) {
	case WS_KEY_U64:
	case WS_KEY_SIZE:
		for (size_t i = 0; key->choices && key->choices[i]; i++)
			join_words(text, len, &at, key->choices[i]);
		snprintf(text + at, len - at, "%s%" PRIu64 "..%" PRIu64 "%s", at ? " " : "",
			 key->min, key->max, key->pow2 ? ", a power of two" : "");
		break;
	case WS_KEY_CHOICE:
		for (size_t i = 0; key->choices[i]; i++)
			join_words(text, len, &at, key->choices[i]);
		break;
	case WS_KEY_BOOL:
		snprintf(text, len, "true false");
		break;
	case WS_KEY_HASH:
		for (size_t i = 0; ws_hashes[i]; i++)
			join_words(text, len, &at, ws_hashes[i]->name);
		break;
	case WS_KEY_ORGANISATION:
		for (size_t i = 0; i < WS_ORGANISATIONS; i++)
			join_words(text, len, &at, ws_organisations[i].name);
		break;
	case WS_KEY_NAME:
		for (size_t i = 0; ws_policies_key(key) && ws_policies[i]; i++)
			join_words(text, len, &at, ws_policies[i]->name);
		break;
	case WS_KEY_TEXT:
	case WS_KEY_SIZES:
	case WS_KEY_SET_WAYS:
		break;
	}
}

void cli_help_key(FILE *file, const struct ws_key *key)
{
	char range[256], text[640];

	cli_entry(file, key->name, cli_key_help(key, text, sizeof text));
	cli_key_range(key, range, sizeof range);
	snprintf(text, sizeof text, "%s%s%s%s%s; stage %s", cli_key_types[key->type],
		 *range ? ": " : "", range, key->unit ? ", in " : "",
		 key->unit ? key->unit : "", cli_stage_names[key->stage]);
	cli_entry_more(file, text);
}

void cli_help_keys(FILE *file)
{
	fputs("Keys of a machine, for --set, --vary and .conf files.  `warpstack machine -k l1` "
	      "prints\nthose of the L1.  A key's stage says what another value of it costs:\n\n",
	      file);
	for (size_t s = WS_STAGE_ORDER; s <= WS_STAGE_LABEL; s++)
		cli_entry(file, cli_stage_names[s], cli_stage_help[s]);
	fputc('\n', file);
	for (const struct ws_key *key = ws_keys; key->name; key++)
		cli_help_key(file, key);
}
