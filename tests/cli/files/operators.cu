/* SPDX-License-Identifier: GPL-3.0-or-later */
__global__ void k(const float *a, const float4 *b, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0, f;

	for (int turn = 0; turn < 3; turn++) {
		float4 v = __ldcg(b + i);
		sum += __ldg(a + i) + __ldcg(a + (i + 32 * turn) % n) + v.x + v.w;
		sum += __ldcs(a + (i ^ turn));
		asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(f) : "l"(a + (i ^ 5)));
		sum += f;
		asm volatile("ld.global.L1::no_allocate.f32 %0, [%1];" : "=f"(f) : "l"(a + (i ^ 6)));
		sum += f;
	}
	__stcg(out + i, sum);
	__stwt(out + (i ^ 1), sum);
	asm volatile("st.global.cg.f32 [%0], %1;" : : "l"(out + (i ^ 2)), "f"(sum) : "memory");
	__stcs(out + (i ^ 3), sum);
}
