// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

// Functions that the host code of kernels calls, and no header declares for other compilers.
#ifdef __HIP_PLATFORM_AMD__
using push_result = cudaError_t;
using popped_stream = cudaStream_t;
#else
using push_result = unsigned;
using popped_stream = void;
#endif
extern "C" {
void** __cudaRegisterFatBinary(void* binary);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
char __cudaInitModule(void** handle);
void __cudaRegisterVar(void** handle, char* host, char* device, char const* name, int external, std::size_t size,
                       int constant, int global);
void __cudaRegisterFunction(void** handle, char const* host, char* device, char const* name, int threads, uint3* thread,
                            uint3* block, dim3* blocks, dim3* grids, int* warp);
push_result __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, popped_stream* stream);
#ifndef __HIP_PLATFORM_AMD__
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, void const* host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream);
#endif
}
