/* SPDX-License-Identifier: GPL-3.0-or-later
 * applications.cu -- the kernels of data/kernel/ that are there in CUDA, each checked against its
 * host's own.
 */
#include "common.h"
#include "kernels/backprop.cu"
#include "kernels/hotspot.cu"
#include "kernels/lud.cu"
#include "kernels/nw.cu"
#include "kernels/srad.cu"
#include <algorithm>
#include <cmath>
#include <vector>

enum { N = 64 };
static unsigned seed = 5;

static float drawn(float low, float high)
{
	return low + (high - low) * (next(&seed) % 4096) / 4096;
}

template <class T> struct Buffer {
	T *device;
	std::vector<T> host;

	explicit Buffer(size_t n, float low = 0, float high = 0) : host(n)
	{
		for (T &v : host)
			v = (T)drawn(low, high);
		CHECK(cudaMalloc(&device, n * sizeof(T)));
		CHECK(cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
	}
	~Buffer() { cudaFree(device); }
	std::vector<T> back() const
	{
		std::vector<T> v(host.size());

		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(v.data(), device, v.size() * sizeof(T), cudaMemcpyDeviceToHost));
		return v;
	}
};

static bool close(const std::vector<float> &a, const std::vector<float> &b, float tolerance)
{
	bool good = true;

	for (size_t i = 0; i < a.size(); i++)
		good &= std::fabs(a[i] - b[i]) <= tolerance * std::max(1.0f, std::fabs(b[i]));
	return good;
}

static bool run_hotspot()
{
	Buffer<float> even(N * N, 320, 340), odd(N * N), power(N * N, 0, 0.01f);
	std::vector<float> now = even.host, then(N * N);

	hotspot<<<dim3(6, 6), dim3(16, 16)>>>(even.device, power.device, odd.device, N, N, 0.1f,
					      0.01f, 300);
	hotspot<<<dim3(6, 6), dim3(16, 16)>>>(odd.device, power.device, even.device, N, N, 0.1f,
					      0.01f, 300);
	for (int step = 0; step < 4; step++, now.swap(then))
		for (int y = 0; y < N; y++)
			for (int x = 0; x < N; x++) {
				auto at = [&](int v, int u) {
					return now[std::clamp(v, 0, N - 1) * N +
						   std::clamp(u, 0, N - 1)];
				};
				float here = now[y * N + x];

				then[y * N + x] = here + power.host[y * N + x] +
						  0.1f * (at(y, x - 1) + at(y, x + 1) +
							  at(y - 1, x) + at(y + 1, x) - 4 * here) +
						  0.01f * (300 - here);
			}
	return close(even.back(), now, 1e-5f);
}

static bool run_backprop()
{
	const int inputs = 1024, blocks = inputs / HIDDEN;
	Buffer<float> input(inputs, 0, 1), weight(inputs * HIDDEN, -0.01f, 0.01f), partial(inputs);
	Buffer<float> target(HIDDEN, 0, 1), hidden(HIDDEN), delta(HIDDEN),
	    change(inputs * HIDDEN, -0.001f, 0.001f);
	std::vector<float> out(HIDDEN), after = weight.host;

	backprop_forward<<<dim3(1, blocks), dim3(HIDDEN, HIDDEN)>>>(input.device, weight.device,
								    partial.device);
	backprop_hidden<<<1, dim3(HIDDEN, HIDDEN)>>>(partial.device, target.device, hidden.device,
						     delta.device, blocks);
	backprop_adjust<<<dim3(1, blocks), dim3(HIDDEN, HIDDEN)>>>(
	    input.device, delta.device, weight.device, change.device, 0.3f, 0.3f);
	for (int h = 0; h < HIDDEN; h++) {
		double sum = 0;

		for (int i = 0; i < inputs; i++)
			sum += input.host[i] * weight.host[i * HIDDEN + h];
		out[h] = (float)(1 / (1 + std::exp(-sum)));
		for (int i = 0; i < inputs; i++)
			after[i * HIDDEN + h] += 0.3f * out[h] * (1 - out[h]) *
						     (target.host[h] - out[h]) * input.host[i] +
						 0.3f * change.host[i * HIDDEN + h];
	}
	return close(hidden.back(), out, 1e-5f) && close(weight.back(), after, 1e-5f);
}

