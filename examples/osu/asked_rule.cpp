// SPDX-License-Identifier: BSL-1.0
#include "asked_rule.hpp"

namespace osu {

namespace {

/// Of a row that `--until` would else not end.
constexpr sonde::seconds usual_budget{0.2};

} // namespace

asked_rule::asked_rule(options const& asked, std::size_t usual) : uniform{!asked.until && !asked.budget} {
    if (uniform || asked.iterations) count_ = sonde::samples{asked.iterations.value_or(usual)};
    if (asked.until) precise_ = sonde::relative_error{*asked.until};
    if (!uniform) budget_ = sonde::time_budget{asked.budget.value_or(usual_budget)};
}

asked_rule asked_rule::shared_by(std::size_t senders) const {
    auto part = *this;
    if (count_) part.count_ = sonde::samples{(count_->count + senders - 1) / senders};
    return part;
}

std::size_t asked_rule::next(std::size_t n) const {
    std::optional<std::size_t> soonest;
    auto const ask = [&](auto const& rule) {
        if (rule && (!soonest || rule->next(n) < *soonest)) soonest = rule->next(n);
    };
    ask(count_);
    ask(precise_);
    ask(budget_);
    return soonest.value();
}

sonde::verdict asked_rule::operator()(sonde::look const& l) {
    sonde::verdict said;
    auto const ask = [&](auto& rule) {
        if (!rule) return;
        auto const answer = (*rule)(l); // every rule sees every block
        if (!said.stop) said = answer;
    };
    ask(count_);
    ask(precise_);
    ask(budget_);
    return said;
}

} // namespace osu
