// SPDX-License-Identifier: GPL-3.0-or-later
// OpenCL kernels with one fault each, and the same without it: cases says which, ../validate-advice asks.

// ---- uncoalesced ----

// A work-item has a row of a matrix.
__kernel void rows(__global const float *m, __global const float *x, __global float *y, int width)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < width; k++)
		sum += m[i * width + k] * x[k];
	y[i] = sum;
}

__kernel void rows_mended(__global const float *m, __global const float *x, __global float *y, int width)
{
	int i = get_global_id(0), n = get_global_size(0);
	float sum = 0;

	for (int k = 0; k < width; k++)
		sum += m[k * n + i] * x[k];
	y[i] = sum;
}

// x of the index goes down the image.
__kernel void bright(__global const float *in, __global float *out, int width, float gain)
{
	int row = get_global_id(0), column = get_global_id(1);

	out[row * width + column] = in[row * width + column] * gain + 1;
}

__kernel void bright_mended(__global const float *in, __global float *out, int width, float gain)
{
	int column = get_global_id(0), row = get_global_id(1);

	out[row * width + column] = in[row * width + column] * gain + 1;
}

// Bands of a pixel lie beside one another; mended, a plane each.
__kernel void bands(__global const float *cube, __global float *out, int count)
{
	int i = get_global_id(0);
	float least = 1e9f, most = -1e9f;

	for (int b = 0; b < count; b += 2) {
		float v = cube[i * count + b];

		least = fmin(least, v);
		most = fmax(most, v);
	}
	out[i] = most - least;
}

__kernel void bands_mended(__global const float *cube, __global float *out, int count)
{
	int i = get_global_id(0), n = get_global_size(0);
	float least = 1e9f, most = -1e9f;

	for (int b = 0; b < count; b += 2) {
		float v = cube[b * n + i];

		least = fmin(least, v);
		most = fmax(most, v);
	}
	out[i] = most - least;
}

// ---- conflict ----

// A window moves down the columns of an image whose pitch is a power of two.
__kernel void window_down(__global const float *in, __global float *out, int pitch, int rows, int taps)
{
	int i = get_global_id(0);
	float most = 0;

	for (int r = 0; r + taps <= rows; r++) {
		float sum = 0;

		for (int t = 0; t < taps; t++)
			sum += in[(r + t) * pitch + i];
		most = fmax(most, sum);
	}
	out[i] = most;
}

// Channels of a pixel, planes apart, for each of several filters.
__kernel void filters(__global const float *in, __global const float *weight, __global float *out, int plane,
		      int channels, int count)
{
	int p = get_global_id(0);

	for (int f = 0; f < count; f++) {
		float sum = 0;

		for (int c = 0; c < channels; c++)
			sum += in[c * plane + p] * weight[f * channels + c];
		out[f * get_global_size(0) + p] = sum;
	}
}

// Butterflies of a group's own points, at distances of powers of two; several times.
__kernel void butterflies(__global float *data, int log, int apart)
{
	int t = get_local_id(0);
	__global float *own = data + get_group_id(0) * 64;

	for (int pass = 0; pass < 6; pass++)
		for (int l = 0; l < log; l++) {
			int low = t & ((1 << l) - 1), i = (t - low) * 2 + low;
			float a = own[(i / 64) * apart + i % 64],
			      b = own[((i + (1 << l)) / 64) * apart + (i + (1 << l)) % 64];

			if (pass == 5) {
				own[(i / 64) * apart + i % 64] = a + b;
				own[((i + (1 << l)) / 64) * apart + (i + (1 << l)) % 64] = a - b;
			}
		}
}

// ---- a tile that is too large ----

// A signal's segment is correlated with itself at many shifts.
__kernel void shifts(__global const float *in, __global float *out, int length, int count)
{
	int t = get_local_id(0), n = get_local_size(0);
	__global const float *own = in + get_group_id(0) * length;

	for (int s = 0; s < count; s++) {
		float sum = 0;

		for (int k = t; k < length; k += n)
			sum += own[k] * (s + 1);
		out[(get_group_id(0) * count + s) * n + t] = sum;
	}
}

// The same by pieces.
__kernel void shifts_pieces(__global const float *in, __global float *out, int length, int count, int piece)
{
	int t = get_local_id(0), n = get_local_size(0);
	__global const float *own = in + get_group_id(0) * length;

	for (int p = 0; p < length; p += piece)
		for (int s = 0; s < count; s++) {
			float sum = 0;

			for (int k = p + t; k < p + piece; k += n)
				sum += own[k] * (s + 1);
			out[(get_group_id(0) * count + s) * n + t] = sum;
		}
}

// Sweeps over a group's own points; shared memory that nothing uses keeps other groups away.
__kernel void sweeps(__global const float *in, __global float *out, int length, int count)
{
	int t = get_local_id(0), n = get_local_size(0);
	__global const float *own = in + get_group_id(0) * length;
	float sum = 0;

	for (int s = 0; s < count; s++)
		for (int k = t; k + n < length; k += n)
			sum = sum * 0.5f + own[k] - own[k + n];
	out[get_global_id(0)] = sum;
}

__kernel void sweeps_room(__global const float *in, __global float *out, int length, int count,
			  __local float *room)
{
	int t = get_local_id(0), n = get_local_size(0);
	__global const float *own = in + get_group_id(0) * length;
	float sum = 0;

	for (int s = 0; s < count; s++)
		for (int k = t; k + n < length; k += n)
			sum = sum * 0.5f + own[k] - own[k + n];
	out[get_global_id(0)] = sum;
}

