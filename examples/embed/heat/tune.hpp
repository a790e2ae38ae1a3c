// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "any_halo.hpp"
#include "yardstick.hpp"

#include <sonde/compare.hpp>
#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

namespace heat {

/// What every way of exchanging the halo takes on this run, and which to go on with; the same on every rank.
struct tuning {
    sonde::comparison ways;
    sonde::record yardstick;
    std::size_t fastest;
};

/// Compare the ways where they are used: on the application's own field, among its own ranks. Neither the cells of u
/// nor those of `spare` are changed; the ghosts of u are up to date afterwards.
inline tuning tune(decomposition const& part, std::vector<any_halo>& ways, field& u, field& spare) {
    auto const bytes = size_of_halo(part, u).bytes;
    // [measure]
    sonde::mpi::group ranks{part.comm()}; // a duplicate: no message of ours is taken for the application's
    auto const enough = sonde::samples{400} || sonde::time_budget{sonde::seconds{0.5}};
    auto const plan = sonde::plan<>{}.until(enough && sonde::samples{30}); // fewer rounds decide little

    yardstick pairs{ranks, part, u, spare}; // compared as well, but not to go on with
    auto const visit = [&](std::size_t i, auto measure) {
        if (i == ways.size()) return measure(pairs);
        auto const exchange = [&](auto& halo) {
            sonde::moving pattern{{.bytes = bytes}, [&] { halo.exchange(u); }};
            measure(pattern);
        };
        std::visit(exchange, ways[i]);
    };
    auto found = sonde::compare(ranks, plan, sonde::alternatives{ways.size() + 1, visit});
    auto best_case = std::move(found.records.back());
    found.records.pop_back();

    // A comparison is equal on every rank: each decides alone, all decide the same, and none waits for another.
    auto const use = sonde::fastest(found);
    // [/measure]
    return {std::move(found), std::move(best_case), use};
}

} // namespace heat
