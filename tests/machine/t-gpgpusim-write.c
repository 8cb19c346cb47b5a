/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-gpgpusim-write.c -- machines written as configurations of GPGPU-Sim and read
 * back.
 */
#include "tests/machine/gpgpusim.h"

/* GPGPU-Sim's own way, that no option changes. */
static bool is_own(const char *key)
{
	return strncmp(key, "sm.lsu", 6) == 0 || strcmp(key, "l2.rate") == 0 ||
	       strcmp(key, "l2.misses") == 0 ||
	       strcmp(key, "sm.stores") == 0 || strcmp(key, "sm.alu") == 0 ||
	       strcmp(key, "icnt.queues") == 0 || strcmp(key, "l2.slice-order") == 0 ||
	       strcmp(key, "l1.lookup") == 0 || strcmp(key, "l1.mshr.rate") == 0 ||
	       strcmp(key, "l1.mshr.latency") == 0 || strcmp(key, "profile") == 0;
}

/* The keys that come back otherwise are those that the comment lists, and they are these. */
static void round_trip(const struct ws_machine *m, const char *what, const char *lost)
{
	struct ws_buf text = { .data = NULL };
	struct ws_err err = { .status = WS_OK };
	struct ws_notes notes = { .note = NULL };
	char mine[2 * WS_NAME_MAX], theirs[2 * WS_NAME_MAX], all[512] = "", line[96];
	struct ws_machine back;
	bool listed = true;

	if (!test_ok(ws_gpgpusim_write(m, &text, &err) == WS_OK, "%s: written %s", what, err.text))
		return;
	ws_put_u8(&text, 0);
	test_ok(read_text(&back, (const char *)text.data, &notes, &err) == WS_OK,
		"%s: read back %s", what, err.text);
	for (const struct ws_key *key = ws_keys; key->name; key++) {
		ws_machine_get(m, key, mine, sizeof mine);
		ws_machine_get(&back, key, theirs, sizeof theirs);
		snprintf(line, sizeof line, "\n#   %s = ", key->name);
		if (key->stage == WS_STAGE_LABEL)
			continue;
		listed = listed && (strcmp(mine, theirs) != 0) ==
			(strstr((const char *)text.data, line) != NULL);
		if (strcmp(mine, theirs) != 0 && !is_own(key->name))
			snprintf(all + strlen(all), sizeof all - strlen(all), " %s", key->name);
	}
	test_ok(listed, "%s: the comment lists what is lost", what);
	if (lost)
		test_str(all, lost, what);
	test_ok(count_notes(&notes, WS_NOTE_UNMODELLED) == 0, "%s: nothing besides", what);
	ws_notes_clear(&notes);
	ws_buf_clear(&text);
}

static void presets_and_back(void)
{
	static const char *const own[][2] = {
		{ "gtx480", " shared.latency shared.conflict" },
		{ "gtx480-48k", " shared.latency shared.conflict" },
		{ "v100", " coalesce.line shared.latency" },
		{ "a100", " sm.shared.reserved coalesce.line" },
		{ "h100", " sm.shared.reserved coalesce.line shared.latency" },
	};
	char **names;
	size_t count;
	struct ws_machine m;

	for (size_t i = 0; i < WS_COUNT(own); i++) {
		if (test_ok(ws_machine_load(&m, own[i][0], NULL) == WS_OK, "%s loads", own[i][0]))
			round_trip(&m, own[i][0], own[i][1]);
	}
	test_ok(ws_machine_list(&names, &count, NULL) == WS_OK && count >= 8, "presets");
	for (size_t i = 0; i < count; i++) {
		if (test_ok(ws_machine_load(&m, names[i], NULL) == WS_OK, "%s loads", names[i]))
			round_trip(&m, names[i], NULL);
		free(names[i]);
	}
	free(names);
}

