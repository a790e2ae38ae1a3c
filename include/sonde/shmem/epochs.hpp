// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/shmem/session.hpp>

#include <shmem.h>

#include <concepts>

// Completion and ordering of transfers (OpenSHMEM 1.4, 9.9 and 9.11) as epochs. They open without a call. When an epoch
// closes, it promises the following for its transfers, in addition to what the transfers themselves promise
// (transfers.hpp):
//
//     no_completion   nothing
//     fence           puts and atomic operations are delivered to a PE before later ones to the same PE
//     quiet           all transfers are complete: puts are delivered and visible to all PEs, results are here
//     barrier_all     the same for the transfers of all PEs, and every PE knows it

namespace sonde::shmem {

/// Closes without a call, and promises no more than the transfers do when they return. Puts may still be under way when
/// the next epoch opens.
struct no_completion {
    static constexpr bool passive = true;

    void open(auto) const {}
    void close(auto) const {}
};

/// shmem_quiet by the origin: all transfers are complete and visible to all PEs. With a context this holds for the
/// transfers of the context.
template <Context C = default_context>
class quiet {
public:
    static constexpr bool passive = true;
    using context_type = C;

    explicit quiet(C context = {}) : context_{context} {}
    void open(auto) const {}
    void close(auto side) const {
        if constexpr (!side.accesses) return;
        else if constexpr (std::same_as<C, default_context>) shmem_quiet();
        else shmem_ctx_quiet(context_.handle());
    }

private:
    [[no_unique_address]] C context_;
};

/// shmem_fence by the origin: puts and atomic operations are delivered to each PE before later puts and atomic
/// operations to the same PE. It completes no transfer.
template <Context C = default_context>
class fence {
public:
    static constexpr bool passive = true;
    using context_type = C;

    explicit fence(C context = {}) : context_{context} {}
    void open(auto) const {}
    void close(auto side) const {
        if constexpr (!side.accesses) return;
        else if constexpr (std::same_as<C, default_context>) shmem_fence();
        else shmem_ctx_fence(context_.handle());
    }

private:
    [[no_unique_address]] C context_;
};

/// shmem_barrier_all by all PEs of the job, origins and targets: the transfers of all PEs in the default context are
/// complete, and every PE knows it. It completes no transfers of other contexts.
struct barrier_all {
    using context_type = default_context;

    void open(auto) const {}
    void close(auto) const { shmem_barrier_all(); }
};

} // namespace sonde::shmem
