/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Laplace's equation in three dimensions, one Jacobi step: a group holds a tile of 32 x 4 points with a
 * border in local memory and marches through the planes, keeping the plane below, its own
 * and the one above.  Points of the boundary are copied.
 */
#define X 32
#define Y 4
#define AT(x, y) ((y) * (X + 2) + (x))

/* Point (x, y) of the tile and, for those at its edge, the border beyond. */
static void load_plane(__local float *plane, const __global float *from, int i, int j, int nx, int ny)
{
	const int x = get_local_id(0) + 1, y = get_local_id(1) + 1;
	const int at = i + nx * j;

	plane[AT(x, y)] = from[at];
	if (x == 1 && i > 0)
		plane[AT(0, y)] = from[at - 1];
	if (x == X && i < nx - 1)
		plane[AT(X + 1, y)] = from[at + 1];
	if (y == 1 && j > 0)
		plane[AT(x, 0)] = from[at - nx];
	if (y == Y && j < ny - 1)
		plane[AT(x, Y + 1)] = from[at + nx];
}

__kernel void lps(const __global float *from, __global float *to, int nx, int ny, int nz,
		  __local float *tile)
{
	const int i = get_global_id(0), j = get_global_id(1), plane = nx * ny;
	const int x = get_local_id(0) + 1, y = get_local_id(1) + 1;
	const int inner = i > 0 && i < nx - 1 && j > 0 && j < ny - 1;
	float below = 0.0f, here = from[i + nx * j], above;

	for (int k = 0; k < nz; k++) {
		const int at = i + nx * j + plane * k;

		barrier(CLK_LOCAL_MEM_FENCE);
		load_plane(tile, from + plane * k, i, j, nx, ny);
		above = k < nz - 1 ? from[at + plane] : 0.0f;
		barrier(CLK_LOCAL_MEM_FENCE);
		if (inner && k > 0 && k < nz - 1)
			to[at] = (below + above + tile[AT(x - 1, y)] + tile[AT(x + 1, y)] +
				  tile[AT(x, y - 1)] + tile[AT(x, y + 1)]) * (1.0f / 6.0f);
		else
			to[at] = here;
		below = here;
		here = above;
	}
}
