// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/version.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <sonde/detail/hooks.inc>

namespace sonde::inline v0_1 {

struct point;

/// Role of a rank in a pattern. A record has the times of initiators only, not those of responders and idle ranks.
enum class role : unsigned char { initiator, responder, idle };

/// Data that one iteration of an initiator moves. `run` and `compare` throw std::invalid_argument, on all ranks, unless
/// `hops` and `shared_by` are positive and finite, `bus_factor` is finite and not negative, and bytes and messages are
/// at most 2^53.
struct traffic {
    std::size_t bytes = 0;     // of one iteration
    std::size_t messages = 0;  // of one iteration
    double hops = 1;           // consecutive one-way trips: 2 for a round trip
    double bus_factor = 1;     // of nccl-tests: bus bandwidth = factor x algorithm bandwidth
    std::size_t shared_by = 1; // initiators that report the same bytes, as in a collective; bytes count once
};

/// What a pattern requires of all ranks together; `run` and `compare` throw std::invalid_argument, on all ranks, where
/// it does not hold.
struct requirements {
    /// The root of a collective operation, equal on all ranks; -1 for a root that rotates.
    std::optional<int> root = {};
    /// Of a rank in a pair: several ranks must not all be initiators, or all responders.
    role in_pair = role::idle;
};

/// Communication pattern: a callable without arguments that makes one iteration on this rank.
///
///     p()                            one iteration
///     p.role() -> role               optional; initiator by default
///     p.traffic() -> traffic         optional; empty by default
///     p.requirements() -> requirements    optional; none by default
///     p.complete()                   optional; waits for operations that iterations left pending; inside the sample
///     p.after_warmup()               optional; called before the first iteration that belongs to a sample, and again
///                                    if the samples so far are discarded and count as warm-up
///     p.before_sample()              optional; called before each sample, and before each iteration or batch of the
///                                    warm-up, before the ranks are synchronized
///     p.after_sample(begin, end)     optional; called after each sample with the readings of the plan's clock
///     p.point() -> point             optional; name and parameters of the record, unless the call gives them
///     p.in_role(f)                   optional; calls f(i), where i() is one iteration in the role of p, so that a
///                                    batch branches on the role once; it need not call f on an idle rank
///
/// A member with the name of a hook but another signature, such as without const or with other arguments, does not
/// compile.
template <class P>
concept Pattern = requires(P& p) { p(); };

namespace detail {

/// True for a null pointer to a function, for a std::function, or another wrapper, without a function, and for an
/// adaptor of these.
constexpr bool is_empty_function(auto const& f) {
    using F = std::remove_cvref_t<decltype(f)>;
    if constexpr (std::is_pointer_v<F> || requires { f.operator bool() && f == nullptr; }) return f == nullptr;
    else if constexpr (requires { f.inner(); }) return detail::is_empty_function(f.inner());
    else return false;
}

} // namespace detail

namespace detail::pattern_hook {
SONDE_HOOKS(SONDE_PATTERN_HOOKS);
SONDE_FORWARDED(SONDE_PATTERN_HOOKS);
} // namespace detail::pattern_hook

/// Role of this rank in a pattern; an initiator if the pattern does not say. Throws std::invalid_argument for an empty
/// function.
template <Pattern P>
[[nodiscard]] role role_of(P const& pattern) {
    if (!detail::pattern_hook::has_role<P> && detail::is_empty_function(pattern))
        throw std::invalid_argument{"sonde: the exchange to be measured is an empty function"};
    return detail::pattern_hook::role(pattern);
}

/// Traffic of one iteration of this rank; none if the pattern does not say.
[[nodiscard]] traffic traffic_of(Pattern auto const& pattern) { return detail::pattern_hook::traffic(pattern); }

/// What the pattern requires of all ranks; nothing if it does not say.
[[nodiscard]] requirements requirements_of(Pattern auto const& pattern) {
    return detail::pattern_hook::requirements(pattern);
}

/// Calls `f(i)`, where `i()` is one iteration of the pattern in the role of this rank.
template <Pattern P, class F>
void in_role(P& pattern, F f) {
    if constexpr (detail::pattern_hook::calls_in_role<P, F&>()) pattern.in_role(f);
    else f(pattern);
}

/// Calls the pattern's hook before the first iteration that belongs to a sample, if it has one.
void after_warmup(Pattern auto& pattern) { detail::pattern_hook::after_warmup(pattern); }

/// Calls the pattern's hook before a sample, if it has one.
void before_sample(Pattern auto& pattern) { detail::pattern_hook::before_sample(pattern); }

/// Tell a pattern, after a sample, the readings of the plan's clock at the begin and the end of the sample.
void after_sample(Pattern auto& pattern, auto const& begin, auto const& end) {
    detail::pattern_hook::after_sample(pattern, begin, end);
}

/// Complete the pending operations of a pattern, or of a link.
void complete(auto& pattern) { detail::pattern_hook::complete(pattern); }

/// Base class of a pattern that is built on another pattern; it forwards all hooks.
///
///     d.iterate(inner)    public in `Derived`: one iteration; by default inner(), an iteration of the wrapped pattern
///
/// All adaptors follow one rule: an adaptor refers to a variable, which must outlive it, and keeps a temporary. So the
/// template argument is `P` for a value or `P&` for a reference, and each adaptor has a deduction guide that takes
/// `P&&`. A function that returns an adaptor of its own variable moves the variable (`std::move`) into the adaptor. A
/// derived class hides the hooks that it changes.
template <class Derived, class P>
class pattern_adaptor : public detail::pattern_hook::forwarded<pattern_adaptor<Derived, P>, P> {
public:
    void operator()() { self().iterate(pattern_); }
    void in_role(auto f) {
        sonde::in_role(pattern_, [this, &f](auto&& inner) { f([this, &inner] { self().iterate(inner); }); });
    }
    void iterate(auto& inner) { inner(); }
    std::remove_reference_t<P>& inner() { return pattern_; }
    std::remove_reference_t<P> const& inner() const { return pattern_; }

protected:
    explicit pattern_adaptor(P pattern) : pattern_{std::forward<P>(pattern)} {}

