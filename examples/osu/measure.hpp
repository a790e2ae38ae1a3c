// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "payload.hpp"
#include "program.hpp"
#include "stage.hpp"

#include <sonde/run.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>

namespace osu {

/// Check what arrives, after the measurement: rounds of `-u` repetitions and one that is checked. The receive buffer is
/// cleared between them, so that what was not sent again is seen. Wrong elements, summed over ranks. Collective.
template <sonde::Group G, sonde::Pattern P>
std::size_t check_contents(G& group, P& pattern, payload& data, spot const& at, std::size_t span, options const& asked,
                           bool receives) {
    auto const prepare = [&](std::size_t round) {
        data.write_out(at, span, round);
        for (std::size_t i = 0; i != asked.check.warmup; ++i) {
            pattern();
            sonde::complete(pattern);
        }
        data.clear_in(at, span);
    };
    auto const verify = [&](std::size_t round) { return receives ? data.count_wrong_in(at, span, round) : 0; };
    return sonde::validate(group, pattern, prepare, verify, check_rounds(asked));
}

/// The record of one spot; its errors are set with `-c`. `make(out, in, elements)` -> pattern, for the buffers of this
/// spot. Collective over the group.
template <sonde::Group G, class Plan, class Make>
sonde::record measure(G& group, program const& about, options const& asked, payload& data, message_layout const& layout,
                      spot const& at, Plan const& plan, Make const& make) {
    auto const message = layout.describe(at.type, at.size);
    auto const run = [&](auto out, auto in)
        requires std::invocable<Make const&, decltype(out), decltype(in), sonde::mpi::elements>
    {
        auto pattern = make(out, in, message.as);
        auto found = sonde::run(group, plan, pattern, point_of(about, asked, at, message.transmitted));
        auto const who = sonde::plays(pattern);
        auto const receives =
            who == sonde::role::responder || (who == sonde::role::initiator && about.initiator_receives);
        data.end_measuring();
        if (asked.check.on) found.errors = check_contents(group, pattern, data, at, message.span, asked, receives);
        return found;
    };
    return data.with(at, message, run);
}

} // namespace osu
