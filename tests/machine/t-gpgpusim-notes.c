/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-gpgpusim-notes.c -- configurations of GPGPU-Sim: notes on options that are
 * unknown, approximated or not modelled, texts that are much too long, and files by their path.
 */
#include "tests/machine/gpgpusim.h"

/* After a complete L1, and with an L2 for all: what is said, and how many warnings there are. */
static void warnings(void)
{
	static const struct {
		const char *text, *says;
		unsigned count;
	} rows[] = {
		{ "", "", 0 },
		{ "-gpgpu_n_clustres 4", "here.config:2: unknown option '-gpgpu_n_clustres': did "
		  "you mean -gpgpu_n_clusters?", 1 },
		{ "-gpgpu_smem_latencies 4", "did you mean -gpgpu_smem_latency?", 1 },
		{ "-gpgpu_of_a_fork", "here.config:2: unknown option '-gpgpu_of_a_fork'", 1 },
		{ "-fork 1 2 3 -fork 4\n-fork", "unknown option '-fork'", 1 },
		{ "-fork 1 -spoon 2", "unknown option '-spoon'", 2 },
		{ "-gpgpu_n_clusters 4 5", "here.config:2: '5' belongs to no option", 1 },
		{ "-visualizer_enabled 0 0 1", "'1' belongs to no option", 2 },
		{ "=======\n>>>>>>> theirs", "'theirs' belongs to no option", 3 },
		{ "-config more.config", "here.config:2: -config more.config is not read", 1 },
		{ "-gmem_skip_L1D 1", "here.config:2: -gpgpu_gmem_skip_L1D 1: global accesses", 1 },
		{ "-gpgpu_cache:dl2_texture_only 1", "only textures use the L2", 1 },
		{ "-gpgpu_perfect_mem 1 -l2_ideal 1", "no access misses the L2", 2 },
		{ "-gpgpu_scheduler old", "not modelled: taken as gto", 1 },
		{ "-gpgpu_cache:dl1 N:64:128:4,H:T:m:N:L,A:1:1,1", "L and F only", 1 },
		{ "-gpgpu_cache:dl1 N:128:128:4,L:T:m:N:P,A:1:1,1", "16, 32 and 64 sets only", 1 },
		{ "-gpgpu_cache:dl1 N:16:128:4,L:T:m:N:H,A:1:1,1", "32 and 64 sets only", 1 },
		{ "-gpgpu_memory_partition_indexing 7", "want 0 to 6: taken as 0, modulo", 1 },
		{ "-gpgpu_mem_addr_mapping dramid@8;RBC",
		  "here.config:2: -gpgpu_mem_addr_mapping dramid@8;RBC: want dramid@BIT; and 64",
		  1 },
		{ "-gpgpu_mem_addr_mapping dramid@8", "taken as blocks of 256 bytes", 1 },
		{ "-gpgpu_mem_addr_mapping dramid@64;" ZEROS ZEROS, "want dramid@BIT;", 1 },
		{ "-gpgpu_mem_addr_mapping " ZEROS ZEROS, "want dramid@BIT;", 1 }, /* no channel */
		{ "-gpgpu_mem_addr_mapping dramid@8;" ZEROS ZEROS "R", "want dramid@BIT;", 1 },
		{ "-gpgpu_mem_addr_mapping dramid@8;" ZEROS ZEROS, "", 0 },
		{ "-\033[31mred 1", "unknown option '-?[31mred'", 0 },
	};
	char text[512];

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		struct ws_notes notes = { .note = NULL };
		struct ws_err err;
		struct ws_machine m;
		bool ok;

		snprintf(text, sizeof text, L1 " -gpgpu_cache:dl2_texture_only 0\n%s",
			 rows[i].text);
		ok = read_text(&m, text, &notes, &err) == WS_OK;
		/* "-\033" is no option, so what follows belongs to none either. */
		if (strchr(rows[i].text, '\033'))
			test_ok(ok && count_notes(&notes, WS_NOTE_WARNING) == 2 &&
				find_note(&notes, WS_NOTE_WARNING, "'-?[31mred' belongs"),
				"no escapes");
		else
			test_ok(ok && count_notes(&notes, WS_NOTE_WARNING) == rows[i].count &&
				(rows[i].count == 0 ||
				 find_note(&notes, WS_NOTE_WARNING, rows[i].says)),
				"%s: %u warnings %s", rows[i].text,
				count_notes(&notes, WS_NOTE_WARNING), err.text);
		ws_notes_clear(&notes);
	}
}

