/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nvToolsExt.h -- marks and ranges for NVIDIA's profilers, which mean nothing here: each call takes
 * what it is given, and says how deep ranges are nested as without a profiler.
 */
#pragma GCC system_header
#ifndef WARPSTACK_NVTOOLSEXT_H
#define WARPSTACK_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
	NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2,
	NVTX_MESSAGE_TYPE_REGISTERED = 3,
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
	NVTX_PAYLOAD_UNKNOWN = 0, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
	NVTX_PAYLOAD_TYPE_INT64 = 2, NVTX_PAYLOAD_TYPE_DOUBLE = 3,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4, NVTX_PAYLOAD_TYPE_INT32 = 5,
	NVTX_PAYLOAD_TYPE_FLOAT = 6,
} nvtxPayloadType_t;
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef union nvtxMessageValue_t {
	const char *ascii;
	const wchar_t *unicode;
	nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
	uint16_t version, size;
	uint32_t category;
	int32_t colorType;
	uint32_t color;
	int32_t payloadType, reserved0;
	union nvtxPayload_value {
		uint64_t ullValue;
		int64_t llValue;
		double dValue;
		uint32_t uiValue;
		int32_t iValue;
		float fValue;
	} payload;
	int32_t messageType;
	nvtxMessageValue_t message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

/* None is tracked: as NVIDIA's own header without a tool. */
#define WS_NVTX(TYPE, NAME, ARGUMENTS, VALUE) \
	static inline TYPE NAME ARGUMENTS { return VALUE; }
#ifdef __cplusplus
#define WS_NVTX_UNUSED
#else
#define WS_NVTX_UNUSED __attribute__((unused))
#endif
#define WS_ANY(TYPE) TYPE __ws_unused WS_NVTX_UNUSED
#define WS_ALSO(TYPE) TYPE __ws_also WS_NVTX_UNUSED
#define WS_THIRD(TYPE) TYPE __ws_third WS_NVTX_UNUSED
WS_NVTX(void, nvtxInitialize, (WS_ANY(const void *)), (void)0)
WS_NVTX(void, nvtxMarkA, (WS_ANY(const char *)), (void)0)
WS_NVTX(void, nvtxMarkW, (WS_ANY(const wchar_t *)), (void)0)
WS_NVTX(void, nvtxMarkEx, (WS_ANY(const nvtxEventAttributes_t *)), (void)0)
WS_NVTX(int, nvtxRangePushA, (WS_ANY(const char *)), NVTX_NO_PUSH_POP_TRACKING)
WS_NVTX(int, nvtxRangePushW, (WS_ANY(const wchar_t *)), NVTX_NO_PUSH_POP_TRACKING)
WS_NVTX(int, nvtxRangePushEx, (WS_ANY(const nvtxEventAttributes_t *)), NVTX_NO_PUSH_POP_TRACKING)
WS_NVTX(int, nvtxRangePop, (void), NVTX_NO_PUSH_POP_TRACKING)
WS_NVTX(nvtxRangeId_t, nvtxRangeStartA, (WS_ANY(const char *)), 0)
WS_NVTX(nvtxRangeId_t, nvtxRangeStartW, (WS_ANY(const wchar_t *)), 0)
WS_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (WS_ANY(const nvtxEventAttributes_t *)), 0)
WS_NVTX(void, nvtxRangeEnd, (WS_ANY(nvtxRangeId_t)), (void)0)
WS_NVTX(void, nvtxNameCategoryA, (WS_ANY(uint32_t), WS_ALSO(const char *)), (void)0)
WS_NVTX(void, nvtxNameOsThreadA, (WS_ANY(uint32_t), WS_ALSO(const char *)), (void)0)
WS_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (WS_ANY(const char *)), NULL)
WS_NVTX(void, nvtxDomainDestroy, (WS_ANY(nvtxDomainHandle_t)), (void)0)
WS_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA,
	(WS_ANY(nvtxDomainHandle_t), WS_ALSO(const char *)), NULL)
WS_NVTX(void, nvtxDomainNameCategoryA,
	(WS_ANY(nvtxDomainHandle_t), WS_ALSO(uint32_t), WS_THIRD(const char *)), (void)0)
WS_NVTX(void, nvtxDomainMarkEx,
	(WS_ANY(nvtxDomainHandle_t), WS_ALSO(const nvtxEventAttributes_t *)), (void)0)
WS_NVTX(int, nvtxDomainRangePushEx,
	(WS_ANY(nvtxDomainHandle_t), WS_ALSO(const nvtxEventAttributes_t *)),
	NVTX_NO_PUSH_POP_TRACKING)
WS_NVTX(int, nvtxDomainRangePop, (WS_ANY(nvtxDomainHandle_t)), NVTX_NO_PUSH_POP_TRACKING)
WS_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx,
	(WS_ANY(nvtxDomainHandle_t), WS_ALSO(const nvtxEventAttributes_t *)), 0)
WS_NVTX(void, nvtxDomainRangeEnd, (WS_ANY(nvtxDomainHandle_t), WS_ALSO(nvtxRangeId_t)), (void)0)
/* Of devices, streams and events. */
WS_NVTX(void, nvtxNameCudaDeviceA, (WS_ANY(int), WS_ALSO(const char *)), (void)0)
WS_NVTX(void, nvtxNameCudaStreamA, (WS_ANY(const void *), WS_ALSO(const char *)), (void)0)
WS_NVTX(void, nvtxNameCudaEventA, (WS_ANY(const void *), WS_ALSO(const char *)), (void)0)
WS_NVTX(void, nvtxNameCuDeviceA, (WS_ANY(int), WS_ALSO(const char *)), (void)0)
WS_NVTX(void, nvtxNameCuContextA, (WS_ANY(const void *), WS_ALSO(const char *)), (void)0)
WS_NVTX(void, nvtxNameCuStreamA, (WS_ANY(const void *), WS_ALSO(const char *)), (void)0)
WS_NVTX(void, nvtxNameCuEventA, (WS_ANY(const void *), WS_ALSO(const char *)), (void)0)
#undef WS_NVTX
#undef WS_NVTX_UNUSED
#undef WS_ANY
#undef WS_ALSO
#undef WS_THIRD
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA

#endif
