/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cuda_errors.h -- the errors of the CUDA Runtime and Driver APIs: names, numbers, texts.
 */
#pragma GCC system_header
#ifndef WARPSTACK_CUDA_ERRORS_H
#define WARPSTACK_CUDA_ERRORS_H
#include "cuda_letters_begin.h"

/* X(name behind cudaError, number, text).  An error that both APIs have has one number in both. */
#define WS_CUDA_ERRORS(X) \
	X(InvalidValue, 1, "invalid argument") \
	X(MemoryAllocation, 2, "out of memory") \
	X(InitializationError, 3, "initialization error") \
	X(CudartUnloading, 4, "driver shutting down") \
	X(ProfilerDisabled, 5, "profiler disabled while using external profiling tool") \
	X(ProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()") \
	X(ProfilerAlreadyStarted, 7, "profiler already started") \
	X(ProfilerAlreadyStopped, 8, "profiler already stopped") \
	X(InvalidConfiguration, 9, "invalid configuration argument") \
	X(InvalidPitchValue, 12, "invalid pitch argument") \
	X(InvalidSymbol, 13, "invalid device symbol") \
	X(InvalidHostPointer, 16, "invalid host pointer") \
	X(InvalidDevicePointer, 17, "invalid device pointer") \
	X(InvalidTexture, 18, "invalid texture reference") \
	X(InvalidTextureBinding, 19, "texture is not bound to a pointer") \
	X(InvalidChannelDescriptor, 20, "invalid channel descriptor") \
	X(InvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
	X(AddressOfConstant, 22, "invalid address of constant") \
	X(TextureFetchFailed, 23, "fetch from texture failed") \
	X(TextureNotBound, 24, "cannot fetch from a texture that is not bound") \
	X(SynchronizationError, 25, "incorrect use of __syncthreads()") \
	X(InvalidFilterSetting, 26, "linear filtering not supported for non-float type") \
	X(InvalidNormSetting, 27, \
	  "read as normalized float not supported for 32-bit non float type") \
	X(MixedDeviceExecution, 28, \
	  "device emulation mode and device execution mode cannot be mixed") \
	X(NotYetImplemented, 31, "feature not yet implemented") \
	X(MemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit") \
	X(StubLibrary, 34, "CUDA driver is a stub library") \
	X(InsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
	X(CallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver") \
	X(InvalidSurface, 37, "invalid surface reference") \
	X(DuplicateVariableName, 43, "duplicate global variable looked up by string name") \
	X(DuplicateTextureName, 44, "duplicate texture looked up by string name") \
	X(DuplicateSurfaceName, 45, "duplicate surface looked up by string name") \
	X(DevicesUnavailable, 46, "all CUDA-capable devices are busy or unavailable") \
	X(IncompatibleDriverContext, 49, "incompatible driver context") \
	X(MissingConfiguration, 52, "__global__ function call is not configured") \
	X(PriorLaunchFailure, 53, "unspecified launch failure in prior launch") \
	X(LaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches") \
	X(LaunchFileScopedTex, 66, \
	  "launch failed because kernel uses unsupported, file-scoped textures " \
	  "(texture objects are supported)") \
	X(LaunchFileScopedSurf, 67, \
	  "launch failed because kernel uses unsupported, file-scoped surfaces " \
	  "(surface objects are supported)") \
	X(SyncDepthExceeded, 68, \
	  "cudaDeviceSynchronize failed because caller's grid depth exceeds " \
	  "cudaLimitDevRuntimeSyncDepth") \
	X(LaunchPendingCountExceeded, 69, \
	  "launch failed because launch would exceed " \
	  "cudaLimitDevRuntimePendingLaunchCount") \
	X(InvalidDeviceFunction, 98, "invalid device function") \
	X(NoDevice, 100, "no CUDA-capable device is detected") \
	X(InvalidDevice, 101, "invalid device ordinal") \
	X(DeviceNotLicensed, 102, "device doesn't have valid Grid license") \
	X(SoftwareValidityNotEstablished, 103, "integrity checks failed") \
	X(StartupFailure, 127, "startup failure in cuda runtime") \
	X(InvalidKernelImage, 200, "device kernel image is invalid") \
	X(DeviceUninitialized, 201, "invalid device context") \
	X(MapBufferObjectFailed, 205, "mapping of buffer object failed") \
	X(UnmapBufferObjectFailed, 206, "unmapping of buffer object failed") \
	X(ArrayIsMapped, 207, "array is mapped") \
	X(AlreadyMapped, 208, "resource already mapped") \
	X(NoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
	X(AlreadyAcquired, 210, "resource already acquired") \
	X(NotMapped, 211, "resource not mapped") \
	X(NotMappedAsArray, 212, "resource not mapped as array") \
	X(NotMappedAsPointer, 213, "resource not mapped as pointer") \
	X(ECCUncorrectable, 214, "uncorrectable ECC error encountered") \
	X(UnsupportedLimit, 215, "limit is not supported on this architecture") \
	X(DeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread") \
	X(PeerAccessUnsupported, 217, "peer access is not supported between these two devices") \
	X(InvalidPtx, 218, "a PTX JIT compilation failed") \
	X(InvalidGraphicsContext, 219, "invalid OpenGL or DirectX context") \
	X(NvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution") \
	X(JitCompilerNotFound, 221, "PTX JIT compiler library not found") \
	X(UnsupportedPtxVersion, 222, \
	  "the provided PTX was compiled with an unsupported toolchain.") \
	X(JitCompilationDisabled, 223, "PTX JIT compilation was disabled") \
	X(UnsupportedExecAffinity, 224, "the provided execution affinity is not supported") \
	X(InvalidSource, 300, "device kernel image is invalid") \
	X(FileNotFound, 301, "file not found") \
	X(SharedObjectSymbolNotFound, 302, "shared object symbol not found") \
	X(SharedObjectInitFailed, 303, "shared object initialization failed") \
	X(OperatingSystem, 304, "OS call failed or operation not supported on this OS") \
	X(InvalidResourceHandle, 400, "invalid resource handle") \
	X(IllegalState, 401, "the operation cannot be performed in the present state") \
	X(SymbolNotFound, 500, "named symbol not found") \
	X(NotReady, 600, "device not ready") \
	X(IllegalAddress, 700, "an illegal memory access was encountered") \
	X(LaunchOutOfResources, 701, "too many resources requested for launch") \
	X(LaunchTimeout, 702, "the launch timed out and was terminated") \
	X(LaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode") \
	X(PeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
	X(PeerAccessNotEnabled, 705, "peer access has not been enabled") \
	X(SetOnActiveProcess, 708, "cannot set while device is active in this process") \
	X(ContextIsDestroyed, 709, "context is destroyed") \
	X(Assert, 710, "device-side assert triggered") \
	X(TooManyPeers, 711, "peer mapping resources exhausted") \
	X(HostMemoryAlreadyRegistered, 712, \
	  "part or all of the requested memory range is already mapped") \
	X(HostMemoryNotRegistered, 713, \
	  "pointer does not correspond to a registered memory region") \
	X(HardwareStackError, 714, "hardware stack error") \
	X(IllegalInstruction, 715, "an illegal instruction was encountered") \
	X(MisalignedAddress, 716, "misaligned address") \
	X(InvalidAddressSpace, 717, "operation not supported on global/shared address space") \
	X(InvalidPc, 718, "invalid program counter") \
	X(LaunchFailure, 719, "unspecified launch failure") \
	X(CooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
	X(NotPermitted, 800, "operation not permitted") \
	X(NotSupported, 801, "operation not supported") \
	X(SystemNotReady, 802, "system not yet initialized") \
	X(SystemDriverMismatch, 803, \
	  "system has unsupported display driver / cuda driver combination") \
	X(CompatNotSupportedOnDevice, 804, \
	  "forward compatibility was attempted on non supported HW") \
	X(MpsConnectionFailed, 805, \
	  "MPS client failed to connect to the MPS control daemon or the MPS " \
	  "server") \
	X(MpsRpcFailure, 806, \
	  "the remote procedural call between the MPS server and the MPS client " \
	  "failed") \
	X(MpsServerNotReady, 807, "MPS server is not ready to accept new MPS client requests") \
	X(MpsMaxClientsReached, 808, \
	  "the hardware resources required to create MPS client have been " \
	  "exhausted") \
	X(MpsMaxConnectionsReached, 809, \
	  "the hardware resources required to support device connections have " \
	  "been exhausted") \
	X(StreamCaptureUnsupported, 900, "operation not permitted when stream is capturing") \
	X(StreamCaptureInvalidated, 901, "operation failed due to a previous error during capture") \
	X(StreamCaptureMerge, 902, \
	  "operation would result in a merge of separate capture sequences") \
	X(StreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began") \
	X(StreamCaptureUnjoined, 904, "capturing stream has unjoined work") \
	X(StreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream") \
	X(StreamCaptureImplicit, 906, \
	  "operation would make the legacy stream depend on a capturing " \
	  "blocking stream") \
	X(CapturedEvent, 907, \
	  "operation not permitted on an event last recorded in a capturing " \
	  "stream") \
	X(StreamCaptureWrongThread, 908, \
	  "attempt to terminate a thread-local capture sequence from another " \
	  "thread") \
	X(Timeout, 909, "wait operation timed out") \
	X(GraphExecUpdateFailure, 910, \
	  "the graph update was not performed because it included changes which " \
	  "violated constraints specific to instantiated graph update") \
	X(ExternalDevice, 911, "an async error has occurred in external entity outside of CUDA") \
	X(InvalidClusterSize, 912, \
	  "a kernel launch error has occurred due to cluster misconfiguration") \
	X(Unknown, 999, "unknown error") \
	X(ApiFailureBase, 10000, "api failure base")

/* X(name behind CUDA_ERROR_, number). */
#define WS_DRIVER_ERRORS(X) \
	X(INVALID_VALUE, 1) X(OUT_OF_MEMORY, 2) X(NOT_INITIALIZED, 3) X(DEINITIALIZED, 4) \
	X(PROFILER_DISABLED, 5) X(PROFILER_NOT_INITIALIZED, 6) X(PROFILER_ALREADY_STARTED, 7) \
	X(PROFILER_ALREADY_STOPPED, 8) X(STUB_LIBRARY, 34) X(DEVICE_UNAVAILABLE, 46) \
	X(NO_DEVICE, 100) X(INVALID_DEVICE, 101) X(DEVICE_NOT_LICENSED, 102) \
	X(INVALID_IMAGE, 200) X(INVALID_CONTEXT, 201) X(CONTEXT_ALREADY_CURRENT, 202) \
	X(MAP_FAILED, 205) X(UNMAP_FAILED, 206) X(ARRAY_IS_MAPPED, 207) X(ALREADY_MAPPED, 208) \
	X(NO_BINARY_FOR_GPU, 209) X(ALREADY_ACQUIRED, 210) X(NOT_MAPPED, 211) \
	X(NOT_MAPPED_AS_ARRAY, 212) X(NOT_MAPPED_AS_POINTER, 213) X(ECC_UNCORRECTABLE, 214) \
	X(UNSUPPORTED_LIMIT, 215) X(CONTEXT_ALREADY_IN_USE, 216) X(PEER_ACCESS_UNSUPPORTED, 217) \
	X(INVALID_PTX, 218) X(INVALID_GRAPHICS_CONTEXT, 219) X(NVLINK_UNCORRECTABLE, 220) \
	X(JIT_COMPILER_NOT_FOUND, 221) X(UNSUPPORTED_PTX_VERSION, 222) \
	X(JIT_COMPILATION_DISABLED, 223) X(UNSUPPORTED_EXEC_AFFINITY, 224) \
	X(INVALID_SOURCE, 300) X(FILE_NOT_FOUND, 301) X(SHARED_OBJECT_SYMBOL_NOT_FOUND, 302) \
	X(SHARED_OBJECT_INIT_FAILED, 303) X(OPERATING_SYSTEM, 304) X(INVALID_HANDLE, 400) \
	X(ILLEGAL_STATE, 401) X(NOT_FOUND, 500) X(NOT_READY, 600) X(ILLEGAL_ADDRESS, 700) \
	X(LAUNCH_OUT_OF_RESOURCES, 701) X(LAUNCH_TIMEOUT, 702) \
	X(LAUNCH_INCOMPATIBLE_TEXTURING, 703) X(PEER_ACCESS_ALREADY_ENABLED, 704) \
	X(PEER_ACCESS_NOT_ENABLED, 705) X(PRIMARY_CONTEXT_ACTIVE, 708) \
	X(CONTEXT_IS_DESTROYED, 709) X(ASSERT, 710) X(TOO_MANY_PEERS, 711) \
	X(HOST_MEMORY_ALREADY_REGISTERED, 712) X(HOST_MEMORY_NOT_REGISTERED, 713) \
	X(HARDWARE_STACK_ERROR, 714) X(ILLEGAL_INSTRUCTION, 715) X(MISALIGNED_ADDRESS, 716) \
	X(INVALID_ADDRESS_SPACE, 717) X(INVALID_PC, 718) X(LAUNCH_FAILED, 719) \
	X(COOPERATIVE_LAUNCH_TOO_LARGE, 720) X(NOT_PERMITTED, 800) X(NOT_SUPPORTED, 801) \
	X(SYSTEM_NOT_READY, 802) X(SYSTEM_DRIVER_MISMATCH, 803) \
	X(COMPAT_NOT_SUPPORTED_ON_DEVICE, 804) X(STREAM_CAPTURE_UNSUPPORTED, 900) \
	X(STREAM_CAPTURE_INVALIDATED, 901) X(STREAM_CAPTURE_MERGE, 902) \
	X(STREAM_CAPTURE_UNMATCHED, 903) X(STREAM_CAPTURE_UNJOINED, 904) \
	X(STREAM_CAPTURE_ISOLATION, 905) X(STREAM_CAPTURE_IMPLICIT, 906) X(CAPTURED_EVENT, 907) \
	X(STREAM_CAPTURE_WRONG_THREAD, 908) X(TIMEOUT, 909) X(GRAPH_EXEC_UPDATE_FAILURE, 910) \
	X(UNKNOWN, 999)

/* Of a device; the driver's header has it, and the runtime's. */
typedef struct CUuuid_st { char bytes[16]; } CUuuid, cudaUUID_t;
#include "cuda_letters_end.h"

#endif
