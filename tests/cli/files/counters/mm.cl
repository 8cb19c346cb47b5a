__kernel void mm(__global float *Z, __global const float *X, __global const float *Y, int n)
{
	int c = get_global_id(0), r = get_global_id(1);
	float sum = 0;

	for (int k = 0; k < n; k++)
		sum += X[r * n + k] * Y[k * n + c];
	Z[r * n + c] = sum;
}
