// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/link.hpp>
#include <sonde/pattern.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <sonde/detail/hooks.inc>

namespace sonde::inline v0_1 {

/// Side of a rank in an epoch of one-sided communication: an origin accesses windows of other ranks, a target exposes
/// its window; a rank may be on both sides, and an idle rank is on neither.
template <bool Accesses, bool Exposes>
struct epoch_side {
    static constexpr bool accesses = Accesses, exposes = Exposes; // windows of others; its own window
};
using origin_side = epoch_side<true, false>;
using target_side = epoch_side<false, true>;
using both_sides = epoch_side<true, true>;
using neither_side = epoch_side<false, false>;

/// Epoch of one-sided communication; closing it completes the transfers, as far as the kind of epoch guarantees.
///
///     e.open(side), e.close(side)    side: origin_side, target_side, both_sides or neither_side
///     e.close_and_open(from, to)     optional: closes one epoch and opens the next in one call; by default two calls
///     E::passive                     optional constant: targets make no calls for a transfer, so transfers may have
///     requests E::context_type                optional: it completes only transfers with an equal `context_type`
///
/// Patterns call it on every rank, also on the targets of a passive epoch and on idle ranks, because some epochs are
/// collective. A lock that lasts longer than an iteration (as around flushes) belongs in the constructor and the
/// destructor.
template <class E>
concept Epoch = requires(E& e) {
    e.open(origin_side{}), e.close(origin_side{});
    e.open(target_side{}), e.close(target_side{});
    e.open(both_sides{}), e.close(both_sides{});
    e.open(neither_side{}), e.close(neither_side{});
};

namespace detail::epoch_hook {
SONDE_HOOK_NAME(passive);
SONDE_HOOKS(SONDE_EPOCH_HOOKS);
} // namespace detail::epoch_hook

namespace detail {

/// The constant `passive` of an epoch, false without it.
template <class E>
constexpr bool is_passive() {
    constexpr bool fits = requires { std::bool_constant<E::passive>{}; };
    static_assert(fits || !epoch_hook::has_passive<E>, "passive of a sonde::Epoch must be a public constant bool");
    if constexpr (fits) return E::passive;
    else return false;
}

} // namespace detail

/// Epoch of passive targets, which make no calls for a transfer: of MPI under a lock, of OpenSHMEM and of UPC++.
template <class E>
concept PassiveEpoch = Epoch<E> && detail::is_passive<E>();

/// One-sided transfers to disjoint parts of a window.
///
///     t(i)                  starts transfer i of an epoch
///     t.wait_all()          optional: completes requests, after the last transfer and before the epoch closes
///     t.reserve(n)          optional, untimed: allocates requests for up to n transfers in an epoch
///     t.traffic() -> traffic  const: of one transfer
///     t.capacity()          const: number of transfers that do not overlap
///     t.has_target()        optional, const: false for a transfer without a target
///     T::passive_only       optional constant: the transfers require a passive target
///     T::context_type       optional: type of the context of OpenSHMEM in which an epoch must complete them
template <class T>
concept Transfer = requires(T& t, T const& constant, std::size_t i) {
    t(i);
    { constant.traffic() } -> std::convertible_to<traffic>;
    { constant.capacity() } -> std::convertible_to<std::size_t>;
};

namespace detail::transfer_hook {
SONDE_HOOK_NAME(passive_only);
SONDE_HOOKS(SONDE_TRANSFER_HOOKS);
} // namespace detail::transfer_hook

namespace detail {

/// False for a transfer in a context that the epoch does not complete.
template <class T, class E>
inline constexpr bool contexts_match = true;
template <class T, class E>
    requires requires {
        typename T::context_type;
        typename E::context_type;
    }
inline constexpr bool contexts_match<T, E> = std::same_as<typename T::context_type, typename E::context_type>;

/// The constant `passive_only` of a transfer, false without it.
template <class T>
constexpr bool needs_passive_epoch() {
    constexpr bool fits = requires { std::bool_constant<T::passive_only>{}; };
    static_assert(fits || !transfer_hook::has_passive_only<T>,
                  "passive_only of a sonde::Transfer must be a public constant bool");
    if constexpr (fits) return T::passive_only;
    else return false;
}

} // namespace detail

/// Transfers that are allowed in epochs of type E. Transfers with a request each require a passive target. Transfers in
/// a context require an epoch of that context.
template <class T, class E>
concept TransferIn =
    Transfer<T> && Epoch<E> && (!detail::needs_passive_epoch<T>() || PassiveEpoch<E>)&&detail::contexts_match<T, E>;

namespace detail {

/// Sides of a rank in the epochs of one iteration, in order.
template <class... Sides>
struct epochs {};

/// Base class of the patterns below: transfers within the epochs of an iteration, one type of `epochs` for each role.
template <Epoch E, TransferIn<E> T, class Initiator, class Responder, class Idle>
class transfers_in_epochs {
public:
    void operator()() {
        in_role([](auto&& iteration) { iteration(); });
    }
    void in_role(auto f) {
        dispatch([this, &f](auto sides) { f([this, sides] { iterate(sides); }); });
    }
    sonde::role role() const { return role_; }
    /// None. Throws std::invalid_argument on a rank that has transfers, but no target.
    sonde::requirements requirements() const {
        dispatch([this]<class... Sides>(epochs<Sides...>) {
            if ((Sides::accesses || ...) && !transfer_hook::has_target(transfer_))
                throw std::invalid_argument{std::string{"sonde::rma: "} +
                                            (role_ == role::initiator ? "an initiator's" : "a responder's") +
                                            " transfers have no target"};
        });
        return {};
    }
    sonde::traffic traffic() const {
        auto const one = transfer_.traffic();
        return {counted_ * n_ * one.bytes, counted_ * n_ * one.messages, hops_};
    }

protected:
    /// The traffic of an initiator is `counted` times n transfers, with `hops`.
    transfers_in_epochs(E epoch, sonde::role my_role, std::size_t n, T transfer, std::size_t counted, double hops)
        : epoch_{std::move(epoch)}, role_{my_role}, n_{n}, transfer_{std::move(transfer)}, counted_{counted},
          hops_{hops} {
        if (n == 0) throw std::invalid_argument{"sonde::rma: an epoch needs at least one transfer"};
        dispatch([this]<class... Sides>(epochs<Sides...>) {
            if constexpr ((Sides::accesses || ...)) reserve(); // a rank without transfers needs no buffer for them
        });
    }

private:
    void dispatch(auto f) const {
        if (role_ == role::initiator) f(Initiator{});
        else if (role_ == role::responder) f(Responder{});
        else f(Idle{});
    }
    void reserve() {
        auto const most = transfer_.capacity();
        if (n_ <= most) return transfer_hook::reserve(transfer_, n_);
        throw std::length_error{"sonde::rma: the window or a buffer has room for " + std::to_string(most) +
                                " transfers of " + std::to_string(transfer_.traffic().bytes) +
                                " bytes that do not overlap, not for " + std::to_string(n_)};
    }
    template <class Side>
    void iterate(epochs<Side> /*sides*/) {
        epoch_.open(Side{});
        if constexpr (Side::accesses) transfer_all();
        epoch_.close(Side{});
    }
    template <class First, class Second>
    void iterate(epochs<First, Second> /*sides*/) {
        epoch_.open(First{});
        if constexpr (First::accesses) transfer_all();
        if constexpr (epoch_hook::calls_close_and_open<E, origin_side, target_side>()) {
            epoch_.close_and_open(First{}, Second{});
        } else {
            epoch_.close(First{});
            epoch_.open(Second{});
        }
        if constexpr (Second::accesses) transfer_all();
        epoch_.close(Second{});
    }
    void transfer_all() {
        transfer_(0); // outside of the loop, whose own instructions matter in an epoch of one short transfer
        for (std::size_t i = 1, n = n_; i != n; ++i) transfer_(i);
        transfer_hook::wait_all(transfer_);
    }

