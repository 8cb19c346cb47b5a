/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/completion.c -- completion for bash and zsh, written from the tables:  `warpstack
 * __completion bash`.  Presets are files, so machines are listed at completion time.
 */
#include "cli/cli.h"

#include <string.h>

#define MACHINES "warpstack machine --no-provenance 2>/dev/null | sed 1d | cut -f1"

static bool is(const char *complete, const char *what)
{
	return complete && strcmp(complete, what) == 0;
}

/* KEY=VALUE or KEY=RANGE */
static bool is_assignment(const char *complete)
{
	return is(complete, "key") || is(complete, "range");
}

static void put_keys(void)
{
	for (const struct ws_key *key = ws_keys; key->name; key++)
		printf("%s%s=", key == ws_keys ? "" : " ", key->name);
}

static void put_policies(void)
{
	for (size_t i = 0; ws_policies[i]; i++)
		printf("%s%s", i ? " " : "", ws_policies[i]->name);
}

/* Keys that name a policy, as patterns of a shell. */
static void put_policy_keys(void)
{
	const char *gap = "";

	for (const struct ws_key *key = ws_keys; key->name; key++) {
		if (!ws_policies_key(key))
			continue;
		printf("%s%s", gap, key->name);
		gap = "|";
	}
}

static void put_figures(void)
{
	for (size_t i = 0; ws_figures[i]; i++)
		printf("%s%s", i ? " " : "", ws_figures[i]->name);
}

static void put_formats(void)
{
	for (size_t i = 0; cli_format_name(i); i++)
		printf("%s%s", i ? " " : "", cli_format_name(i));
}

static void put_commands(const struct cli_command *const *commands)
{
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary)
			printf("%s%s", i ? " " : "", commands[i]->name);
}

static void put_verbs(const char *verbs)
{
	for (; verbs && *verbs; verbs++)
		putchar(*verbs == '|' ? ' ' : *verbs);
}

/* ---- bash ---------------------------------------------------------------- */

static void bash_words(const char *complete,
		       const struct cli_command *const *commands)
{
	if (is(complete, "machine"))
		fputs("$(" MACHINES ")", stdout);
	else if (is_assignment(complete))
		put_keys();
	else if (is(complete, "figure"))
		put_figures();
	else if (is(complete, "format"))
		put_formats();
	else if (is(complete, "command"))
		put_commands(commands);
}

/* What may follow an option that takes a value. */
static void bash_value(const struct ws_option *o,
		       const struct cli_command *const *commands)
{
	fputs("\t\t", stdout);
	if (o->letter)
		printf("-%c|", o->letter);
	printf("--%s) ", o->name);
	if (is(o->complete, "file")) {
		fputs("compopt -o default; ", stdout);
	} else if (o->complete || o->choices) {
		fputs("COMPREPLY=($(compgen -W \"", stdout);
		if (o->choices)
			fputs(o->choices, stdout);
		else
			bash_words(o->complete, commands);
		fputs("\" -- \"$cur\")); ", stdout);
	}
	if (is_assignment(o->complete))
		fputs("compopt -o nospace; ", stdout);
	if (is(o->complete, "machine"))
		fputs("compopt -o default; ", stdout);
	puts("return ;;");
}

static void bash_command(const struct cli_command *c,
			 const struct cli_command *const *commands)
{
	printf("\t%s)\n\t\tcase $prev in\n", c->name);
	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			if (o->type != WS_OPT_FLAG)
				bash_value(o, commands);
	fputs("\t\tesac\n\t\toptions='", stdout);
	for (size_t t = 0; t < cli_tables(c); t++)
		for (const struct ws_option *o = c->table[t]; o->name; o++)
			printf("--%s ", o->name);
	fputs("'\n\t\toperands=\"", stdout);
	bash_words(c->complete, commands);
	put_verbs(c->verbs);
	puts("\"\n\t\t;;");
}

/* bash takes key=value for three words; of a list of policies the last one is completed.  The word
 * before the key is the option, or its '='. */
static void bash_policies(void)
{
	fputs("\tlocal key='' value=$cur before='' all='' at=$((COMP_CWORD-3))\n"
	      "\tif [ \"$cur\" = = ]; then\n"
	      "\t\tkey=$prev value='' at=$((at+1))\n"
	      "\telif [ \"$prev\" = = ]; then\n"
	      "\t\tkey=${COMP_WORDS[COMP_CWORD-2]}\n"
	      "\tfi\n"
	      "\tcase $key in --*) prev=$key cur=$value key='' ;; esac\n"
	      "\t[ $at -gt 1 ] && [ \"${COMP_WORDS[at]}\" = = ] && at=$((at-1))\n"
	      "\t[ $at -gt 1 ] && [ \"${COMP_WORDS[at]}\" = --vary ] && all=all\n"
	      "\tcase $key in\n\t", stdout);
	put_policy_keys();
	fputs(")\n"
	      "\t\tcase $value in *,*) before=${value%,*}, ;; esac\n"
	      "\t\tcompopt -o nospace 2>/dev/null\n"
	      "\t\tCOMPREPLY=($(compgen -P \"$before\" -W \"$all ", stdout);
	put_policies();
	fputs("\" -- \"${value##*,}\"))\n\t\treturn ;;\n\tesac\n", stdout);
}

