/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * validate/counters/header.c -- what the columns of profilers' tables are.
 */
#include "validate/counters/header.h"

#include "validate/counters/cell.h"

#include <stdlib.h>
#include <string.h>

struct ws_role_name {
	enum ws_gpu_profiler profiler;
	const char *name;	/* as ws_cell_fits; of notes the beginning */
	enum ws_column_role role;
};

#define NCU WS_PROFILER_NCU
#define NVPROF WS_PROFILER_NVPROF
#define ROCPROF WS_PROFILER_ROCPROF

static const struct ws_role_name role_names[] = {
	{ NCU, "ID", WS_ROLE_LAUNCH }, { NCU, "Kernel Name", WS_ROLE_KERNEL },
	{ NCU, "Block Size", WS_ROLE_BLOCK }, { NCU, "Grid Size", WS_ROLE_GRID },
	{ NCU, "Metric Name", WS_ROLE_METRIC }, { NCU, "Metric Unit", WS_ROLE_UNIT },
	{ NCU, "Metric Value", WS_ROLE_VALUE },
	{ NCU, "Rule Name", WS_ROLE_NOTE }, { NCU, "Rule Type", WS_ROLE_NOTE },
	{ NCU, "Rule Description", WS_ROLE_NOTE }, { NCU, "Estimated Speedup", WS_ROLE_NOTE },
	{ NCU, "Estimated Speedup Type", WS_ROLE_NOTE },

	{ NVPROF, "Device", WS_ROLE_GPU }, { NVPROF, "Kernel", WS_ROLE_KERNEL },
	{ NVPROF, "Name", WS_ROLE_KERNEL }, { NVPROF, "Invocations", WS_ROLE_SAMPLES },
	{ NVPROF, "Event Name", WS_ROLE_METRIC }, { NVPROF, "Metric Name", WS_ROLE_METRIC },
	{ NVPROF, "Min", WS_ROLE_MIN }, { NVPROF, "Max", WS_ROLE_MAX },
	{ NVPROF, "Avg", WS_ROLE_VALUE },
	{ NVPROF, "Grid X", WS_ROLE_GRID_X }, { NVPROF, "Grid Y", WS_ROLE_GRID_Y },
	{ NVPROF, "Grid Z", WS_ROLE_GRID_Z }, { NVPROF, "Block X", WS_ROLE_BLOCK_X },
	{ NVPROF, "Block Y", WS_ROLE_BLOCK_Y }, { NVPROF, "Block Z", WS_ROLE_BLOCK_Z },
	{ NVPROF, "Registers Per Thread", WS_ROLE_REGISTERS },
	{ NVPROF, "Static SMem", WS_ROLE_SHARED }, { NVPROF, "Dynamic SMem", WS_ROLE_SHARED },

	{ ROCPROF, "Index", WS_ROLE_LAUNCH }, { ROCPROF, "Dispatch_ID", WS_ROLE_LAUNCH },
	{ ROCPROF, "Dispatch_Id", WS_ROLE_LAUNCH }, { ROCPROF, "KernelName", WS_ROLE_KERNEL },
	{ ROCPROF, "Kernel_Name", WS_ROLE_KERNEL }, { ROCPROF, "grd", WS_ROLE_ITEMS },
	{ ROCPROF, "GRD", WS_ROLE_ITEMS }, { ROCPROF, "Grid_Size", WS_ROLE_ITEMS },
	{ ROCPROF, "wgr", WS_ROLE_GROUP }, { ROCPROF, "WGR", WS_ROLE_GROUP },
	{ ROCPROF, "Workgroup_Size", WS_ROLE_GROUP }, { ROCPROF, "lds", WS_ROLE_SHARED },
	{ ROCPROF, "LDS", WS_ROLE_SHARED }, { ROCPROF, "LDS_Per_Workgroup", WS_ROLE_SHARED },
	{ ROCPROF, "LDS_Block_Size", WS_ROLE_SHARED }, { ROCPROF, "vgpr", WS_ROLE_REGISTERS },
	{ ROCPROF, "arch_vgpr", WS_ROLE_REGISTERS }, { ROCPROF, "Arch_VGPR", WS_ROLE_REGISTERS },
	{ ROCPROF, "VGPR_Count", WS_ROLE_REGISTERS }, { ROCPROF, "Counter_Name", WS_ROLE_METRIC },
	{ ROCPROF, "Counter_Value", WS_ROLE_VALUE },
};

