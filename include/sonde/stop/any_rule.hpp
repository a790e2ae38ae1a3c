// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/equal_plans.hpp>
#include <sonde/stop.hpp>

#include <concepts>
#include <cstddef>
#include <memory> // costs 0.2 s of compile time, so this class is not in <sonde/stop.hpp>
#include <utility>
#include <vector>

namespace sonde {

/// A stopping rule of any type, chosen at run time:
///
///     auto p = plan<>{}.until(any_rule{samples{1000}});
///     if (exact) p = p.until(samples{100'000} || relative_error{0.01});
///
/// Each evaluation is a virtual call, outside the timed loop.
class any_rule {
public:
    bool uniform;

    template <StoppingRule R>
        requires(!std::same_as<R, any_rule>)
    any_rule(R rule) : uniform{sonde::is_uniform(rule)}, rule_{std::make_unique<model<R>>(std::move(rule))} {}
    any_rule(any_rule const& other) : uniform{other.uniform}, rule_{other.rule_->copy()} {}
    any_rule(any_rule&&) = default;
    any_rule& operator=(any_rule const& other) { return *this = any_rule{other}; }
    any_rule& operator=(any_rule&&) = default;
    ~any_rule() = default;

    std::size_t next(std::size_t n) const { return rule_->next(n); }
    decision operator()(progress const& p) { return rule_->decide(p); }
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
        decision at_end(progress const& p) const override { return detail::at_end(rule, p); }
        std::vector<double> parameters() const override { return detail::typed_parameters_of(rule); }

        R rule;
    };

    std::unique_ptr<erased> rule_;
};

} // namespace sonde
