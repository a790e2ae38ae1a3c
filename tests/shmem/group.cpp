// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../control_conformance.hpp"
#ifdef __linux__
#include "../processor_binding.hpp"
#endif

#include <sonde/measure/run.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/shmem/group.hpp>

#include <mpi.h>
#include <shmem.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

using namespace sonde::shmem;

TEST_CASE("a group of all PEs conforms, and its library is named") {
    group ranks;
    CHECK(ranks.rank() == shmem_my_pe());
    CHECK(ranks.size() == shmem_n_pes());
    CHECK(ranks.pe(ranks.size() - 1) == shmem_n_pes() - 1);
    CHECK(ranks.library().find("OpenSHMEM 1.") == 0);
    conformance::check_group(ranks);
    conformance::check_control(ranks, "shmem_timeline.json");
}

TEST_CASE("groups of some PEs conform") {
    auto const pes = shmem_n_pes();
    for (auto const set : {active_set{0, 0, 1}, active_set{pes - 1, 0, 1}, active_set{0, 1, (pes + 1) / 2},
                           active_set{pes / 2, 0, pes - pes / 2}, active_set{0, 0, pes}}) {
        group ranks{set};
        CHECK(ranks.size() == set.size);
        std::vector<int> members;
        for (int rank = 0; rank != set.size; ++rank) members.push_back(ranks.pe(rank));
        auto const found = std::find(members.begin(), members.end(), shmem_my_pe());
        CHECK(ranks.rank() == (found == members.end() ? -1 : found - members.begin()));
        auto const channel = sonde::control_channel_of(ranks); // collective over all PEs
        if (ranks.rank() < 0) continue;
        conformance::check_group(ranks);
        conformance::check_ring(ranks, channel);
    }
}

TEST_CASE("active sets that exceed the job are refused on all PEs") {
    auto const pes = shmem_n_pes();
    for (auto const set : {active_set{0, 0, 0}, active_set{-1, 0, 1}, active_set{0, -1, 1}, active_set{pes, 0, 1},
                           active_set{0, 0, pes + 1}, active_set{1, 0, pes}, active_set{0, 31, 1},
                           active_set{0, 1, pes / 2 + 2}, active_set{0, 0, -1}})
        CHECK_THROWS_AS(group{set}, std::invalid_argument);
    CHECK_THROWS_WITH_AS((group{active_set{0, 0, 99}}),
                         doctest::Contains("sonde::shmem: the active set of 99 PEs from PE 0 on, 2^0 apart"),
                         std::invalid_argument);
}

TEST_CASE("MPI works beside OpenSHMEM") {
    auto initialized = 0;
    MPI_Initialized(&initialized);
    if (initialized == 0) return; // not by every OpenSHMEM library
    group ranks;
    sonde::mpi::group const processes{MPI_COMM_WORLD};
    CHECK(processes.size() == ranks.size());
    auto const plan = sonde::plan<>{}.warmup(3).until(sonde::samples{20});
    CHECK(sonde::run(ranks, plan, [&] { processes.barrier(); }).series.size() == 20);
}

#ifdef __linux__

TEST_CASE("a group is oversubscribed if its PEs share too few processors of their host, on all its PEs alike") {
    group all;
    auto const pes = all.size();
    {
        processor_binding const one{all, true};
        CHECK_FALSE(group{active_set{0, 0, 1}}.oversubscribed());
        group crowded;
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{2});
        CHECK(sonde::run(crowded, plan, [] {}).flags.oversubscribed == (pes > 1));
    }
    // The last two PEs share one processor, the others are where they were: sets with both, and without the last.
    processor_binding const of_two{all, all.rank() >= pes - 2};
    active_set const both{pes > 1 ? pes - 2 : 0, 0, pes > 1 ? 2 : 1};
    group last{both};
    CHECK(last.oversubscribed() == (pes > 1 && last.rank() >= 0));
    CHECK(group{}.oversubscribed() == (pes > 1));
    CHECK_FALSE(group{active_set{pes - 1, 0, 1}}.oversubscribed());
}

#endif
