/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Temperatures of a chip from the power of its cells: two time steps a launch, each on a tile of
 * 16 x 16 cells in shared memory of which one ring less is right after each step,
 * so blocks overlap and write 12 x 12 cells.  Cells at the edge of the chip are their own
 * neighbours beyond it.
 */
#define TILE 16
#define STEPS 2
#define OUT (TILE - 2 * STEPS)

__global__ void hotspot(const float *from, const float *power, float *to, int width, int height,
			float spread, float sink, float ambient)
{
	__shared__ float tile[TILE][TILE];
	const int lx = threadIdx.x, ly = threadIdx.y;
	const int x = (int)blockIdx.x * OUT + lx - STEPS;
	const int y = (int)blockIdx.y * OUT + ly - STEPS;
	const int inside = x >= 0 && x < width && y >= 0 && y < height;
	float heat = 0.0f, next = 0.0f;

	if (inside) {
		next = tile[ly][lx] = from[y * width + x];
		heat = power[y * width + x];
	}
	for (int step = 1; step <= STEPS; step++) {
		const int good =
		    inside && lx >= step && lx < TILE - step && ly >= step && ly < TILE - step;

		__syncthreads();
		if (good) {
			const float here = tile[ly][lx];
			const float west = x > 0 ? tile[ly][lx - 1] : here;
			const float east = x < width - 1 ? tile[ly][lx + 1] : here;
			const float north = y > 0 ? tile[ly - 1][lx] : here;
			const float south = y < height - 1 ? tile[ly + 1][lx] : here;

			next = here + heat + spread * (west + east + north + south - 4.0f * here) +
			       sink * (ambient - here);
		}
		__syncthreads();
		if (good)
			tile[ly][lx] = next;
	}
	if (inside && lx >= STEPS && lx < TILE - STEPS && ly >= STEPS && ly < TILE - STEPS)
		to[y * width + x] = next;
}
