// SPDX-License-Identifier: BSL-1.0
#include "tools/model/measure/sampling.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/sim.hpp>
#include <sonde/sim/network.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

// Two pairs between two nodes whose link transfers a byte a nanosecond, in chunks of 16, in virtual time.

using namespace std::chrono_literals;
using namespace tools::model;
using sonde::sim::picoseconds;
using sonde::sim::process;

namespace {

constexpr std::size_t size = 64;
constexpr std::size_t repetitions = 10;

/// A barrier of a pair that the second pair leaves late.
struct late_barrier {
    process* self;
    picoseconds late;
    void barrier() const {
        if (self->rank() % 2 == 1) self->work(late);
    }
};

/// Runs a start on each of four ranks; returns the record of rank 0.
template <class Start>
sonde::record record_of(Start start) {
    sonde::record found;
    sonde::sim::world{sonde::sim::block_distribution(2, 2, {16, sonde::model::rate{1e9}, 4ns})}.run([&](process& self) {
        std::vector<std::byte> out(size), in(size);
        auto group = self.group();
        auto const pair = sonde::pair_of(self.rank(), 2);
        sonde::ping_pong pattern{self.link(pair.peer), pair.role, sonde::slice{out}, sonde::slice{in}};
        sonde::detail::no_global_clock clock;
        auto const plan = sonde::plan<>{}.warmup(0).batch(repetitions).until(sonde::samples{3}).timed_by(self.clock());
        auto const as_asked = plan.keep({.sample_means = true});
        auto const r = sonde::run(group, as_asked.synchronized(skew_measured{start(self, pattern), clock}), pattern);
        if (self.rank() == 0) found = r;
    });
    return found;
}

sonde::record apart(picoseconds late) {
    return record_of([late](process& self, auto& pattern) {
        static thread_local late_barrier pair; // a thread is a rank
        pair = {&self, late};
        return apart_start{pattern, pair, 0};
    });
}

sonde::record together() {
    return record_of([](process&, auto&) { return sonde::barrier_each{}; });
}

long long ns(sonde::seconds t) { return std::llround(1e9 * t.count()); }

std::vector<long long> ns(std::vector<sonde::seconds> const& times) {
    std::vector<long long> whole;
    for (auto const t : times) whole.push_back(ns(t));
    return whole;
}

using times = std::vector<long long>;

} // namespace

TEST_CASE("apart: pairs that begin together have no skew, and each sample takes the model's time") {
    auto const r = together();
    CHECK(ns(r.global->entry_skews) == times{0, 0, 0});
    for (auto const t : r.series) CHECK(ns(t * repetitions) == 20 * (2 * 64 + 4) - 19 * 16);
}

TEST_CASE("apart: a record holds the entry skews of the pairs, over all four ranks") {
    CHECK(ns(apart(0ns).global->entry_skews) == times{0, 0, 0});
    CHECK(ns(apart(40ns).global->entry_skews) == times{40, 40, 40});
}

TEST_CASE("apart: a start 40 ns late is not corrected, and each turn-around saves three chunks for one") {
    auto r = apart(40ns);
    CHECK(ns(r.series[0] * repetitions) == 20 * (2 * 64 + 4 - 48) + 8);
    CHECK(ns(r.sample_means[0] * repetitions) == 20 * (2 * 64 + 4 - 48) + 4);
    add_bandwidths(r);
    CHECK(ns(r.series[0] * repetitions * 1000) == 1'683'990); // 2 x 1680 x 1688 / (1680 + 1688), and not 2336
}
