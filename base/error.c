/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base/error.c -- every failure passes here: a good breakpoint.
 */
#include "base/base.h"

#include <errno.h>
#include <string.h>

WS_PRINTF(4, 0)
static void set(struct ws_err *err, enum ws_status status, enum ws_remedy remedy, const char *fmt,
		va_list ap)
{
	if (!err || err->status != WS_OK)
		return;
	err->status = status;
	err->remedy = remedy;
	vsnprintf(err->text, sizeof err->text, fmt, ap);
	err->more[0] = '\0';
}

enum ws_status ws_fail(struct ws_err *err, enum ws_status status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, status, WS_REMEDY_NONE, fmt, ap);
	va_end(ap);
	return status;
}

enum ws_status ws_fail_remedy(struct ws_err *err, enum ws_remedy remedy, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, WS_EINVAL, remedy, fmt, ap);
	va_end(ap);
	return WS_EINVAL;
}

enum ws_status ws_fail_as(struct ws_err *err, const struct ws_err *why)
{
	if (err && err->status == WS_OK)
		*err = *why;
	return why->status;
}

enum ws_status ws_fail_memory(struct ws_err *err, const char *what)
{
	return ws_fail(err, WS_ENOMEM, "out of memory for %s", what);
}

enum ws_status ws_input_status(int error)
{
	switch (error) {
	case ENOMEM:
	case EMFILE:
	case ENFILE:
	case ENOSPC:
	case EAGAIN:
	case EBADF: /* it was handed down closed */
		return WS_EIO;
	default:
		return WS_EINPUT;
	}
}

int ws_exit_code(enum ws_status status)
{
	switch (status) {
	case WS_OK:
		return 0;
	case WS_EINVAL:
		return 2;
	case WS_EFORMAT:
	case WS_EINPUT:
		return 3;
	case WS_EIO:
	case WS_ENOMEM:
	case WS_ENOCONV:
		break;
	}
	return 4;
}
