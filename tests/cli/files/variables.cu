// Variables that begin with numbers, addresses, tables of virtual functions; the last one counts launches.
struct shape {
	__device__ virtual int area(int x) const = 0;
};
struct square : shape {
	__device__ int area(int x) const override { return x * x; }
};
struct strip : shape {
	__device__ int area(int x) const override { return 10 * x; }
};
__device__ int table[4] = { 1, 2, 3, 4 };
__constant__ int steps[2] = { 50, 70 };
__device__ int *chosen = table + 1;
__device__ int counter;

__global__ void k(int *out)
{
	int i = threadIdx.x;
	square s;
	strip t;
	const shape *p = i & 1 ? (const shape *)&s : &t;

	out[i] = p->area(i) + 1000 * table[i & 3] + 10000 * *chosen + 100000 * steps[i & 1] + 100000000 * counter;
	__syncthreads();
	if (i == 0)
		counter++;
}
