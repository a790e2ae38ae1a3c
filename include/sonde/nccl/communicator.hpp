// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/device.hpp>
#include <sonde/cuda/error.hpp>
#include <sonde/group.hpp>
#include <sonde/nccl/agreed.hpp>
#include <sonde/nccl/error.hpp>
#include <sonde/nccl/unwinding.hpp>

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <array>
#include <cstddef>
#include <utility>

namespace sonde::nccl {

namespace detail {

/// The unique id of the group's first rank, on every rank. Collective over the group.
template <Group G>
ncclUniqueId shared_id(G& group) {
    ncclUniqueId id{};
    detail::agreed(group, [&] {
        if (group.rank() == 0) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
    });
    std::array<double, NCCL_UNIQUE_ID_BYTES> bytes{};
    for (std::size_t i = 0; i != bytes.size(); ++i) bytes[i] = id.internal[i];
    sonde::share(group, bytes);
    for (std::size_t i = 0; i != bytes.size(); ++i) id.internal[i] = static_cast<char>(bytes[i]);
    return id;
}

/// A communicator's handle: destroyed at the end, aborted where an exception ended it.
class owned_communicator {
public:
    owned_communicator() = default;
    owned_communicator(owned_communicator&& other) noexcept : handle_{std::exchange(other.handle_, nullptr)} {}
    owned_communicator& operator=(owned_communicator&&) = delete;
    ~owned_communicator() {
        // To destroy is to wait for operations under way, whose other ranks may never come.
        if (unwinding_.happens()) abort();
        else if (handle_ != nullptr) ncclCommDestroy(handle_);
    }
    void abort() {
        if (handle_ != nullptr) ncclCommAbort(std::exchange(handle_, nullptr));
    }
    ncclComm_t get() const { return handle_; }
    void make(int ranks, ncclUniqueId const& id, int rank) {
        ncclComm_t made = nullptr;
        check(ncclCommInitRank(&made, ranks, id, rank), "ncclCommInitRank");
        handle_ = made;
    }

private:
    ncclComm_t handle_ = nullptr;
    unwinding unwinding_;
};

/// Throws where this rank has no device that answers: NCCL would say so while the others wait for it.
inline void require_device() {
    try {
        cuda::device_count();
        cuda::check(cudaFree(nullptr), "cudaFree");
    } catch (cuda::error const& e) {
        throw error{e.what(), ncclUnhandledCudaError};
    }
}

} // namespace detail

/// The ranks of a group, to NCCL: each with the device that is current when it is made.
///
/// Made from any group, which is its control plane. Collective over the group, and so is its end. Operations that are
/// under way when it ends are waited for, unless an exception ends it, or what uses it (see queue): then they are
/// aborted.
///
/// Where it cannot be made on one rank, all throw nccl::error together, with the same line: for want of a device, of a
/// unique id, or of what NCCL finds wanting when the ranks have met in ncclCommInitRank. A rank on which that fails
/// before leaves the others in it, and waits for them, until NCCL notices or the job is ended: a communicator that
/// could be asked meanwhile would have to be asked after every later call, too.
class [[nodiscard]] communicator {
public:
    template <Group G>
    explicit communicator(G& group) : rank_{group.rank()}, size_{group.size()} {
        detail::agreed(group, [] { detail::require_device(); });
        auto const id = detail::shared_id(group);
        detail::agreed(group, [&] { owned_.make(size_, id, rank_); });
    }

    int rank() const { return rank_; }
    int size() const { return size_; }
    /// Null after `abort`: every later call of NCCL is then refused.
    ncclComm_t get() const { return owned_.get(); }

    /// Ends what is under way on this rank, and the communicator with it: nothing on a stream waits for others then.
    void abort() { owned_.abort(); }

    /// Throws nccl::error where something under way has failed, after an end of all that is, so that freeing the
    /// device's memory does not wait for it.
    void require_well() {
        auto failure = ncclSuccess;
        check(ncclCommGetAsyncError(get(), &failure), "ncclCommGetAsyncError");
        if (failure == ncclSuccess || failure == ncclInProgress) [[likely]]
            return;
        auto const what = detail::explained("NCCL, under way", failure);
        abort();
        throw error{what, failure};
    }

private:
    int rank_;
    int size_;
    detail::owned_communicator owned_;
};

} // namespace sonde::nccl
