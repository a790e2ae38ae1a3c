// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace sonde {

/// Whose times count: an initiator's do, a responder's and an idle rank's do not.
enum class role : unsigned char { initiator, responder, idle };

/// What one iteration of an initiator moves. Legs: one-way trips in a row (2 for a round trip). Bus: bytes that cross
/// the busiest link, for each byte of an operation of many ranks. Shared by: the number of initiators that report the
/// same bytes and messages, which a record counts once (all ranks of a collective). `run` and `compare` throw
/// std::invalid_argument, on all ranks, unless legs and shared_by are positive and finite, and bus not negative and
/// finite, on each.
struct traffic {
    std::size_t bytes = 0;
    std::size_t messages = 0;
    double legs = 1;
    double bus = 1;
    std::size_t shared_by = 1;
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
[[nodiscard]] role plays(P const& pattern) {
    if constexpr (requires { requires std::convertible_to<decltype(pattern.plays()), role>; }) return pattern.plays();
    else return role::initiator;
}

template <Pattern P>
[[nodiscard]] traffic moves(P const& pattern) {
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

/// Base class of a pattern that is built on another one: forwards `plays`, `moves`, `complete` and `warmed_up`.
///
/// `P` is held by value, or, as `P&`, by reference. A derived class hides the hooks that it changes.
template <class P>
class pattern_adaptor {
public:
    role plays() const { return sonde::plays(pattern_); }
    traffic moves() const { return sonde::moves(pattern_); }
    void complete() { sonde::complete(pattern_); }
    void warmed_up() { sonde::warmed_up(pattern_); }

protected:
    explicit pattern_adaptor(P pattern) : pattern_{std::forward<P>(pattern)} {}

    P pattern_;
};

/// Base class of a pattern whose iteration contains iterations of another one: forwards `in_role`, too.
///
///     d.iterate(inner)    public in `Derived`: one iteration; inner() is one of the wrapped pattern in its role.
///                         By default inner()
template <class Derived, class P>
class iteration_adaptor : public pattern_adaptor<P> {
public:
    void operator()() { self().iterate(this->pattern_); }
    template <class F>
    void in_role(F f) {
        sonde::in_role(this->pattern_, [this, &f](auto&& inner) { f([this, &inner] { self().iterate(inner); }); });
    }
    void iterate(auto& inner) { inner(); }

protected:
    using pattern_adaptor<P>::pattern_adaptor;

private:
    Derived& self() { return static_cast<Derived&>(*this); }
};

} // namespace sonde
