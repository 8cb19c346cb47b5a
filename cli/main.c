/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli/main.c -- warpstack.
 */
#include "cli/cli.h"

int main(int argc, char **argv)
{
	return cli_run(argc, argv, NULL);
}
