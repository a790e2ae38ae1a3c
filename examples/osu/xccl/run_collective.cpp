// SPDX-License-Identifier: BSL-1.0
#include "../launch.hpp"
#include "collectives.hpp"
#include "run.hpp"

#include <algorithm>

namespace osu::xccl {

namespace {

/// In letters: all take -c, which OMB has for alltoall alone, without effect; -r has none; none take -D and -l.
program program_of(collective const& what) {
    return {.name = std::string{"osu_xccl_"} + what.name,
            .title = std::string{"OSU NCCL "} + what.title + " Latency Test",
            .letters = std::string{"dhvfmixMarzcuGI"} + what.letters,
            .shows = figure::collective,
            .counted = collective_counts,
            .smallest = what.size_is == meaning::vector ? sizeof(float) : 1,
            .largest = std::size_t{1} << 20,
            .needs = ranks::at_least_two,
            .nccl = true};
}

/// Reductions add floats, as many as MIN has whole ones, and one at least; all else is bytes, whatever -T says.
options as_moved(options asked, collective const& what) {
    asked.types = {element::character};
    if (what.size_is != meaning::vector) return asked;
    asked.types = {element::real};
    asked.min_size = sizeof(float) * std::max<std::size_t>(asked.min_size / sizeof(float), 1);
    if (asked.min_size > asked.max_size)
        throw refusal{"No float has room [-m]; accepted: a MAX of at least " + std::to_string(sizeof(float))};
    return asked;
}

void sweep(stage& on, measured const& row) {
    on.table().titles();
    auto const type = on.types().front();
    for (auto const size : on.sizes(type))
        if (!on.report(size, row.measure(on, {type, size}))) return;
}

} // namespace

int run_collective(int argc, char** argv, char const* name) {
    auto const row = find_row(name);
    auto const about = program_of(row.of);
    return launch(argc, argv, about, [&](given g) {
        g.asked = as_moved(std::move(g.asked), row.of);
        auto const on = std::make_shared<stage>(g, row.of, row.needs);
        return prepared{on, "", [&row, on] { sweep(*on, row); }};
    });
}

} // namespace osu::xccl
