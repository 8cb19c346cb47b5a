/* The eight kernels of gpuperfpredict, written anew: the same accesses in the same order and the
   same launch shape.  T is the tile: groups of T x T work-items, vectors in groups of T * T. */
#ifndef T
#define T 16
#endif
/* 1: consecutive groups of the sum by columns lie along a row of the matrix, not along a column. */
#ifndef ALONG_ROW
#define ALONG_ROW 0
#endif

/* One element of the product a work-item; neighbours lie along a row. */
__kernel void mm_row(__global float *P, __global const float *M, __global const float *N, int w)
{
    int j = get_group_id(0) * T + get_local_id(0), i = get_group_id(1) * T + get_local_id(1);
    float acc = 0;

    for (int k = 0; k < w; k += 2) {
        float m0 = M[i * w + k], n0 = N[k * w + j];
        float m1 = M[i * w + k + 1], n1 = N[(k + 1) * w + j];

        acc += m0 * n0;
        acc += m1 * n1;
    }
    P[i * w + j] = acc;
}

/* The same, but neighbours lie along a column. */
__kernel void mm_column(__global float *P, __global const float *M, __global const float *N, int w)
{
    int i = get_group_id(0) * T + get_local_id(0), j = get_group_id(1) * T + get_local_id(1);
    float acc = 0;

    for (int k = 0; k < w; k += 2) {
        float m0 = M[i * w + k], n0 = N[k * w + j];
        float m1 = M[i * w + k + 1], n1 = N[(k + 1) * w + j];

        acc += m0 * n0;
        acc += m1 * n1;
    }
    P[i * w + j] = acc;
}

__kernel void mm_tile_row(__global float *P, __global const float *M, __global const float *N,
                          int w)
{
    __local float s1[T][T], s2[T][T];
    int x = get_local_id(0), y = get_local_id(1);
    int col = get_group_id(0) * T + x, row = get_group_id(1) * T + y;
    float acc = 0;

    for (int m = 0; m < w / T; m++) {
        s1[y][x] = M[row * w + m * T + x];
        s2[y][x] = N[col + (m * T + y) * w];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; k++)
            acc += s1[y][k] * s2[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    P[row * w + col] = acc;
}

__kernel void mm_tile_column(__global float *P, __global const float *M, __global const float *N,
                             int w)
{
    __local float s1[T][T], s2[T][T];
    int x = get_local_id(0), y = get_local_id(1);
    int row = get_group_id(0) * T + x, col = get_group_id(1) * T + y;
    float acc = 0;

    for (int m = 0; m < w / T; m++) {
        s1[x][y] = M[row * w + m * T + y];
        s2[x][y] = N[col + (m * T + x) * w];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; k++)
            acc += s1[x][k] * s2[k][y];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    P[row * w + col] = acc;
}

__kernel void sum_row(__global float *S, __global const float *A, __global const float *B, int n)
{
    int j = get_global_id(0), i = get_global_id(1);

    if (i < n && j < n)
        S[i * n + j] = A[i * n + j] + B[i * n + j];
}

__kernel void sum_column(__global float *S, __global const float *A, __global const float *B,
                         int n)
{
    int i = get_group_id(ALONG_ROW) * T + get_local_id(0);
    int j = get_group_id(!ALONG_ROW) * T + get_local_id(1);

    if (i < n && j < n)
        S[i * n + j] = A[i * n + j] + B[i * n + j];
}

__kernel void add(__global float *C, __global const float *A, __global const float *B, int n)
{
    int i = get_global_id(0);

    if (i < n)
        C[i] = A[i] + B[i];
}

__kernel void dot_partial(__global float *C, __global const float *A, __global const float *B,
                          int n)
{
    __local float part[T * T];
    int me = get_local_id(0);
    float sum = 0;

    for (int t = get_global_id(0); t < n; t += get_global_size(0))
        sum += A[t] * B[t];
    part[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = get_local_size(0) / 2; step; step /= 2) {
        if (me < step)
            part[me] += part[me + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0)
        C[get_group_id(0)] = part[0];
}
