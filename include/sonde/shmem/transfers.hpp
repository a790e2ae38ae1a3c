// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/shmem/group.hpp>
#include <sonde/shmem/session.hpp>

#include <shmem.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

// Remote memory access of OpenSHMEM (1.4, 9.5 and 9.6) as transfers of blocks of bytes. Transfer i copies between block
// i of the symmetric region on PE `pe` and block i of the local region. The symmetric region is given by its address on
// this PE. Each transfer is one call. Transfers of an idle PE have the target -1, or `no_peer`, and a capacity of 0.
// All constructors throw std::invalid_argument for a PE outside the job and for a region that is not symmetric; they
// are not collective.

namespace sonde::inline v0_1::shmem {

namespace detail {

/// Returns the PE, -1 for `no_peer`. Throws std::invalid_argument if it is neither a PE of the job nor -1.
inline int require_pe(int pe) {
    if (pe == no_peer) return -1;
    if (pe < -1 || pe >= shmem_n_pes())
        throw std::invalid_argument{"sonde::shmem: target PE " + std::to_string(pe) + " is none of the PEs 0 to " +
                                    std::to_string(shmem_n_pes() - 1)};
    return pe;
}

/// Returns `first`. Throws std::invalid_argument unless the first and the last of `bytes` bytes at `first` can be
/// accessed on PE `pe`.
template <class T>
T* require_symmetric(T* first, std::size_t bytes, int pe) {
    auto const* const begin = reinterpret_cast<std::byte const*>(first);
    if (pe >= 0 && bytes != 0 && (!shmem_addr_accessible(begin, pe) || !shmem_addr_accessible(begin + bytes - 1, pe)))
        throw std::invalid_argument{"sonde::shmem: a region of " + std::to_string(bytes) +
                                    " bytes is not symmetric: PE " + std::to_string(pe) +
                                    " has no such memory; take it from the symmetric heap or from a global array"};
    return first;
}

/// Base class of the transfers of blocks. `Call::call(context, symmetric, local, bytes, pe)` is the call.
template <class Call, Context C>
class block_transfer {
public:
    using context_type = C;

    void operator()(std::size_t i) const {
        Call::call(context_, symmetric_ + i * bytes_, local_ + i * bytes_, bytes_, pe_);
    }
    std::size_t capacity() const { return capacity_; }
    sonde::traffic traffic() const { return {bytes_, 1, 1}; }

protected:
    block_transfer(int pe, region symmetric, region local, std::size_t bytes, C context)
        : pe_{require_pe(pe)}, symmetric_{require_symmetric(symmetric.data(), symmetric.size(), pe)},
          local_{local.data()}, bytes_{bytes},
          capacity_{pe < 0       ? 0
                    : bytes == 0 ? static_cast<std::size_t>(-1)
                                 : std::min(symmetric.size(), local.size()) / bytes},
          context_{context} {}

