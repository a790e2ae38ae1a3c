// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/time_batch.hpp>
#include <sonde/pattern.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace sonde::inline v0_1 {

namespace detail {

/// Time n iterations of the referenced pattern, by one call of a function that knows its type.
template <Clock C>
auto time_batch(C& clock, pattern_ref<C> const& pattern, std::size_t n);

} // namespace detail

/// Reference to a pattern without its type, for a function that measures any pattern and is compiled once:
///
///     sonde::record measure(sonde::mpi::group& group, sonde::pattern_ref<> pattern) {
///         return sonde::run(group, sonde::plan<>{}, pattern);
///     }
///
/// The timed code keeps the pattern's type: `run` and `compare` make one call through the reference for each batch. An
/// adaptor of a reference would make one call for each iteration, so adapt the pattern instead. `C` is the clock of the
/// plan; the plan must not `agree_on_errors`. The pattern must outlive the reference, so pass a temporary pattern only
/// as an argument of a function.
template <Clock C = steady_clock>
class pattern_ref {
    using reading = decltype(std::declval<C&>().now());

public:
    template <class P>
        requires(!std::same_as<std::remove_cvref_t<P>, pattern_ref> && Pattern<std::remove_reference_t<P>>)
    pattern_ref(P&& pattern) : pattern_{address_of(pattern)}, calls_{&calls_of<std::remove_reference_t<P>>} {}

    void operator()() const { calls_->iterate(pattern_); }
    void complete() const {
        if (calls_->complete != nullptr) calls_->complete(pattern_);
    }
    void after_warmup() const {
        if (calls_->after_warmup != nullptr) calls_->after_warmup(pattern_);
    }
    void before_sample() const {
        if (calls_->before_sample != nullptr) calls_->before_sample(pattern_);
    }
    void after_sample(reading const& begin, reading const& end) const {
        if (calls_->after_sample != nullptr) calls_->after_sample(pattern_, begin, end);
    }
    sonde::role role() const { return calls_->role(pattern_); }
    sonde::traffic traffic() const { return calls_->traffic(pattern_); }
    sonde::requirements requirements() const { return calls_->requirements(pattern_); }

    sonde::point point() const { return calls_->point == nullptr ? sonde::point{} : calls_->point(pattern_); }

private:
    template <Clock D>
    friend auto detail::time_batch(D& clock, pattern_ref<D> const& pattern, std::size_t n);

    using span = detail::time_span<reading>;
    /// Functions that know the type of the pattern; null for a hook that it does not have, so that nothing is compiled
    /// for the hook.
    struct calls {
        span (*time_batch)(C&, void const*, std::size_t);
        void (*iterate)(void const*);
        void (*complete)(void const*);
        void (*after_warmup)(void const*);
        void (*before_sample)(void const*);
        void (*after_sample)(void const*, reading const&, reading const&);
        sonde::role (*role)(void const*);
        sonde::traffic (*traffic)(void const*);
        sonde::requirements (*requirements)(void const*);
        sonde::point (*point)(void const*);
    };

    template <class P>
    static void const* address_of(P& pattern) {
        if constexpr (std::is_function_v<P>) return reinterpret_cast<void const*>(&pattern);
        else return &reinterpret_cast<char const&>(pattern); // std::addressof, whose <memory> would cost 0.2 s
    }
    template <class P>
    static P& in(void const* pattern) {
        if constexpr (std::is_function_v<P>) return *reinterpret_cast<P*>(const_cast<void*>(pattern));
        else return *static_cast<P*>(const_cast<void*>(pattern)); // the constructor took a P&, which may be const
    }
    template <bool exists>
    static constexpr auto if_exists(auto function) {
        if constexpr (exists) return function;
        else return nullptr;
    }
    template <class P>
    static constexpr calls calls_of{
        [](C& clock, void const* p, std::size_t n) -> span { return detail::time_batch(clock, in<P>(p), n); },
        [](void const* p) { in<P>(p)(); },
        if_exists<detail::pattern_hook::calls_complete<P>()>([](void const* p) { sonde::complete(in<P>(p)); }),
        if_exists<detail::pattern_hook::calls_after_warmup<P>()>([](void const* p) { sonde::after_warmup(in<P>(p)); }),
        if_exists<detail::pattern_hook::calls_before_sample<P>()>(
            [](void const* p) { sonde::before_sample(in<P>(p)); }),
        if_exists<detail::pattern_hook::calls_after_sample<P, reading const&, reading const&>()>(
            [](void const* p, reading const& begin, reading const& end) { sonde::after_sample(in<P>(p), begin, end); }),
        [](void const* p) { return sonde::role_of(in<P>(p)); },
        [](void const* p) { return sonde::traffic_of(in<P>(p)); },
        [](void const* p) { return sonde::requirements_of(in<P>(p)); },
        if_exists<detail::pattern_hook::calls_point<P>()>(
            [](void const* p) { return detail::pattern_hook::point(in<P>(p)); })};

    void const* pattern_;
    calls const* calls_;
};

template <Clock C>
auto detail::time_batch(C& clock, pattern_ref<C> const& pattern, std::size_t n) {
    return pattern.calls_->time_batch(clock, pattern.pattern_, n);
}

} // namespace sonde
