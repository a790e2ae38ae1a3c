// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"

#include <sonde/measure/beside.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/congestors.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/stop.hpp>

#include <cstddef>
#include <stdexcept>
#include <vector>

using namespace sonde;

namespace {

/// What the measuring ranks found; empty on congestors.
struct finding {
    comparison times;
    mpi::congestor_traffic alone, beside;
};

/// A message to and fro between ranks 0 and 1, or nothing on one measuring rank, beside congestors.
finding measure_beside(mpi::group& world, mpi::congestion kind, std::size_t bytes, auto rule) {
    auto const measuring = world.size() > 3 ? 2 : 1;
    mpi::congestors load{world, measuring, kind, bytes};
    CHECK(load.congests() == (world.rank() >= measuring));
    CHECK(load.count() == world.size() - measuring);
    finding found;
    if (load.congests()) {
        load.serve();
        return found;
    }
    auto& group = load.measuring();
    std::vector<std::byte> out(8), in(8);
    auto const pair = pair_of(group.rank(), measuring / 2);
    ping_pong exchange{mpi::link{group, pair.peer}, pair.role, slice{out}, slice{in}};
    auto const plan = sonde::plan<>{}.warmup(3).until(rule);
    found = {compare_beside(group, plan, load, exchange, {"exchange"}, "load"), load.alone(), load.beside()};
    load.finish();
    load.finish();
    return found;
}

void check_traffic(mpi::congestor_traffic const& sent, double least, double ranks) {
    CHECK(sent.bytes >= least);
    CHECK(sent.ranks == ranks);
    CHECK(sent.rank_seconds > 0);
    CHECK(sent.rate() > 0);
}

} // namespace

TEST_CASE("congestors send during each sample that is beside them, and stop whenever the rule does") {
    mpi::group world{application::comm()};
    if (world.size() < 3) return;
    for (auto const kind : {mpi::congestion::alltoall, mpi::congestion::incast}) {
        auto const bytes = kind == mpi::congestion::incast ? 1 : 100'000;
        CAPTURE(bytes);
        auto const found = measure_beside(world, kind, static_cast<std::size_t>(bytes), samples{6});
        if (found.times.records.empty()) continue;
        auto const congestors = world.size() - (world.size() > 3 ? 2 : 1);
        auto const messages = kind == mpi::congestion::incast ? congestors - 1 : congestors * (congestors - 1);
        CHECK(found.times.records[1].series.size() == 6);
        // A round or more is in each sample and in the warm-up, alone and beside it.
        for (auto const& sent : {found.alone, found.beside}) check_traffic(sent, 7.0 * messages * bytes, congestors);
    }
}

TEST_CASE("congestors stop when a budget ends a comparison after an unknown number of samples") {
    mpi::group world{application::comm()};
    if (world.size() < 3) return;
    auto const found = measure_beside(world, mpi::congestion::alltoall, 64, time_budget{seconds{0.02}});
    if (!found.times.records.empty())
        CHECK(found.times.records[0].series.size() == found.times.records[1].series.size());
}

TEST_CASE("congestors go home if the measuring ranks throw, also while messages flow") {
    mpi::group world{application::comm()};
    if (world.size() < 3) return;
    for (auto const flows : {false, true}) {
        auto const measure = [&] {
            mpi::congestors load{world, world.size() - 2, mpi::congestion::incast};
            if (load.congests()) return load.serve();
            if (flows) load.start();
            throw std::runtime_error{"the measurement ends"};
        };
        if (world.rank() < world.size() - 2)
            CHECK_THROWS_WITH_AS(measure(), "the measurement ends", std::runtime_error);
        else CHECK_NOTHROW(measure());
    }
}

TEST_CASE("a second start, and one after finish, are refused on the measuring ranks, and a stop without a start does "
          "nothing") {
    mpi::group world{application::comm()};
    if (world.size() < 3) return;
    for (auto const stops : {true, false}) {
        mpi::congestors load{world, world.size() - 2, mpi::congestion::alltoall, 8};
        if (load.congests()) {
            CHECK_THROWS_AS(load.start(), std::logic_error);
            load.serve();
            continue;
        }
        load.stop();
        load.start();
        CHECK_THROWS_WITH_AS(load.start(), "sonde::mpi::congestors: start() before stop() of the start before",
                             std::logic_error);
        if (stops) load.stop();
        load.finish();
        load.stop();
        CHECK_THROWS_WITH_AS(load.start(), "sonde::mpi::congestors: start() after finish()", std::logic_error);
    }
}

TEST_CASE("too few congestors, no measuring rank and messages of no bytes are refused on all ranks") {
    mpi::group world{application::comm()};
    using mpi::congestors;
    CHECK_THROWS_AS(congestors(world, world.size() - 1, mpi::congestion::alltoall), std::invalid_argument);
    CHECK_THROWS_AS(congestors(world, 0, mpi::congestion::alltoall), std::invalid_argument);
    CHECK_THROWS_AS(congestors(world, 1, mpi::congestion::incast, 0), std::invalid_argument);
    CHECK_THROWS_AS(congestors(world, 1, mpi::congestion::incast, std::size_t{1} << 31), std::invalid_argument);
}
