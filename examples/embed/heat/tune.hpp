// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "any_halo.hpp"
#include "yardstick.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace heat {

/// What every way of exchanging the halo takes on this run, and which is the fastest; the same on every rank.
struct tuning {
    std::vector<sonde::record> ways;
    sonde::record yardstick;
    std::size_t fastest;
};

/// Time the ways where they are used: on the application's own field, among its own ranks. Neither the cells of u nor
/// those of `spare` are changed; the ghosts of u are up to date afterwards.
inline tuning tune(decomposition const& part, std::vector<any_halo>& ways, field& u, field& spare) {
    auto const bytes = size_of_halo(part, u).bytes;
    // [measure]
    sonde::mpi::group ranks{part.comm()}; // a duplicate: no message of ours is taken for the application's
    auto const enough = sonde::samples{1000} || sonde::time_budget{sonde::seconds{0.2}};
    auto const plan =
        sonde::plan<>{}.warmup(10).until(enough && sonde::samples{30}); // a median of fewer decides nothing

    std::vector<sonde::record> found;
    auto const measure = [&](auto& halo) {
        found.push_back(sonde::run(ranks, plan, sonde::moving({.bytes = bytes}, [&] { halo.exchange(u); })));
    };
    for (auto& way : ways) std::visit(measure, way);

    // A record is equal on every rank: each decides alone, all decide the same, and none waits for another.
    auto const faster = [](auto const& a, auto const& b) { return sonde::typical(a) < sonde::typical(b); };
    auto const fastest = std::min_element(found.begin(), found.end(), faster) - found.begin();
    // [/measure]
    auto yardstick = measure_yardstick(ranks, plan, part, u, spare);
    return {std::move(found), std::move(yardstick), static_cast<std::size_t>(fastest)};
}

} // namespace heat