    int pe_;
    std::byte* symmetric_;
    std::byte* local_;
    std::size_t bytes_;
    std::size_t capacity_;
    [[no_unique_address]] C context_;
};

// The calls `function(to, from, bytes, pe)`, whose symmetric region is `to` or `from`.
#define SONDE_SHMEM_TRANSFER(function, to, from)                                                                       \
    struct function {                                                                                                  \
        static void call(default_context, std::byte* symmetric, std::byte* local, std::size_t n, int pe) {             \
            shmem_##function(to, from, n, pe);                                                                         \
        }                                                                                                              \
        static void call(context_ref c, std::byte* symmetric, std::byte* local, std::size_t n, int pe) {               \
            shmem_ctx_##function(c.handle(), to, from, n, pe);                                                         \
        }                                                                                                              \
    };
SONDE_SHMEM_TRANSFER(putmem, symmetric, local)
SONDE_SHMEM_TRANSFER(putmem_nbi, symmetric, local)
SONDE_SHMEM_TRANSFER(getmem, local, symmetric)
SONDE_SHMEM_TRANSFER(getmem_nbi, local, symmetric)
#undef SONDE_SHMEM_TRANSFER

} // namespace detail

/// shmem_putmem: copies blocks of `origin` to the symmetric region `target` of a PE. A put returns when its block of
/// `origin` may be reused; the epoch delivers the block.
template <Context C = default_context>
struct put : detail::block_transfer<detail::putmem, C> {
    put(int pe, region target, region origin, std::size_t bytes, C context = {})
        : put::block_transfer{pe, target, origin, bytes, context} {}
};

/// shmem_putmem_nbi: as put, but `origin` must not change before the epoch completes the transfers (quiet,
/// barrier_all).
template <Context C = default_context>
struct put_nbi : detail::block_transfer<detail::putmem_nbi, C> {
    put_nbi(int pe, region target, region origin, std::size_t bytes, C context = {})
        : put_nbi::block_transfer{pe, target, origin, bytes, context} {}
};

/// shmem_getmem: copies blocks of the symmetric region `target` of a PE to `result`. A get returns when its block is in
/// `result`.
template <Context C = default_context>
struct get : detail::block_transfer<detail::getmem, C> {
    get(int pe, region target, region result, std::size_t bytes, C context = {})
        : get::block_transfer{pe, target, result, bytes, context} {}
};

/// shmem_getmem_nbi: as get, but the blocks are in `result` when the epoch has completed the transfers (quiet,
/// barrier_all).
template <Context C = default_context>
struct get_nbi : detail::block_transfer<detail::getmem_nbi, C> {
    get_nbi(int pe, region target, region result, std::size_t bytes, C context = {})
        : get_nbi::block_transfer{pe, target, result, bytes, context} {}
};

#if SONDE_SHMEM_TEAMS

/// Update of the signal by put_signal.
enum class signal_op : int { set = SHMEM_SIGNAL_SET, add = SHMEM_SIGNAL_ADD };

/// shmem_putmem_signal (OpenSHMEM 1.5): as put; then the symmetric `signal` of the PE is set to `value`, or `value` is
/// added to it. The PE that waits for the signal (shmem_signal_wait_until) finds the block delivered.
template <Context C = default_context>
class put_signal : public detail::block_transfer<detail::putmem, C> {
public:
    put_signal(int pe, region target, region origin, std::size_t bytes, std::uint64_t& signal, std::uint64_t value,
               signal_op how = signal_op::set, C context = {})
        : put_signal::block_transfer{pe, target, origin, bytes, context},
          signal_{detail::require_symmetric(&signal, sizeof signal, pe)}, value_{value}, how_{static_cast<int>(how)} {}
    void operator()(std::size_t i) const {
        auto* const to = this->symmetric_ + i * this->bytes_;
        auto const* const from = this->local_ + i * this->bytes_;
        if constexpr (std::same_as<C, default_context>)
            shmem_putmem_signal(to, from, this->bytes_, signal_, value_, how_, this->pe_);
        else shmem_ctx_putmem_signal(this->context_.handle(), to, from, this->bytes_, signal_, value_, how_, this->pe_);
    }

private:
    std::uint64_t* signal_;
    std::uint64_t value_;
    int how_;
};

#endif

// Completion and ordering of transfers (OpenSHMEM 1.4, 9.9 and 9.11) as epochs. They open without a call. When an epoch
// closes, it promises the following for its transfers, in addition to what they promise when their calls return:
//
//     no_completion   nothing
//     fence           puts and atomic operations are delivered to a PE before later ones to the same PE
//     quiet           all transfers are complete: puts are delivered and visible to all PEs, results are here
//     barrier_all     the same for the transfers of all PEs, and every PE knows it

/// Closes without a call, and promises no more than the transfers do when they return. Puts may still be under way when
/// the next epoch opens.
struct no_completion {
    static constexpr bool passive = true;

    void open(auto) const {}
    void close(auto) const {}
};

namespace detail {

/// Base class of the epochs that the origin closes by a call, `Call::call(context)`.
template <class Call, Context C>
class completion {
public:
    static constexpr bool passive = true;
    using context_type = C;

    explicit completion(C context) : context_{context} {}
    void open(auto) const {}
    void close(auto side) const {
        if constexpr (side.accesses) Call::call(context_);
    }

private:
    [[no_unique_address]] C context_;
};

struct quiet_call {
    static void call(default_context) { shmem_quiet(); }
    static void call(context_ref c) { shmem_ctx_quiet(c.handle()); }
};
struct fence_call {
    static void call(default_context) { shmem_fence(); }
    static void call(context_ref c) { shmem_ctx_fence(c.handle()); }
};

} // namespace detail

/// shmem_quiet by the origin: all transfers are complete and visible to all PEs. With a context this holds for the
/// transfers of the context.
template <Context C = default_context>
struct quiet : detail::completion<detail::quiet_call, C> {
    explicit quiet(C context = {}) : quiet::completion{context} {}
};

/// shmem_fence by the origin: puts and atomic operations are delivered to each PE before later puts and atomic
/// operations to the same PE. It completes no transfer.
template <Context C = default_context>
struct fence : detail::completion<detail::fence_call, C> {
    explicit fence(C context = {}) : fence::completion{context} {}
};

/// shmem_barrier_all by all PEs of the job, origins and targets: the transfers of all PEs in the default context are
/// complete, and every PE knows it. It completes no transfers of other contexts.
struct barrier_all {
    using context_type = default_context;

    void open(auto) const {}
    void close(auto) const { shmem_barrier_all(); }
};

} // namespace sonde::shmem
