/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trace/cuda/virtual.c -- the driver's virtual memory: ranges of addresses that are reserved, and
 * memory that is mapped there.
 *
 * A range is one array of the trace while memory is mapped in it: what lies behind another mapping
 * follows it on the device, too.  An access to a part without memory is a crash of its kernel.
 */
#include "trace/cuda/runtime.h"

#include <cuda.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GRANULARITY ((size_t)2 << 20)

struct virtual_range {
	uint8_t *begin;
	size_t bytes, mapped;	/* mapped: of them */
};

struct virtual_memory {
	int file;
	size_t bytes;
	CUmemAllocationProp properties;
	unsigned uses;		/* its handle, and where it is mapped */
};

struct virtual_mapping {
	uint8_t *begin;
	size_t bytes;
	struct virtual_memory *memory;
};

/* Under the lock of ws_cuda_enter. */
static struct {
	struct virtual_range *range;
	size_t ranges, range_cap;
	struct virtual_mapping *mapping;
	size_t mappings, mapping_cap;
} all;

static CUresult check_properties(const CUmemAllocationProp *p)
{
	if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
	    p->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_INVALID_VALUE;
	if (p->location.id)
		return CUDA_ERROR_INVALID_DEVICE;
	return p->requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE ? CUDA_SUCCESS
								  : CUDA_ERROR_NOT_SUPPORTED;
}

WS_CUDA_CALL CUresult cuMemGetAllocationGranularity(size_t *granularity,
						    const CUmemAllocationProp *properties,
						    CUmemAllocationGranularity_flags option)
{
	(void)option;
	*granularity = GRANULARITY;
	return check_properties(properties);
}

/* ---- ranges ---------------------------------------------------------------------------- */

static struct virtual_range *find_range(const uint8_t *at, size_t bytes)
{
	for (size_t i = 0; i < all.ranges; i++) {
		struct virtual_range *r = &all.range[i];
		size_t before = (size_t)(at - r->begin);

		if (at >= r->begin && before < r->bytes && bytes <= r->bytes - before)
			return r;
	}
	return NULL;
}

/* fixed: where it would be; another place is as good. */
WS_CUDA_CALL CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t bytes, size_t alignment,
					  CUdeviceptr fixed, unsigned long long flags)
{
	CUresult result = CUDA_ERROR_NOT_INITIALIZED;
	uint8_t *begin;

	(void)fixed;
	if (!bytes || bytes % GRANULARITY || (alignment && !ws_is_pow2(alignment)) || flags)
		return CUDA_ERROR_INVALID_VALUE;
	alignment = alignment < GRANULARITY ? GRANULARITY : alignment;
	if (bytes > PTRDIFF_MAX || alignment > PTRDIFF_MAX)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (ws_cuda_enter()) {
		begin = mmap(NULL, bytes + alignment, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		result = CUDA_ERROR_OUT_OF_MEMORY;
		if (begin != MAP_FAILED && WS_ROOM(all.range, all.range_cap, all.ranges + 1)) {
			begin += (alignment - (uintptr_t)begin % alignment) % alignment;
			all.range[all.ranges++] = (struct virtual_range){ begin, bytes, 0 };
			*pointer = (CUdeviceptr)(uintptr_t)begin;
			result = CUDA_SUCCESS;
		}
	}
	ws_cuda_leave();
	return result;
}

/* Its addresses are not given again: the trace tells allocations apart. */
WS_CUDA_CALL CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes)
{
	CUresult result = CUDA_ERROR_INVALID_VALUE;
	uint8_t *at = (uint8_t *)(uintptr_t)pointer;
	struct virtual_range *r = ws_cuda_enter() ? find_range(at, bytes) : NULL;

	if (r && r->begin == at && r->bytes == bytes && !r->mapped) {
		*r = all.range[--all.ranges];
		result = CUDA_SUCCESS;
	}
	ws_cuda_leave();
	return result;
}

/* ---- memory ---------------------------------------------------------------------------- */

static struct virtual_memory *memory_of(CUmemGenericAllocationHandle handle)
{
	return (struct virtual_memory *)(uintptr_t)handle;
}

static void forget(struct virtual_memory *p)
{
	if (--p->uses)
		return;
	close(p->file);
	free(p);
}

