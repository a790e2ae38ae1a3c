// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/upcxx/group.hpp>
#include <sonde/upcxx/memory.hpp>

#include <upcxx/upcxx.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

// Remote memory access of UPC++ (1.0, chapter 8) as transfers of blocks of bytes. Transfer i copies between block i of
// a global region and block i of a region of this process, which need not be in its shared segment. Each transfer is
// one call. Transfers of an idle rank have a null global region and a capacity of 0.

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

/// An epoch that is also an argument of its transfers.
template <class E>
concept Completion = Epoch<E> && requires { typename E::context_type; } &&
                     (std::same_as<E, each_operation> || requires(E const& e) { e.events(); });

namespace detail {

template <class E>
inline constexpr bool for_puts_only = requires { requires E::puts_only; };

/// Base class of the transfers of blocks.
template <Completion E>
class block_transfer {
public:
    using context_type = typename E::context_type;

    std::size_t capacity() const { return capacity_; }
    sonde::traffic traffic() const { return {bytes_, 1, 1}; }

protected:
    block_transfer(global_region there, region here, std::size_t bytes, E completion)
        : there_{there.data}, here_{here.data()}, bytes_{bytes},
          capacity_{there.data.is_null() ? 0
                    : bytes == 0         ? static_cast<std::size_t>(-1)
                                         : std::min(there.size, here.size()) / bytes},
          completion_{completion} {}

    auto there(std::size_t i) const { return there_ + static_cast<std::ptrdiff_t>(i * bytes_); }
    std::byte* here(std::size_t i) const { return here_ + i * bytes_; }

    ::upcxx::global_ptr<std::byte> there_;
    std::byte* here_;
    std::size_t bytes_;
    std::size_t capacity_;
    [[no_unique_address]] E completion_;
};

} // namespace detail

/// upcxx::rput: copies blocks of `origin` to the global region `target`. `completion` is the epoch that completes the
/// puts, which must not change `origin` before.
template <Completion E = each_operation>
struct rput : detail::block_transfer<E> {
    rput(global_region target, region origin, std::size_t bytes, E completion = {})
        : rput::block_transfer{target, origin, bytes, completion} {}

    void operator()(std::size_t i) const {
        std::byte const* const from = this->here(i);
        if constexpr (std::same_as<E, each_operation>) ::upcxx::rput(from, this->there(i), this->bytes_).wait();
        else ::upcxx::rput(from, this->there(i), this->bytes_, this->completion_.events());
    }
};

/// upcxx::rget: copies blocks of the global region `target` to `result`, where they are when the epoch has closed.
template <Completion E = each_operation>
    requires(!detail::for_puts_only<E>)
struct rget : detail::block_transfer<E> {
    rget(global_region target, region result, std::size_t bytes, E completion = {})
        : rget::block_transfer{target, result, bytes, completion} {}

    void operator()(std::size_t i) const {
        ::upcxx::global_ptr<std::byte const> const from = this->there(i);
        if constexpr (std::same_as<E, each_operation>) ::upcxx::rget(from, this->here(i), this->bytes_).wait();
        else ::upcxx::rget(from, this->here(i), this->bytes_, this->completion_.events());
    }
};

/// Remote procedure calls between two ranks (upcxx::rpc).
///
///     initiator: calls a procedure on its peer, and waits for its return.   responder: waits for the call, and
///     executes it.   idle: makes no call.
///
/// The procedure has an argument of 8 bytes and no result. An iteration is a round trip of two hops: `latency` of its
/// record is half of it. `here` is constructed on the same ranks and outlives the pattern.
class rpc_round_trip {
public:
    rpc_round_trip(group_ref ranks, arrivals& here, pairing pair)
        : team_{&ranks.get().team()}, here_{&here}, pair_{pair}, at_peer_{pair.peer < 0 ? 0 : here.of(pair.peer)} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    void in_role(auto f) {
        if (pair_.role == role::initiator)
            f([this] { ::upcxx::rpc(*team_, pair_.peer, arrivals::add, at_peer_).wait(); });
        else if (pair_.role == role::responder) f([this] { here_->wait(1); });
        else f([] {});
    }
    sonde::role role() const { return pair_.role; }
    sonde::traffic traffic() const { return {0, 2, 2}; }

private:
    ::upcxx::team const* team_;
    arrivals* here_;
    pairing pair_;
    std::uintptr_t at_peer_;
};

} // namespace sonde::upcxx
