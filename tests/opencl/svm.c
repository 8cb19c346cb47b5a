/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/opencl/svm.c -- shared virtual memory: an argument, a pointer into the middle, pointers
 * that are in memory themselves, mapped and freed in the queue.  Where the device has none it says
 * so and exits with 77.
 */
#include "tests/opencl/host.h"

#define N 1024

struct node {
	struct node *next;
	cl_int value, sum;
};

static const char source[] =
	"struct node { global struct node *next; int value, sum; };\n"
	"kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n"
	"kernel void chase(global struct node *n)\n"
	"{\n"
	"	global struct node *own = n + get_global_id(0);\n"
	"	int sum = 0;\n"
	"	for (global struct node *p = own; p; p = p->next)\n"
	"		sum += p->value;\n"
	"	own->sum = sum;\n"
	"}\n";

static void *take(const struct host *h, size_t bytes)
{
	void *p = clSVMAlloc(h->context, CL_MEM_READ_WRITE, bytes, 0);

	if (!p) {
		printf("no shared memory\n");
		exit(1);
	}
	return p;
}

static void *map(const struct host *h, void *p, size_t bytes)
{
	host_try(clEnqueueSVMMap(h->queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, p, bytes, 0, NULL,
				 NULL), "map");
	return p;
}

static void unmap(const struct host *h, void *p)
{
	host_try(clEnqueueSVMUnmap(h->queue, p, 0, NULL, NULL), "unmap");
}

static void arguments(const struct host *h, cl_program p)
{
	cl_kernel k = host_kernel(p, "twice");
	int *a = map(h, take(h, N * sizeof(int)), N * sizeof(int));
	bool good = true;

	for (int i = 0; i < N; i++)
		a[i] = i;
	unmap(h, a);
	host_try(clSetKernelArgSVMPointer(k, 0, a), "argument");
	host_run(h, k, N, 64);
	host_try(clSetKernelArgSVMPointer(k, 0, a + N / 2), "argument");
	host_run(h, k, N / 2, 64);
	map(h, a, N * sizeof(int));
	for (int i = 0; i < N; i++)
		good &= a[i] == i * (i < N / 2 ? 2 : 4);
	host_check(good, "shared memory, and a pointer into it");
	unmap(h, a);
	host_try(clEnqueueSVMFree(h->queue, 1, (void *[]){ a }, NULL, NULL, 0, NULL, NULL), "free");
	clFinish(h->queue);
	clReleaseKernel(k);
}

static void pointers(const struct host *h, cl_program p)
{
	cl_kernel k = host_kernel(p, "chase");
	struct node *first = map(h, take(h, 64 * sizeof *first), 64 * sizeof *first),
		    *other = map(h, take(h, 64 * sizeof *other), 64 * sizeof *other);
	void *all[] = { first, other };
	bool good = true;

	for (int i = 0; i < 64; i++) {
		first[i] = (struct node){ .next = &other[63 - i], .value = i };
		other[i] = (struct node){ .value = 1000 * i };
	}
	unmap(h, first);
	unmap(h, other);
	host_try(clSetKernelArgSVMPointer(k, 0, first), "argument");
	host_try(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof all, all), "pointers");
	host_run(h, k, 64, 32);
	map(h, first, 64 * sizeof *first);
	for (int i = 0; i < 64; i++)
		good &= first[i].sum == i + 1000 * (63 - i);
	host_check(good, "pointers in shared memory");
	unmap(h, first);
	clFinish(h->queue);
	clSVMFree(h->context, first);
	clSVMFree(h->context, other);
	clReleaseKernel(k);
}

/* A device of 3.0 need not build programs of 2.0; PoCL 6 does not. */
static const char *standard(const struct host *h)
{
	cl_device_svm_capabilities svm = 0;
	char version[256] = "";

	clGetDeviceInfo(h->device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
	clGetDeviceInfo(h->device, CL_DEVICE_VERSION, sizeof version, version, NULL);
	if (!(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) {
		printf("no shared virtual memory\n");
		exit(77);
	}
	return strncmp(version, "OpenCL 2.", 9) == 0 ? "-cl-std=CL2.0" : "-cl-std=CL3.0";
}

int main(void)
{
	struct host h = host_open(0);
	cl_program p = host_program(&h, source, standard(&h));

	arguments(&h, p);
	pointers(&h, p);
	clReleaseProgram(p);
	host_close(&h);
	return host_wrong > 0;
}