static bool run_lud()
{
	Buffer<float> a(N * N, 0, 1);
	std::vector<float> lu, product(N * N), want = a.host;

	lud_prepare<<<1, N>>>(a.device, N);
	for (int at = 0; at < N; at += B) {
		int rest = (N - at) / B - 1;

		lud_diagonal<<<1, B>>>(a.device, N, at);
		if (!rest)
			break;
		lud_perimeter<<<rest, 2 * B>>>(a.device, N, at);
		lud_inside<<<dim3(rest, rest), dim3(B, B)>>>(a.device, N, at);
	}
	lu = a.back();
	for (int y = 0; y < N; y++)
		for (int x = 0; x < N; x++) {
			double sum = x >= y ? lu[y * N + x] : 0;

			for (int k = 0; k < std::min(y, x + 1); k++)
				sum += (double)lu[y * N + k] * lu[k * N + x];
			product[y * N + x] = (float)sum;
			want[y * N + x] += x == y ? N : 0;
		}
	return close(product, want, 1e-4f);
}

static bool run_nw()
{
	const int width = N + 1, gap = 10, blocks = N / B;
	Buffer<int> similar(N * N, -4, 11), score(width * width);
	std::vector<int> want(width * width);

	nw_start<<<2, 64>>>(score.device, N, gap);
	for (int d = 0; d < 2 * blocks - 1; d++) {
		int from = std::max(0, d - blocks + 1);

		nw_diagonal<<<std::min(d, blocks - 1) - from + 1, B>>>(similar.device, score.device,
								       N, gap, d, from);
	}
	for (int i = 0; i < width; i++)
		want[i] = want[i * width] = -i * gap;
	for (int y = 1; y < width; y++)
		for (int x = 1; x < width; x++)
			want[y * width + x] = std::max(
			    want[(y - 1) * width + x - 1] + similar.host[(y - 1) * N + x - 1],
			    std::max(want[y * width + x - 1], want[(y - 1) * width + x]) - gap);
	return score.back() == want;
}

static bool run_srad()
{
	Buffer<float> image(N * N, 0.5f, 1.5f), dn(N * N), ds(N * N), dw(N * N), de(N * N),
	    c(N * N);
	Buffer<int> north(N), south(N), west(N), east(N);
	std::vector<float> now = image.host, co(N * N), after = now;
	const float q0 = 0.05f, rate = 0.5f;
	auto at = [&](const std::vector<float> &v, int y, int x) {
		return v[std::clamp(y, 0, N - 1) * N + std::clamp(x, 0, N - 1)];
	};

	srad_indices<<<1, N>>>(north.device, south.device, west.device, east.device, N);
	srad_coefficient<<<dim3(4, 4), dim3(16, 16)>>>(
	    image.device, north.device, south.device, west.device, east.device, dn.device,
	    ds.device, dw.device, de.device, c.device, N, q0);
	srad_step<<<dim3(4, 4), dim3(16, 16)>>>(image.device, south.device, east.device, dn.device,
						ds.device, dw.device, de.device, c.device, N, rate);
	for (int y = 0; y < N; y++)
		for (int x = 0; x < N; x++) {
			float h = now[y * N + x], n = at(now, y - 1, x) - h,
			      s = at(now, y + 1, x) - h;
			float w = at(now, y, x - 1) - h, e = at(now, y, x + 1) - h;
			float g = (n * n + s * s + w * w + e * e) / (h * h),
			      l = (n + s + w + e) / h;
			float q = (0.5f * g - l * l / 16) / ((1 + l / 4) * (1 + l / 4));

			co[y * N + x] =
			    std::clamp(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0.0f, 1.0f);
		}
	for (int y = 0; y < N; y++)
		for (int x = 0; x < N; x++) {
			float h = now[y * N + x], k = co[y * N + x];

			after[y * N + x] += rate / 4 *
					    (k * (at(now, y - 1, x) - h) +
					     at(co, y + 1, x) * (at(now, y + 1, x) - h) +
					     k * (at(now, y, x - 1) - h) +
					     at(co, y, x + 1) * (at(now, y, x + 1) - h));
		}
	return close(image.back(), after, 1e-4f);
}

int main()
{
	static const struct {
		const char *name;
		bool (*run)();
	} all[] = {
	    {"backprop", run_backprop}, {"hotspot", run_hotspot}, {"lud", run_lud}, {"nw", run_nw},
	    {"srad", run_srad},
	};
	bool good = true;

	for (const auto &a : all) {
		bool right = a.run();

		if (!right)
			printf("%s is wrong\n", a.name);
		good &= right;
	}
	return passed(good);
}
