/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Training step of a network with one hidden layer of 16 units: a group of 16 x 16 multiplies 16
 * inputs by their weights and adds them up in local memory, one sum for each hidden unit; the sums
 * of all groups give the hidden units and their errors; the weights are then adjusted, with
 * momentum.
 */
#define HIDDEN 16

__kernel void backprop_forward(const __global float *input, const __global float *weight,
			       __global float *partial)
{
	__local float product[HIDDEN][HIDDEN];
	const int h = get_local_id(0), i = get_local_id(1);

	product[i][h] = weight[get_global_id(1) * HIDDEN + h] * input[get_global_id(1)];
	barrier(CLK_LOCAL_MEM_FENCE);
	for (int rest = HIDDEN / 2; rest; rest /= 2) {
		if (i < rest)
			product[i][h] += product[i + rest][h];
		barrier(CLK_LOCAL_MEM_FENCE);
	}
	if (i == 0)
		partial[get_group_id(1) * HIDDEN + h] = product[0][h];
}

/* One group; its second dimension shares the sums out. */
__kernel void backprop_hidden(const __global float *partial, const __global float *target,
			      __global float *hidden, __global float *delta, int groups)
{
	__local float share[HIDDEN][HIDDEN];
	const int h = get_local_id(0), part = get_local_id(1);
	float sum = 0.0f;

	for (int g = part; g < groups; g += HIDDEN)
		sum += partial[g * HIDDEN + h];
	share[part][h] = sum;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (part)
		return;
	for (int p = 1; p < HIDDEN; p++)
		sum += share[p][h];
	sum = 1.0f / (1.0f + exp(-sum));
	hidden[h] = sum;
	delta[h] = sum * (1.0f - sum) * (target[h] - sum);
}

__kernel void backprop_adjust(const __global float *input, const __global float *delta,
			      __global float *weight, __global float *change, float rate,
			      float momentum)
{
	const size_t h = get_global_id(0), i = get_global_id(1), at = i * HIDDEN + h;
	const float step = rate * delta[h] * input[i] + momentum * change[at];

	weight[at] += step;
	change[at] = step;
}