/* What is approximated; says NULL: nothing of that option. */
static void approximated(void)
{
	static const char *const rows[][3] = {
		{ "-gpgpu_memory_partition_indexing 4", "-gpgpu_memory_partition_indexing",
		  "random numbers there; here modulo" },
		{ "-gpgpu_memory_partition_indexing 6 -gpgpu_n_mem 12",
		  "-gpgpu_memory_partition_indexing", NULL },
		{ "-gpgpu_memory_partition_indexing 2 -gpgpu_n_mem 12",
		  "-gpgpu_memory_partition_indexing", "no power of two" },
		{ "-gpgpu_memory_partition_indexing 2", "-gpgpu_memory_partition_indexing", NULL },
		{ "-gpgpu_memory_partition_indexing 1", "-gpgpu_memory_partition_indexing",
		  "xor of a channel's bits" },
		{ "-gpgpu_l1_banks_byte_interleaving 48", "-gpgpu_l1_banks_byte_interleaving",
		  "taken as 32" },
		{ "-gpgpu_l1_banks_byte_interleaving 64", "-gpgpu_l1_banks_byte_interleaving",
		  NULL },
		{ "-gpgpu_cache:dl1 N:64:64:2,F:T:s:N:X,S:4:2,9", "-gpgpu_cache:dl1", "streaming" },
		{ "-gpgpu_cache:dl1 N:64:64:2,F:T:f:N:X,S:4:2,9", "-gpgpu_cache:dl1",
		  "in line 1 too" },
		{ "-gpgpu_cache:dl2 N:64:64:2,F:T:f:N:X,S:4:2,9", "-gpgpu_cache:dl2", "on miss" },
		{ "-gpgpu_perf_sim_memcpy 1", "-gpgpu_perf_sim_memcpy", "starts empty" },
		{ "-gpgpu_perf_sim_memcpy 1 -gpgpu_flush_l2_cache 1", "-gpgpu_perf_sim_memcpy",
		  "all arrays" },
		{ "-gpgpu_perf_sim_memcpy 0", "-gpgpu_perf_sim_memcpy", NULL },
		{ "", "-gpgpu_mem_addr_mapping", "-gpgpu_mem_address_mask decides" },
		{ "-gpgpu_mem_addr_mapping dramid@8;" ZEROS "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS",
		  "-gpgpu_mem_addr_mapping", NULL },
		{ "-gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_mem_addr_mapping dramid@8;" ZEROS
		  "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS", "-gpgpu_mem_addr_mapping", NULL },
		{ "-gpgpu_n_sub_partition_per_mchannel 2 -gpgpu_mem_addr_mapping dramid@10;" ZEROS
		  "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS", "-gpgpu_mem_addr_mapping", "take turns" },
		{ "-gpgpu_mem_addr_mapping dramid@40;" ZEROS "0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS",
		  "-gpgpu_mem_addr_mapping", "blocks of 1099511627776 bytes" },
	};
	char text[512];

	for (size_t i = 0; i < WS_COUNT(rows); i++) {
		struct ws_notes notes = { .note = NULL };
		const struct ws_note *n = NULL;
		struct ws_err err;
		struct ws_machine m;

		snprintf(text, sizeof text, L1 "\n%s", rows[i][0]);
		if (test_ok(read_text(&m, text, &notes, &err) == WS_OK, "%s %s", rows[i][0],
			    err.text)) {
			for (size_t k = 0; k < notes.count; k++) {
				if (strcmp(notes.note[k].option, rows[i][1]) == 0)
					n = &notes.note[k];
			}
			test_ok(rows[i][2] ? n && n->kind == WS_NOTE_REMARK &&
					     strstr(n->text, rows[i][2]) : !n,
				"%s: %s", rows[i][0], n ? n->text : "nothing");
		}
		ws_notes_clear(&notes);
	}
}

/* Of V100, whose string has 64 ways for 32 of 128 KB. */
static void adaptive(const struct ws_machine *m)
{
	char list[2 * WS_NAME_MAX];

	ws_machine_get(m, ws_key_find("sm.carveouts"), list, sizeof list);
	test_str(list, "0,8K,16K,32K,64K,96K", "the list");
	test_u64(m->sm_unified_bytes, 128 << 10, "the array");
	test_ok(ws_machine_adapts(m), "adapts");
	test_u64(m->sm_shared_bytes, 96 << 10, "what a CTA may have");
	test_u64(m->l1.sets, 4, "sets stay");
	test_u64(m->l1.ways, 256, "ways of the whole array");
}

