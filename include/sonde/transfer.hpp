// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/epoch.hpp>
#include <sonde/pattern.hpp>

#include <concepts>
#include <cstddef>

namespace sonde {

/// One-sided transfers to disjoint places.
///
///     t(i)                  begins transfer i of an epoch
///     t.settle()            optional: after the last, before the epoch closes (waits for requests)
///     t.expect(n)           optional: up to n in an epoch; allocates what that needs
///     t.moves() -> traffic  of one transfer
///     t.places()            how many disjoint places there are
///     T::passive_only       optional constant: such transfers need a passive target
template <class T>
concept Transfer = requires(T& t, std::size_t i) {
    t(i);
    { t.moves() } -> std::convertible_to<traffic>;
    { t.places() } -> std::convertible_to<std::size_t>;
};

namespace detail {

template <class T>
concept NeedsPassiveTarget = requires { requires T::passive_only; };

} // namespace detail

/// May these transfers be made in such epochs? Those of which each is waited for alone need a passive target.
template <class T, class E>
concept TransferIn = Transfer<T> && Epoch<E> && (!detail::NeedsPassiveTarget<T> || PassiveEpoch<E>);

} // namespace sonde
