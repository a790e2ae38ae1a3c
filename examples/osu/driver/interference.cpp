// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/interference.hpp"

#include "suite/agreement.hpp"
#include "suite/hosts.hpp"

#include <array>

namespace osu {

namespace {

constexpr int measuring = 2; // ranks, before the congestors

/// Bytes of the load's messages on this rank: one that is sent, and of each peer one in both rounds under way.
double bytes_of_load(sonde::mpi::group const& world, load_choice const& choice) {
    if (world.rank() < measuring) return 0;
    auto const receives = choice.traffic == sonde::mpi::congestion::alltoall || world.rank() == measuring;
    auto const peers = receives ? world.size() - measuring - 1 : 0;
    return (1 + 2.0 * peers) * static_cast<double>(choice.bytes);
}

} // namespace

std::string name(load_choice const& load) {
    return std::string{sonde::mpi::congestion_names[static_cast<std::size_t>(load.traffic)]} + " of " +
           std::to_string(load.bytes) + " bytes";
}

sonde::point load_beside::point_beside(sonde::point at, std::string const& what) {
    at.parameters.emplace_back("beside", what);
    return at;
}

sonde::record load_beside::compare(sonde::mpi::group& group, size_plan const& plan, exchange_ref alone,
                                   exchange_ref loaded) {
    auto const was_alone = load_.alone(), was_beside = load_.beside();
    std::array const both{alone, loaded};
    auto times = sonde::compare(group, plan, sonde::alternatives{2, [&](std::size_t i, auto f) { f(both[i]); }});
    auto base = times.records.front();
    latest_ = interference{std::move(times), load_.alone().since(was_alone), load_.beside().since(was_beside)};
    return base;
}

int run_beside(sonde::mpi::group& world, load_choice const& choice,
               std::function<int(load_beside&, sonde::mpi::group&)> const& measure) {
    suite::require_memory(world, bytes_of_load(world, choice), "--beside");
    sonde::mpi::congestors load{world, measuring, choice.traffic, choice.bytes};
    std::string complaint;
    int status = 0;
    if (load.congests()) {
        load.serve();
    } else {
        try {
            load_beside beside{load, choice};
            status = measure(beside, load.measuring());
        } catch (suite::refusal const& e) {
            complaint = e.what();
        }
        load.finish();
    }
    suite::agree(world, complaint);
    sonde::broadcast(world, status);
    return status;
}

} // namespace osu
