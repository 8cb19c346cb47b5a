/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searches in a B+ tree of 64 keys a node, a group for each query: the work-items compare a key each,
 * and the one whose range the query falls into says which child is next.  Nodes of a
 * level lie in a scattered order, as they would after insertions.
 */
#define ORDER 64

/* Node `node` of a level, of which each key stands for `span` values three apart; its children's
 * order is turned by an odd factor. */
__kernel void btree_build(__global uint *key, __global uint *child, uint level_first, uint nodes,
			  uint next_first, uint span)
{
	const uint id = get_local_id(0), node = get_group_id(0);
	const uint place = level_first + node * 37 % nodes, at = place * ORDER + id;
	const uint below = node * ORDER + id;

	key[at] = 3 * span * below;
	child[at] = span > 1 ? next_first + below * 37 % (nodes * ORDER) : below;
}

/* The node's key at or before the query; the last one's range has no end. */
static void descend(const __global uint *key, const __global uint *child, uint query,
		    __local uint *node)
{
	const uint id = get_local_id(0), at = *node * ORDER + id;
	const int here = key[at] <= query && (id == ORDER - 1 || query < key[at + 1]);

	barrier(CLK_LOCAL_MEM_FENCE);
	if (here)
		*node = child[at];
	barrier(CLK_LOCAL_MEM_FENCE);
}

static int found(const __global uint *key, const __global uint *child, uint query,
		 __local uint *node, int levels)
{
	const uint id = get_local_id(0);

	if (id == 0)
		*node = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int level = 1; level < levels; level++)
		descend(key, child, query, node);
	return key[*node * ORDER + id] == query;
}

__kernel void btree_find(const __global uint *key, const __global uint *child,
			 const __global uint *record, const __global uint *query,
			 __global uint *answer, int levels)
{
	__local uint node;
	const uint q = get_group_id(0);

	if (get_local_id(0) == 0)
		answer[q] = 0xffffffffu;
	barrier(CLK_GLOBAL_MEM_FENCE);
	if (found(key, child, query[q], &node, levels))
		answer[q] = record[child[node * ORDER + get_local_id(0)]];
}

/* Records with keys from the query to `range` more. */
__kernel void btree_range(const __global uint *key, const __global uint *child,
			  const __global uint *query, __global uint *count, uint range,
			  int levels)
{
	__local uint first, last, lower, upper;
	const uint q = get_group_id(0), id = get_local_id(0);
	uint at;

	if (id == 0)
		first = last = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int level = 1; level < levels; level++) {
		descend(key, child, query[q], &first);
		descend(key, child, query[q] + range, &last);
	}
	at = first * ORDER + id;
	if (key[at] <= query[q] && (id == ORDER - 1 || query[q] < key[at + 1]))
		lower = child[at] + (key[at] < query[q]);
	at = last * ORDER + id;
	if (key[at] <= query[q] + range && (id == ORDER - 1 || query[q] + range < key[at + 1]))
		upper = child[at] + 1;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (id == 0)
		count[q] = upper - lower;
}
