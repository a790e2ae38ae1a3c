// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

namespace sonde {

/// The part of a rank in an epoch of one-sided communication: it accesses others' windows, exposes its own, both, or
/// stands by while others do.
struct origin_side {
    static constexpr bool accesses = true, exposes = false;
};
struct target_side {
    static constexpr bool accesses = false, exposes = true;
};
struct both_sides {
    static constexpr bool accesses = true, exposes = true;
};
struct bystander {
    static constexpr bool accesses = false, exposes = false;
};

namespace detail {

template <class E, class Side>
concept EpochOf = requires(E& e) {
    e.open(Side{});
    e.close(Side{});
};

} // namespace detail

/// What one-sided transfers lie between; when it closes, they are complete as the epoch promises.
///
///     e.open(side), e.close(side)    side: origin_side, target_side, both_sides or bystander
///     e.turn(from, to)               optional: close one and open the next; by default both
///     E::passive                     optional constant: targets do nothing; then transfers may have requests
///
/// Idle ranks take part as bystanders, because some epochs are collective. What lasts longer than an iteration (the
/// lock around flushes) is of the constructor and the destructor.
template <class E>
concept Epoch = detail::EpochOf<E, origin_side> && detail::EpochOf<E, target_side> && detail::EpochOf<E, both_sides> &&
                detail::EpochOf<E, bystander>;

template <class E>
concept PassiveEpoch = Epoch<E> && requires { requires E::passive; };

} // namespace sonde