static const struct ws_role_name properties[] = {
	{ NCU, "launch__registers_per_thread", WS_ROLE_REGISTERS },
	{ NCU, "Registers Per Thread", WS_ROLE_REGISTERS },
	{ NCU, "launch__shared_mem_per_block_static", WS_ROLE_SHARED },
	{ NCU, "launch__shared_mem_per_block_dynamic", WS_ROLE_SHARED },
	{ NCU, "Static Shared Memory Per Block", WS_ROLE_SHARED },
	{ NCU, "Dynamic Shared Memory Per Block", WS_ROLE_SHARED },
	{ NCU, "launch__grid_dim_x", WS_ROLE_GRID_X },
	{ NCU, "launch__grid_dim_y", WS_ROLE_GRID_Y },
	{ NCU, "launch__grid_dim_z", WS_ROLE_GRID_Z },
	{ NCU, "launch__block_dim_x", WS_ROLE_BLOCK_X },
	{ NCU, "launch__block_dim_y", WS_ROLE_BLOCK_Y },
	{ NCU, "launch__block_dim_z", WS_ROLE_BLOCK_Z },
	{ NCU, "device__attribute_display_name", WS_ROLE_GPU },
};

static enum ws_column_role role_among(const struct ws_role_name *row, size_t count,
				      enum ws_gpu_profiler profiler, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (row[i].profiler == profiler && strcmp(row[i].name, name) == 0)
			return row[i].role;
	return WS_ROLE_NONE;
}

enum ws_column_role ws_header_property(enum ws_gpu_profiler profiler, const char *name)
{
	return role_among(properties, WS_COUNT(properties), profiler, name);
}

const struct ws_counters_name *ws_header_counter(enum ws_gpu_profiler profiler, const char *name)
{
	for (const struct ws_counters_name *n = ws_counters_names; n->name; n++)
		if (n->profiler == profiler && ws_cell_fits(n->name, name))
			return n;
	return NULL;
}

/* What every header of a profiler's has: a kernel, and what tells launches apart. */
static bool is_of(const struct ws_csv *c, enum ws_gpu_profiler profiler)
{
	const enum ws_column_role apart =
		profiler == NVPROF ? WS_ROLE_GPU : WS_ROLE_LAUNCH;
	bool kernel = false, launch = false;

	for (size_t i = 0; i < c->cells; i++) {
		enum ws_column_role role = role_among(role_names, WS_COUNT(role_names), profiler,
						      ws_csv_cell(c, i));

		kernel = kernel || role == WS_ROLE_KERNEL;
		launch = launch || role == apart;
	}
	return kernel && launch;
}

static void take_column(struct ws_header *h, size_t i, const char *name)
{
	struct ws_heading *column = &h->column[i];

	*column = (struct ws_heading){ .counter = NULL };
	column->role = role_among(role_names, WS_COUNT(role_names), h->profiler, name);
	if (column->role == WS_ROLE_NONE)
		column->role = ws_header_property(h->profiler, name);
	if (column->role == WS_ROLE_NONE)
		column->counter = ws_header_counter(h->profiler, name);
	if (h->place[column->role] == SIZE_MAX)
		h->place[column->role] = i;
}

bool ws_header_take(struct ws_header *h, const struct ws_csv *c, bool *no_memory)
{
	unsigned profiler = 0;

	*no_memory = false;
	while (profiler < WS_PROFILERS && !is_of(c, (enum ws_gpu_profiler)profiler))
		profiler++;
	if (profiler == WS_PROFILERS)
		return false;
	if (!WS_ROOM(h->column, h->cap, c->cells)) {
		*no_memory = true;
		return false;
	}
	h->profiler = (enum ws_gpu_profiler)profiler;
	h->columns = c->cells;
	h->line = c->line;
	for (unsigned role = 0; role < WS_ROLES; role++)
		h->place[role] = SIZE_MAX;
	for (size_t i = 0; i < c->cells; i++)
		take_column(h, i, ws_csv_cell(c, i));
	h->by_metric = h->place[WS_ROLE_METRIC] != SIZE_MAX &&
		       h->place[WS_ROLE_VALUE] != SIZE_MAX;
	return true;
}

bool ws_header_begins(const char *first)
{
	static const char *const word[] = {
		"ID", "Device", "Start", "Index", "Dispatch_ID", "Dispatch_Id", "Correlation_Id",
	};

	for (size_t i = 0; i < WS_COUNT(word); i++)
		if (strcmp(word[i], first) == 0)
			return true;
	return false;
}

void ws_header_clear(struct ws_header *h)
{
	free(h->column);
	*h = (struct ws_header){ .column = NULL };
}