/* What GPGPU-Sim has no word for. */
static void without_words(void)
{
	static const char *const rows[][2] = {
		{ "l1.policy=random", " l1.policy" },
		{ "l1.policy=srrip-kumar", "" },
		{ "l1.policy=fifo", "" },
		{ "l1.size=0", " l1.sets l1.hash l1.mshr" },
		{ "l1.hash=bits:7-11", " l1.hash" },
		{ "l1.sets=96 l1.hash=modulo", " l1.size l1.sets" },
		{ "sm.scheduler=random", " sm.scheduler" },
		{ "sm.scheduler=two-level sm.active-warps=9", "" },
		{ "sm.active-warps=9", " sm.active-warps" },
		{ "sm.assign=round-robin", " sm.assign" },
		{ "cta.threads=512", " cta.threads" },
		{ "sm.threads=1000", " sm.threads" },
		{ "warp.width=7 sm.threads=336", " cta.threads" },
		{ "sm.warps=4096 warp.width=48 sm.threads=65520", " sm.warps" },
		{ "l1.sector=64", " coalesce.line l1.sector" },
		{ "l1.write=write-through", "" }, { "l1.write=write-back", "" },
		{ "l1.write=write-through-allocate", "" }, { "l2.write=write-evict", "" },
		{ "l2.slices=7 dram.channels=7", "" }, { "l2.slices=7 dram.channels=1", "" },
		{ "dram.channels=0", " dram.channels" }, { "dram.channels=12", "" },
		{ "dram.channels=3", "" },
		{ "l1.alloc=on-fill", "" }, { "l1.alloc=on-fill l1.write=write-through", "" },
		{ "l1.alloc=on-fill l1.write=write-through-allocate", "" },
		{ "l1.alloc=on-fill l1.write=write-back", " l1.alloc" },
		{ "l1.banks=64 l1.queue=1048575", "" }, { "l2.mshr=77 l2.mshr.merge=5", "" },
		{ "l2.interleave=128", "" }, { "l2.interleave=1048576", "" },
		{ "l2.line=32 l2.sector=32 l2.interleave=32", "" },
		{ "l2.slices=8 dram.channels=4 l2.slice-hash=ipoly", "" },
		{ "l2.slices=8 dram.channels=8 l2.slice-hash=xor", "" },
		{ "l2.start=warm", "" }, { "l2.start=copies", " l2.start" },
		{ "l2.start=keep", "" },
		{ "icnt.width=1", "" }, { "icnt.width=1048576", "" },
		{ "icnt.latency=30", " icnt.latency" },
		{ "icnt.credits=8", "" },
		{ "dram.bandwidth=1048575", "" }, { "dram.bandwidth=1", " dram.latency" },
		{ "l2.slices=65535 dram.channels=0 dram.bandwidth=1",
		  " dram.latency dram.channels" },
		{ "coalesce.line=64", " coalesce.line" }, { "coalesce.line=32", "" },
		{ "count_pending=yes", " count_pending" },
		{ "l1.mshr=1048576 l1.mshr.merge=1048576", "" },
	};

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		struct ws_err err = { .status = WS_OK };
		struct ws_machine m;
		char list[128], *save = NULL;
		bool ok = ws_machine_load(&m, "gtx480", &err) == WS_OK;

		m.shared_latency_cycles = 28; /* what a file says that has no such words */
		m.shared_conflict_cycles = 2;
		snprintf(list, sizeof list, "%s", rows[i][0]);
		for (char *one = strtok_r(list, " ", &save); ok && one;
		     one = strtok_r(NULL, " ", &save))
			ok = ws_machine_set(&m, one, &err) == WS_OK;
		ok = ok && ws_machine_check(&m, &err) == WS_OK;
		if (test_ok(ok, "%s %s", rows[i][0], err.text))
			round_trip(&m, rows[i][0], rows[i][1]);
	}
}

int main(void)
{
	presets_and_back();
	without_words();
	return test_done();
}
