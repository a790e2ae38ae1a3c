// SPDX-License-Identifier: BSL-1.0
#include "../launch.hpp"
#include "families.hpp"
#include "run.hpp"

#include <memory>
#include <stdexcept>

namespace osu {

namespace {

/// A wrong size does not end the sweep, as in OMB; `main` returns 1 then.
void sweep(one_sided_stage& on, measured_access const& row) {
    for (auto const& type : on.types()) {
        on.begin(type);
        on.summary().begin(type.name);
        for (auto const size : on.sizes(type)) on.report(size, row.measure(on, {type, size, on.transfers()}));
    }
    if (on.asked().check.on && row.of.typed) on.summary().print(on.world(), on.table());
}

} // namespace

measured_access access_of(std::string_view name) {
    for (auto const family : {find_latency, find_atomic, find_bandwidth})
        if (auto const found = family(name); found.measure != nullptr) return found;
    throw std::invalid_argument{"osu: no such one-sided program"};
}

int run_one_sided(int argc, char** argv, char const* name) {
    auto const row = access_of(name);
    auto const about = program_of(row.of);
    return launch(argc, argv, about, [&](given const& g) {
        auto const on = std::make_shared<one_sided_stage>(g, row.of);
        return prepared{on, "", [on, &row] { sweep(*on, row); }};
    });
}

} // namespace osu