    P pattern_;

private:
    Derived& self() { return static_cast<Derived&>(*this); }
};

/// Pattern with a given traffic: `with_traffic({.bytes = n}, [&] { halo.exchange(); })`.
template <Pattern P>
class with_traffic : public pattern_adaptor<with_traffic<P>, P> {
public:
    with_traffic(sonde::traffic moved, P&& pattern)
        : with_traffic::pattern_adaptor{std::forward<P>(pattern)}, moved_{moved} {}
    sonde::traffic traffic() const { return moved_; }

private:
    sonde::traffic moved_;
};
template <class P>
with_traffic(traffic, P&&) -> with_traffic<P>;

/// Calls `first()` before each iteration of the pattern, inside the sample, for example to touch managed memory or to
/// pack a halo.
template <std::invocable F, Pattern P>
class with_setup : public pattern_adaptor<with_setup<F, P>, P> {
public:
    with_setup(F&& first, P&& pattern)
        : with_setup::pattern_adaptor{std::forward<P>(pattern)}, first_{std::forward<F>(first)} {}
    void iterate(auto& inner) {
        first_();
        inner();
    }

private:
    F first_;
};
template <class F, class P>
with_setup(F&&, P&&) -> with_setup<F, P>;

/// Combines n iterations of the pattern into one iteration. Throws std::invalid_argument for n = 0.
template <Pattern P>
class repeat : public pattern_adaptor<repeat<P>, P> {
public:
    repeat(std::size_t n, P&& pattern) : repeat::pattern_adaptor{std::forward<P>(pattern)}, n_{n} {
        if (n == 0) throw std::invalid_argument{"sonde::repeat: needs at least one iteration"};
    }
    void iterate(auto& inner) {
        for (std::size_t i = 0; i != n_; ++i) inner();
    }
    sonde::traffic traffic() const {
        auto moved = sonde::traffic_of(this->pattern_);
        moved.bytes *= n_;
        moved.messages *= n_;
        moved.hops *= static_cast<double>(n_);
        return moved;
    }

private:
    std::size_t n_;
};
template <class P>
repeat(std::size_t, P&&) -> repeat<P>;

template <Pattern P>
class without_completion;

namespace detail::pattern_hook {
template <class P>
struct forward_complete<pattern_adaptor<without_completion<P>, P>, P, true> {};
} // namespace detail::pattern_hook

/// Adaptor that removes `complete()` from a pattern: the host does not wait inside the sample, and the end of a sample
/// is recorded directly after its last iteration.
///
/// For a clock such as `cuda::event_clock`, which waits for the work after the sample when it computes a difference, so
/// that samples do not overlap. With a clock of the host, a sample would be the time of the launches. The clock's wait
/// does not detect failures as `complete()` may do. If an NCCL collective fails, the clock waits forever instead of
/// throwing `nccl::error`.
template <Pattern P>
class without_completion : public pattern_adaptor<without_completion<P>, P> {
public:
    explicit without_completion(P&& pattern) : without_completion::pattern_adaptor{std::forward<P>(pattern)} {}
};
template <class P>
without_completion(P&&) -> without_completion<P>;

/// The peer of a rank that has none. It is no number of a communication library: MPI_ANY_SOURCE of Open MPI is -1.
inline constexpr int no_peer = std::numeric_limits<int>::min();

/// Role and peer of a rank that communicates in a pair; an idle rank has no peer.
struct pairing {
    sonde::role role = sonde::role::idle; // of this rank
    int peer = no_peer;                   // rank of the other one
};

/// Pairing of `rank` among the given number of pairs: rank r < pairs is an initiator, its peer r + pairs a responder;
/// the other ranks are idle. Throws std::invalid_argument for a negative rank or number of pairs.
[[nodiscard]] inline pairing pair_of(int rank, int pairs) {
    if (rank < 0 || pairs < 0) throw std::invalid_argument{"sonde::pair_of: rank and pairs must not be negative"};
    if (rank < pairs) return {role::initiator, rank + pairs};
    if (rank - pairs < pairs) return {role::responder, rank - pairs};
    return {};
}

/// Messages of an exchange that one initiator counts in its traffic: messages in both directions, or only the messages
/// that it sends.
enum class directions : unsigned char { both, sent };

} // namespace sonde

#include <sonde/detail/hooks.inc>
