/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * machine/banks.c -- DRAM of banks: dram.timing, dram.mapping.
 */
#include "machine/private.h"

#include <inttypes.h>
#include <string.h>

#define NONE "none"
#define TIME_MAX 4096u
#define BANKS_MAX 64u
#define TICKS_MAX 64u		/* in a cycle */
#define ADDRESS_BITS 64u

const char *const ws_dram_time_names[WS_DRAM_TIMES] = {
	[WS_DRAM_CCD] = "CCD", [WS_DRAM_CCDL] = "CCDL", [WS_DRAM_RRD] = "RRD",
	[WS_DRAM_RCD] = "RCD", [WS_DRAM_RAS] = "RAS", [WS_DRAM_RP] = "RP", [WS_DRAM_RC] = "RC",
	[WS_DRAM_CL] = "CL", [WS_DRAM_WL] = "WL", [WS_DRAM_CDLR] = "CDLR", [WS_DRAM_WR] = "WR",
	[WS_DRAM_RTPL] = "RTPL", [WS_DRAM_BL] = "BL", [WS_DRAM_BANKS] = "nbk",
	[WS_DRAM_GROUPS] = "grp", [WS_DRAM_LOW] = "low",
	[WS_DRAM_BUS] = "bus", [WS_DRAM_QUEUE] = "in",
	[WS_DRAM_RETURN] = "out",
};

/* Of those that are not named.  A queue of none would hold nothing. */
static const uint64_t left_out[WS_DRAM_TIMES] = {
	[WS_DRAM_CL] = 1, [WS_DRAM_WL] = 1, [WS_DRAM_BL] = 1, [WS_DRAM_BANKS] = 1,
	[WS_DRAM_GROUPS] = 1, [WS_DRAM_BUS] = 1, [WS_DRAM_QUEUE] = 64, [WS_DRAM_RETURN] = 64,
};

bool ws_dram_has_banks(const struct ws_machine *m)
{
	return *m->dram_timing && strcmp(m->dram_timing, NONE) != 0;
}

static int find_time(const char *name, size_t len)
{
	for (int i = 0; i < WS_DRAM_TIMES; i++)
		if (strlen(ws_dram_time_names[i]) == len &&
		    memcmp(ws_dram_time_names[i], name, len) == 0)
			return i;
	return -1;
}

/* "NAME=NUMBER", up to a colon or the end. */
static bool read_time(const char *at, size_t len, struct ws_dram_timing *out)
{
	const char *equals = memchr(at, '=', len);
	char number[24];
	size_t digits;
	int i;

	if (!equals)
		return false;
	digits = len - (size_t)(equals + 1 - at);
	if (digits >= sizeof number)
		return false;
	memcpy(number, equals + 1, digits);
	number[digits] = '\0';
	i = find_time(at, (size_t)(equals - at));
	return i >= 0 && ws_parse_u64(number, &out->t[i]) && out->t[i] <= TIME_MAX &&
	       (out->t[i] || !left_out[i]);
}

static bool suits(const struct ws_dram_timing *d)
{
	uint64_t banks = d->t[WS_DRAM_BANKS], groups = d->t[WS_DRAM_GROUPS];

	return banks <= BANKS_MAX && groups <= banks && ws_is_pow2(groups) &&
	       d->t[WS_DRAM_BUS] <= 2 && d->t[WS_DRAM_LOW] <= 1;
}

/* Bits of the bank and of the row. */
static enum ws_status read_mapping(const struct ws_machine *m, struct ws_dram_timing *out,
				   struct ws_err *err)
{
	size_t letters = 0;

	out->bank = out->row = 0;
	for (size_t i = strlen(m->dram_mapping); i-- > 0 && letters <= ADDRESS_BITS;) {
		uint64_t bit = letters < ADDRESS_BITS ? (uint64_t)1 << letters : 0;

		letters += m->dram_mapping[i] != '.';
		out->bank |= m->dram_mapping[i] == 'B' ? bit : 0;
		out->row |= m->dram_mapping[i] == 'R' ? bit : 0;
	}
	if (letters <= ADDRESS_BITS && out->bank && out->row)
		return WS_OK;
	return ws_fail(err, WS_EINVAL, "dram.mapping: want at most %u letters, B for bits of the "
		       "bank and R for those of the row among them", ADDRESS_BITS);
}

enum ws_status ws_dram_timing_read(const struct ws_machine *m, struct ws_dram_timing *out,
				   struct ws_err *err)
{
	memcpy(out->t, left_out, sizeof left_out);
	for (const char *at = m->dram_timing, *end;; at = end + 1) {
		size_t len = strcspn(at, ":");

		end = at + len;
		if (!read_time(at, len, out))
			return ws_fail(err, WS_EINVAL, "dram.timing: '%.*s': want none, or "
				       "NAME=NUMBER:..., as CCD=2:RCD=12", (int)len, at);
		if (!*end)
			break;
	}
	if (!suits(out))
		return ws_fail(err, WS_EINVAL, "dram.timing: want at most %u of nbk, a power of "
			       "two of grp, no more, low 0 or 1 and bus 1 or 2", BANKS_MAX);
	if ((m->dram_ticks - 1) / TICKS_MAX >= m->dram_ticks_cycles)
		return ws_fail(err, WS_EINVAL, "dram.ticks = %" PRIu64 ": want at most %u in each "
			       "of dram.ticks.cycles = %" PRIu64, m->dram_ticks, TICKS_MAX,
			       m->dram_ticks_cycles);
	if ((m->dram_ticks_cycles - 1) / TICKS_MAX >= m->dram_ticks)
		return ws_fail(err, WS_EINVAL, "dram.ticks.cycles = %" PRIu64 ": want at most %u "
			       "to each of dram.ticks = %" PRIu64, m->dram_ticks_cycles, TICKS_MAX,
			       m->dram_ticks);
	return read_mapping(m, out, err);
}

enum ws_status ws_dram_check(const struct ws_machine *m, struct ws_err *err)
{
	struct ws_dram_timing timing;

	return ws_dram_has_banks(m) ? ws_dram_timing_read(m, &timing, err) : WS_OK;
}

uint64_t ws_dram_group(const struct ws_dram_timing *d, uint64_t bank)
{
	uint64_t groups = d->t[WS_DRAM_GROUPS];

	return d->t[WS_DRAM_LOW] ? bank & (groups - 1) : bank * groups / d->t[WS_DRAM_BANKS];
}

static uint64_t gather(uint64_t bits, uint64_t from)
{
	uint64_t number = 0;

	for (uint64_t at = 1; from; from &= from - 1, at <<= 1)
		number |= bits & from & -from ? at : 0;
	return number;
}

void ws_dram_place(const struct ws_machine *m, const struct ws_dram_timing *d, uint64_t addr,
		   uint64_t *bank, uint64_t *row)
{
	uint64_t low = m->l2_interleave_bytes, in = addr & (low - 1);

	addr = addr / low / ws_dram_channels(m) * low | in;
	*bank = gather(addr, d->bank) % d->t[WS_DRAM_BANKS];
	*row = gather(addr, d->row);
}
