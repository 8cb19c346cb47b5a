/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/version.c -- which library this is.
 */
#include "base/base.h"

const char *ws_version(void)
{
	return WS_VERSION;
}
