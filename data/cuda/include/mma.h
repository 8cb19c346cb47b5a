/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mma.h -- products of small matrices by a warp: nvcuda::wmma.
 *
 * Names and meanings are those of the CUDA C++ Programming Guide, "Warp Matrix Functions".  Which
 * lane has which element is not said there; here lane l has elements l, l + 32, ... in the order of
 * rows.  A warp reads and writes a matrix element by element, 32 at once, where hardware takes 16
 * bytes a lane: the same sectors in more instructions.  Products are exact and summed as float, as
 * double or as int; a sum that is kept as half is rounded once.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_MMA_H
#define WARPSTACK_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_letters_begin.h"

#ifdef __CUDA__
WS_DEVICE float __float_to_tf32(float f)
{
	unsigned int u = __ws_word_of(f);
	return (u & 0x7f800000) == 0x7f800000 ? f : __ws_float_of((u + 0x1000) & ~0x1fffu);
}

namespace nvcuda
{
namespace wmma
{
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}
/* Elements of less than a byte, which lie packed in words. */
namespace experimental
{
namespace precision
{
struct s4;
struct u4;
struct b1;
}
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}

namespace __ws
{
/* What an element is kept as, as what it takes part in a product, and what sums of products are. */
template <class T> struct element { typedef T kept; typedef float factor, sum; };
template <> struct element<precision::tf32> { typedef float kept, factor, sum; };
template <> struct element<double> { typedef double kept, factor, sum; };
template <> struct element<int> { typedef int kept, factor; typedef long long sum; };
template <> struct element<signed char> { typedef signed char kept, factor; typedef long long sum; };
template <> struct element<char> { typedef char kept, factor; typedef long long sum; };
template <> struct element<unsigned char> { typedef unsigned char kept, factor; typedef long long sum; };
/* Packed ones are expanded: `bits` each, 0 of others. */
template <class T> struct packed { enum { bits = 0 }; typedef int of; };
template <> struct packed<experimental::precision::s4> { enum { bits = 4 }; typedef signed char of; };
template <> struct packed<experimental::precision::u4> { enum { bits = 4 }; typedef unsigned char of; };
template <> struct packed<experimental::precision::b1> { enum { bits = 1 }; typedef unsigned char of; };
template <> struct element<experimental::precision::s4> : element<signed char> {};
template <> struct element<experimental::precision::u4> : element<unsigned char> {};
template <> struct element<experimental::precision::b1> : element<unsigned char> {};
template <class Use, int M, int N, int K> struct size { enum { rows = M, columns = N }; };
template <int M, int N, int K> struct size<matrix_a, M, N, K> { enum { rows = M, columns = K }; };
template <int M, int N, int K> struct size<matrix_b, M, N, K> { enum { rows = K, columns = N }; };

/* A factor as it takes part in a product. */
template <class T, class Kept> WS_DEVICE typename element<T>::factor factor(Kept v)
{
	return (typename element<T>::factor)v;
}
template <> __device__ inline float factor<precision::tf32, float>(float v)
{
	return __ws_float_of(__ws_word_of(v) & ~0x1fffu);
}
template <class T> WS_DEVICE T result(float sum, bool) { return (T)sum; }
template <class T> WS_DEVICE T result(double sum, bool) { return (T)sum; }
template <class T> WS_DEVICE T result(long long sum, bool saturate)
{
	if (saturate)
		sum = sum < -0x7fffffffll - 1 ? -0x7fffffffll - 1 : sum > 0x7fffffffll ? 0x7fffffffll : sum;
	return (T)sum;
}
}

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment
{
public:
	typedef typename __ws::element<T>::kept element_type;
	typedef element_type storage_element_type;
	enum { rows = __ws::size<Use, M, N, K>::rows, columns = __ws::size<Use, M, N, K>::columns };
	static const int num_elements = rows * columns / 32;
	static const int num_storage_elements = num_elements;
	element_type x[num_elements];
};

template <class F, class V> WS_DEVICE void fill_fragment(F &f, V v)
{
	for (int i = 0; i < F::num_elements; i++)
		f.x[i] = (typename F::element_type)v;
}

namespace __ws
{
/* Where lane l has its element i, in elements from the first one. */
template <class F> WS_DEVICE size_t place(int i, unsigned int ldm, bool by_rows)
{
	unsigned int e = __ws_lane() + 32u * (unsigned int)i;
	unsigned int row = e / F::columns, column = e % F::columns;
	return by_rows ? (size_t)row * ldm + column : (size_t)column * ldm + row;
}
template <class F, class V> WS_DEVICE void load(F &f, const V *p, unsigned int ldm, bool by_rows)
{
	__syncwarp();
	for (int i = 0; i < F::num_elements; i++)
		f.x[i] = p[place<F>(i, ldm, by_rows)];
}
/* Of packed elements: the word that has element e of a row (of a column), shifted to its place. */
template <class T, class F>
WS_DEVICE void load_packed(F &f, const void *p, unsigned int ldm, bool by_rows)
{
	enum { bits = packed<T>::bits };
	__syncwarp();
	for (int i = 0; i < F::num_elements; i++) {
		size_t at = place<F>(i, ldm, by_rows) * bits;
		unsigned int word = ((const unsigned int *)p)[at / 32] >> at % 32 << (32 - bits);
		f.x[i] = (typename packed<T>::of)((typename packed<T>::of)-1 < 0
						  ? (int)word >> (32 - bits)
						  : (int)(word >> (32 - bits)));
	}
}
template <class T, bool Packed> struct loads {
	template <class F, class V>
	static __device__ void from(F &f, const V *p, unsigned int ldm, bool by_rows)
	{
		load(f, p, ldm, by_rows);
	}
};
template <class T> struct loads<T, true> {
	template <class F>
	static __device__ void from(F &f, const void *p, unsigned int ldm, bool by_rows)
	{
		load_packed<T>(f, p, ldm, by_rows);
	}
};
/* All elements of all lanes.  A lane has those of its own ready before the others copy them. */
template <class T, class F> WS_DEVICE __attribute__((convergent)) void
gather(const F &f, typename element<T>::factor *all)
{
	typedef typename element<T>::factor E;
	enum { each = 8 / sizeof(E), count = F::num_elements };
	for (int i = 0; i < count; i += each) {
		E own[each] = {}, theirs[32 * each];
		unsigned long long mine;
		for (int k = 0; k < each && i + k < count; k++)
			own[k] = factor<T>(f.x[i + k]);
		__builtin_memcpy(&mine, own, sizeof mine);
		__builtin_memcpy(theirs, __ws_warp(0xffffffffu, mine)->value, sizeof theirs);
		for (int k = 0; k < each && i + k < count; k++)
			for (int l = 0; l < 32; l++)
				all[32 * (i + k) + l] = theirs[each * l + k];
	}
}
}
template <class U, int M, int N, int K, class T, class V> WS_DEVICE void
load_matrix_sync(fragment<U, M, N, K, T, row_major> &f, const V *p, unsigned int ldm)
{
	__ws::loads<T, (__ws::packed<T>::bits > 0)>::from(f, p, ldm, true);
}
template <class U, int M, int N, int K, class T, class V> WS_DEVICE void
load_matrix_sync(fragment<U, M, N, K, T, col_major> &f, const V *p, unsigned int ldm)
{
	__ws::loads<T, (__ws::packed<T>::bits > 0)>::from(f, p, ldm, false);
}
template <int M, int N, int K, class T, class V> WS_DEVICE void
load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const V *p, unsigned int ldm, layout_t layout)
{
	__ws::load(f, p, ldm, layout == mem_row_major);
}
template <int M, int N, int K, class T, class V> WS_DEVICE void
store_matrix_sync(V *p, const fragment<accumulator, M, N, K, T> &f, unsigned int ldm, layout_t layout)
{
	typedef fragment<accumulator, M, N, K, T> F;
	for (int i = 0; i < F::num_elements; i++)
		p[__ws::place<F>(i, ldm, layout == mem_row_major)] = f.x[i];
	__syncwarp();
}

