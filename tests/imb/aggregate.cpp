// SPDX-License-Identifier: BSL-1.0
#include "../support.hpp"
#include "imb/one_sided/accesses.hpp"

#include <sonde/sim/rma.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

// The two modes of IMB's one-sided benchmarks, by the pattern of IMB-EXT and IMB-RMA: n puts with one completion, or n
// puts with a completion each. In LogGP puts leave s = max(o, (bytes - 1) G + g) apart.

using namespace unit;
namespace sim = sonde::sim;

namespace {

constexpr long long o = 2000, L = 20'000, g = 3000, G = 2; // ns
constexpr network_parameters network{2us, 20us, 3us, 2ns};

struct load {
    std::size_t many;
    std::size_t bytes;

    long long n() const { return static_cast<long long>(many); }
    long long first_to_last_byte() const { return static_cast<long long>(bytes - 1) * G; }
    long long s() const { return std::max(o, first_to_last_byte() + g); }
};

constexpr std::size_t counts[] = {1, 2, 3, 4, 7, 10, 64};

/// Puts to consecutive places.
struct next_put {
    sim::put to;
    std::size_t i = 0;

    void operator()() { to(i++); }
    sonde::traffic traffic() const { return to.traffic(); }
};

/// A fence after the puts, as in IMB-EXT.
struct closing_fence {
    sim::fence meet;

    void open(auto) const {}
    void close(auto side) const { meet.close(side); }
};

/// Rank 0 puts to rank 1; with `both_measure` both ranks count. Returns the time of all n puts with their completions.
template <class EpochOf>
long long time_of(load puts, imb::completion when, bool both_measure, EpochOf epoch_of) {
    return on_ranks(2, network, [&](process& self) {
        std::vector<std::byte> own(puts.many * puts.bytes), memory(puts.many * puts.bytes, std::byte{7});
        sim::window window{self, own};
        auto const who = self.rank() == 0 || both_measure ? role::initiator : role::responder;
        imb::accesses pattern{epoch_of(window, 1 - self.rank()), who, self.rank() == 0, when,
                              next_put{{window, 1 - self.rank(), memory, puts.bytes}}};
        auto group = self.group();
        auto const plan = sonde::plan<>{}.warmup(0).batch(puts.many).until(sonde::samples{1}).timed_by(self.clock());
        auto const r = sonde::run(group, plan, pattern);
        CHECK(r.total.bytes == static_cast<double>(puts.bytes));
        CHECK(r.initiators == (both_measure ? 2 : 1));
        return ns(r.series.front() * static_cast<double>(puts.many));
    })[0];
}
long long flushed(load puts, imb::completion when) {
    return time_of(puts, when, false, [](sim::window& w, int peer) { return sim::flush{w, peer}; });
}
long long fenced(load puts, imb::completion when) {
    return time_of(puts, when, true, [](sim::window& w, int) { return closing_fence{sim::fence{w}}; });
}

} // namespace

TEST_CASE("sim: n puts with a flush of each cost n round trips, with one flush for all a single one") {
    for (auto const bytes : {1, 501, 1001, 8001})
        for (auto const many : counts) {
            load const p{many, static_cast<std::size_t>(bytes)};
            auto const way = o + p.first_to_last_byte() + L + L + o;
            CHECK(flushed(p, imb::completion::each_repetition) == p.n() * way);
            CHECK(flushed(p, imb::completion::end_of_sample) == (p.n() - 1) * p.s() + way);
        }
}

TEST_CASE("sim: fences with aggregation save two overheads for each put but one, if puts outlast the latency") {
    for (auto const bytes : {20'001, 40'001})
        for (auto const many : counts) {
            load const p{many, static_cast<std::size_t>(bytes)};
            CHECK(fenced(p, imb::completion::end_of_sample) == o + p.n() * p.s() + L + o);
            CHECK(fenced(p, imb::completion::each_repetition) == p.n() * (o + p.s() + o) + L);
        }
}

TEST_CASE("sim: fences of single puts overlap every other put with a longer latency") {
    for (auto const bytes : {1, 1001, 8001})
        for (auto const many : counts) {
            load const p{many, static_cast<std::size_t>(bytes)};
            auto const seen = o + p.s() + L + o, overlapped = o + L + o;
            CHECK(fenced(p, imb::completion::end_of_sample) == o + p.n() * p.s() + L + o);
            CHECK(fenced(p, imb::completion::each_repetition) == p.n() / 2 * (seen + overlapped) + p.n() % 2 * seen);
        }
}

TEST_CASE("sim: the aggregate mode of put is never slower than the other, and as fast with a single put") {
    for (std::size_t bytes = 1; bytes != 1 << 17; bytes *= 2)
        for (auto const many : counts) {
            load const p{many, bytes};
            for (auto* const in_mode : {flushed, fenced}) {
                auto const aggregate = in_mode(p, imb::completion::end_of_sample);
                auto const each = in_mode(p, imb::completion::each_repetition);
                CHECK((many == 1 ? aggregate == each : aggregate < each));
            }
        }
}

TEST_CASE("sim: a sample without repetitions completes nothing") {
    auto const after = on_ranks(2, network, [](process& self) {
        std::vector<std::byte> own(1);
        sim::window window{self, own};
        imb::accesses pattern{closing_fence{sim::fence{window}}, role::initiator, self.rank() == 0,
                              imb::completion::end_of_sample, next_put{{window, 1 - self.rank(), own, 1}}};
        sonde::complete(pattern);
        return ns(self.now());
    });
    CHECK(after == std::vector<long long>{0, 0});
}
