// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/version.hpp>

// NCCL with CUDA, or, in a program compiled for AMD devices, RCCL with HIP. RCCL has the same names as NCCL.

#ifdef __HIP_PLATFORM_AMD__
#include <sonde/hip.hpp>

#if __has_include(<rccl/rccl.h>)
#include <rccl/rccl.h>
#else
#include <rccl.h>
#endif

#else
#include <sonde/cuda.hpp>

#include <nccl.h>
#endif

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::inline v0_1::nccl {

#ifdef __HIP_PLATFORM_AMD__
namespace device = sonde::hip;
/// Name of the library for messages.
inline constexpr auto library = "RCCL";
#else
namespace device = sonde::cuda;
/// Name of the library.
inline constexpr auto library = "NCCL";
#endif
/// Stream of the library's operations: cudaStream_t or hipStream_t.
using stream_type = device::runtime::stream_type;

/// Exception for a failed NCCL call: name of the call, result code and NCCL's messages in one line.
struct error : library_error {
    error(char const* call, ncclResult_t code, std::string const& what)
        : library_error{call, static_cast<int>(code), what} {}
    /// The library's error code.
    ncclResult_t code() const noexcept { return static_cast<ncclResult_t>(library_error::code()); }
};

namespace detail {

inline std::string error_message(char const* call, ncclResult_t code) {
    // ncclRemoteError leaves no message of its own: ncclGetLastError may then return an older one.
    std::string last = code == ncclRemoteError ? "" : ncclGetLastError(nullptr);
    last = last.substr(0, last.find('\n'));
    // Only the text of the last error distinguishes this case from other invalid usage.
    if (code == ncclInvalidUsage && last.find("Duplicate GPU") != std::string::npos)
        return std::string{call} + ": " + library + " needs a device for each rank: " + last;
    // NCCL's hint to run again with its log is of no use here: the last error is what the log would contain.
    std::string const text = ncclGetErrorString(code);
    return std::string{call} + ": " + text.substr(0, text.find(" (run with")) + (last.empty() ? "" : ": ") + last;
}

// Out of line, so that a call in a timed loop costs one predicted comparison and no more.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(char const* call, ncclResult_t code) {
    throw error{call, code, error_message(call, code)};
}

using sonde::detail::exception_checker;

/// Run `step` on all ranks. If it throws on a rank, all ranks throw nccl::error with the message of the first rank that
/// failed; a rank that failed because another rank failed (ncclRemoteError) comes after the others. Collective over the
/// group.
template <Group G, std::invocable F>
void run_collectively(G& group, F step) {
    auto code = ncclSuccess;
    std::string text;
    std::exception_ptr failure;
    try {
        step();
    } catch (std::exception const& e) {
        failure = std::current_exception();
        auto const* const own = dynamic_cast<error const*>(&e);
        auto const of_device = dynamic_cast<device::error const*>(&e) != nullptr;
        code = own != nullptr ? own->code() : of_device ? ncclUnhandledCudaError : ncclSystemError;
        text = e.what();
    }
    // The ranks that failed by themselves are 0 to size - 1 of the order, those that failed because of them come
    // behind.
    auto const behind = code == ncclRemoteError ? group.size() : 0;
    double first[1] = {sonde::detail::failure_of(group, failure) - behind};
    group.all_reduce(first, reduction::max);
    sonde::detail::throw_failure(first[0], failure, [&](int order) -> error {
        auto const failed = order % group.size();
        sonde::broadcast(group, text, failed);
        sonde::broadcast(group, code, failed);
        // Thrown here and not returned: also a rank that failed throws the message of the first one.
        throw error{"ncclCommInitRank", code, "rank " + std::to_string(failed) + ": " + text};
    });
}

} // namespace detail

/// Throws nccl::error unless `code`, the result of `call`, is ncclSuccess.
inline void check(ncclResult_t code, char const* call) {
    if (code != ncclSuccess) [[unlikely]]
        detail::fail(call, code);
}

