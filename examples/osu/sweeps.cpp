// SPDX-License-Identifier: BSL-1.0
#include "sweeps.hpp"

#include <sonde/metrics.hpp>

#include <cstdio>
#include <string>

namespace osu {

namespace {

std::string start(std::string text) { return table::left(std::move(text), 7); }

std::string heading() {
    auto text = start("#");
    for (auto const w : varied_windows) text += "  " + right(std::to_string(w), 10);
    return text;
}

/// Two lines of a size, and whether all that was checked was right.
struct lines {
    std::string bandwidth;
    std::string rate;
    bool good = true;
};

lines measure_windows(bench& all, datatype const& type, std::size_t size,
                      std::function<sonde::record(spot const&)> const& measured) {
    lines found{start(std::to_string(size)), start(std::to_string(size))};
    for (auto const window : varied_windows) {
        spot const at{type, size, window};
        auto const r = measured(at);
        found.bandwidth += "  " + fixed(shown(figure::rate, r, r.over_ranks.mean), 10);
        found.rate += "  " + fixed(sonde::message_rate(r, r.over_ranks.mean), 10);
        found.good = all.keep(size, r) && found.good;
    }
    return found;
}

} // namespace

int announce_pairs(bench& all) {
    auto const pairs = all.world().size() / 2;
    auto const start = "# [ pairs: " + std::to_string(pairs) + " ] [ window size: ";
    auto const varied = all.asked().vary_window;
    all.table().line(start + (varied ? "varied" : std::to_string(all.asked().window)) + " ]");
    if (varied) all.table().line("\n# Uni-directional Bandwidth (MB/sec)");
    if (all.world().rank() == 0 && all.world().size() % 2 != 0)
        std::fprintf(stderr, "Note: the number of processes is odd; rank %d has no partner and stays idle\n",
                     2 * pairs);
    return pairs;
}

void sweep_sizes(bench& all, datatype const& type, std::function<sonde::record(spot const&)> const& measured) {
    all.begin(type);
    for (auto const size : all.sizes(type)) {
        spot const at{type, size, all.asked().window};
        if (!all.report(size, measured(at))) break;
    }
}

void sweep_windows(bench& all, datatype const& type, std::function<sonde::record(spot const&)> const& measured) {
    auto& out = all.table();
    out.datatype(type.name);
    out.line(heading());
    std::vector<std::string> rates;
    for (auto const size : all.sizes(type)) {
        auto const found = measure_windows(all, type, size, measured);
        out.line(found.bandwidth);
        rates.push_back(found.rate);
        if (!found.good) break;
    }
    if (!all.asked().print_rate) return;
    out.line("\n# Message Rate Profile");
    out.line(heading());
    for (auto const& line : rates) out.line(line);
}

} // namespace osu