/* d = a b + c */
template <int M, int N, int K, class A, class B, class D, class C, class LA, class LB>
WS_DEVICE __attribute__((convergent)) void
mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, A, LA> &a,
	 const fragment<matrix_b, M, N, K, B, LB> &b, const fragment<accumulator, M, N, K, C> &c,
	 bool saturate = false)
{
	typedef typename __ws::element<A>::sum sum;
	typename __ws::element<A>::factor left[M * K];
	typename __ws::element<B>::factor right[K * N];
	__ws::gather<A>(a, left);
	__ws::gather<B>(b, right);
	for (int i = 0; i < d.num_elements; i++) {
		int e = (int)__ws_lane() + 32 * i, row = e / N, column = e % N;
		sum s = (sum)c.x[i];
		for (int k = 0; k < K; k++)
			s += (sum)left[row * K + k] * (sum)right[k * N + column];
		d.x[i] = __ws::result<D>(s, saturate);
	}
}

/* d = c + the number of ones in a op b */
template <int M, int N, int K, class LA, class LB> WS_DEVICE __attribute__((convergent)) void
bmma_sync(fragment<accumulator, M, N, K, int> &d,
	  const fragment<matrix_a, M, N, K, experimental::precision::b1, LA> &a,
	  const fragment<matrix_b, M, N, K, experimental::precision::b1, LB> &b,
	  const fragment<accumulator, M, N, K, int> &c,
	  experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
	  experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
	unsigned char left[M * K], right[K * N];
	__ws::gather<experimental::precision::b1>(a, left);
	__ws::gather<experimental::precision::b1>(b, right);
	for (int i = 0; i < d.num_elements; i++) {
		int e = (int)__ws_lane() + 32 * i, row = e / N, column = e % N, s = c.x[i];
		for (int k = 0; k < K; k++) {
			int l = left[row * K + k], r = right[k * N + column];
			s += op == experimental::bmmaBitOpAND ? l & r : l ^ r;
		}
		d.x[i] = s;
	}
}
namespace experimental
{
using wmma::bmma_sync;
}
}
}
#endif
#include "cuda_letters_end.h"

#endif
