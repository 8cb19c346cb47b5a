/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/stream.c -- request streams as they are kept: 40 bytes a request, and as much again
 * while an array grows.
 */
#include <stdlib.h>
#include <string.h>

#include "validate/sim/sim.h"

enum ws_status ws_stream_add(struct ws_stream *s, const struct ws_request *r, size_t count,
			     struct ws_err *err)
{
	if (!count)
		return WS_OK;
	if (count > SIZE_MAX - s->count || !WS_ROOM(s->request, s->cap, s->count + count))
		return ws_fail_memory(err, "a request stream");
	memcpy(&s->request[s->count], r, count * sizeof *r);
	s->count += count;
	return WS_OK;
}

void ws_streams_free(struct ws_streams *s, size_t launches)
{
	if (!s)
		return;
	for (size_t i = 0; i < launches; i++) {
		for (size_t sm = 0; sm < s[i].sms; sm++)
			free(s[i].sm[sm].request);
		free(s[i].sm);
		free(s[i].kernel);
	}
	free(s);
}

uint64_t ws_streams_instructions(const struct ws_streams *s, size_t launches, const char *kernel)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < launches; i++)
		if (!kernel || strcmp(kernel, s[i].kernel) == 0)
			sum += s[i].stats.warp_instructions;
	return sum;
}