// Queries of a group look at the same leaf of points, 4 floats each, one query after the other.
__kernel void leaves(__global const float4 *point, __global const float *query, __global float *out, int points,
		     int queries)
{
	int t = get_local_id(0), n = get_local_size(0), g = get_group_id(0);

	for (int q = 0; q < queries; q++) {
		float near = 1e9f, at = query[g * queries + q];

		for (int k = t; k < points; k += n) {
			float4 p = point[g * points + k];

			near = fmin(near, fabs(p.x - at) + p.y * p.z + p.w);
		}
		out[(g * queries + q) * n + t] = near;
	}
}

__kernel void leaves_pieces(__global const float4 *point, __global const float *query, __global float *out,
			    int points, int queries, int piece)
{
	int t = get_local_id(0), n = get_local_size(0), g = get_group_id(0);

	for (int first = 0; first < points; first += piece)
		for (int q = 0; q < queries; q++) {
			float near = 1e9f, at = query[g * queries + q];

			for (int k = first + t; k < first + piece; k += n) {
				float4 p = point[g * points + k];

				near = fmin(near, fabs(p.x - at) + p.y * p.z + p.w);
			}
			out[(g * queries + q) * n + t] = near;
		}
}

// ---- streaming ----

// A dictionary that all use, and text that passes by once.
__kernel void codes(__global const float *book, __global const uint *text, __global float *out, int words, int each)
{
	int i = get_global_id(0), n = get_global_size(0);
	float sum = 0;

	for (int k = 0; k < each; k++)
		sum += book[(text[k * n + i] >> 3) % words];
	out[i] = sum;
}

__kernel void codes_mended(__global const float *book, __global const uint *text, __global float *out, int words,
			   int each)
{
	int i = get_global_id(0), n = get_global_size(0);
	float sum = 0;

	for (int k = 0; k < each; k++)
		sum += book[(__builtin_nontemporal_load(&text[k * n + i]) >> 3) % words];
	out[i] = sum;
}

// Pixels become colours of a palette; two rows of weights stream along.
__kernel void palette(__global const float4 *colour, __global const uchar4 *pixel, __global const float *alpha,
		      __global float4 *out, int colours, int each)
{
	int i = get_global_id(0), n = get_global_size(0);
	float4 sum = 0;

	for (int k = 0; k < each; k++) {
		uchar4 p = pixel[k * n + i];

		sum += colour[(p.x * 4 + p.y) % colours] * alpha[k * n + i];
	}
	out[i] = sum;
}

__kernel void palette_mended(__global const float4 *colour, __global const uchar4 *pixel, __global const float *alpha,
			     __global float4 *out, int colours, int each)
{
	int i = get_global_id(0), n = get_global_size(0);
	float4 sum = 0;

	for (int k = 0; k < each; k++) {
		uchar4 p = __builtin_nontemporal_load(&pixel[k * n + i]);

		sum += colour[(p.x * 4 + p.y) % colours] * __builtin_nontemporal_load(&alpha[k * n + i]);
	}
	out[i] = sum;
}

// A wave that all groups have is written with each group's own phase.
__kernel void spread(__global const float *wave, __global float *out, int length, int times)
{
	int t = get_local_id(0), n = get_local_size(0), g = get_group_id(0);

	for (int s = 0; s < times; s++)
		for (int k = t; k < length; k += n)
			out[(g * times + s) * length + k] = wave[(k + g) % length] * s;
}

__kernel void spread_mended(__global const float *wave, __global float *out, int length, int times)
{
	int t = get_local_id(0), n = get_local_size(0), g = get_group_id(0);

	for (int s = 0; s < times; s++)
		for (int k = t; k < length; k += n)
			__builtin_nontemporal_store(wave[(k + g) % length] * s, &out[(g * times + s) * length + k]);
}

// What a group read is written out, larger; the store allocates.
__kernel void expand(__global const float *in, __global float *out, int length, int times)
{
	int t = get_local_id(0), n = get_local_size(0), g = get_group_id(0);

	for (int s = 0; s < times; s++)
		for (int k = t; k < length; k += n)
			out[(g * times + s) * length + k] = in[g * length + k] * s;
}

__kernel void expand_mended(__global const float *in, __global float *out, int length, int times)
{
	int t = get_local_id(0), n = get_local_size(0), g = get_group_id(0);

	for (int s = 0; s < times; s++)
		for (int k = t; k < length; k += n)
			__builtin_nontemporal_store(in[g * length + k] * s, &out[(g * times + s) * length + k]);
}

// ---- divergence ----

static uint mix(uint x)
{
	x ^= x >> 16;
	x *= 0x7feb352du;
	x ^= x >> 15;
	return x;
}

static float spend(__global const float *in, int i, int steps)
{
	float sum = 0;

	for (int k = 0; k < steps; k++)
		sum += in[(k * 32 + (i & 31)) & 4095];
	return sum;
}

// Items that take 4 to 35 steps; mended, those that take as many are neighbours.
__kernel void lengths(__global const float *in, __global float *out)
{
	int i = get_global_id(0);

	out[i] = spend(in, i, 4 + (mix(i) & 31));
}

__kernel void lengths_mended(__global const float *in, __global float *out)
{
	int i = get_global_id(0), n = get_global_size(0);

	out[i] = spend(in, i, 35 - (int)((long)i * 32 / n));
}

// Two branches by the bits of the number, each with its own array.
__kernel void parity(__global const float *a, __global const float *b, __global float *out, int steps)
{
	int i = get_global_id(0);

	if (popcount(i) & 1)
		out[i] = spend(a, i, steps);
	else
		out[i] = -spend(b, i, steps) * 0.5f;
}

__kernel void parity_mended(__global const float *a, __global const float *b, __global float *out, int steps)
{
	int i = get_global_id(0), t = get_local_id(0);

	if (t < get_local_size(0) / 2)
		out[i] = spend(a, i, steps);
	else
		out[i] = -spend(b, i, steps) * 0.5f;
}
