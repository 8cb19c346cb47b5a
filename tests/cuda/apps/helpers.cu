/* SPDX-License-Identifier: GPL-3.0-or-later
 * helpers.cu -- a program of the samples' helpers: options, timers, vectors, images, comparisons.
 */
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>

__global__ void shade(float4 *out, const float3 *in, float3 light, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		float3 v = normalize(in[i] + make_float3(1.0f, 0.0f, 0.5f) * 2.0f);
		float3 r = reflect(v, light) - cross(v, light);

		v += 0.25f * clamp(r, -0.5f, 0.5f) / make_float3(2.0f);
		out[i] = make_float4(lerp(v, fabs(v), 0.5f), dot(v, light) + length(v));
	}
}

/* The same by hand, in double precision. */
static bool right(const float *out, const float *in, const double *l)
{
	double v[3] = { in[0] + 2.0, in[1] + 0.0, in[2] + 1.0 }, r[3], d = 0, len = 0, dot = 0;

	len = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (int k = 0; k < 3; k++)
		v[k] /= len;
	for (int k = 0; k < 3; k++)
		d += v[k] * l[k];
	for (int k = 0; k < 3; k++) {
		int a = (k + 1) % 3, b = (k + 2) % 3;

		r[k] = v[k] - 2 * l[k] * d - (v[a] * l[b] - v[b] * l[a]);
		r[k] = r[k] < -0.5 ? -0.5 : r[k] > 0.5 ? 0.5 : r[k];
	}
	len = 0;
	for (int k = 0; k < 3; k++) {
		v[k] += 0.125 * r[k];
		dot += v[k] * l[k];
		len += v[k] * v[k];
	}
	for (int k = 0; k < 3; k++) {
		if (fabs(out[k] - (v[k] + 0.5 * (fabs(v[k]) - v[k]))) > 1e-5)
			return false;
	}
	return fabs(out[3] - (dot + sqrt(len))) < 1e-5;
}

static bool vectors(int n)
{
	double l[3] = { 0.6, 0.0, 0.8 };
	bool good = true;
	float3 *in;
	float4 *out;

	checkCudaErrors(cudaMallocManaged(&in, n * sizeof *in));
	checkCudaErrors(cudaMallocManaged(&out, n * sizeof *out));
	for (int i = 0; i < n; i++)
		in[i] = make_float3(i % 7 - 3.5f, i % 5, i % 3 - 1.0f);
	shade<<<(n + 63) / 64, 64>>>(out, in, make_float3(0.6f, 0.0f, 0.8f), n);
	getLastCudaError("shade");
	checkCudaErrors(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++)
		good = good && right(&out[i].x, &in[i].x, l);
	uint3 u = max(make_uint3(3u, 1u, 2u), make_uint3(2u)) - 1u;
	int4 j = -abs(make_int4(1, -2, 3, -4)) * make_int4(2);
	return good && u.x == 2 && u.y == 1 && u.z == 1 && j.x == -2 && j.w == -8 && dot(j, j) == 120 &&
	       clamp(7, 0, 5) == 5 && fracf(2.25f) == 0.25f && (1.0f / make_float2(4.0f, 2.0f)).y == 0.5f;
}

static bool images()
{
	unsigned char pixels[6] = { 0, 51, 102, 153, 204, 255 }, *bytes = NULL;
	unsigned w = 0, h = 0, n = 0;
	float *reals = NULL, list[3] = { 1.5f, -2, 0.25f }, *back = NULL;
	bool good = sdkSavePGM("image.pgm", pixels, 3, 2) && sdkLoadPGM("image.pgm", &bytes, &w, &h) && w == 3 &&
		    h == 2 && memcmp(bytes, pixels, 6) == 0 && sdkLoadPGM("image.pgm", &reals, &w, &h);

	good = good && fabsf(reals[1] - 0.2f) < 1e-6f && sdkComparePGM("image.pgm", "image.pgm", 0, 0, false);
	good = good && !sdkLoadPGM("none.pgm", &bytes, &w, &h);
	std::ofstream("list.dat") << "1.5 -2 0.25";
	good = good && sdkReadFile("list.dat", &back, &n, false) && n == 3 && sdkCompareL2fe(list, back, 3, 1e-6f);
	list[1] = 2;
	good = good && !sdkCompareL2fe(list, back, 3, 1e-6f) && compareData(list, back, 3, 0.1f, 0.5f) &&
	       !compareData(list, back, 3, 0.1f, 0.0f);
	free(bytes);
	free(reals);
	free(back);
	return good;
}

int main(int argc, char **argv)
{
	const char *words[] = { argv[0], "-n=300", "--Name=two words", "-flag", "extra" };
	StopWatchInterface *timer = NULL;
	char *text = NULL;
	bool good = findCudaDevice(argc, (const char **)argv) == 0;
	int n = getCmdLineArgumentInt(5, words, "n=");

	good = good && n == 300 && checkCmdLineFlag(5, words, "flag") && !checkCmdLineFlag(5, words, "fla") &&
	       getCmdLineArgumentString(5, words, "name", &text) && strcmp(text, "two words") == 0;
	sdkCreateTimer(&timer);
	sdkStartTimer(&timer);
	good = vectors(n) && images() && good;
	sdkStopTimer(&timer);
	good = good && sdkGetTimerValue(&timer) > 0 && sdkGetTimerValue(&timer) == sdkGetAverageTimerValue(&timer);
	sdkDeleteTimer(&timer);
	text = sdkFindFilePath("list.dat", argv[0]);
	good = good && text && _ConvertSMVer2Cores(7, 0) == 64;
	free(text);
	printf("%s\n", good ? "PASSED" : "FAILED");
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
