// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "measure_request.hpp"

#include <sonde/model/multi_ping_pong.hpp>
#include <sonde/plan.hpp>
#include <sonde/stop/precision.hpp>

#include <cstddef>

namespace tools::model {

/// A stopping rule: a number of samples; or else until they are precise, or time is over and there are ten: a reason
/// is that of the limit, be the tenth sample later.
class asked_rule {
public:
    explicit asked_rule(measure_request const& asked)
        : uniform{asked.samples.has_value()}, count_{asked.samples.value_or(0)},
          limits_{sonde::relative_error{asked.precision} || (sonde::samples{10} && sonde::time_budget{asked.time})} {}

    bool uniform;
    std::size_t next(std::size_t n) const { return uniform ? count_.next(n) : limits_.next(n); }
    sonde::decision operator()(sonde::progress const& l) {
        if (uniform) return count_(l);
        auto found = limits_(l);
        if (found.reason == sonde::stop_reason::samples)
            found.reason = sonde::stop_reason::time_budget; // waited for ten
        return found;
    }

private:
    sonde::samples count_;
    sonde::any_of<sonde::relative_error, sonde::all_of<sonde::samples, sonde::time_budget>> limits_;
};

/// How a size is measured, but for how ranks begin.
inline auto plan_of(measure_request const& asked, std::size_t bytes) {
    auto const rule = sonde::plan<>{}.until(asked_rule{asked});
    auto const warmed = asked.warmup ? rule.warmup(*asked.warmup) : rule.warmup(sonde::until_stable{});
    switch (asked.iterations.by) {
    case iterations::by_what::imb:
        return warmed.batch(static_cast<std::size_t>(sonde::model::imb_repetitions(sonde::model::bytes{bytes})));
    case iterations::by_what::number:
        return warmed.batch(asked.iterations.count);
    case iterations::by_what::timer:
        break;
    }
    return warmed.batch(sonde::by_timer);
}

} // namespace tools::model