/// NCCL communicator of the ranks of a group, each with the device that is current when the communicator is made.
///
/// The group may be of any kind; it is the control plane. Constructor and destructor are collective over the group. The
/// destructor waits for pending operations; during stack unwinding of the communicator, or of an object that uses it
/// (see queue), they are aborted instead.
///
/// If the communicator cannot be made on one rank, all ranks throw nccl::error with the same message. This covers a
/// missing device, a missing unique id, and errors that NCCL finds after the ranks have met in ncclCommInitRank. If
/// ncclCommInitRank fails on a rank earlier, this rank waits for the other ranks, which stay in ncclCommInitRank until
/// NCCL notices the failure or the job ends. A nonblocking communicator could be polled meanwhile, but would then need
/// polling after every later call as well.
class [[nodiscard]] communicator {
public:
    template <Group G>
    explicit communicator(G& group) : communicator{group.rank(), group.size()} {
        // Without this check NCCL would find a rank without a working device only while the other ranks wait in NCCL.
        detail::run_collectively(group, [] {
            device::device_count();
            device::runtime::free(nullptr);
        });
        ncclUniqueId id{};
        detail::run_collectively(group, [&] {
            if (rank_ == 0) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
        });
        sonde::broadcast(group, id);
        detail::run_collectively(group, [&] {
            ncclComm_t made = nullptr;
            check(ncclCommInitRank(&made, size_, id, rank_), "ncclCommInitRank");
            handle_ = made;
        });
    }
    communicator(communicator&& other) noexcept
        : rank_{other.rank_}, size_{other.size_}, handle_{std::exchange(other.handle_, nullptr)} {}
    communicator& operator=(communicator&&) = delete;
    ~communicator() {
        // ncclCommDestroy waits for pending operations, which other ranks may never join.
        if (unwinding_.is_unwinding()) abort();
        else if (handle_ != nullptr) ncclCommDestroy(handle_);
    }

    int rank() const { return rank_; }
    int size() const { return size_; }
    /// Null after `abort`: NCCL then refuses every call with it.
    ncclComm_t get() const { return handle_; }

    /// Abort this rank's pending operations and the communicator. Afterwards no stream waits for other ranks.
    void abort() {
        if (handle_ != nullptr) ncclCommAbort(std::exchange(handle_, nullptr));
    }

    /// Throws nccl::error if a pending operation has failed. All pending operations are aborted first, so that freeing
    /// device memory does not wait for them.
    void check_async_error() {
        auto failure = ncclSuccess;
        check(ncclCommGetAsyncError(get(), &failure), "ncclCommGetAsyncError");
        if (failure == ncclSuccess || failure == ncclInProgress) [[likely]]
            return;
        auto const message = detail::error_message("asynchronous NCCL error", failure);
        abort();
        throw error{"ncclCommGetAsyncError", failure, message};
    }

private:
    // The public constructor delegates to this constructor, so that the destructor runs if it throws.
    communicator(int rank, int size) : rank_{rank}, size_{size} {}

    int rank_;
    int size_;
    ncclComm_t handle_ = nullptr;
    detail::exception_checker unwinding_;
};

/// Returns f(). If f throws, prints the exception's message with the rank on stderr, aborts this rank's pending
/// operations and ends the process with status 1: NCCL cannot end the other ranks, but the launcher then ends the job.
/// Not collective.
template <std::invocable F>
decltype(auto) abort_on_exception(communicator& ranks, F&& f) {
    return sonde::abort_on_exception(
        [&ranks](char const* message) {
            std::fprintf(stderr, "sonde: rank %d: %s\n", ranks.rank(), message);
            std::fflush(nullptr);
            ranks.abort();
            std::_Exit(1);
        },
        std::forward<F>(f));
}

/// Bytes of an element of a datatype. Throws std::invalid_argument for a value that is not a datatype.
[[nodiscard]] inline std::size_t type_size(ncclDataType_t type) {
    // In the order of ncclDataType_t. The last three (bfloat16, two types of 8 bits) have names in later versions only.
    constexpr std::size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    auto const number = static_cast<std::size_t>(type);
    if (number >= sizeof sizes / sizeof *sizes)
        throw std::invalid_argument{"sonde::nccl: " + std::to_string(type) + " is not a datatype"};
    return sizes[number];
}

/// Datatype of a link's messages, and their number of elements: by default as many as the region holds.
struct elements {
    /// A count of as many elements as the region holds.
    static constexpr auto whole_region = static_cast<std::size_t>(-1);

    ncclDataType_t type = ncclChar;   // of an element
    std::size_t count = whole_region; // number of elements
};

/// Contiguous elements of a datatype: the data that a collective operation moves to, or from, one rank.
struct block {
    ncclDataType_t type = ncclChar; // of an element
    std::size_t count = 0;          // number of elements

    /// Bytes of all elements.
    std::size_t bytes() const { return count * type_size(type); }
};

} // namespace sonde::nccl
