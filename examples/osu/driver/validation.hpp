// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_driver.hpp"

#include <sonde/group.hpp>
#include <sonde/measure/run.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace osu {

/// Contents of a measurement over one-sided communication, whose calls return before other ranks have their data.
struct contents_functions {
    std::function<void()> iterate;                                     // one iteration
    std::function<void(std::size_t)> write;                            // the data of a round, and clears the results
    std::function<std::vector<wrong_element>(std::size_t)> find_wrong; // elements of this rank
};

/// Validate contents after a measurement. Each round is `-u` iterations and one checked one, each followed by a barrier
/// of the group. Returns the number of wrong elements of all ranks. Collective over the group.
template <sonde::Group G>
std::size_t count_wrong(G& group, options const& asked, std::optional<wrong_log> const& log, point const& at,
                        contents_functions const& of) {
    auto const once = [&] {
        of.iterate();
        group.barrier();
    };
    auto const prepare = [&](std::size_t round) {
        group.barrier(); // other ranks may still compare the contents of the round before
        for (std::size_t i = 0; i != asked.check.warmup; ++i) once();
        of.write(round);
    };
    auto const verify = [&](std::size_t round) {
        auto const wrong = of.find_wrong(round);
        if (log) (*log)({at.type.kind, at.size, round}, wrong);
        return wrong.size();
    };
    return sonde::validate(group, once, prepare, verify, check_rounds(asked));
}

} // namespace osu
