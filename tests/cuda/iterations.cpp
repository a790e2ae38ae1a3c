// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/sim.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>

using namespace fake_cuda;
using sonde::cuda::iteration_events;

namespace {

/// Iterations of 1000, 2000, .. ns of a stream, enqueued as fast as the host can.
struct longer_and_longer {
    cudaStream_t on;
    long long next = 0;
    sonde::role who = sonde::role::initiator;
    int* completed = nullptr;

    void operator()() {
        fake_cuda_enqueue(
            on, [] {}, next += 1000);
    }
    void complete() const {
        if (completed != nullptr) ++*completed;
    }
    template <class F>
    void in_role(F f) {
        if (who != sonde::role::idle) f(*this);
    }
    sonde::role role() const { return who; }
    sonde::traffic traffic() const { return {10, 2, 3}; }
};

/// Delays the host for a millisecond before each sample, while the stream is idle.
struct late {
    void operator()(auto&, std::size_t) const { fake::advance(1'000'000); }
};

struct delayed_device : one_device {
    sonde::single_rank group;
    sonde::cuda::stream stream;
    auto plan(std::size_t samples) const {
        return sonde::plan<>{}
            .warmup(0)
            .until(sonde::samples{samples})
            .synchronized(late{})
            .timed_by(sonde::cuda::event_clock{stream});
    }
};

} // namespace

TEST_CASE_FIXTURE(delayed_device, "iterations of batches have times of their own, without the time between batches") {
    iteration_events pattern{100, stream, longer_and_longer{stream}};
    auto const r = sonde::run(group, plan(2).batch(3), pattern);
    CHECK(ns(pattern.times()) == times{1000, 2000, 3000, 4000, 5000, 6000});
    CHECK(ns(r.series) == times{2000, 5000});
}

TEST_CASE_FIXTURE(delayed_device, "single iterations have their times, too") {
    iteration_events pattern{100, stream, longer_and_longer{stream}};
    pattern();
    fake::advance(1'000'000);
    pattern();
    CHECK(ns(pattern.times()) == times{1000, 2000});
}

TEST_CASE_FIXTURE(delayed_device, "the requested number of latest iterations keep their times") {
    iteration_events pattern{4, stream, longer_and_longer{stream}};
    (void)sonde::run(group, plan(3).batch(3), pattern);
    CHECK(ns(pattern.times()) == times{6000, 7000, 8000, 9000});
    iteration_events one{1, stream, longer_and_longer{stream}};
    (void)sonde::run(group, plan(1).batch(3), one);
    CHECK(ns(one.times()) == times{3000});
}

TEST_CASE_FIXTURE(delayed_device, "each iteration has the time of its slowest rank") {
    struct other_rank : sonde::single_rank { // its iterations last 2500 ns
        void all_reduce(std::span<double> values, sonde::reduction op) const {
            CHECK(op == sonde::reduction::max);
            for (auto& v : values) v = v < 2.5e-6 ? 2.5e-6 : v;
        }
    } both;
    iteration_events pattern{4, stream, longer_and_longer{stream}};
    for (int i = 0; i != 4; ++i) pattern();
    CHECK(ns(pattern.slowest(both)) == times{2500, 2500, 3000, 4000});
}

TEST_CASE_FIXTURE(delayed_device, "an idle rank knows each iteration's slowest time, too") {
    sonde::sim::world{3, {}}.run([](sonde::sim::process& self) {
        auto const who = self.rank() == 0 ? sonde::role::idle : sonde::role::initiator;
        sonde::cuda::stream const own;
        iteration_events pattern{4, own, longer_and_longer{own, 1000 * self.rank(), who}};
        for (int i = 0; i != 3; ++i) sonde::in_role(pattern, [](auto&& iteration) { iteration(); });
        auto ranks = self.group();
        ranks.barrier(); // a wait for a stream advances the time of all ranks
        CHECK(ns(pattern.slowest(ranks)) == times{3000, 4000, 5000});
    });
}

TEST_CASE_FIXTURE(delayed_device, "iterations of the warm-up are left out") {
    iteration_events pattern{100, stream, longer_and_longer{stream}};
    (void)sonde::run(group, plan(1).warmup(3).batch(2), pattern);
    CHECK(ns(pattern.times()) == times{4000, 5000});
}

TEST_CASE_FIXTURE(delayed_device, "all events exist before the first iteration, and are destroyed at the end") {
    {
        iteration_events pattern{4, stream, longer_and_longer{stream}};
        auto const planned = plan(5);
        auto const before = count("cudaEventCreate");
        (void)sonde::run(group, planned.batch(3), pattern);
        CHECK(count("cudaEventCreate") == before);
    }
    CHECK(count("cudaEventCreate") == count("cudaEventDestroy"));
}

TEST_CASE_FIXTURE(delayed_device, "role, traffic and completion are the pattern's; an idle rank has no times") {
    int completed = 0;
    iteration_events idle{4, stream, longer_and_longer{stream, 0, sonde::role::idle, &completed}};
    (void)sonde::run(group, plan(2).batch(3), idle);
    CHECK(sonde::role_of(idle) == sonde::role::idle);
    CHECK(sonde::traffic_of(idle).hops == 3);
    CHECK(completed == 2);
    CHECK(idle.times().empty());
}

TEST_CASE_FIXTURE(delayed_device, "keeping 0 iterations is refused") {
    CHECK_THROWS_AS(iteration_events(0, stream, [] {}), std::invalid_argument);
}
