// SPDX-License-Identifier: BSL-1.0
#include "asked_rule.hpp"

#include <sonde/stop/precision.hpp>

namespace osu {

namespace {

/// What `--until` and `--budget` ask for; a count where neither was given.
sonde::any_rule limit_of(options const& asked, sonde::samples count) {
    if (asked.until) return sonde::relative_error{*asked.until}.within(asked.budget.value_or(usual_budget));
    if (asked.budget) return sonde::time_budget{*asked.budget};
    return count;
}

} // namespace

sonde::any_rule rule_of(options const& asked, std::size_t usual, std::size_t senders) {
    auto const iterations = asked.iterations.value_or(usual);
    sonde::samples const count{(iterations + senders - 1) / senders};
    if (!asked.iterations || (!asked.until && !asked.budget)) return limit_of(asked, count);
    return count || limit_of(asked, count);
}

} // namespace osu
