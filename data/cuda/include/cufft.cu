/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cufft.cu -- the calls of cufft.h by kernels of ours: what -lcufft links.
 *
 * Data is gathered into an array without gaps, transformed along each axis and scattered.  Along an
 * axis of n = r1 r2 ... elements there is a pass for each factor, four where it divides, from one
 * array to another, which leaves them in order (Stockham; as in Govindaraju et al., High
 * Performance Discrete Fourier Transforms on Graphics Processors, SC 2008, section 4): any n, in
 * n (r1 + r2 + ...) steps.  Sums are of doubles.  Requests to memory are those of these kernels,
 * not those of NVIDIA's library.
 */
#include <cufft.h>
#include <stdlib.h>

#define THREADS 256
#define PLANS	1024

namespace
{
struct layout { /* where element (b, x, y, z) is */
	int embed[3];
	long long stride, distance;
};

struct plan {
	bool used, made;
	cufftType type;
	int n[3], batch; /* of a shorter rank the first axes are 1 */
	layout in, out;
	bool basic; /* without gaps, as the type has it */
	cudaStream_t stream;
	void *work[2];
};

plan plans[PLANS];

__host__ __device__ long long place(const layout &l, long long b, long long x, long long y, long long z)
{
	return b * l.distance + ((x * l.embed[1] + y) * l.embed[2] + z) * l.stride;
}

struct index3 {
	long long b, x, y, z;
};

__device__ index3 index_of(long long i, const int *n)
{
	index3 r;

	r.z = i % n[2];
	i /= n[2];
	r.y = i % n[1];
	i /= n[1];
	r.x = i % n[0];
	r.b = i / n[0];
	return r;
}

struct sizes {
	int n[3], batch;
};

__device__ long long thread() { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
__host__ __device__ long long count_of(const sizes &s)
{
	return (long long)s.n[0] * s.n[1] * s.n[2] * s.batch;
}

template <class Z> __global__ void gather_complex(const Z *in, Z *work, sizes s, layout l)
{
	long long i = thread();

	if (i < count_of(s)) {
		index3 at = index_of(i, s.n);
		work[i] = in[place(l, at.b, at.x, at.y, at.z)];
	}
}
template <class Z, class R> __global__ void gather_real(const R *in, Z *work, sizes s, layout l)
{
	long long i = thread();

	if (i < count_of(s)) {
		index3 at = index_of(i, s.n);
		work[i] = Z{ in[place(l, at.b, at.x, at.y, at.z)], 0 };
	}
}
/* Of a real result's spectrum half is there; the rest are the conjugates. */
template <class Z> __global__ void gather_half(const Z *in, Z *work, sizes s, layout l)
{
	long long i = thread();

	if (i < count_of(s)) {
		index3 at = index_of(i, s.n);
		bool there = at.z <= s.n[2] / 2;
		Z v;

		if (!there) {
			at.x = (s.n[0] - at.x) % s.n[0];
			at.y = (s.n[1] - at.y) % s.n[1];
			at.z = s.n[2] - at.z;
		}
		v = in[place(l, at.b, at.x, at.y, at.z)];
		work[i] = there ? v : Z{ v.x, -v.y };
	}
}
template <class Z> __global__ void scatter_complex(const Z *work, Z *out, sizes s, layout l)
{
	long long i = thread();

	if (i < count_of(s)) {
		index3 at = index_of(i, s.n);
		out[place(l, at.b, at.x, at.y, at.z)] = work[i];
	}
}
template <class Z, class R> __global__ void scatter_real(const Z *work, R *out, sizes s, layout l)
{
	long long i = thread();

	if (i < count_of(s)) {
		index3 at = index_of(i, s.n);
		out[place(l, at.b, at.x, at.y, at.z)] = work[i].x;
	}
}
template <class Z> __global__ void scatter_half(const Z *work, Z *out, sizes s, layout l)
{
	long long i = thread();

	if (i < count_of(s)) {
		index3 at = index_of(i, s.n);
		if (at.z <= s.n[2] / 2)
			out[place(l, at.b, at.x, at.y, at.z)] = work[i];
	}
}

/* One pass of radix r along an axis of n elements `inner` apart: `done` is the product of the
 * radices before.  A thread makes one element. */
template <class Z> __global__ void pass(const Z *in, Z *out, long long count, long long n,
					long long inner, long long done, int r, int sign)
{
	long long i = thread(), at, first, k, j, q, turn;
	double re = 0, im = 0, s, c;

	if (i >= count)
		return;
	at = i / inner % n;
	first = i / inner / n * n * inner + i % inner;
	q = at / done % r;
	k = at % done;
	j = at / done / r * done + k;
	turn = done * r;
	for (int p = 0; p < r; p++) {
		Z v = in[first + (j + p * (n / r)) * inner];

		if (p == 0) {
			re = v.x;
			im = v.y;
			continue;
		}
		sincospi(2.0 * (double)(p * (k + q * done) % turn) / (double)turn, &s, &c);
		s *= sign;
		re += v.x * c - v.y * s;
		im += v.x * s + v.y * c;
	}
	out[i].x = re;
	out[i].y = im;
}

int factor_of(long long n)
{
	if (n % 4 == 0)
		return 4;
	for (int r = 2; (long long)r * r <= n; r++) {
		if (n % r == 0)
			return r;
	}
	return (int)n;
}

unsigned blocks(long long count) { return (unsigned)((count + THREADS - 1) / THREADS); }

/* Along all axes, from work[0]; the result's array. */
template <class Z> Z *transform(const plan &p, const sizes &s, int sign)
{
	Z *from = (Z *)p.work[0], *to = (Z *)p.work[1], *other;
	long long count = count_of(s), inner = 1;

	for (int axis = 2; axis >= 0; axis--) {
		long long n = s.n[axis];

		for (long long done = 1; done < n;) {
			int r = factor_of(n / done);

			pass<Z><<<blocks(count), THREADS, 0, p.stream>>>(from, to, count, n, inner, done,
									 r, sign);
			done *= r;
			other = from;
			from = to;
			to = other;
		}
		inner *= n;
	}
	return from;
}

bool is_double(cufftType t) { return t == CUFFT_Z2Z || t == CUFFT_D2Z || t == CUFFT_Z2D; }
bool from_real(cufftType t) { return t == CUFFT_R2C || t == CUFFT_D2Z; }
bool to_real(cufftType t) { return t == CUFFT_C2R || t == CUFFT_Z2D; }

layout packed(const plan &p, int last)
{
	return layout{ { p.n[0], p.n[1], last }, 1, (long long)p.n[0] * p.n[1] * last };
}

template <class Z, class R> cufftResult run(plan &p, void *in, void *out, int sign)
{
	sizes s = { { p.n[0], p.n[1], p.n[2] }, p.batch };
	layout from = p.in, to = p.out;
	long long count = count_of(s);
	Z *work = (Z *)p.work[0];
	int half = p.n[2] / 2 + 1;

	/* In place the rows of numbers are as long as those of their spectrum. */
	if (p.basic && in == out && from_real(p.type))
		from = packed(p, 2 * half);
	if (p.basic && in == out && to_real(p.type))
		to = packed(p, 2 * half);
	if (from_real(p.type))
		gather_real<Z, R><<<blocks(count), THREADS, 0, p.stream>>>((const R *)in, work, s, from);
	else if (to_real(p.type))
		gather_half<Z><<<blocks(count), THREADS, 0, p.stream>>>((const Z *)in, work, s, from);
	else
		gather_complex<Z><<<blocks(count), THREADS, 0, p.stream>>>((const Z *)in, work, s, from);
	work = transform<Z>(p, s, sign);
	if (from_real(p.type))
		scatter_half<Z><<<blocks(count), THREADS, 0, p.stream>>>(work, (Z *)out, s, to);
	else if (to_real(p.type))
		scatter_real<Z, R><<<blocks(count), THREADS, 0, p.stream>>>(work, (R *)out, s, to);
	else
		scatter_complex<Z><<<blocks(count), THREADS, 0, p.stream>>>(work, (Z *)out, s, to);
	return cudaPeekAtLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

plan *find(cufftHandle h) { return h > 0 && h < PLANS && plans[h].used ? &plans[h] : nullptr; }

cufftResult execute(cufftHandle h, cufftType type, void *in, void *out, int sign)
{
	plan *p = find(h);

	if (!p || !p->made)
		return CUFFT_INVALID_PLAN;
	if (p->type != type)
		return CUFFT_INVALID_TYPE;
	if (!in || !out || (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE))
		return CUFFT_INVALID_VALUE;
	return is_double(type) ? run<double2, double>(*p, in, out, sign)
			       : run<float2, float>(*p, in, out, sign);
}

/* As much as embed has axes; the first one is not asked for. */
layout embedded(int rank, const int *embed, int stride, int distance)
{
	layout l = { { 1, 1, 1 }, stride, distance };

	for (int i = 0; i < rank; i++)
		l.embed[3 - rank + i] = embed[i];
	return l;
}
}

extern "C" {
cufftResult cufftCreate(cufftHandle *h)
{
	for (int i = 1; i < PLANS; i++) {
		if (!plans[i].used) {
			plans[i] = plan();
			plans[i].used = true;
			*h = i;
			return CUFFT_SUCCESS;
		}
	}
	return CUFFT_ALLOC_FAILED;
}
cufftResult cufftMakePlanMany(cufftHandle h, int rank, int *n, int *inembed, int istride, int idist,
			      int *onembed, int ostride, int odist, cufftType type, int batch,
			      size_t *bytes)
{
	plan *p = find(h);
	long long count = batch;

	if (!p || p->made)
		return CUFFT_INVALID_PLAN;
	if (rank < 1 || rank > 3 || batch < 1)
		return CUFFT_INVALID_VALUE;
	p->n[0] = p->n[1] = 1;
	for (int i = 0; i < rank; i++) {
		if (n[i] < 1)
			return CUFFT_INVALID_SIZE;
		p->n[3 - rank + i] = n[i];
		count *= n[i];
	}
	p->type = type;
	p->batch = batch;
	p->basic = !inembed || !onembed;
	p->in = packed(*p, to_real(type) ? p->n[2] / 2 + 1 : p->n[2]);
	p->out = packed(*p, from_real(type) ? p->n[2] / 2 + 1 : p->n[2]);
	if (!p->basic) {
		p->in = embedded(rank, inembed, istride, idist);
		p->out = embedded(rank, onembed, ostride, odist);
	}
	count *= is_double(type) ? sizeof(double2) : sizeof(float2);
	for (int i = 0; i < 2; i++) {
		if (cudaMalloc(&p->work[i], (size_t)count) != cudaSuccess)
			return CUFFT_ALLOC_FAILED;
	}
	p->made = true;
	if (bytes)
		*bytes = 2 * (size_t)count;
	return CUFFT_SUCCESS;
}
cufftResult cufftMakePlan1d(cufftHandle h, int n, cufftType type, int batch, size_t *bytes)
{
	return cufftMakePlanMany(h, 1, &n, NULL, 1, n, NULL, 1, n, type, batch, bytes);
}
cufftResult cufftMakePlan2d(cufftHandle h, int n0, int n1, cufftType type, size_t *bytes)
{
	int n[2] = { n0, n1 };

	return cufftMakePlanMany(h, 2, n, NULL, 1, 0, NULL, 1, 0, type, 1, bytes);
}
cufftResult cufftMakePlan3d(cufftHandle h, int n0, int n1, int n2, cufftType type, size_t *bytes)
{
	int n[3] = { n0, n1, n2 };

	return cufftMakePlanMany(h, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1, bytes);
}
cufftResult cufftPlanMany(cufftHandle *h, int rank, int *n, int *inembed, int istride, int idist,
			  int *onembed, int ostride, int odist, cufftType type, int batch)
{
	cufftResult r = cufftCreate(h);

	if (r == CUFFT_SUCCESS)
		r = cufftMakePlanMany(*h, rank, n, inembed, istride, idist, onembed, ostride, odist,
				      type, batch, NULL);
	if (r != CUFFT_SUCCESS)
		(void)cufftDestroy(*h);
	return r;
}
cufftResult cufftPlan1d(cufftHandle *h, int n, cufftType type, int batch)
{
	return cufftPlanMany(h, 1, &n, NULL, 1, n, NULL, 1, n, type, batch);
}
cufftResult cufftPlan2d(cufftHandle *h, int n0, int n1, cufftType type)
{
	int n[2] = { n0, n1 };

	return cufftPlanMany(h, 2, n, NULL, 1, 0, NULL, 1, 0, type, 1);
}
cufftResult cufftPlan3d(cufftHandle *h, int n0, int n1, int n2, cufftType type)
{
	int n[3] = { n0, n1, n2 };

	return cufftPlanMany(h, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1);
}
cufftResult cufftXtMakePlanMany(cufftHandle h, int rank, long long *n, long long *inembed,
				long long istride, long long idist, cudaDataType itype,
				long long *onembed, long long ostride, long long odist,
				cudaDataType otype, long long batch, size_t *bytes, cudaDataType)
{
	static const struct {
		cudaDataType in, out;
		cufftType type;
	} row[] = { { CUDA_C_32F, CUDA_C_32F, CUFFT_C2C }, { CUDA_R_32F, CUDA_C_32F, CUFFT_R2C },
		    { CUDA_C_32F, CUDA_R_32F, CUFFT_C2R }, { CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z },
		    { CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z }, { CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D } };
	int size[3], from[3], to[3];

	if (rank < 1 || rank > 3)
		return CUFFT_INVALID_VALUE;
	for (int i = 0; i < rank; i++) {
		size[i] = (int)n[i];
		from[i] = inembed ? (int)inembed[i] : 0;
		to[i] = onembed ? (int)onembed[i] : 0;
	}
	for (const auto &r : row) {
		if (r.in == itype && r.out == otype)
			return cufftMakePlanMany(h, rank, size, inembed ? from : NULL, (int)istride,
						 (int)idist, onembed ? to : NULL, (int)ostride,
						 (int)odist, r.type, (int)batch, bytes);
	}
	return CUFFT_NOT_SUPPORTED;
}
cufftResult cufftXtExec(cufftHandle h, void *in, void *out, int direction)
{
	plan *p = find(h);
	bool real = p && p->type != CUFFT_C2C && p->type != CUFFT_Z2Z;

	if (!p)
		return CUFFT_INVALID_PLAN;
	return execute(h, p->type, in, out,
		       !real ? direction : to_real(p->type) ? CUFFT_INVERSE : CUFFT_FORWARD);
}
cufftResult cufftGetSize(cufftHandle h, size_t *bytes)
{
	plan *p = find(h);

	if (!p || !p->made)
		return CUFFT_INVALID_PLAN;
	*bytes = 2 * (size_t)p->n[0] * p->n[1] * p->n[2] * p->batch *
		 (is_double(p->type) ? sizeof(double2) : sizeof(float2));
	return CUFFT_SUCCESS;
}
cufftResult cufftSetStream(cufftHandle h, cudaStream_t stream)
{
	plan *p = find(h);

	if (!p)
		return CUFFT_INVALID_PLAN;
	p->stream = stream;
	return CUFFT_SUCCESS;
}
/* Work areas are our own. */
cufftResult cufftSetAutoAllocation(cufftHandle h, int)
{
	return find(h) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetWorkArea(cufftHandle h, void *)
{
	return find(h) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftDestroy(cufftHandle h)
{
	plan *p = find(h);

	if (!p)
		return CUFFT_INVALID_PLAN;
	for (int i = 0; i < 2; i++)
		(void)cudaFree(p->work[i]);
	*p = plan();
	return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int *version)
{
	*version = CUFFT_VERSION;
	return CUFFT_SUCCESS;
}
cufftResult cufftExecC2C(cufftHandle h, cufftComplex *in, cufftComplex *out, int direction)
{
	return execute(h, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle h, cufftReal *in, cufftComplex *out)
{
	return execute(h, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle h, cufftComplex *in, cufftReal *out)
{
	return execute(h, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle h, cufftDoubleComplex *in, cufftDoubleComplex *out,
			 int direction)
{
	return execute(h, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle h, cufftDoubleReal *in, cufftDoubleComplex *out)
{
	return execute(h, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle h, cufftDoubleComplex *in, cufftDoubleReal *out)
{
	return execute(h, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
}
