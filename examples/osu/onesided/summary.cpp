// SPDX-License-Identifier: BSL-1.0
#include "summary.hpp"

#include <cstdio>

namespace osu {

namespace {

void say_failed(trials const& t, table& to) {
    char text[200];
    std::snprintf(text, sizeof text, "FAILED: MPI_SUM on %s had %.0f of %.0f tests fail data validation.",
                  t.type.c_str(), t.failed, t.made);
    to.line(text);
    std::snprintf(text, sizeof text, "\t\tFirst failure at trial %.0f, last failure at trial %.0f.", t.first, t.last);
    to.line(text);
}

/// Of one rank; a rank that had nothing to check says nothing.
void say_all(std::vector<trials> const& all, table& to) {
    std::size_t checked = 0, failed = 0;
    for (auto const& t : all) {
        checked += t.made != 0 ? 1 : 0;
        failed += t.failed != 0 ? 1 : 0;
        if (t.failed != 0) say_failed(t, to);
    }
    auto const of_all = std::to_string(checked) + " combinations of ops and datatypes tested ";
    if (failed != 0) to.line("FAILED: " + std::to_string(failed) + " of the " + of_all + "failed.");
    else if (checked != 0) to.line("PASSED: All " + of_all + "passed.");
}

/// Those of a rank, on every rank. Collective over the group.
std::vector<trials> trials_of(int rank, sonde::mpi::group const& world, std::vector<trials> all) {
    for (auto& t : all) {
        auto const mine = world.rank() == rank ? 1.0 : 0.0;
        std::vector<double> values{mine * t.made, mine * t.failed, mine * t.first, mine * t.last};
        world.all_reduce(values, sonde::reduction::sum);
        t = {t.type, values[0], values[1], values[2], values[3]};
    }
    return all;
}

} // namespace

void summary::print(sonde::mpi::group const& world, table& to) const {
    std::string const rule(43, '-');
    for (int rank = 0; rank != world.size(); ++rank) {
        auto const found = trials_of(rank, world, all_);
        to.line(rule);
        to.line("Atomic Data Validation results for Rank=" + std::to_string(rank) + ":");
        say_all(found, to);
        to.line(rule);
    }
}

} // namespace osu
