/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions called through pointers: from tables, from the host, of classes.  Constants that are read through pointers.
 */
#include <new>
#include "common.h"

typedef float (*step)(float, float);

__device__ float add(float a, float b) { return a + b; }
__device__ float multiply(float a, float b) { return a * b; }
__device__ float newest(float, float b) { return b; }
template <int N> __device__ float power(float a, float)
{
	float p = 1;
	for (int i = 0; i < N; i++)
		p *= a;
	return p;
}

__device__ step table[4] = { add, multiply, newest, power<3> };
__device__ step chosen = multiply;

__global__ void by_table(float *out, const int *which)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = table[which[i]]((float)i, 2);
}

__global__ void by_argument(float *out, step f)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = f(out[i], 3);
}

/* A fold that takes what to fold with. */
__device__ float fold(step f, const float *from, int n)
{
	float all = from[0];

	for (int i = 1; i < n; i++)
		all = f(all, from[i]);
	return all;
}

__global__ void folds(float *out, const float *in)
{
	out[0] = fold(add, in, 32);
	out[1] = fold(newest, in, 32);
	out[2] = fold([](float a, float b) { return a > b ? a : b; }, in, 32);
}

struct vector { float x, y, z; };

class Solid {
public:
	__device__ virtual float volume(vector scale) const = 0;
	__device__ virtual int faces() const { return 0; }
	__device__ virtual ~Solid() {}
};

class Box : public Solid {
	vector size;

public:
	__device__ Box(float a, float b, float c) : size{ a, b, c } {}
	__device__ float volume(vector s) const override
	{
		return size.x * s.x * size.y * s.y * size.z * s.z;
	}
	__device__ int faces() const override { return 6; }
};

class Ball : public Solid {
	float r;
	int *dropped;

public:
	__device__ Ball(float radius, int *count) : r(radius), dropped(count) {}
	__device__ float volume(vector s) const override { return 4 * r * r * r * s.x; }
	__device__ ~Ball() override { atomicAdd(dropped, 1); }
};

__global__ void make(Solid **solid, int *dropped, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	if (i % 3)
		solid[i] = new Box(i, 2, 1);
	else
		solid[i] = new Ball(i, dropped);
}

__global__ void measure(Solid **solid, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = solid[i]->volume({ 2, 1, 3 }) + solid[i]->faces();
}

__global__ void drop(Solid **solid, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		delete solid[i];
}

static bool classes()
{
	const int n = 100;
	Solid **solid;
	float *out;
	int *dropped;
	bool good = true;

	CHECK(cudaMalloc(&solid, n * sizeof *solid));
	CHECK(cudaMallocManaged(&out, n * sizeof *out));
	CHECK(cudaMallocManaged(&dropped, sizeof *dropped));
	*dropped = 0;
	make<<<4, 32>>>(solid, dropped, n);
	measure<<<4, 32>>>(solid, out, n);
	drop<<<4, 32>>>(solid, n);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++)
		good &= out[i] == (i % 3 ? 12.0f * i + 6 : 8.0f * i * i * i);
	return good && *dropped == (n + 2) / 3;
}

/* Constants of each memory, one of which begins with the address of another. */
struct link {
	int value;
	float scale[2];
	const link *next;
};
__device__ const link last = { 7, { 1, 2 }, nullptr };
__device__ const link first = { 3, { 4, 5 }, &last };
__constant__ const link fixed[2] = { { 11, { 6, 7 }, &first }, { 13, { 8, 9 }, nullptr } };
__device__ __noinline__ float along(const link *l, int i)
{
	float sum = 0;

	for (; l; l = l->next)
		sum += l->value * l->scale[i & 1];
	return sum;
}
__global__ void constants(float *out)
{
	int i = threadIdx.x;
	const link *l = i & 1 ? &first : &fixed[i >> 1 & 1];

	out[i] = along(l, i >> 2) + (l->next == &last);
}
static bool read_through_pointers(float *out)
{
	const float of_last[2] = { 7, 14 }, of_first[2] = { 12, 15 };
	const float of_fixed[2][2] = { { 66, 77 }, { 104, 117 } };
	bool good = true;

	constants<<<1, 32>>>(out);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 32; i++) {
		int k = i >> 2 & 1, second = i >> 1 & 1;
		float tail = of_first[k] + of_last[k];
		float want = i & 1 ? tail + 1 : of_fixed[second][k] + (second ? 0 : tail);

		good &= out[i] == want;
	}
	return good;
}

int main()
{
	const int n = 256;
	float *out, *in;
	int *which;
	step f;
	bool good = true;

	CHECK(cudaMallocManaged(&out, n * sizeof *out));
	CHECK(cudaMallocManaged(&in, n * sizeof *in));
	CHECK(cudaMallocManaged(&which, n * sizeof *which));
	for (int i = 0; i < n; i++) {
		which[i] = i * 7 % 4;
		in[i] = (float)(i % 19);
	}
	by_table<<<2, 128>>>(out, which);
	CHECK(cudaMemcpyFromSymbol(&f, chosen, sizeof f));
	by_argument<<<2, 128>>>(out, f);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++) {
		float x = (float)i, want[4] = { x + 2, x * 2, 2, x * x * x };

		good &= out[i] == 3 * want[which[i]];
	}
	folds<<<1, 1>>>(out, in);
	CHECK(cudaDeviceSynchronize());
	good &= out[0] == 171 + 78 && out[1] == 12 && out[2] == 18;
	good &= classes() && read_through_pointers(out);
	return passed(good);
}
