// SPDX-License-Identifier: BSL-1.0
#include "imb/p2p/p2p_table.hpp"

#include "imb/driver/imb_driver.hpp"
#include "imb/driver/imb_table.hpp"

#include <algorithm>

namespace imb::p2p {

namespace {

std::string const dashes = "#" + std::string(64, '-') + "\n";

std::string names(std::vector<benchmark const*> const& tests) {
    std::string all;
    for (auto const* test : tests) all += "# " + test->name + "\n";
    return all;
}

} // namespace

figures figures_of(sonde::record const& r) {
    auto const sum_over_ranks = r.over_ranks.mean.count() * r.ranks;
    auto const slowest = r.over_ranks.max;
    return {1e6 * sum_over_ranks / (static_cast<double>(r.total.messages) * r.total.hops),
            sonde::bandwidth(r, slowest) / 1e6, sonde::message_rate(r, slowest)};
}

std::string title() {
    auto const rule = "#" + std::string(60, '-') + "\n";
    return rule + "#    Intel(R) MPI Benchmarks 2021.11, IMB-P2P part\n" + rule;
}

std::string header(program_run const& on) {
    auto const [least, most] = std::minmax_element(on.options.sizes.begin(), on.options.sizes.end());
    return title() + about_system(threading::single) + "#\n# Calling sequence was:\n#\n# " +
           on.environment.command_line + "\n#\n# List of Benchmarks to run:\n#\n" + names(on.tests) +
           "#\n# Minimum message length in bytes:   " + std::to_string(*least) +
           "\n# Maximum message length in bytes:   " + std::to_string(*most) + "\n#\n";
}

std::string head(benchmark const& test, int ranks, bool checked) {
    auto const titles =
        formatted(" %12s %12s %12s %12s %12s", "#bytes", "#repetitions", "t[usec]", "Mbytes/sec", "Msg/sec");
    return "\n" + dashes + "# Benchmarking " + test.name + (test.layout == nullptr ? "" : test.layout(ranks)) +
           "\n# #processes = " + std::to_string(ranks) + "\n" + dashes + titles +
           (checked ? formatted(" %12s", "defects") : "") + "\n";
}

std::string line(std::size_t bytes, sonde::record const& r) {
    auto const [time, megabytes, messages] = figures_of(r);
    auto const defects = r.errors ? formatted(" %12.2f", *r.errors == 0 ? 0.0 : 1.0) : "";
    return formatted(" %12zu %12zu %12.2f %12.2f %12.0f", bytes, r.batch, time, megabytes, messages) + defects + "\n";
}

std::string list(std::vector<benchmark> const& rows) {
    std::vector<benchmark const*> all;
    for (auto const& row : rows) all.push_back(&row);
    return title() + "# List of Benchmarks to run:\n#\n" + names(all) + "#\n";
}

} // namespace imb::p2p
