// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory> // costs 0.2 s of compile time, so these classes are not in <sonde/stop.hpp> and <sonde/sync.hpp>
#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/stop.hpp>
#include <sonde/stop/precision.hpp>
#include <sonde/sync.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// A stopping rule of any type, chosen at run time:
///
///     auto p = plan<>{}.until(any_rule{samples{1000}});
///     if (exact) p = p.until(samples{100'000} || relative_error{0.01});
///
/// Each evaluation is a virtual call, outside the timed loop.
class any_rule {
public:
    bool uniform; // decisions depend on the number of samples only

    template <StoppingRule R>
        requires(!std::same_as<R, any_rule>)
    any_rule(R rule) : uniform{sonde::is_uniform(rule)}, rule_{std::make_unique<model<R>>(std::move(rule))} {}
    any_rule(any_rule const& other) : uniform{other.uniform}, rule_{other.rule_->copy()} {}
    any_rule(any_rule&&) = default;
    /// Copies the rule.
    any_rule& operator=(any_rule const& other) { return *this = any_rule{other}; }
    any_rule& operator=(any_rule&&) = default;
    ~any_rule() = default;

    std::size_t next(std::size_t n) const { return rule_->next(n); }
    decision operator()(progress const& p) { return rule_->decide(p); }
    /// The decision of the rule at the end of the series.
    decision at_end(progress const& p) const { return rule_->at_end(p); }
    /// The parameters of the rule, and its type as a number.
    std::vector<double> parameters() const { return rule_->parameters(); }

private:
    struct erased {
        virtual ~erased() = default;
        virtual std::unique_ptr<erased> copy() const = 0;
        virtual std::size_t next(std::size_t n) const = 0;
        virtual decision decide(progress const& p) = 0;
        virtual decision at_end(progress const& p) const = 0;
        virtual std::vector<double> parameters() const = 0;
    };
    template <class R>
    struct model final : erased {
        explicit model(R r) : rule{std::move(r)} {}
        std::unique_ptr<erased> copy() const override { return std::make_unique<model>(*this); }
        std::size_t next(std::size_t n) const override { return rule.next(n); }
        decision decide(progress const& p) override { return rule(p); }
        decision at_end(progress const& p) const override { return detail::rule_hook::at_end(rule, p); }
        std::vector<double> parameters() const override {
            return detail::typed_parameters<R>(detail::rule_hook::parameters(rule));
        }

        R rule;
    };

    std::unique_ptr<erased> rule_;
};

/// The rule that stops when the first of the given ones does; `precise` has the shortcuts of
/// `relative_error_within` if there is a budget. Throws std::invalid_argument without any rule.
[[nodiscard]] inline any_rule first_rule(std::optional<relative_error> const& precise,
                                         std::optional<time_budget> const& budget,
                                         std::optional<samples> const& count) {
    if (!precise && !budget && !count) throw std::invalid_argument{"sonde::first_rule: there is no stopping rule"};
    if (!precise && !budget) return *count;
    auto const unlimited = !precise ? any_rule{*budget} : budget ? any_rule{precise->within(budget->limit)} : *precise;
    return count ? any_rule{unlimited || *count} : unlimited;
}

/// A synchronizer of any type for groups of type G, chosen at run time; it is its own global clock:
///
///     auto p = plan<>{}.synchronized(any_synchronizer<mpi::group>{barrier_once{}});
///     if (each) p = p.synchronized(barrier_each{});
///
/// Calls are virtual, outside the timed loop.
template <Group G>
class any_synchronizer {
public:
    template <Synchronizer<G> S>
        requires(!std::same_as<S, any_synchronizer>)
    any_synchronizer(S synchronize) : sync_{std::make_unique<model<S>>(std::move(synchronize))} {}
    any_synchronizer(any_synchronizer const& other) : sync_{other.sync_->copy()} {}
    any_synchronizer(any_synchronizer&&) noexcept = default;
    /// Copies the synchronizer.
    any_synchronizer& operator=(any_synchronizer const& other) { return *this = any_synchronizer{other}; }
    any_synchronizer& operator=(any_synchronizer&&) noexcept = default;
    ~any_synchronizer() = default;

    void operator()(G& group, std::size_t i) { sync_->prepare(group, i); }
    any_synchronizer* global_clock() { return sync_->has_global_clock() ? this : nullptr; }
    bool allows_batches() const { return sync_->allows_batches(); }
    bool each_sample() const { return sync_->each_sample(); }
    /// The parameters of the synchronizer, and its type as a number.
    std::vector<double> parameters() const { return sync_->parameters(); }
    void describe(point& at) const { sync_->describe(at); }

    /// Compares the clocks before the warm-up. Collective over the group.
    void synchronize(G& group) { sync_->synchronize(group); }
    /// True if this rank began the sample in time.
    bool on_time() const { return sync_->on_time(); }
    /// The global time of a reading of this rank's clock.
    seconds to_global(seconds t) const { return sync_->to_global(t); }
    /// Deviation of the ranks' clocks from rank 0's. Collective over the group.
    clock_deviation measure_deviation(G& group) { return sync_->measure_deviation(group); }

private:
    struct erased {
        virtual ~erased() = default;
        virtual std::unique_ptr<erased> copy() const = 0;
        virtual void prepare(G& group, std::size_t i) = 0;
        virtual bool has_global_clock() = 0;
        virtual bool allows_batches() const = 0;
        virtual bool each_sample() const = 0;
        virtual std::vector<double> parameters() const = 0;
        virtual void describe(point& at) const = 0;
        virtual void synchronize(G& group) = 0;
        virtual bool on_time() = 0;
        virtual seconds to_global(seconds t) = 0;
        virtual clock_deviation measure_deviation(G& group) = 0;
    };
    template <class S>
    struct model final : erased {
        explicit model(S s) : sync{std::move(s)} {}
        std::unique_ptr<erased> copy() const override { return std::make_unique<model>(*this); }
        void prepare(G& group, std::size_t i) override { sync(group, i); }
        bool has_global_clock() override { return detail::global_clock_of(sync) != nullptr; }
        bool allows_batches() const override { return detail::sync_hook::allows_batches(sync); }
        bool each_sample() const override { return detail::sync_hook::each_sample(sync); }
        std::vector<double> parameters() const override {
            return detail::typed_parameters<S>(detail::sync_hook::parameters(sync));
        }
        void describe(point& at) const override { detail::describe(sync, at); }
        // Called for a synchronizer with a global clock only.
        void synchronize(G& group) override { detail::global_clock_of(sync)->synchronize(group); }
        bool on_time() override { return detail::global_clock_of(sync)->on_time(); }
        seconds to_global(seconds t) override { return detail::global_clock_of(sync)->to_global(t); }
        clock_deviation measure_deviation(G& group) override {
            return detail::global_clock_of(sync)->measure_deviation(group);
        }

        S sync;
    };

    std::unique_ptr<erased> sync_;
};

} // namespace sonde
