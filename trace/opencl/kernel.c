/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/opencl/kernel.c -- kernels and the arguments they have been given.
 */
#include "trace/opencl/layer.h"

#include <stdlib.h>
#include <string.h>

#define ALIGN 128u /* of the largest vector */

struct ws_cl_kernel *ws_kernel_find(cl_kernel kernel)
{
	return (struct ws_cl_kernel *)ws_handles_get(&ws_layer.kernels, kernel);
}

void ws_cl_args_free(struct ws_cl_arg *arg, size_t args)
{
	for (size_t i = 0; arg && i < args; i++)
		free(arg[i].value);
	free(arg);
}

bool ws_cl_arg_set(struct ws_cl_arg *a, size_t size, const void *value)
{
	free(a->value);
	*a = (struct ws_cl_arg){ .size = size };
	if (value) {
		a->value = aligned_alloc(ALIGN, (size + ALIGN) / ALIGN * ALIGN);
		if (!a->value)
			return false;
		memcpy(a->value, value, size);
	}
	a->set = true;
	return true;
}

static void kernel_free(struct ws_cl_kernel *k)
{
	if (!k)
		return;
	ws_cl_args_free(k->arg, k->args);
	free(k->name);
	free(k);
}

static char *name_of(cl_kernel kernel)
{
	size_t len = 0;
	char *name;

	if (ws_layer.next->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &len))
		return NULL;
	name = ws_alloc_zero(len + 1, 1);
	if (name)
		ws_layer.next->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, len, name, NULL);
	return name;
}

/* A new kernel of the platform's.  Without memory it stays unknown. */
static void add_kernel(cl_kernel kernel, struct ws_unit *unit)
{
	struct ws_cl_kernel *k = ws_alloc_zero(1, sizeof *k);
	cl_uint args = 0;

	ws_layer.next->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL);
	if (k)
		*k = (struct ws_cl_kernel){
			.handle = { .key = kernel, .refs = 1 },
			.kernel = kernel,
			.name = name_of(kernel),
			.unit = unit,
			.arg = ws_alloc_zero(args, sizeof *k->arg),
			.args = args,
		};
	if (!k || !k->name || !k->arg) {
		kernel_free(k);
		return;
	}
	pthread_mutex_lock(&ws_layer.lock);
	kernel_free((struct ws_cl_kernel *)ws_handles_put(&ws_layer.kernels, &k->handle));
	pthread_mutex_unlock(&ws_layer.lock);
}

static cl_kernel CL_API_CALL create(cl_program program, const char *name, cl_int *status)
{
	cl_kernel kernel = ws_layer.next->clCreateKernel(program, name, status);

	if (kernel)
		add_kernel(kernel, ws_unit_of(program));
	return kernel;
}

static cl_int CL_API_CALL create_all(cl_program program, cl_uint room, cl_kernel *kernel,
				     cl_uint *count)
{
	cl_uint own = 0;
	cl_int status = ws_layer.next->clCreateKernelsInProgram(program, room, kernel, &own);

	for (cl_uint i = 0; status == CL_SUCCESS && kernel && i < own; i++)
		add_kernel(kernel[i], ws_unit_of(program));
	if (count && status == CL_SUCCESS)
		*count = own;
	return status;
}

static cl_kernel CL_API_CALL create_clone(cl_kernel source, cl_int *status)
{
	cl_kernel kernel = ws_layer.next->clCloneKernel(source, status);
	struct ws_cl_kernel *from, *to;

	if (!kernel)
		return NULL;
	pthread_mutex_lock(&ws_layer.lock);
	from = ws_kernel_find(source);
	pthread_mutex_unlock(&ws_layer.lock);
	add_kernel(kernel, from ? from->unit : NULL);
	pthread_mutex_lock(&ws_layer.lock);
	to = ws_kernel_find(kernel);
	for (size_t i = 0; from && to && i < from->args && i < to->args; i++) {
		if (!from->arg[i].set || !ws_cl_arg_set(&to->arg[i], from->arg[i].size,
							from->arg[i].value))
			continue;
		to->arg[i].svm = from->arg[i].svm;
	}
	pthread_mutex_unlock(&ws_layer.lock);
	return kernel;
}

static void remember(cl_kernel kernel, cl_uint number, size_t size, const void *value, bool svm)
{
	struct ws_cl_kernel *k;

	pthread_mutex_lock(&ws_layer.lock);
	k = ws_kernel_find(kernel);
	if (k && number < k->args && ws_cl_arg_set(&k->arg[number], size, value))
		k->arg[number].svm = svm;
	pthread_mutex_unlock(&ws_layer.lock);
}

static cl_int CL_API_CALL set_arg(cl_kernel kernel, cl_uint number, size_t size, const void *value)
{
	cl_int status = ws_layer.next->clSetKernelArg(kernel, number, size, value);

	if (status == CL_SUCCESS)
		remember(kernel, number, size, value, false);
	return status;
}

static cl_int CL_API_CALL set_arg_svm(cl_kernel kernel, cl_uint number, const void *pointer)
{
	cl_int status = ws_layer.next->clSetKernelArgSVMPointer(kernel, number, pointer);

	if (status == CL_SUCCESS)
		remember(kernel, number, sizeof pointer, &pointer, true);
	return status;
}

static cl_int CL_API_CALL retain(cl_kernel kernel)
{
	cl_int status = ws_layer.next->clRetainKernel(kernel);
	struct ws_cl_kernel *k;

	if (status == CL_SUCCESS) {
		pthread_mutex_lock(&ws_layer.lock);
		if ((k = ws_kernel_find(kernel)))
			k->handle.refs++;
		pthread_mutex_unlock(&ws_layer.lock);
	}
	return status;
}

static cl_int CL_API_CALL release(cl_kernel kernel)
{
	struct ws_cl_kernel *k;

	pthread_mutex_lock(&ws_layer.lock);
	if ((k = ws_kernel_find(kernel)) && --k->handle.refs == 0) {
		ws_handles_remove(&ws_layer.kernels, &k->handle);
		kernel_free(k);
	}
	pthread_mutex_unlock(&ws_layer.lock);
	return ws_layer.next->clReleaseKernel(kernel);
}

void ws_kernel_take(cl_icd_dispatch *d)
{
	d->clCreateKernel = create;
	d->clCreateKernelsInProgram = create_all;
	d->clCloneKernel = create_clone;
	d->clSetKernelArg = set_arg;
	d->clSetKernelArgSVMPointer = set_arg_svm;
	d->clRetainKernel = retain;
	d->clReleaseKernel = release;
}
