// SPDX-License-Identifier: BSL-1.0
// Loaded before NCCL: an allreduce that omits the last element (SONDE_NCCL_FAULT=last), or of which a call fails on
// device 1 (SONDE_NCCL_FAULT=9: the ninth).
#include <dlfcn.h>
#include <nccl.h>

#include <cstdlib>
#include <string>

static bool is_device_1() {
    auto device = 0;
    return cudaGetDevice(&device) == cudaSuccess && device == 1;
}

ncclResult_t ncclAllReduce(void const* out, void* in, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
    static auto const real = reinterpret_cast<decltype(&ncclAllReduce)>(dlsym(RTLD_NEXT, "ncclAllReduce"));
    static std::string const fault = std::getenv("SONDE_NCCL_FAULT");
    static auto calls = 0;
    ++calls;
    if (fault == "last") --count;
    if (fault == std::to_string(calls) && is_device_1()) return ncclInternalError;
    return real(out, in, count, type, op, comm, stream);
}
