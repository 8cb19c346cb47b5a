/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CUDA kernels with one fault each, and the same without it: cases says which, ../validate-advice asks. */

/* ---- uncoalesced ---- */

struct body { float x, y, z, mass, vx, vy, vz, charge; };

__global__ void kinetic(const body *b, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = 0.5f * b[i].mass * (b[i].vx * b[i].vx + b[i].vy * b[i].vy + b[i].vz * b[i].vz);
}

__global__ void kinetic_mended(const float *b, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float m = b[3 * n + i], vx = b[4 * n + i], vy = b[5 * n + i], vz = b[6 * n + i];

	out[i] = 0.5f * m * (vx * vx + vy * vy + vz * vz);
}

/* A thread has a run of neighbours of its own; mended, threads take turns. */
__global__ void runs(const float *in, float *out, int each, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float best = -1;

	for (int k = 0; k < each; k++)
		best = fmaxf(best, in[i * each + k]);
	out[i] = best;
}

__global__ void runs_mended(const float *in, float *out, int each, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float best = -1;

	for (int k = 0; k < each; k++)
		best = fmaxf(best, in[k * n + i]);
	out[i] = best;
}

/* Two vectors of a thread's own; mended, their n-th elements are neighbours. */
__global__ void dots(const float *a, const float *b, float *out, int length, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < length; k++)
		sum += a[i * length + k] * b[i * length + k];
	out[i] = sum;
}

__global__ void dots_mended(const float *a, const float *b, float *out, int length, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < length; k++)
		sum += a[k * n + i] * b[k * n + i];
	out[i] = sum;
}

/* ---- conflict ---- */

/* Eight fields, one after the other, of as many floats as a power of two. */
__global__ void fields(const float *f, float *out, int n, int steps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float u = 0;

	for (int s = 0; s < steps; s++)
		for (int c = 0; c < 8; c++)
			u = u * 0.5f + f[c * n + i];
	out[i] = u;
}

/* A panel of a matrix, rows apart by its pitch, is gone through for each of several right sides. */
__global__ void panel(const float *a, const float *b, float *out, int pitch, int rows, int sides)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;

	for (int s = 0; s < sides; s++) {
		float sum = 0;

		for (int r = 0; r < rows; r++)
			sum += a[r * pitch + column] * b[s * rows + r];
		out[s * gridDim.x * blockDim.x + column] = sum;
	}
}

/* ---- a tile that is too large ---- */

/* Points of a block are held against all centres, one after the other. */
__global__ void centres(const float *point, const float *centre, float *out, int points)
{
	const float *own = point + blockIdx.x * points;
	float sum[8] = { 0 };

#pragma unroll
	for (int c = 0; c < 8; c++)
		for (int k = threadIdx.x; k < points; k += blockDim.x)
			sum[c] += fabsf(own[k] - centre[c]);
#pragma unroll
	for (int c = 0; c < 8; c++)
		out[(blockIdx.x * 8 + c) * blockDim.x + threadIdx.x] = sum[c];
}

/* Points by pieces: each piece with all centres. */
__global__ void centres_pieces(const float *point, const float *centre, float *out, int points, int piece)
{
	const float *own = point + blockIdx.x * points;
	float sum[8] = { 0 };

	for (int p = 0; p < points; p += piece)
#pragma unroll
		for (int c = 0; c < 8; c++)
			for (int k = p + threadIdx.x; k < p + piece; k += blockDim.x)
				sum[c] += fabsf(own[k] - centre[c]);
#pragma unroll
	for (int c = 0; c < 8; c++)
		out[(blockIdx.x * 8 + c) * blockDim.x + threadIdx.x] = sum[c];
}

/* Rounds of a hash over a block's own page. */
__global__ void pages(const unsigned *page, unsigned *out, int words, int rounds)
{
	const unsigned *own = page + blockIdx.x * words;
	unsigned state = threadIdx.x;

	for (int r = 0; r < rounds; r++)
		for (int k = threadIdx.x; k < words; k += blockDim.x)
			state = (state ^ own[k]) * 0x9e3779b1u;
	out[blockIdx.x * blockDim.x + threadIdx.x] = state;
}

__global__ void pages_room(const unsigned *page, unsigned *out, int words, int rounds)
{
	extern __shared__ unsigned room[];
	const unsigned *own = page + blockIdx.x * words;
	unsigned state = threadIdx.x;

	for (int r = 0; r < rounds; r++)
		for (int k = threadIdx.x; k < words; k += blockDim.x)
			state = (state ^ own[k]) * 0x9e3779b1u;
	if (!rounds)
		room[threadIdx.x] = state;
	out[blockIdx.x * blockDim.x + threadIdx.x] = state;
}

/* A row of C a block: the rows of B are gone through again for each of several rows of A. */
__global__ void product(const float *a, const float *b, float *c, int depth, int width, int rows)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * rows;

	for (int r = row; r < row + rows; r++) {
		float sum = 0;

		for (int k = 0; k < depth; k++)
			sum += a[r * depth + k] * b[k * width + column];
		c[r * width + column] = sum;
	}
}

