// SPDX-License-Identifier: BSL-1.0
// Every program with every window and every synchronization that it allows, in one run of two ranks: transfers of all
// datatypes leave the right contents.
#include "../../mpi/rma_made.hpp"
#include "osu/driver/osu_option_table.hpp"
#include "osu/one_sided/one_sided_driver.hpp"
#include "osu/one_sided/one_sided_measure.hpp"
#include "suite/launch.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

using osu::creation;
using osu::synchronization;

osu::options small(osu::one_sided const& what, creation how, synchronization s) {
    osu::options asked;
    asked.min_size = 4;
    asked.max_size = 64;
    asked.iterations = 3;
    asked.warmup = 1;
    asked.window = 4;
    asked.check.on = true;
    asked.made_by = how;
    asked.sync = s;
    if (what.typed) asked.types = {osu::element::character, osu::element::integer};
    if (accumulates(what.operation) && what.typed) asked.types.push_back(osu::element::real);
    return asked;
}

/// The number of sizes whose contents are wrong or unchecked.
int wrong_sizes(sonde::mpi::group& world, char** argv, osu::one_sided const& row, creation how, synchronization s) {
    auto const about = osu::program_of(row);
    suite::further_library no_further_library;
    osu::one_sided_driver on{{about, small(row, how, s), world, 1, argv, no_further_library}, row};
    int wrong = 0;
    for (auto const& type : on.types()) {
        on.summary().begin(type.name);
        for (auto const size : osu::sizes_of(on.about(), on.options(), type))
            wrong += osu::measure(on, {type, size, on.transfers()}).errors != 0u ? 1 : 0;
    }
    if (wrong != 0 && world.rank() == 0)
        std::fprintf(stderr, "%s -w %s -s %s: %d sizes wrong\n", row.name, osu::name(how).c_str(), osu::name(s).c_str(),
                     wrong);
    return wrong;
}

/// All window types; without a dynamic one if the MPI library cannot create it.
std::vector<creation> creations(sonde::mpi::group& world) {
    std::vector<creation> all{creation::create, creation::allocate};
    std::vector<std::byte> bytes(64);
    auto const skipped = [&](std::string const& kind, std::string const& reason) {
        if (world.rank() == 0) std::printf("skipped: -w %s: %s\n", kind.c_str(), reason.c_str());
    };
    auto const make = [&] { return sonde::mpi::dynamic_window{world, bytes}; };
    if (one_sided::made("dynamic", make, skipped)) all.push_back(creation::dynamic);
    return all;
}

} // namespace

int main(int argc, char** argv) {
    auto const check = [&](osu::mpi_job const& job) {
        auto& world = job.world;
        auto const windows = creations(world);
        std::size_t pairs = 0;
        int wrong = 0;
        for (auto const& row : osu::one_sided_programs)
            for (auto const how : windows)
                for (auto const s : {synchronization::lock, synchronization::flush, synchronization::flush_local,
                                     synchronization::lock_all, synchronization::pscw, synchronization::fence}) {
                    if (!osu::program_of(row).passive_targets && osu::is_passive(s)) continue;
                    wrong += wrong_sizes(world, argv, row, how, s);
                    ++pairs;
                }
        if (world.rank() == 0) std::printf("%zu pairs, %d sizes wrong\n", pairs, wrong);
        return wrong == 0 && pairs == windows.size() * (8 * 6 + 2) ? 0 : 1; // two of one program, which are active
    };
    return osu::launch(argc, argv, [&] { return osu::request{.run = check}; });
}
