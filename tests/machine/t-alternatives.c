/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/machine/t-alternatives.c -- values "A|B|C": the first counts, the others are kept until
 * one is chosen.
 */
#include "tests/test.h"
#include "machine/machine.h"

#include <stdlib.h>
#include <string.h>

static struct ws_machine m;

static void set(const char *assignment, const char *want)
{
	struct ws_err err = { .status = WS_OK };
	char text[WS_ALTERNATIVES_MAX] = "";

	test_ok(ws_machine_set(&m, assignment, &err) == WS_OK, "%s", assignment);
	ws_machine_alternatives(&m, 0, text, sizeof text);
	test_str(text, want, "the first alternatives after it");
}

static void write_and_read(void)
{
	struct ws_machine again;
	struct ws_buf buf = { 0 };

	ws_machine_write(&m, &buf);
	test_ok(ws_machine_read(&again, (const char *)buf.data, buf.len, "again", NULL) == WS_OK &&
		strcmp(again.alternatives, m.alternatives) == 0 &&
		again.sm_scheduler == m.sm_scheduler, "they are written, and read back");
	ws_buf_clear(&buf);
}

int main(void)
{
	struct ws_err err = { .status = WS_OK };
	struct ws_machine before;
	char text[WS_ALTERNATIVES_MAX];

	setenv("WARPSTACK_DATA", "data", 1);
	test_ok(ws_machine_load(&m, "gtx480", NULL) == WS_OK, "gtx480 loads");
	test_ok(ws_machine_single(&m, NULL) == WS_OK, "it has no alternatives");
	set("sm.scheduler=lrr|gto", "sm.scheduler=lrr|gto");
	test_u64(m.sm_scheduler, WS_SCHED_LRR, "the first is the machine's");
	set("l2.start=cold|warm", "sm.scheduler=lrr|gto");
	test_ok(ws_machine_alternatives(&m, 1, text, sizeof text), "there is a second");
	test_str(text, "l2.start=cold|warm", "which is");
	test_ok(!ws_machine_alternatives(&m, 2, text, sizeof text), "and no third");
	write_and_read();
	test_ok(ws_machine_single(&m, &err) == WS_EINVAL, "it is no single machine");
	test_str(err.text, "machine gtx480 has alternatives, sm.scheduler=lrr|gto: "
		 "want one of them", "which says");
	set("sm.scheduler=gto", "l2.start=cold|warm");
	set("l2.start=warm|cold", "l2.start=warm|cold");
	set("l2.start=warm", "");
	test_ok(ws_machine_single(&m, NULL) == WS_OK, "one is chosen of each");
	before = m;
	test_ok(ws_machine_set(&m, "sm.scheduler=lrr|soon", NULL) == WS_EINVAL &&
		ws_machine_set(&m, "sm.scheduler=lrr|", NULL) == WS_EINVAL &&
		memcmp(&before, &m, sizeof m) == 0, "each must be a value; else nothing changes");
	return test_done();
}
