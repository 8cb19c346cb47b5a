/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coulombic potential on a plane: a work-item for each point of a grid sums charge / distance over all
 * atoms.  Atoms (x, y, z, charge) are the same for all lanes of a warp, and are read through
 * the L1.
 */
__kernel void cp(const __global float4 *atom, __global float *potential, uint atoms, float spacing,
		 float z)
{
	const size_t i = get_global_id(0), j = get_global_id(1);
	const float x = spacing * (float)i, y = spacing * (float)j;
	float sum = 0.0f;

	for (uint a = 0; a < atoms; a++) {
		const float4 p = atom[a];
		const float dx = x - p.x, dy = y - p.y, dz = z - p.z;

		sum += p.w / sqrt(dx * dx + dy * dy + dz * dz);
	}
	potential[j * get_global_size(0) + i] += sum;
}
