/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training step of a network with one hidden layer of 16 units: a block of 16 x 16 multiplies 16
 * inputs by their weights and adds them up in shared memory, one sum for each hidden unit; the sums
 * of all blocks give the hidden units and their errors; the weights are then adjusted, with
 * momentum.
 */
#define HIDDEN 16

__global__ void backprop_forward(const float *input, const float *weight, float *partial)
{
	__shared__ float product[HIDDEN][HIDDEN];
	const int h = threadIdx.x, i = threadIdx.y;

	product[i][h] =
	    weight[(blockIdx.y * HIDDEN + i) * HIDDEN + h] * input[blockIdx.y * HIDDEN + i];
	__syncthreads();
	for (int rest = HIDDEN / 2; rest; rest /= 2) {
		if (i < rest)
			product[i][h] += product[i + rest][h];
		__syncthreads();
	}
	if (i == 0)
		partial[blockIdx.y * HIDDEN + h] = product[0][h];
}

/* One block; its second dimension shares the sums out. */
__global__ void backprop_hidden(const float *partial, const float *target, float *hidden,
				float *delta, int groups)
{
	__shared__ float share[HIDDEN][HIDDEN];
	const int h = threadIdx.x, part = threadIdx.y;
	float sum = 0.0f;

	for (int g = part; g < groups; g += HIDDEN)
		sum += partial[g * HIDDEN + h];
	share[part][h] = sum;
	__syncthreads();
	if (part)
		return;
	for (int p = 1; p < HIDDEN; p++)
		sum += share[p][h];
	sum = 1.0f / (1.0f + exp(-sum));
	hidden[h] = sum;
	delta[h] = sum * (1.0f - sum) * (target[h] - sum);
}

__global__ void backprop_adjust(const float *input, const float *delta, float *weight,
				float *change, float rate, float momentum)
{
	const size_t h = blockIdx.x * blockDim.x + threadIdx.x;
	const size_t i = blockIdx.y * blockDim.y + threadIdx.y, at = i * HIDDEN + h;
	const float step = rate * delta[h] * input[i] + momentum * change[at];

	weight[at] += step;
	change[at] = step;
}
