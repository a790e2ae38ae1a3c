// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/fingerprint.hpp>
#include <sonde/stop.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sonde {

/// A stopping rule whose type is chosen at run time:
///
///     any_rule rule = samples{1000};
///     if (exact) rule = std::move(rule) || relative_error{0.01};
///
/// A call is virtual, once a look; the timed loop does not know of it.
class any_rule {
public:
    bool uniform;

    template <StoppingRule R>
        requires(!std::same_as<R, any_rule>)
    any_rule(R rule) : uniform{sonde::is_uniform(rule)}, rule_{std::make_unique<of<R>>(std::move(rule))} {}
    any_rule(any_rule const& other) : uniform{other.uniform}, rule_{other.rule_->copy()} {}
    any_rule(any_rule&&) = default;
    any_rule& operator=(any_rule const& other) { return *this = any_rule{other}; }
    any_rule& operator=(any_rule&&) = default;
    ~any_rule() = default;

    std::size_t next(std::size_t n) const { return rule_->next(n); }
    verdict operator()(look const& l) { return rule_->decide(l); }
    /// The type of the rule, as a number, and its parameters.
    std::vector<double> parameters() const { return rule_->parameters(); }

private:
    struct erased {
        virtual ~erased() = default;
        virtual std::unique_ptr<erased> copy() const = 0;
        virtual std::size_t next(std::size_t n) const = 0;
        virtual verdict decide(look const& l) = 0;
        virtual std::vector<double> parameters() const = 0;
    };
    template <class R>
    struct of final : erased {
        explicit of(R r) : rule{std::move(r)} {}
        std::unique_ptr<erased> copy() const override { return std::make_unique<of>(*this); }
        std::size_t next(std::size_t n) const override { return rule.next(n); }
        verdict decide(look const& l) override { return rule(l); }
        std::vector<double> parameters() const override {
            auto all = detail::parameters_of(rule);
            all.push_back(detail::fingerprint{}.add(detail::type_name<R>()).value());
            return all;
        }

        R rule;
    };

    std::unique_ptr<erased> rule_;
};

} // namespace sonde
