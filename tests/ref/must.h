/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/ref/must.h -- memory that the references cannot do without.
 */
#ifndef WS_REF_MUST_H
#define WS_REF_MUST_H

#include <stdlib.h>

static inline void *must(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		abort();
	return p;
}

static inline void *more(void *old, size_t count, size_t size)
{
	void *p = realloc(old, (count ? count : 1) * size);

	if (!p)
		abort();
	return p;
}

#endif
