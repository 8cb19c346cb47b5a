/* SPDX-License-Identifier: GPL-3.0-or-later
 * needle.cu -- Needleman-Wunsch along diagonals of tiles, in shared memory.
 */
#include "common.h"
#include <vector>

#define B 16
#define PENALTY 2

__global__ void tile_diagonal(const int *similar, int *score, int cols, int first, int diagonal)
{
	__shared__ int s[B + 1][B + 1];
	int bx = first + blockIdx.x, by = diagonal - bx, t = threadIdx.x;
	int x0 = bx * B, y0 = by * B;

	s[t + 1][0] = score[(y0 + t + 1) * cols + x0];
	s[0][t + 1] = score[y0 * cols + x0 + t + 1];
	if (t == 0)
		s[0][0] = score[y0 * cols + x0];
	__syncthreads();
	for (int d = 0; d < 2 * B - 1; d++) {
		int x = t + 1, y = d - t + 1;

		if (y >= 1 && y <= B) {
			int best = s[y - 1][x - 1] + similar[(y0 + y) * cols + x0 + x];

			best = max(best, s[y][x - 1] - PENALTY);
			s[y][x] = max(best, s[y - 1][x] - PENALTY);
		}
		__syncthreads();
	}
	for (int y = 1; y <= B; y++)
		score[(y0 + y) * cols + x0 + t + 1] = s[y][t + 1];
}

int main()
{
	const int n = 64, cols = n + 1, tiles = n / B;
	std::vector<int> similar(cols * cols), score(cols * cols, 0), got;
	int *d_similar, *d_score;
	unsigned seed = 6;

	for (auto &v : similar)
		v = (int)(next(&seed) % 10) - 4;
	for (int i = 0; i <= n; i++)
		score[i] = score[i * cols] = -i * PENALTY;
	got = score;
	CHECK(cudaMalloc(&d_similar, cols * cols * 4));
	CHECK(cudaMalloc(&d_score, cols * cols * 4));
	CHECK(cudaMemcpy(d_similar, similar.data(), cols * cols * 4, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(d_score, score.data(), cols * cols * 4, cudaMemcpyHostToDevice));
	for (int d = 0; d < 2 * tiles - 1; d++) {
		int first = max(0, d - tiles + 1), last = min(d, tiles - 1);

		tile_diagonal<<<last - first + 1, B>>>(d_similar, d_score, cols, first, d);
	}
	CHECK(cudaMemcpy(got.data(), d_score, cols * cols * 4, cudaMemcpyDeviceToHost));
	for (int y = 1; y <= n; y++)
		for (int x = 1; x <= n; x++) {
			int best = score[(y - 1) * cols + x - 1] + similar[y * cols + x];

			best = max(best, score[y * cols + x - 1] - PENALTY);
			score[y * cols + x] = max(best, score[(y - 1) * cols + x] - PENALTY);
		}
	return passed(got == score);
}
