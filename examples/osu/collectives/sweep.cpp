// SPDX-License-Identifier: BSL-1.0
#include "sweep.hpp"

#include "../launch.hpp"

namespace osu {

namespace {

void sweep(collective_stage& on, measured const& row, family form) {
    if (form == family::nonblocking) on.table().line("# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n");
    for (auto const& type : on.types()) {
        on.begin(type);
        for (auto const size : on.sizes(type))
            if (!on.report(size, row.measure(on, {type, size}))) break;
    }
}

} // namespace

int launch(int argc, char** argv, family form, measured const& row) {
    auto const about = program_of(row.of, form);
    return launch(argc, argv, about, [&](given const& g) {
        auto const on = std::make_shared<collective_stage>(g, row.of, row.needs);
        return prepared{on, on->announcement(), [=] { sweep(*on, row, form); }};
    });
}

} // namespace osu
