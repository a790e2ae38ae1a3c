// SPDX-License-Identifier: BSL-1.0
#include "failures.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace fake {

static std::mutex lock;
static std::map<std::string, ncclResult_t> planned;
static std::string last;

void fail_nccl(std::string call, ncclResult_t code) {
    auto const hold = std::lock_guard{lock};
    planned[std::move(call)] = code;
}

ncclResult_t planned_nccl_failure(std::string const& call) {
    auto const hold = std::lock_guard{lock};
    auto const found = planned.extract(call);
    return found.empty() ? ncclSuccess : found.mapped();
}

ncclResult_t refuse(ncclResult_t code, std::string const& note) {
    auto const hold = std::lock_guard{lock};
    if (!note.empty()) last = note;
    return code;
}

} // namespace fake

char const* ncclGetLastError(ncclComm_t) { return fake::last.c_str(); }

char const* ncclGetErrorString(ncclResult_t code) {
    switch (code) {
    case ncclSuccess:
        return "no error";
    case ncclUnhandledCudaError:
        return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError:
        return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError:
        return "internal error";
    case ncclInvalidArgument:
        return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage:
        return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError:
        return "remote process exited or there was a network error";
    case ncclInProgress:
        return "NCCL operation in progress";
    default:
        return "unknown result code";
    }
}
