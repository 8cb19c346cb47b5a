// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with one fault each, and the same without it.

// A work-item reads a record of 16 floats: neighbours are 64 bytes apart.
__kernel void records(__global float *out, __global const float *in, int n)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < 16; k++)
		sum += in[i * 16 + k];
	out[i] = sum;
}

__kernel void records_mended(__global float *out, __global const float *in, int n)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < 16; k++)
		sum += in[k * n + i];
	out[i] = sum;
}

// Each work-item has 12 floats of two arrays.
__kernel void pairs(__global float *out, __global const float *a, __global const float *b, int n)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < 12; k++)
		sum += a[i * 12 + k] * b[i * 12 + k];
	out[i] = sum;
}

__kernel void pairs_mended(__global float *out, __global const float *a, __global const float *b, int n)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < 12; k++)
		sum += a[k * n + i] * b[k * n + i];
	out[i] = sum;
}

// A CTA goes down the rows of its columns, again and again; the pitch is a power of two.
__kernel void columns(__global float *out, __global const float *in, int pitch, int rows)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int again = 0; again < 12; again++)
		for (int k = 0; k < rows; k++)
			sum += in[k * pitch + i];
	out[i] = sum;
}

// A CTA goes through its tile, again and again.
__kernel void tiles(__global float *out, __global const float *in, int floats)
{
	int i = get_local_id(0);
	__global const float *tile = in + get_group_id(0) * floats;
	float sum = 0;

	for (int again = 0; again < 12; again++)
		for (int k = 0; k < floats; k += get_local_size(0))
			sum += tile[k + i];
	out[get_global_id(0)] = sum;
}

// The same with shared memory that it asks for only so that fewer CTAs are on an SM.
__kernel void tiles_mended(__global float *out, __global const float *in, int floats,
			   __local float *room)
{
	int i = get_local_id(0);
	__global const float *tile = in + get_group_id(0) * floats;
	float sum = 0;

	for (int again = 0; again < 12; again++)
		for (int k = 0; k < floats; k += get_local_size(0))
			sum += tile[k + i];
	out[get_global_id(0)] = sum;
}

// The same by pieces: all passes over one before the next.
__kernel void tiles_pieces(__global float *out, __global const float *in, int floats, int piece)
{
	int i = get_local_id(0);
	__global const float *tile = in + get_group_id(0) * floats;
	float sum = 0;

	for (int first = 0; first < floats; first += piece)
		for (int again = 0; again < 12; again++)
			for (int k = first; k < first + piece; k += get_local_size(0))
				sum += tile[k + i];
	out[get_global_id(0)] = sum;
}

// A table is used again and again, and what is written in between goes through the same cache.
__kernel void stream(__global float *out, __global const float *table, int floats, int n)
{
	int i = get_local_id(0);

	for (int k = 0; k < n; k++)
		out[(get_group_id(0) * n + k) * get_local_size(0) + i] =
			table[(k * get_local_size(0) + i) % floats];
}

// The same, where it goes past the L1.
__kernel void stream_mended(__global float *out, __global const float *table, int floats, int n)
{
	int i = get_local_id(0);

	for (int k = 0; k < n; k++)
		__builtin_nontemporal_store(table[(k * get_local_size(0) + i) % floats],
					    &out[(get_group_id(0) * n + k) * get_local_size(0) + i]);
}

// Every other work-item takes the other branch.
__kernel void branches(__global float *out, __global const float *a, __global const float *b, int n)
{
	int t = get_local_id(0), pairs = get_local_size(0) / 2, i = t / 2;
	int base = get_group_id(0) * pairs;
	float sum = 0;

	if (t % 2)
		for (int k = 0; k < n; k++)
			sum += a[(base + i + k * 32) % 8192] * k;
	else
		for (int k = 0; k < n; k++)
			sum -= b[(base + i + k * 32) % 8192] / (k + 1);
	out[get_global_id(0)] = sum;
}

__kernel void branches_mended(__global float *out, __global const float *a, __global const float *b,
			      int n)
{
	int t = get_local_id(0), pairs = get_local_size(0) / 2, i = t % pairs;
	int base = get_group_id(0) * pairs;
	float sum = 0;

	if (t < pairs)
		for (int k = 0; k < n; k++)
			sum += a[(base + i + k * 32) % 8192] * k;
	else
		for (int k = 0; k < n; k++)
			sum -= b[(base + i + k * 32) % 8192] / (k + 1);
	out[get_group_id(0) * get_local_size(0) + 2 * i + (t < pairs)] = sum;
}

// Lanes look up elements of a table that are far apart.
__kernel void lookups(__global float *out, __global const float *table, __global const uint *key, int n)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += table[(key[i] + k * 531) & 2047];
	out[i] = sum;
}

// The same in shared memory.
__kernel void lookups_mended(__global float *out, __global const float *table, __global const uint *key,
			     int n)
{
	__local float own[2048];
	int i = get_global_id(0);
	float sum = 0;

	for (int k = get_local_id(0); k < 2048; k += get_local_size(0))
		own[k] = table[k];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int k = 0; k < n; k++)
		sum += own[(key[i] + k * 531) & 2047];
	out[i] = sum;
}

// As stream, with two arrays that are written.
__kernel void streams(__global float *a, __global float *b, __global const float *table, int floats, int n)
{
	int i = get_global_id(0), all = get_global_size(0);

	for (int k = 0; k < n; k++) {
		float x = table[(k * get_local_size(0) + get_local_id(0)) % floats];

		a[k * all + i] = x;
		b[k * all + i] = -x;
	}
}

// A CTA goes through rows that are two lines wide, again and again; their pitch is a power of two.
__kernel void window(__global float *out, __global const float *in, int pitch, int rows)
{
	int i = get_local_id(0), base = get_group_id(0) * 256;
	float sum = 0;

	for (int again = 0; again < 12; again++)
		for (int r = 0; r < rows; r++)
			for (int k = 0; k < 256; k += get_local_size(0))
				sum += in[r * pitch + base + k + i];
	out[get_global_id(0)] = sum;
}

// Six arrays that lie a multiple of a way apart.
__kernel void products(__global float *out, __global const float *a, __global const float *b, __global const float *c,
		       __global const float *d, __global const float *e, __global const float *f, int n)
{
	int i = get_local_id(0), base = get_group_id(0) * 64;
	float sum = 0;

	for (int k = 0; k < n; k++) {
		int j = base + (i + k) % 64;

		sum += a[j] * b[j] + c[j] * d[j] + e[j] * f[j];
	}
	out[get_global_id(0)] = sum;
}

// A work-item goes through bytes of its own.
__kernel void parse(__global uint *out, __global const uchar *text, int bytes)
{
	int i = get_global_id(0);
	uint hash = 0;

	for (int k = 0; k < bytes; k++)
		hash = hash * 31 + text[i * bytes + k];
	out[i] = hash;
}

/* Each work-item reads words around a place that data says. */
__kernel void gather(__global float *out, __global const float *table, __global const int *place)
{
	int i = get_global_id(0);
	float sum = 0;

	for (int k = 0; k < 8; k++)
		sum += table[place[i] ^ k];
	out[i] = sum;
}
