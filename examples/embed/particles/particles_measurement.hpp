// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "domain.hpp"
#include "ways.hpp"

#include <sonde/boost.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <variant>
#include <vector>

namespace particles {

/// Result of `tune`, equal on every rank: records of the ways to exchange the halo, and the way to use.
struct tuning {
    sonde::comparison ways;
    std::size_t fastest;
};

/// Compare the ways on the application's own halo and communicator. The received ghosts are those of `d` before and
/// after. Collective.
inline tuning tune(domain& d, std::vector<any_way>& ways) {
    auto& halo = d.halo();
    for (auto& way : ways) std::visit([&](auto& w) { w.prepare(halo); }, way);

    sonde::mpi::group ranks{d.ring().comm}; // from a boost::mpi::communicator
    auto const enough = sonde::samples{1000} || sonde::time_budget{sonde::seconds{0.5}};
    auto const plan = sonde::plan<>{}.until(enough && sonde::samples{30}); // at least 30 rounds

    // The bytes of the archives for every way, so that bandwidths compare as times do.
    auto const bytes = sonde::boost_mpi::packed_size(halo.out[left]) + sonde::boost_mpi::packed_size(halo.out[right]);
    auto const visit = [&](std::size_t i, auto measure) {
        auto const exchange = [&](auto& way) {
            sonde::with_traffic pattern{{.bytes = bytes, .messages = 2}, [&] { way.exchange(halo); }};
            sonde::named alternative{way.name, pattern};
            measure(alternative);
        };
        std::visit(exchange, ways[i]); // ways: a vector of std::variant
    };
    auto const found = sonde::compare(ranks, plan, sonde::alternatives{ways.size(), visit});
    auto const fastest = sonde::fastest(found); // equal on every rank: all ranks go on in the same way
    return {found, fastest};
}

} // namespace particles
