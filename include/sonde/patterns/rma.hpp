// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/epoch.hpp>
#include <sonde/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/directions.hpp>
#include <sonde/transfer.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde {

namespace detail {

/// M transfers within epochs: what the patterns below have in common.
template <Epoch E, TransferIn<E> T>
class transfers_in_epochs {
public:
    role plays() const { return who_; }

protected:
    /// `accesses`: this rank begins transfers; one that does not needs no places for them.
    transfers_in_epochs(E epoch, role who, std::size_t many, T transfer, bool accesses)
        : epoch_{std::move(epoch)}, who_{who}, many_{many}, transfer_{std::move(transfer)} {
        if (many == 0) throw std::invalid_argument{"sonde::rma: an epoch needs at least one transfer"};
        if (accesses) require_room();
        if (accesses) sonde::expect(transfer_, many);
    }

    template <class Side>
    void one_epoch(Side side) {
        epoch_.open(side);
        if constexpr (Side::accesses) transfer();
        epoch_.close(side);
    }
    template <class First, class Second>
    void two_epochs(First first, Second second) {
        epoch_.open(first);
        if constexpr (First::accesses) transfer();
        turn(first, second);
        if constexpr (Second::accesses) transfer();
        epoch_.close(second);
    }
    traffic moved(std::size_t times, double legs) const {
        auto const one = transfer_.moves();
        auto const n = times * many_;
        return {n * one.bytes, n * one.messages, legs};
    }

private:
    void require_room() {
        auto const most = transfer_.places();
        if (many_ <= most) return;
        throw std::length_error{"sonde::rma: the window or a buffer has room for " + std::to_string(most) +
                                " transfers of " + std::to_string(transfer_.moves().bytes) +
                                " bytes that do not overlap, not for " + std::to_string(many_)};
    }
    void transfer() {
        for (std::size_t i = 0, n = many_; i != n; ++i) transfer_(i);
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

    E epoch_;
    role who_;
    std::size_t many_;
    T transfer_;
};

} // namespace detail

/// initiator: open, M transfers, close.   responder: exposes its window.   idle: stands by.
///
/// Completion as the epoch promises is part of the iteration. M = 1 completes each transfer alone (IMB's non-aggregate
/// mode), M > 1 all at once (its aggregate mode; OSU's window). Throws std::invalid_argument for M = 0,
/// std::length_error for more transfers than places.
template <Epoch E, TransferIn<E> T>
class rma : public detail::transfers_in_epochs<E, T> {
public:
    rma(E epoch, role who, std::size_t many, T transfer)
        : detail::transfers_in_epochs<E, T>{std::move(epoch), who, many, std::move(transfer), who == role::initiator} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    template <class F>
    void in_role(F f) {
        if (this->plays() == role::initiator) f([this] { this->one_epoch(origin_side{}); });
        else if (this->plays() == role::responder) f([this] { this->one_epoch(target_side{}); });
        else f([this] { this->one_epoch(bystander{}); });
    }
    traffic moves() const { return this->moved(1, 1); }
};

/// initiator: an epoch as origin, then one as target.   responder: the other way round.   idle: stands by.
///
/// An iteration is a round trip of two legs: `latency` of its record is half of it, both transfers are counted. Passive
/// targets do not wait for anybody, so there is no round trip of such epochs.
template <Epoch E, TransferIn<E> T>
    requires(!PassiveEpoch<E>)
class rma_ping_pong : public detail::transfers_in_epochs<E, T> {
public:
    rma_ping_pong(E epoch, role who, std::size_t many, T transfer)
        : detail::transfers_in_epochs<E, T>{std::move(epoch), who, many, std::move(transfer), who != role::idle} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    template <class F>
    void in_role(F f) {
        if (this->plays() == role::initiator) f([this] { this->two_epochs(origin_side{}, target_side{}); });
        else if (this->plays() == role::responder) f([this] { this->two_epochs(target_side{}, origin_side{}); });
        else f([this] { this->two_epochs(bystander{}, bystander{}); });
    }
    traffic moves() const { return this->moved(2, 2); }
};

/// initiator and responder: both open, transfer and close at once.   idle: stands by.
///
/// Count directions as in `bidirectional`: where both sides are initiators, `directions::sent`.
template <Epoch E, TransferIn<E> T>
class rma_exchange : public detail::transfers_in_epochs<E, T> {
public:
    rma_exchange(E epoch, role who, std::size_t many, T transfer, directions counted = directions::both)
        : detail::transfers_in_epochs<E, T>{std::move(epoch), who, many, std::move(transfer), who != role::idle},
          counted_{counted} {}

    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    template <class F>
    void in_role(F f) {
        if (this->plays() == role::idle) f([this] { this->one_epoch(bystander{}); });
        else f([this] { this->one_epoch(both_sides{}); });
    }
    traffic moves() const { return this->moved(counted_ == directions::both ? 2 : 1, 1); }

private:
    directions counted_;
};

} // namespace sonde