static void remarks(void)
{
	static const char text[] = L1 "\n-gpgpu_cache:dl2_texture_only 0\n"
		"-gpgpu_adaptive_cache_config 1\n-gpgpu_unified_l1d_size 128\n"
		"-gpgpu_shmem_option 0,8,16,32,64,96\n-gpgpu_num_tensor_core_units 20\n"
		"-gpgpu_local_mem_map \"nbk=16:\n CCD=1\"\n-gpgpu_n_clusters 3\n"
		"-gpgpu_n_clusters 4\n-trace_opcode_latency_initiation_spec_op_5 4,4\n";
	struct ws_notes notes = { .note = NULL };
	const struct ws_note *n;
	struct ws_err err;
	struct ws_machine m;

	test_ok(read_text(&m, text, &notes, &err) == WS_OK, "read %s", err.text);
	test_u64(count_notes(&notes, WS_NOTE_WARNING), 0, "warnings");
	test_u64(count_notes(&notes, WS_NOTE_UNMODELLED), 3, "not modelled");
	n = find_note(&notes, WS_NOTE_UNMODELLED, "nbk=16:CCD=1");
	test_ok(n && n->line == 7 && strcmp(n->option, "-gpgpu_local_mem_map") == 0, "a quote");
	test_ok(n && n->why && strncmp(n->why, "addresses ", 10) == 0, "why");
	n = find_note(&notes, WS_NOTE_UNMODELLED, "20");
	test_ok(n && n->line == 6 && strcmp(n->option, "-gpgpu_num_tensor_core_units") == 0,
		"a name");
	adaptive(&m);
	n = find_note(&notes, WS_NOTE_REMARK, "in line 9 too");
	test_ok(n && n->line == 10, "the last one counts");
	test_ok(find_note(&notes, WS_NOTE_REMARK, "left out: GPGPU-Sim's default 85"), "defaults");
	ws_notes_clear(&notes);
	test_ok(notes.count == 0 && !notes.note, "cleared");
}

/* So many that nobody could read them. */
static void endless(void)
{
	struct ws_buf text = { .data = NULL };
	struct ws_notes notes = { .note = NULL };
	struct ws_err err = { .status = WS_OK };
	struct ws_machine m;
	char word[32];

	ws_put_bytes(&text, L1 "\n", strlen(L1) + 1);
	for (unsigned i = 0; i < 40000; i++) {
		snprintf(word, sizeof word, "-a_%u %u\n", i, i);
		ws_put_bytes(&text, word, strlen(word));
	}
	test_ok(ws_gpgpusim_read(&m, (const char *)text.data, text.len, "many", &notes, &err) ==
		WS_OK, "40000 unknown options %s", err.text);
	test_ok(count_notes(&notes, WS_NOTE_WARNING) <= 70 &&
		find_note(&notes, WS_NOTE_WARNING, "is not listed"), "%u warnings",
		count_notes(&notes, WS_NOTE_WARNING));
	ws_notes_clear(&notes);
	ws_buf_clear(&text);
}

static void long_words(void)
{
	static const char *const before[] = { "-", "-gpgpu_n_clusters ", "-keep ", "\"", "" };
	char *text = malloc(900000);
	size_t start = strlen(L1 "\n");

	for (size_t i = 0; text && i < WS_COUNT(before); i++) {
		struct ws_notes notes = { .note = NULL };
		struct ws_err err = { .status = WS_OK };
		struct ws_machine m;
		size_t len = start + strlen(before[i]);
		enum ws_status status;

		memset(text, 'x', 900000);
		memcpy(text, L1 "\n", start);
		memcpy(text + start, before[i], len - start);
		status = ws_gpgpusim_read(&m, text, 900000, FILE_NAME, &notes, &err);
		test_ok(status == (i == 1 || i == 3 ? WS_EFORMAT : WS_OK) && strlen(err.text) < 400,
			"a long word after '%s': %s", before[i], err.text);
		ws_notes_clear(&notes);
	}
	free(text);
}

/* ---- by path ----------------------------------------------------------------------------- */

/* Told from a .conf file by content, and named after its folder if it has the usual name. */
static void by_path(void)
{
	char folder[] = "/tmp/gpgpusim-XXXXXX", path[64], command[128];
	struct ws_notes notes = { .note = NULL };
	struct ws_err err = { .status = WS_OK };
	struct ws_machine m;
	FILE *file;

	if (!test_ok(mkdtemp(folder) != NULL, "a folder"))
		return;
	snprintf(path, sizeof path, "%s/gpgpusim.config", folder);
	file = fopen(path, "w");
	if (test_ok(file != NULL, "%s", path)) {
		fputs("# base = gtx480\n\n   " L1 "\n-forked 1\n", file);
		fclose(file);
		test_ok(ws_machine_load_notes(&m, path, &notes, &err) == WS_OK, "loads %s",
			err.text);
		test_ok(strncmp(m.name, "gpgpusim-", 9) == 0 && m.l1.ways == 64, "%s", m.name);
		test_ok(find_note(&notes, WS_NOTE_WARNING, "-forked") != NULL, "its notes");
		test_ok(ws_machine_load(&m, path, &err) == WS_OK, "without notes");
		ws_notes_clear(&notes);
	}
	snprintf(command, sizeof command, "rm -r %s", folder);
	test_ok(system(command) == 0, "gone");
}

int main(void)
{
	warnings();
	approximated();
	remarks();
	endless();
	long_words();
	by_path();
	return test_done();
}
