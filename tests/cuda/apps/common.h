/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What programs of the public suites have: macros for errors, a clock of events, numbers.
 */
#ifndef COMMON_H
#define COMMON_H

#include <cstdio>
#include <cstdlib>

#define CHECK(call) \
	do { \
		cudaError_t error_ = (call); \
		if (error_ != cudaSuccess) { \
			fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #call, \
				cudaGetErrorString(error_)); \
			exit(EXIT_FAILURE); \
		} \
	} while (0)

/* In a check of several: it ends, and says where. */
#define REQUIRE(condition) \
	do { \
		if (!(condition)) { \
			printf("line %d\n", __LINE__); \
			return false; \
		} \
	} while (0)

struct Timer {
	cudaEvent_t from, to;
	Timer()
	{
		CHECK(cudaEventCreate(&from));
		CHECK(cudaEventCreate(&to));
		CHECK(cudaEventRecord(from));
	}
	float stop()
	{
		float ms;

		CHECK(cudaEventRecord(to));
		CHECK(cudaEventSynchronize(to));
		CHECK(cudaEventElapsedTime(&ms, from, to));
		CHECK(cudaEventDestroy(from));
		CHECK(cudaEventDestroy(to));
		return ms;
	}
};

static inline unsigned next(unsigned *state)
{
	return (*state = *state * 1664525u + 1013904223u) >> 8;
}

static inline int passed(bool good)
{
	printf("%s\n", good ? "PASSED" : "FAILED");
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
