// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

using namespace unit;

namespace {

/// A slow synchronizer that notes its index and the number of clock readings at each call.
struct advancing_sync {
    sonde::sim::manual_clock clock;
    std::vector<std::size_t>* indices;
    std::vector<std::size_t>* reads;

    void operator()(auto&, std::size_t i) const {
        clock.advance(1ms);
        indices->push_back(i);
        reads->push_back(clock.reads());
    }
};

} // namespace

TEST_CASE_FIXTURE(
    one_rank,
    "the synchronizer runs before each iteration of the warm-up and before each sample, counting each from 0") {
    std::vector<std::size_t> indices, reads;
    (void)sonde::run(group, plan(4).warmup(3).batch(5).synchronized(advancing_sync{clock, &indices, &reads}), [] {});
    CHECK(indices == std::vector<std::size_t>{0, 1, 2, 0, 1, 2, 3});
}

TEST_CASE_FIXTURE(one_rank, "the synchronizer's time is in no sample and not in the first iteration's") {
    std::vector<std::size_t> indices, reads;
    auto const r = sonde::run(group, plan(3).warmup(2).synchronized(advancing_sync{clock, &indices, &reads}),
                              [&] { clock.advance(1us); });
    CHECK(ns(r.series) == std::vector<long long>{1000, 1000, 1000});
    CHECK(ns(r.first) == 1000);
    CHECK(reads == std::vector<std::size_t>{0, 2, 2, 4, 6}); // never between the two readings of a sample
}

TEST_CASE_FIXTURE(one_rank, "indices of samples continue from evaluation to evaluation") {
    std::vector<std::size_t> indices, reads;
    auto const rule = sonde::time_budget{1s} || sonde::samples{5}; // evaluated after 1, 2, 3, 4, 5
    (void)sonde::run(group, plan(1).until(rule).synchronized(advancing_sync{clock, &indices, &reads}), [] {});
    CHECK(indices == std::vector<std::size_t>{0, 1, 2, 3, 4});
}

TEST_CASE_FIXTURE(one_rank, "barrier_once: one barrier before the warm-up, one before the samples") {
    (void)sonde::run(group, plan(9).warmup(4).synchronized(sonde::barrier_once{}), [] {});
    CHECK(group.barriers == 2);
}

TEST_CASE_FIXTURE(one_rank, "barrier_each: a barrier before every iteration of the warm-up and every sample") {
    (void)sonde::run(group, plan(9).warmup(4).batch(10).synchronized(sonde::barrier_each{}), [] {});
    CHECK(group.barriers == 4 + 9);
}

TEST_CASE_FIXTURE(one_rank, "no_sync: no barrier") {
    (void)sonde::run(group, plan(9).warmup(4).synchronized(sonde::no_sync{}), [] {});
    CHECK(group.barriers == 0);
}
