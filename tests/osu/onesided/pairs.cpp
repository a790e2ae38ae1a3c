// SPDX-License-Identifier: BSL-1.0
// Every program with every window and every synchronization that it allows, in one run of two ranks: what transfers
// leave is right, of all datatypes.
#include "onesided/families.hpp"
#include "start.hpp"

#include <sonde/mpi/guarded.hpp>

#include <cstdio>
#include <string>
#include <tuple>

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
    if (what.leaves == osu::effect::adds && what.typed) asked.types.push_back(osu::element::real);
    return asked;
}

/// Sizes whose contents are wrong, or were not looked at.
int wrong_sizes(sonde::mpi::group& world, char** argv, osu::measured_access const& row, creation how,
                synchronization s) {
    auto const about = osu::program_of(row.of);
    osu::one_sided_stage on{{about, small(row.of, how, s), world, 1, argv}, row.of};
    int wrong = 0;
    for (auto const& type : on.types()) {
        on.summary().begin(type.name);
        for (auto const size : on.sizes(type))
            wrong += row.measure(on, {type, size, on.transfers()}).errors != 0u ? 1 : 0;
    }
    if (wrong != 0 && world.rank() == 0)
        std::fprintf(stderr, "%s -w %s -s %s: %d sizes wrong\n", row.of.name, osu::word(how).c_str(),
                     osu::word(s).c_str(), wrong);
    return wrong;
}

} // namespace

int main(int argc, char** argv) {
    osu::started const mpi{argc, argv, false, false};
    MPI_Comm const comm = mpi.world();
    return sonde::mpi::guarded(comm, [&] {
        sonde::mpi::group world{comm};
        int wrong = 0, pairs = 0;
        auto const all_of = [&](char const* name) {
            auto const row = osu::access_of(name);
            for (auto const how : {creation::create, creation::allocate, creation::dynamic})
                for (auto const s : {synchronization::lock, synchronization::flush, synchronization::flush_local,
                                     synchronization::lock_all, synchronization::pscw, synchronization::fence}) {
                    if (osu::program_of(row.of).active_only && osu::is_passive(s)) continue;
                    wrong += wrong_sizes(world, argv, row, how, s);
                    ++pairs;
                }
        };
        std::apply([&](auto const&... rows) { (all_of(rows.of.name), ...); }, osu::accesses);
        if (world.rank() == 0) std::printf("%d pairs, %d sizes wrong\n", pairs, wrong);
        return wrong == 0 && pairs == 8 * 18 + 6 ? 0 : 1;
    });
}