    E epoch_;
    sonde::role role_;
    std::size_t n_;
    T transfer_;
    std::size_t counted_;
    double hops_;
};

template <class E, class T>
using one_way_transfers = transfers_in_epochs<E, T, epochs<origin_side>, epochs<target_side>, epochs<neither_side>>;
template <class E, class T>
using round_trip_transfers = transfers_in_epochs<E, T, epochs<origin_side, target_side>,
                                                 epochs<target_side, origin_side>, epochs<neither_side, neither_side>>;
template <class E, class T>
using two_way_transfers = transfers_in_epochs<E, T, epochs<both_sides>, epochs<both_sides>, epochs<neither_side>>;

} // namespace detail

/// One-way transfers. initiator: open, n transfers, close.   responder: exposes its window.   idle: on neither side.
///
/// n = 1 completes each transfer separately (IMB's non-aggregate mode), n > 1 all of them together (IMB's aggregate
/// mode, OMB's window). Throws std::invalid_argument for n = 0, std::length_error for more than `t.capacity()`.
template <Epoch E, TransferIn<E> T>
class rma : public detail::one_way_transfers<E, T> {
public:
    rma(E epoch, sonde::role my_role, std::size_t n, T transfer)
        : rma::transfers_in_epochs{std::move(epoch), my_role, n, std::move(transfer), 1, 1} {}
};

/// Round trip. initiator: an epoch as origin, then one as target.   responder: vice versa.   idle: on neither side.
///
/// `latency` of its record is half an iteration, and the transfers of both directions are counted. Not for passive
/// targets, which do not wait for transfers, so that there is no round trip.
template <Epoch E, TransferIn<E> T>
    requires(!PassiveEpoch<E>)
class rma_ping_pong : public detail::round_trip_transfers<E, T> {
public:
    rma_ping_pong(E epoch, sonde::role my_role, std::size_t n, T transfer)
        : rma_ping_pong::transfers_in_epochs{std::move(epoch), my_role, n, std::move(transfer), 2, 2} {}
};

/// Exchange. initiator and responder: open, n transfers, close, at the same time.   idle: on neither side.
///
/// Directions are counted as in `bidirectional`: pass `directions::sent` if both sides are initiators.
template <Epoch E, TransferIn<E> T>
class rma_exchange : public detail::two_way_transfers<E, T> {
public:
    rma_exchange(E epoch, sonde::role my_role, std::size_t n, T transfer, directions counted = directions::both)
        : rma_exchange::transfers_in_epochs{
              std::move(epoch), my_role, n, std::move(transfer), counted == directions::both ? std::size_t{2} : 1, 1} {}
};

} // namespace sonde

#include <sonde/detail/hooks.inc>