__global__ void product_pieces(const float *a, const float *b, float *c, int depth, int width,
			       int rows, int piece)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * rows;

	for (int p = 0; p < depth; p += piece)
		for (int r = row; r < row + rows; r++) {
			float sum = p ? c[r * width + column] : 0;

			for (int k = p; k < p + piece; k++)
				sum += a[r * depth + k] * b[k * width + column];
			c[r * width + column] = sum;
		}
}

/* ---- streaming ---- */

/* Keys are looked up in buckets of four, four keys at a time. */
__global__ void joins(const float4 *bucket, const uint4 *key, float *out, int buckets, int each, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < each; k++) {
		uint4 q = key[k * n + i];
		float4 x = bucket[q.x % buckets], y = bucket[q.w % buckets];

		sum += x.x * y.y + x.z * y.w;
	}
	out[i] = sum;
}

__global__ void joins_mended(const float4 *bucket, const uint4 *key, float *out, int buckets, int each, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < each; k++) {
		uint4 q = __ldcg(&key[k * n + i]);
		float4 x = bucket[q.x % buckets], y = bucket[q.w % buckets];

		sum += x.x * y.y + x.z * y.w;
	}
	out[i] = sum;
}

/* Scale and shift of features, for rows that stream through. */
__global__ void norms(const float *row, const float *scale, const float *shift, float *out, int features, int each,
		      int rows)
{
	int r = blockIdx.x * blockDim.y + threadIdx.y;

	for (int k = 0; k < each; k++)
		for (int f = threadIdx.x; f < features; f += blockDim.x) {
			long at = (long)(k * rows + r) * features + f;

			out[at] = row[at] * scale[f] + shift[f];
		}
}

__global__ void norms_mended(const float *row, const float *scale, const float *shift, float *out, int features,
			     int each, int rows)
{
	int r = blockIdx.x * blockDim.y + threadIdx.y;

	for (int k = 0; k < each; k++)
		for (int f = threadIdx.x; f < features; f += blockDim.x) {
			long at = (long)(k * rows + r) * features + f;

			out[at] = __ldcg(&row[at]) * scale[f] + shift[f];
		}
}

/* Weights that all blocks use, and rows of a batch that stream through. */
__global__ void gathers(const float *weight, const float *batch, float *out, int weights, int each, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < each; k++)
		sum += batch[2 * k * n + i] * batch[(2 * k + 1) * n + i] *
		       weight[(threadIdx.x + k * 544) % weights];
	out[i] = sum;
}

__global__ void gathers_mended(const float *weight, const float *batch, float *out, int weights, int each,
			       int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < each; k++)
		sum += __ldcg(&batch[2 * k * n + i]) * __ldcg(&batch[(2 * k + 1) * n + i]) *
		       weight[(threadIdx.x + k * 544) % weights];
	out[i] = sum;
}

/* ---- divergence ---- */

static __device__ unsigned mix(unsigned x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	return x;
}

static __device__ float kind_of_work(const float *a, const float *b, int kind, int i, int n, int steps)
{
	float sum = 0;

	if (kind)
		for (int k = 0; k < steps; k++)
			sum += a[(k * 96 + (i & 31)) % n] * k;
	else
		for (int k = 0; k < steps; k++)
			sum -= b[(k * 96 + (i & 31)) % n] / (k + 1);
	return sum;
}

/* Kinds of items in any order; mended, sorted. */
__global__ void kinds(const float *a, const float *b, float *out, int n, int steps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = kind_of_work(a, b, mix(i) & 1, i, n, steps);
}

__global__ void kinds_mended(const float *a, const float *b, float *out, int n, int steps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = kind_of_work(a, b, i < gridDim.x * blockDim.x / 2, i, n, steps);
}

/* Every fourth lane is at another stage; mended, every fourth quarter of a block. */
static __device__ float stage_of(const float *in, int stage, int i, int n, int steps)
{
	float sum = 1;

	switch (stage) {
	case 0:
		for (int k = 0; k < steps; k++)
			sum += in[(i + k * 32) % n];
		break;
	case 1:
		for (int k = 0; k < steps; k++)
			sum *= in[(i + k * 64) % n];
		break;
	case 2:
		for (int k = 0; k < steps; k++)
			sum -= in[(i + k * 96) % n];
		break;
	default:
		for (int k = 0; k < steps; k++)
			sum = fmaxf(sum, in[(i + k * 160) % n]);
	}
	return sum;
}

__global__ void stages(const float *in, float *out, int n, int steps)
{
	int t = threadIdx.x;

	out[blockIdx.x * blockDim.x + t] = stage_of(in, t % 4, t / 4, n, steps);
}

