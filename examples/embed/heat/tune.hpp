// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "any_halo.hpp"
#include "yardstick.hpp"

// [includes]
#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>
// [/includes]

namespace heat {

/// Result of `tune`, equal on every rank: records of the halo exchanges and of the reference, and the exchange to use.
struct tuning {
    sonde::comparison halos;
    sonde::record reference;
    std::size_t fastest; // index of a halo exchange
};

/// Compare the halo exchanges on the application's own field, among its own ranks. Keeps the cells of `u` and `spare`;
/// updates the ghosts of `u`. Collective.
inline tuning tune(decomposition const& part, std::vector<any_halo>& halos, field& u, field& spare) {
    auto const bytes = size_of_halo(part, u).bytes;
    // [measure]
    sonde::mpi::group ranks{part.comm()};
    auto const enough = sonde::samples{400} || sonde::time_budget{sonde::seconds{0.5}};
    auto const plan = sonde::plan<>{}.until(enough && sonde::samples{30}); // at least 30 rounds

    yardstick reference{ranks, part, u, spare}; // the same bytes, between one pair of neighbors after the other
    auto const visit = [&](std::size_t i, auto measure) {
        if (i == halos.size()) return measure(reference);
        auto const exchange = [&](auto& halo) {
            sonde::with_traffic pattern{{.bytes = bytes}, [&] { halo.exchange(u); }};
            measure(pattern);
        };
        std::visit(exchange, halos[i]); // halos: a vector of std::variant
    };
    auto found = sonde::compare(ranks, plan, sonde::alternatives{halos.size() + 1, visit});
    auto of_reference = std::move(found.records.back());
    found.records.pop_back();

    auto const fastest = sonde::fastest(found); // equal on every rank: all ranks use the same exchange
    // [/measure]
    return {std::move(found), std::move(of_reference), fastest};
}

} // namespace heat