static void bash(const struct cli_command *const *commands)
{
	fputs("# bash completion for warpstack\n"
	      "_warpstack()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tlocal options='' operands=''\n"
	      "\tCOMPREPLY=()\n", stdout);
	bash_policies();
	fputs("\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W \"", stdout);
	put_commands(commands);
	fputs(" --help --version\" -- \"$cur\"))\n\t\treturn\n\tfi\n"
	      "\tcase ${COMP_WORDS[1]} in\n", stdout);
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary)
			bash_command(commands[i], commands);
	fputs("\tesac\n"
	      "\tif [ \"${cur#-}\" != \"$cur\" ]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
	      "\telse\n"
	      "\t\tcompopt -o default\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$operands\" -- \"$cur\"))\n"
	      "\tfi\n}\n"
	      "complete -F _warpstack warpstack\n", stdout);
}

/* ---- zsh ----------------------------------------------------------------- */

/* Within single quotes, and within a specification of _arguments. */
static void zsh_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else if (strchr(":[]\\", *text))
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

static void zsh_action(const char *complete, const char *choices)
{
	putchar(':');
	if (choices)
		printf("(%s)", choices);
	else if (is(complete, "file"))
		fputs("_files", stdout);
	else if (complete)
		printf("_warpstack_%s", complete);
	else
		putchar(' ');
}

static void zsh_form(const struct ws_option *o, bool letter)
{
	bool value = o->type != WS_OPT_FLAG;

	fputs("\t\t\t'", stdout);
	if (o->type == WS_OPT_LIST)
		putchar('*');
	else if (o->letter)
		printf("(-%c --%s)", o->letter, o->name);
	if (letter)
		printf("-%c%s", o->letter, value ? "+" : "");
	else
		printf("--%s%s", o->name, value ? "=" : "");
	putchar('[');
	zsh_text(o->help);
	putchar(']');
	if (value) {
		putchar(':');
		zsh_text(o->arg ? o->arg : "VALUE");
		zsh_action(o->complete, o->choices);
	}
	puts("' \\");
}

static void zsh_command(const struct cli_command *c)
{
	printf("\t%s)\n\t\t_arguments -s \\\n", c->name);
	for (size_t t = 0; t < cli_tables(c); t++) {
		for (const struct ws_option *o = c->table[t]; o->name; o++) {
			if (o->letter)
				zsh_form(o, true);
			zsh_form(o, false);
		}
	}
	if (c->operands_max) {
		fputs("\t\t\t'1:operand", stdout);
		if (c->verbs) {
			fputs(":(", stdout);
			put_verbs(c->verbs);
			putchar(')');
		} else {
			zsh_action(c->complete, NULL);
		}
		puts(c->operands_max > 1 ? "' \\\n\t\t\t'*:file:_files'" : "'");
	} else {
		puts("\t\t\t&& return");
	}
	puts("\t\t;;");
}

/* more: what may be named besides policies. */
static void zsh_assignment(const char *name, const char *more)
{
	printf("_warpstack_%s() {\n\tif compset -P '(", name);
	put_policy_keys();
	printf(")='; then\n\t\tcompset -P '*,'\n\t\tcompadd -S '' -- %s", more);
	put_policies();
	fputs("\n\t\treturn\n\tfi\n\tcompadd -S '' -- ", stdout);
	put_keys();
	puts("\n}");
}

static void zsh_lists(const struct cli_command *const *commands)
{
	puts("_warpstack_machine() {\n"
	     "\tcompadd -- ${(f)\"$(" MACHINES ")\"}\n\t_files\n}");
	zsh_assignment("key", "");
	zsh_assignment("range", "all ");
	fputs("_warpstack_figure() {\n\tcompadd -- ", stdout);
	put_figures();
	fputs("\n}\n_warpstack_format() {\n\tcompadd -- ", stdout);
	put_formats();
	fputs("\n}\n_warpstack_command() {\n\tlocal -a commands\n\tcommands=(\n", stdout);
	for (size_t i = 0; commands[i]; i++) {
		if (!commands[i]->summary)
			continue;
		printf("\t\t'%s:", commands[i]->name);
		zsh_text(commands[i]->summary);
		puts("'");
	}
	puts("\t)\n\t_describe command commands\n}");
}

static void zsh(const struct cli_command *const *commands)
{
	puts("#compdef warpstack\n# zsh completion for warpstack");
	zsh_lists(commands);
	puts("_warpstack() {\n"
	     "\tif (( CURRENT == 2 )); then\n\t\t_warpstack_command\n\t\treturn\n\tfi\n"
	     "\tlocal command=$words[2]\n"
	     "\tshift words\n\t(( CURRENT-- ))\n"
	     "\tcase $command in");
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary)
			zsh_command(commands[i]);
	puts("\tesac\n}\n_warpstack \"$@\"");
}

static enum ws_status run_completion(struct cli_call *call, struct ws_err *err)
{
	const char *shell = call->operands.item[0];

	if (strcmp(shell, "bash") == 0)
		bash(call->commands);
	else if (strcmp(shell, "zsh") == 0)
		zsh(call->commands);
	else
		return ws_fail(err, WS_EINVAL, "unknown shell '%.64s': want bash or zsh", shell);
	return WS_OK;
}

const struct cli_command cli_cmd_completion = {
	.name = "__completion",
	.usage = "bash|zsh",
	.description = "Writes the completion of a shell.",
	.table = { cli_general },
	.size = sizeof(struct cli_options),
	.operands_min = 1,
	.operands_max = 1,
	.run = run_completion,
};
