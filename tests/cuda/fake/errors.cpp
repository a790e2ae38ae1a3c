// SPDX-License-Identifier: BSL-1.0
#include "errors.hpp"

#include "settings.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace fake {

namespace {

struct failure {
    cudaError_t code;
    long long in = 1; // calls until the failure
};

struct plan {
    std::mutex lock;
    std::map<std::string, failure, std::less<>> failures = from_environment();

    static std::map<std::string, failure, std::less<>> from_environment();
};

// From the environment: call:n.
std::map<std::string, failure, std::less<>> plan::from_environment() {
    auto const& what = current_settings().fail;
    auto const colon = what.find(':');
    if (colon == what.npos) return {};
    return {{what.substr(0, colon), {cudaErrorMemoryAllocation, std::stoll(what.substr(colon + 1))}}};
}

} // namespace

static plan& planned() {
    static auto& it = *new plan;
    return it;
}
static thread_local cudaError_t last = cudaSuccess;
static std::atomic<cudaError_t> spoils{cudaSuccess};

void fail(std::string call, cudaError_t code) {
    auto const hold = std::lock_guard{planned().lock};
    planned().failures[std::move(call)] = {code};
}

cudaError_t planned_failure(std::string_view function) {
    auto const hold = std::lock_guard{planned().lock};
    auto const found = planned().failures.find(function);
    if (found == planned().failures.end() || --found->second.in > 0) return cudaSuccess;
    auto const code = found->second.code;
    planned().failures.erase(found);
    return code;
}

cudaError_t spoiled() { return spoils; }

cudaError_t remember(cudaError_t code) {
    constexpr auto spoiling = std::array{cudaErrorIllegalAddress, cudaErrorLaunchTimeout, cudaErrorAssert,
#ifndef __HIP_PLATFORM_AMD__
                                         cudaErrorMisalignedAddress,
#endif
                                         cudaErrorLaunchFailure};
    if (code != cudaSuccess) last = code;
    if (std::ranges::find(spoiling, code) != spoiling.end()) spoils = code;
    return code;
}

void restart_planned_failures() {
    auto const hold = std::lock_guard{planned().lock};
    planned().failures = plan::from_environment();
}

void forget_spoiled() {
    spoils = cudaSuccess;
    last = cudaSuccess;
}

static cudaError_t take_last() { return std::exchange(last, spoils.load()); }

namespace {

struct words {
    cudaError_t code;
    char const *name, *meaning;
};

} // namespace

#define FAKE_WORDS(code, meaning)                                                                                      \
    words { code, #code, meaning }

static words words_of(cudaError_t code) {
    constexpr auto known = std::array{
        FAKE_WORDS(cudaSuccess, "no error"),
        FAKE_WORDS(cudaErrorInvalidValue, "invalid argument"),
        FAKE_WORDS(cudaErrorMemoryAllocation, "out of memory"),
        FAKE_WORDS(cudaErrorInitializationError, "initialization error"),
        FAKE_WORDS(cudaErrorInvalidConfiguration, "invalid configuration argument"),
        FAKE_WORDS(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
        FAKE_WORDS(cudaErrorNoDevice, "no CUDA-capable device is detected"),
        FAKE_WORDS(cudaErrorInvalidDevice, "invalid device ordinal"),
        FAKE_WORDS(cudaErrorInvalidResourceHandle, "invalid resource handle"),
        FAKE_WORDS(cudaErrorNotReady, "device not ready"),
        FAKE_WORDS(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
        FAKE_WORDS(cudaErrorLaunchFailure, "unspecified launch failure"),
        FAKE_WORDS(cudaErrorNotSupported, "operation not supported"),
        FAKE_WORDS(cudaErrorUnknown, "unknown error")};
    auto const found = std::ranges::find(known, code, &words::code);
    return found != known.end() ? *found : words{code, "unrecognized error code", "unrecognized error code"};
}

#undef FAKE_WORDS

} // namespace fake

cudaError_t cudaGetLastError() { return fake::take_last(); }
cudaError_t cudaPeekAtLastError() { return fake::last; }
char const* cudaGetErrorString(cudaError_t code) { return fake::words_of(code).meaning; }
char const* cudaGetErrorName(cudaError_t code) { return fake::words_of(code).name; }
