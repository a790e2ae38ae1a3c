// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/record.hpp>
#include <sonde/run.hpp>
#include <sonde/stats/histogram.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <functional>
#include <list>
#include <ratio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sonde {

/// Type-erased reference to a group, for code that is compiled before the type of the group is known. Only calls of the
/// control plane, which are never timed, go through its function pointers. The group must outlive it.
class any_group {
public:
    template <Group G>
    explicit any_group(G& group)
        : group_{&group}, rank_{group.rank()}, size_{group.size()},
          barrier_{[](void* g) { static_cast<G*>(g)->barrier(); }},
          all_reduce_{
              [](void* g, std::span<double> values, reduction how) { static_cast<G*>(g)->all_reduce(values, how); }} {}

    int rank() const { return rank_; }
    int size() const { return size_; }
    void barrier() const { barrier_(group_); }
    void all_reduce(std::span<double> values, reduction how) const { all_reduce_(group_, values, how); }

private:
    void* group_;
    int rank_;
    int size_;
    void (*barrier_)(void*);
    void (*all_reduce_)(void*, std::span<double>, reduction);
};

struct scope_options {
    std::size_t bytes = 0; // moved by this rank in one pass
};

/// The plan of `measure_references`.
template <Clock C>
using reference_plan = decltype(plan<>{}.until(samples{1} || time_budget{}).timed_by(std::declval<C>()));

template <Clock C>
class basic_scope;

namespace detail {

/// See `basic_probe::scope`.
template <Clock C>
basic_scope<C>& find_or_make(std::list<basic_scope<C>>& scopes, std::string_view name, scope_options options,
                             C const& clock) {
    for (auto& s : scopes) {
        if (s.name() != name) continue;
        if (options.bytes != 0 && options.bytes != s.bytes())
            throw std::invalid_argument{"sonde::probe: the scope has another number of bytes: " + s.name()};
        return s;
    }
    return scopes.emplace_back(name, options, clock);
}

} // namespace detail

/// A named part of an application whose passes are timed. A pass takes two readings of the clock and a count, and
/// allocates nothing.
///
///     { auto const pass = halo.enter(); exchange(); }
///
/// A pass is counted when its object is destroyed, also by an exception. Its time includes nested scopes. If a scope is
/// entered recursively, each pass counts. For one thread at a time.
template <Clock C>
class basic_scope {
public:
    class [[nodiscard]] pass {
    public:
        explicit pass(basic_scope& entered) : scope_{entered}, begin_{entered.clock_.now()} {}
        pass(pass const&) = delete;
        pass& operator=(pass const&) = delete;
        ~pass() { scope_.times_.add(scope_.clock_.now() - begin_); }

    private:
        basic_scope& scope_;
        decltype(std::declval<C&>().now()) const begin_;
    };

    basic_scope(std::string_view name, scope_options options, C clock)
        : clock_{std::move(clock)}, name_{name}, options_{options} {}

    [[nodiscard]] pass enter() { return pass{*this}; }

    /// A scope nested in this one, see `basic_probe::scope`.
    basic_scope& scope(std::string_view name, scope_options options = {}) {
        return detail::find_or_make(children_, name, options, clock_);
    }

    /// Set the reference pattern, which moves as much as one pass under ideal conditions: `make() -> pattern` is called
    /// by `measure_references`. A rank that moves nothing makes an idle pattern, or sets none. `make` must not make
    /// collective calls, because not every rank may call it.
    template <class F>
        requires Pattern<std::invoke_result_t<F&>>
    void set_reference(F make) {
        reference_ = [make = std::move(make)](any_group& group, reference_plan<C> const& plan) mutable {
            return sonde::run(group, plan, make());
        };
    }

    std::string const& name() const { return name_; }
    std::size_t bytes() const { return options_.bytes; }
    auto const& times() const { return times_; }
    std::list<basic_scope> const& children() const { return children_; }
    auto const& reference() const { return reference_; }

private:
    [[no_unique_address]] C clock_;
    basic_histogram<4, std::nano, detail::compact_counters> times_; // the scope must fit into 4 KiB
    std::string name_;
    scope_options options_;
    std::function<record(any_group&, reference_plan<C> const&)> reference_;
    std::list<basic_scope> children_; // a list, because references to scopes must stay valid
};

/// The scopes of one thread of an application. It can stay enabled in production: it communicates only in `collect`.
///
///     sonde::probe probe;
///     auto& halo = probe.scope("halo", {.bytes = n});    // looked up once, before the loop
///     { auto const pass = halo.enter(); exchange(); }
///
/// A reference to a scope is valid for the lifetime of the probe, also after the probe was moved. A scope takes less
/// than 4 KiB.
template <Clock C>
class basic_probe {
public:
    basic_probe() = default;
    explicit basic_probe(C clock) : clock_{std::move(clock)} {}
    basic_probe(basic_probe&&) = default;
    basic_probe& operator=(basic_probe&&) = default;

    /// Find the scope of this name, or make it. Throws std::invalid_argument if it exists with another number of bytes;
    /// 0 bytes match every number.
    basic_scope<C>& scope(std::string_view name, scope_options options = {}) & {
        return detail::find_or_make(scopes_, name, options, clock_);
    }
    void scope(std::string_view, scope_options = {}) && = delete; // the reference would dangle

    std::list<basic_scope<C>> const& scopes() const& { return scopes_; }
    void scopes() const&& = delete;
    C const& clock() const { return clock_; }

private:
    [[no_unique_address]] C clock_{};
    std::list<basic_scope<C>> scopes_;
};

using probe = basic_probe<steady_clock>;
using probe_scope = basic_scope<steady_clock>;

} // namespace sonde
