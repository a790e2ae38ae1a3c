// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>
#include <sonde/patterns/directions.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde {

/// The part of a rank in an epoch of one-sided communication: it accesses others' windows, exposes its own, or both.
struct origin_side {
    static constexpr bool accesses = true, exposes = false;
};
struct target_side {
    static constexpr bool accesses = false, exposes = true;
};
struct both_sides {
    static constexpr bool accesses = true, exposes = true;
};

/// What one-sided transfers lie between; when it closes, they are complete as the epoch promises.
///
///     e.open(side), e.close(side)    side: origin_side, target_side or both_sides
///     e.turn(from, to)               optional: close one and open the next; by default both
///
/// What lasts longer than an iteration (the lock around flushes) is of the constructor and the destructor.
template <class E>
concept Epoch = requires(E& e) {
    e.open(origin_side{});
    e.close(origin_side{});
    e.open(target_side{});
    e.close(target_side{});
    e.open(both_sides{});
    e.close(both_sides{});
};

/// One-sided transfers to disjoint places.
///
///     t(i)                  begins transfer i of an epoch
///     t.settle()            optional: after the last, before the epoch closes (waits for requests)
///     t.moves() -> traffic  of one transfer
///     t.places()            how many disjoint places there are
template <class T>
concept Transfer = requires(T& t, std::size_t i) {
    t(i);
    { t.moves() } -> std::convertible_to<traffic>;
    { t.places() } -> std::convertible_to<std::size_t>;
};

/// May these transfers be made in such epochs? Those of which each can be waited for need a passive target
/// (`T::passive_only`, `E::passive`).
template <class E, class T>
concept TransferIn = Epoch<E> && Transfer<T> &&
                     (
                         !requires { requires T::passive_only; } || requires { requires E::passive; });

namespace detail {

/// M transfers within epochs: what the patterns below have in common.
template <class E, class T>
    requires TransferIn<E, T>
class transfers_in_epochs {
public:
    role plays() const { return who_; }

protected:
    transfers_in_epochs(E epoch, role who, std::size_t many, T transfer)
        : epoch_{std::move(epoch)}, who_{who}, many_{many}, transfer_{std::move(transfer)} {
        if (many == 0) throw std::invalid_argument{"sonde::rma: an epoch needs at least one transfer"};
        if (many > transfer_.places())
            throw std::length_error{"sonde::rma: more transfers than there are disjoint places for them"};
    }

    void transfer() {
        for (std::size_t i = 0; i != many_; ++i) transfer_(i);
        if constexpr (requires(T& t) { t.settle(); }) transfer_.settle();
    }
    template <class From, class To>
    void turn(From from, To to) {
        if constexpr (requires(E& e) { e.turn(from, to); }) {
            epoch_.turn(from, to);
        } else {
            epoch_.close(from);
            epoch_.open(to);
        }
    }
    traffic moved(double times, double legs) const {
        auto const one = transfer_.moves();
        auto const n = times * static_cast<double>(many_);
        return {n * one.bytes, n * one.messages, legs};
    }

    E epoch_;
    role who_;
    std::size_t many_;
    T transfer_;
};

} // namespace detail

/// initiator: open, M transfers, close.   responder: exposes its window.
///
/// Completion as the epoch promises is part of the iteration. M = 1 completes each transfer alone (IMB's non-aggregate
/// mode), M > 1 all at once (its aggregate mode; OSU's window). Throws std::invalid_argument for M = 0,
/// std::length_error for more transfers than places.
template <class E, class T>
    requires TransferIn<E, T>
class rma : public detail::transfers_in_epochs<E, T> {
public:
    rma(E epoch, role who, std::size_t many, T transfer)
        : detail::transfers_in_epochs<E, T>{std::move(epoch), who, many, std::move(transfer)} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    template <class F>
    void in_role(F f) {
        if (this->who_ == role::initiator)
            f([this] {
                this->epoch_.open(origin_side{});
                this->transfer();
                this->epoch_.close(origin_side{});
            });
        else if (this->who_ == role::responder)
            f([this] {
                this->epoch_.open(target_side{});
                this->epoch_.close(target_side{});
            });
    }
    traffic moves() const { return this->moved(1, 1); }
};

/// initiator: an epoch as origin, then one as target.   responder: the other way round.
///
/// An iteration is a round trip of two legs: `latency` of its record is half of it, both transfers are counted.
template <class E, class T>
    requires TransferIn<E, T>
class rma_ping_pong : public detail::transfers_in_epochs<E, T> {
public:
    rma_ping_pong(E epoch, role who, std::size_t many, T transfer)
        : detail::transfers_in_epochs<E, T>{std::move(epoch), who, many, std::move(transfer)} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    template <class F>
    void in_role(F f) {
        if (this->who_ == role::initiator)
            f([this] {
                this->epoch_.open(origin_side{});
                this->transfer();
                this->turn(origin_side{}, target_side{});
                this->epoch_.close(target_side{});
            });
        else if (this->who_ == role::responder)
            f([this] {
                this->epoch_.open(target_side{});
                this->turn(target_side{}, origin_side{});
                this->transfer();
                this->epoch_.close(origin_side{});
            });
    }
    traffic moves() const { return this->moved(2, 2); }
};

/// initiator and responder: both open, transfer and close at once.
///
/// Count directions as in `bidirectional`: where both sides are initiators, `directions::sent`.
template <class E, class T>
    requires TransferIn<E, T>
class rma_exchange : public detail::transfers_in_epochs<E, T> {
public:
    rma_exchange(E epoch, role who, std::size_t many, T transfer, directions counted = directions::both)
        : detail::transfers_in_epochs<E, T>{std::move(epoch), who, many, std::move(transfer)}, counted_{counted} {}

    void operator()() {
        if (this->who_ == role::idle) return;
        this->epoch_.open(both_sides{});
        this->transfer();
        this->epoch_.close(both_sides{});
    }
    traffic moves() const { return this->moved(counted_ == directions::both ? 2 : 1, 1); }

private:
    directions counted_;
};

} // namespace sonde
