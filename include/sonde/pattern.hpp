// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>

namespace sonde {

/// Whose times count: an initiator's do, a responder's and an idle rank's do not.
enum class role : unsigned char { initiator, responder, idle };

/// What one iteration of an initiator moves. Legs: one-way trips in a row (2 for a round trip). Bus: bytes that cross
/// the busiest link, for each byte of an operation of many ranks.
struct traffic {
    double bytes = 0;
    double messages = 0;
    double legs = 1;
    double bus = 1;
};

/// One iteration of a communication, on this rank.
///
///     p()                            one iteration
///     p.plays() -> role              optional; initiator by default
///     p.moves() -> traffic           optional; nothing by default
///     p.complete()                   optional; waits for what iterations left running; inside the sample
///     p.warmed_up()                  optional; told once, when iterations from now on are samples
///     p.in_role(f)                   optional; f(i), where i() is one iteration in the role that p plays: a batch then
///                                    looks the role up once; an idle rank need not call f
///
/// Every callable without arguments is a pattern.
template <class P>
concept Pattern = requires(P& p) { p(); };

template <Pattern P>
role plays(P const& pattern) {
    if constexpr (requires { requires std::convertible_to<decltype(pattern.plays()), role>; }) return pattern.plays();
    else return role::initiator;
}

template <Pattern P>
traffic moves(P const& pattern) {
    if constexpr (requires { requires std::convertible_to<decltype(pattern.moves()), traffic>; })
        return pattern.moves();
    else return {};
}

template <Pattern P, class F>
void in_role(P& pattern, F f) {
    if constexpr (requires { pattern.in_role(f); }) pattern.in_role(f);
    else f(pattern);
}

template <Pattern P>
void warmed_up(P& pattern) {
    if constexpr (requires { pattern.warmed_up(); }) pattern.warmed_up();
}

template <Pattern P>
void complete(P& pattern) {
    if constexpr (requires { pattern.complete(); }) pattern.complete();
}

} // namespace sonde