WS_CUDA_CALL CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
				  const CUmemAllocationProp *properties, unsigned long long flags)
{
	CUresult result = check_properties(properties);
	struct virtual_memory *p;

	if (result != CUDA_SUCCESS || !bytes || bytes % GRANULARITY || flags)
		return result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : result;
	p = bytes <= WS_PROGRAM_BYTES_MAX ? ws_alloc_zero(1, sizeof *p) : NULL;
	if (!p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	p->file = memfd_create("memory", MFD_CLOEXEC);
	p->bytes = bytes;
	p->properties = *properties;
	p->properties.allocFlags.compressionType = 0; /* memory that is compressed there is none */
	p->uses = 1;
	if (p->file < 0 || ftruncate(p->file, (off_t)bytes) != 0) {
		if (p->file >= 0)
			close(p->file);
		free(p);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*handle = (CUmemGenericAllocationHandle)(uintptr_t)p;
	return CUDA_SUCCESS;
}

WS_CUDA_CALL CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
	if (!handle)
		return CUDA_ERROR_INVALID_VALUE;
	(void)ws_cuda_enter();
	forget(memory_of(handle));
	ws_cuda_leave();
	return CUDA_SUCCESS;
}

WS_CUDA_CALL CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
							     CUmemGenericAllocationHandle handle)
{
	if (!handle)
		return CUDA_ERROR_INVALID_VALUE;
	*properties = memory_of(handle)->properties;
	return CUDA_SUCCESS;
}

/* ---- mappings -------------------------------------------------------------------------- */

static bool is_free(const uint8_t *at, size_t bytes)
{
	for (size_t i = 0; i < all.mappings; i++) {
		const struct virtual_mapping *m = &all.mapping[i];

		if (at < m->begin + m->bytes && m->begin < at + bytes)
			return false;
	}
	return true;
}

static CUresult map(struct virtual_range *r, uint8_t *at, size_t bytes, size_t offset,
		    struct virtual_memory *p)
{
	if (!WS_ROOM(all.mapping, all.mapping_cap, all.mappings + 1) ||
	    mmap(at, bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, p->file, (off_t)offset) ==
		    MAP_FAILED ||
	    (!r->mapped && !ws_cuda_adopt(r->begin, r->bytes)))
		return CUDA_ERROR_OUT_OF_MEMORY;
	r->mapped += bytes;
	p->uses++;
	all.mapping[all.mappings++] = (struct virtual_mapping){ at, bytes, p };
	return CUDA_SUCCESS;
}

/* As a GPU has it, it can be used once access is set. */
WS_CUDA_CALL CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset,
			       CUmemGenericAllocationHandle handle, unsigned long long flags)
{
	CUresult result = CUDA_ERROR_INVALID_VALUE;
	uint8_t *at = (uint8_t *)(uintptr_t)pointer;
	struct virtual_memory *p = memory_of(handle);
	struct virtual_range *r;

	if (!p || !bytes || bytes % GRANULARITY || offset % GRANULARITY || flags)
		return result;
	r = ws_cuda_enter() ? find_range(at, bytes) : NULL;
	if (r && offset <= p->bytes && bytes <= p->bytes - offset && is_free(at, bytes))
		result = map(r, at, bytes, offset, p);
	ws_cuda_leave();
	return result;
}

WS_CUDA_CALL CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes)
{
	CUresult result = CUDA_ERROR_INVALID_VALUE;
	uint8_t *at = (uint8_t *)(uintptr_t)pointer;
	struct virtual_range *r = ws_cuda_enter() ? find_range(at, bytes) : NULL;

	for (size_t i = 0; r && i < all.mappings;) {
		struct virtual_mapping *m = &all.mapping[i];

		if (m->begin < at || m->begin + m->bytes > at + bytes) {
			i++;
			continue;
		}
		mmap(m->begin, m->bytes, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
		r->mapped -= m->bytes;
		forget(m->memory);
		*m = all.mapping[--all.mappings];
		result = CUDA_SUCCESS;
		if (!r->mapped)
			ws_cuda_forget(r->begin);
	}
	ws_cuda_leave();
	return result;
}

WS_CUDA_CALL CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes,
				     const CUmemAccessDesc *access, size_t count)
{
	CUresult result = CUDA_ERROR_INVALID_VALUE;
	uint8_t *at = (uint8_t *)(uintptr_t)pointer;
	int rights = PROT_NONE;

	for (size_t i = 0; i < count; i++) {
		if (access[i].flags & CU_MEM_ACCESS_FLAGS_PROT_READ)
			rights = access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE
					 ? PROT_READ | PROT_WRITE : PROT_READ;
	}
	if (ws_cuda_enter() && find_range(at, bytes) && count && !is_free(at, bytes) &&
	    mprotect(at, bytes, rights) == 0)
		result = CUDA_SUCCESS;
	ws_cuda_leave();
	return result;
}
