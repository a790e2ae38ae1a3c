// SPDX-License-Identifier: BSL-1.0
#include "../launch.hpp"
#include "../words.hpp"
#include "pairs.hpp"
#include "run.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace osu::xccl {

namespace {

program program_of(pair_program const& what) {
    return {.name = std::string{"osu_xccl_"} + what.name,
            .title = std::string{"OSU NCCL "} + what.title + " Test",
            .letters = what.letters,
            .shows = what.shows,
            .counted = what.counted,
            .smallest = what.smallest,
            .initiator_receives = what.initiator_receives,
            .nccl = true};
}

/// The line in place of a title.
std::string said_of(program const& about, placements where) {
    return std::string{"# Send Buffer on "}
        .append(spelt(about, where.source))
        .append(" and Receive Buffer on ")
        .append(spelt(about, where.destination));
}

void sweep(pair_bench& on, pair_program const& what) {
    on.table().titles();
    auto const type = on.types().front();
    for (auto const size : on.sizes(type)) {
        spot const at{type, size, on.window()};
        if (!on.report(size, what.measure(on, at, on.plan(size, what.begins)))) return;
    }
}

} // namespace

int run_pair(int argc, char** argv, char const* name) {
    auto const named = [&](pair_program const& p) { return p.name == std::string_view{name}; };
    auto const& what = *std::find_if(std::begin(pair_programs), std::end(pair_programs), named);
    auto const about = program_of(what);
    return launch(argc, argv, about, [&](given g) {
        g.asked.types.clear(); // messages are bytes, whatever -T says
        auto const on = std::make_shared<pair_bench>(g);
        return prepared{on, said_of(about, g.asked.words.value()), [&what, on] { sweep(*on, what); }};
    });
}

} // namespace osu::xccl
