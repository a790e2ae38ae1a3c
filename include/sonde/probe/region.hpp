// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/histogram.hpp>
#include <sonde/measure.hpp>
#include <sonde/pattern.hpp>
#include <sonde/plan.hpp>
#include <sonde/probe/any_group.hpp>
#include <sonde/record.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <functional>
#include <list>
#include <ratio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sonde {

/// What a rank moves in one pass of a region.
struct each_pass {
    std::size_t bytes = 0;
};

/// How `measure_best` measures.
template <Clock C>
using best_plan = decltype(plan<>{}.until(samples{1} || time_budget{}).timed_by(std::declval<C>()));

template <Clock C>
class basic_region;

namespace detail {

/// The region of this name, made where there is none. Throws std::invalid_argument where it moves other bytes.
template <Clock C>
basic_region<C>& region_in(std::list<basic_region<C>>& among, std::string_view name, each_pass moved, C const& clock) {
    for (auto& r : among) {
        if (r.name() != name) continue;
        if (moved.bytes != 0 && moved.bytes != r.bytes())
            throw std::invalid_argument{"sonde::probe: the region has been given other bytes: " + r.name()};
        return r;
    }
    return among.emplace_back(name, moved, clock);
}

} // namespace detail

/// A named part of an application whose passes are timed: two readings of the clock and a count, no allocation.
///
///     { auto const pass = halo.enter(); exchange(); }
///
/// A pass counts when it is left, by an exception, too. Times include those of regions within; where a region is
/// entered within itself, each pass counts. Belongs to one thread.
template <Clock C>
class basic_region {
public:
    class [[nodiscard]] pass {
    public:
        explicit pass(basic_region& within) : region_{within}, begin_{within.clock_.now()} {}
        pass(pass const&) = delete;
        pass& operator=(pass const&) = delete;
        ~pass() { region_.times_.add(region_.clock_.now() - begin_); }

    private:
        basic_region& region_;
        decltype(std::declval<C&>().now()) const begin_;
    };

    basic_region(std::string_view name, each_pass moved, C clock)
        : clock_{std::move(clock)}, name_{name}, moved_{moved} {}

    [[nodiscard]] pass enter() { return pass{*this}; }

    /// A region within this one, as `probe::region`.
    basic_region& region(std::string_view name, each_pass moved = {}) {
        return detail::region_in(inner_, name, moved, clock_);
    }

    /// Name the pattern that moves as much as a pass does, at its best: `make() -> pattern` is called by
    /// `measure_best`. Where a rank has nothing to move it makes an idle one, or none. No collective calls in `make`.
    template <class F>
        requires Pattern<std::invoke_result_t<F&>>
    void like(F make) {
        best_ = [make = std::move(make)](any_group& group, best_plan<C> const& plan) mutable {
            return sonde::run(group, plan, make());
        };
    }

    std::string const& name() const { return name_; }
    std::size_t bytes() const { return moved_.bytes; }
    auto const& times() const { return times_; }
    std::list<basic_region> const& inner() const { return inner_; }
    auto const& best() const { return best_; }

private:
    [[no_unique_address]] C clock_;
    basic_histogram<4, std::nano, detail::short_tally> times_; // what fits into 4 KiB
    std::string name_;
    each_pass moved_;
    std::function<record(any_group&, best_plan<C> const&)> best_;
    std::list<basic_region> inner_; // whose elements stay where they are
};

} // namespace sonde
