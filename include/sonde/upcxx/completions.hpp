// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/upcxx/group.hpp>

#include <upcxx/upcxx.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Completion of transfers (UPC++ 1.0, chapter 7) as epochs. UPC++ has no call that completes all transfers: each
// transfer names what it notifies. An epoch is therefore also an argument of its transfers. It opens without a call.
// When it has closed,
//
//     each_operation   closing makes no call: each transfer was complete when it returned
//     operation        puts are in the memory of the target, gets and atomic operations have their results
//     source           the origin may change its bytes, while puts may still be under way
//     remote           the origin may change its bytes, and the puts of the peer are in the memory of the target
//     barrier_epoch    as operation, and every rank knows it, because all ranks have waited for each other

namespace sonde::inline v0_1::upcxx {

namespace detail {

/// A promise that transfers fulfill, one epoch after the other.
class epoch_promise {
public:
    ::upcxx::promise<> const& get() const { return promise_; }
    /// Waits for the transfers that were made with the promise, and executes remote procedure calls meanwhile.
    void wait() {
        auto const all = promise_.finalize();
        promise_ = ::upcxx::promise<>{};
        all.wait();
    }

private:
    ::upcxx::promise<> promise_;
};

} // namespace detail

/// The transfers of this rank that are under way: what its epochs wait for. It outlives the epochs and the transfers
/// that are made with it, and serves one epoch at a time. The destructor waits for puts that are still under way, so
/// that UPC++ must not be finalized before. Not collective.
class [[nodiscard]] pending {
public:
    pending() = default;
    pending(pending const&) = delete;
    pending& operator=(pending const&) = delete;
    ~pending() {
        if (!unwinding_.is_unwinding()) wait_for_operations();
    }

    /// Promise of the completions of operations.
    ::upcxx::promise<> const& operations() const { return operations_.get(); }
    /// Promise of the completions of sources.
    ::upcxx::promise<> const& sources() const { return sources_.get(); }
    /// Wait until all puts and gets are complete. Not collective.
    void wait_for_operations() { operations_.wait(); }
    /// Wait until the bytes of all puts may be changed. Not collective.
    void wait_for_sources() { sources_.wait(); }

private:
    detail::epoch_promise operations_, sources_;
    sonde::detail::exception_checker unwinding_;
};

/// Every transfer waits for itself: upcxx::rput(...).wait().
struct each_operation {
    static constexpr bool passive = true;
    using context_type = each_operation;

    void open(auto) const {}
    void close(auto) const {}
};

/// The origin waits for all transfers of the epoch (operation_cx).
class operation {
public:
    static constexpr bool passive = true;
    using context_type = operation;

    explicit operation(pending& of) : of_{&of} {}
    void open(auto) const {}
    void close(auto side) const {
        if constexpr (side.accesses) wait();
    }
    void wait() const { of_->wait_for_operations(); }
    /// What a transfer notifies.
    auto events() const { return ::upcxx::operation_cx::as_promise(of_->operations()); }

private:
    pending* of_;
};

/// The origin waits until it may change the bytes of all puts of the epoch (source_cx). Operations remain under way;
/// `pending::wait_for_operations` completes them.
class source {
public:
    static constexpr bool passive = true;
    /// Gets have no such completion.
    static constexpr bool puts_only = true;
    using context_type = source;

    explicit source(pending& of) : of_{&of} {}
    void open(auto) const {}
    void close(auto side) const {
        if constexpr (side.accesses) of_->wait_for_sources();
    }
    /// What a put of the epoch is to signal: the last argument of `upcxx::rput`.
    auto events() const {
        return ::upcxx::source_cx::as_promise(of_->sources()) | ::upcxx::operation_cx::as_promise(of_->operations());
    }

private:
    pending* of_;
};

/// Number of puts that have arrived at this rank, each counted by a remote procedure call, and where the other ranks
/// count theirs. Constructor and destructor are collective over the group, so that no call comes too late.
class [[nodiscard]] arrivals {
public:
    explicit arrivals(group_ref ranks) : team_{&ranks.get().team()} {
        for (int rank = 0; rank != ranks.get().size(); ++rank)
            of_rank_.push_back(::upcxx::broadcast(reinterpret_cast<std::uintptr_t>(&count_), rank, *team_).wait());
    }
    arrivals(arrivals const&) = delete;
    arrivals& operator=(arrivals const&) = delete;
    ~arrivals() {
        if (!unwinding_.is_unwinding()) ::upcxx::barrier(*team_);
    }

    /// Address of the counter of a rank, valid on that rank.
    std::uintptr_t of(int rank) const { return of_rank_.at(static_cast<std::size_t>(rank)); }
    /// Waits for n further arrivals.
    void wait(std::size_t n) {
        for (awaited_ += n; count_ < awaited_;) ::upcxx::progress();
    }
    /// The remote procedure: one arrival.
    static void add(std::uintptr_t counter) { ++*reinterpret_cast<std::size_t*>(counter); }

private:
    ::upcxx::team const* team_;
    std::size_t count_ = 0, awaited_ = 0;
    std::vector<std::uintptr_t> of_rank_;
    sonde::detail::exception_checker unwinding_;
};

/// The target waits for the puts of its peer, of which each executes a remote procedure call on arrival (remote_cx).
/// `peer`: rank in the group, -1 on an idle rank. `n`: puts in an epoch, equal on both ranks.
class remote {
public:
    /// Gets have no such completion.
    static constexpr bool puts_only = true;
    using context_type = remote;

    remote(pending& of, upcxx::arrivals& here, int peer, std::size_t n)
        : of_{&of}, here_{&here}, at_peer_{peer < 0 ? 0 : here.of(peer)}, n_{n} {}
    void open(auto) const {}
    void close(auto side) const {
        if constexpr (side.accesses) of_->wait_for_sources();
        if constexpr (side.exposes) here_->wait(n_);
    }
    /// What a put of the epoch is to signal: the last argument of `upcxx::rput`.
    auto events() const {
        return ::upcxx::source_cx::as_promise(of_->sources()) |
               ::upcxx::remote_cx::as_rpc(upcxx::arrivals::add, at_peer_);
    }

private:
    pending* of_;
    upcxx::arrivals* here_;
    std::uintptr_t at_peer_;
    std::size_t n_;
};

/// The origin waits for all transfers of the epoch, and then all ranks of the group wait for each other. Its transfers
/// are made with an `operation` of the same transfers under way.
class barrier_epoch {
public:
    using context_type = operation;

    barrier_epoch(group_ref ranks, operation origin) : team_{&ranks.get().team()}, origin_{origin} {}
    void open(auto) const {}
    void close(auto side) const {
        origin_.close(side);
        ::upcxx::barrier(*team_);
    }

private:
    ::upcxx::team const* team_;
    operation origin_;
};

} // namespace sonde::upcxx