__global__ void stages_mended(const float *in, float *out, int n, int steps)
{
	int t = threadIdx.x, quarter = blockDim.x / 4;

	out[blockIdx.x * blockDim.x + t % quarter * 4 + t / quarter] =
		stage_of(in, t / quarter, t % quarter, n, steps);
}

/* Chains of different lengths. */
static __device__ float follow(const int *next, int at, int length)
{
	for (int k = 0; k < length; k++)
		at = next[at & 4095];
	return at;
}

__global__ void chains(const int *next, float *out, int most)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = follow(next, i, 1 + mix(i) % most);
}

__global__ void chains_mended(const int *next, float *out, int most)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;

	out[i] = follow(next, i, most - (int)((long)i * most / n));
}

/* ---- asked once, when all else was done ---- */

/* A thread's own delay line of 16 values; mended, those of neighbours are neighbours. */
__global__ void delays(const float *in, float *line, float *out, int each, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;

	for (int k = 0; k < each; k++) {
		v = 0.5f * line[t * 16 + k % 16] + in[k * n + t];
		line[t * 16 + (k + 5) % 16] = v;
	}
	out[t] = v;
}

__global__ void delays_mended(const float *in, float *line, float *out, int each, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	float v = 0;

	for (int k = 0; k < each; k++) {
		v = 0.5f * line[k % 16 * n + t] + in[k * n + t];
		line[(k + 5) % 16 * n + t] = v;
	}
	out[t] = v;
}

/* Mean and variance of tiles of 32 columns; mended by the pitch. */
__global__ void moments(const float *image, float *out, int pitch, int rows)
{
	const float *at = image + blockIdx.x * 32 + threadIdx.x;
	float sum = 0, squares = 0;

	for (int r = 0; r < rows; r++)
		sum += at[r * pitch];
	sum /= rows;
	for (int r = 0; r < rows; r++) {
		float d = at[r * pitch] - sum;

		squares += d * d;
	}
	for (int r = 1; r < rows; r++)
		squares += (at[r * pitch] - sum) * (at[(r - 1) * pitch] - sum);
	out[2 * (blockIdx.x * 32 + threadIdx.x)] = sum;
	out[2 * (blockIdx.x * 32 + threadIdx.x) + 1] = squares;
}

/* A signal of the block at several scales; mended, by pieces of the signal. */
__global__ void scales(const float *signal, float *out, int length)
{
	const float *own = signal + blockIdx.x * length;
	float energy[6] = { 0 };

#pragma unroll
	for (int s = 0; s < 6; s++)
		for (int k = threadIdx.x; k < length; k += blockDim.x) {
			float v = own[k] * (float)(1 << s);

			energy[s] += v - truncf(v);
		}
#pragma unroll
	for (int s = 0; s < 6; s++)
		out[(blockIdx.x * 6 + s) * blockDim.x + threadIdx.x] = energy[s];
}

__global__ void scales_pieces(const float *signal, float *out, int length, int piece)
{
	const float *own = signal + blockIdx.x * length;
	float energy[6] = { 0 };

	for (int p = 0; p < length; p += piece)
#pragma unroll
		for (int s = 0; s < 6; s++)
			for (int k = p + threadIdx.x; k < p + piece; k += blockDim.x) {
				float v = own[k] * (float)(1 << s);

				energy[s] += v - truncf(v);
			}
#pragma unroll
	for (int s = 0; s < 6; s++)
		out[(blockIdx.x * 6 + s) * blockDim.x + threadIdx.x] = energy[s];
}

/* Positions that are read once, between values of a table that is read again and again. */
__global__ void positions(const float *table, const float *x, const float *y, const float *z, float *out,
			int size, int each, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < each; k++) {
		int i = (k * 544 + (t & 127)) % size;

		sum += (table[i] + table[(i + size / 2) % size]) * ((x[k * n + t]) - (y[k * n + t])) * (z[k * n + t]);
	}
	out[t] = sum;
}

__global__ void positions_mended(const float *table, const float *x, const float *y, const float *z, float *out,
			int size, int each, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int k = 0; k < each; k++) {
		int i = (k * 544 + (t & 127)) % size;

		sum += (table[i] + table[(i + size / 2) % size]) * (__ldcg(&x[k * n + t]) - __ldcg(&y[k * n + t])) * __ldcg(&z[k * n + t]);
	}
	out[t] = sum;
}

/* One item of four is long; mended, the long ones are neighbours. */
static __device__ float item(const float *in, bool is_long, int t, int n)
{
	float sum = 0;

	for (int k = 0; k < (is_long ? 32 : 4); k++)
		sum += in[(k * 64 + (t & 31)) % n] * (k + 0.5f);
	return sum;
}

__global__ void quarters(const float *in, float *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;

	out[t] = item(in, mix(t) % 4 == 0, t, n);
}

__global__ void quarters_mended(const float *in, float *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;

	out[t] = item(in, t < gridDim.x * blockDim.x / 4, t, n);
}
