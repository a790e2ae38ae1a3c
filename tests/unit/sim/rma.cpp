// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"
#include "../../transfer_conformance.hpp"

#include <sonde/sim/rma.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

// The cost of each epoch in LogGP. M puts of n bytes leave one after the other, s = max(o, (n - 1) G + g) apart; the
// message after a put leaves s later, too.

using namespace unit;
namespace sim = sonde::sim;

namespace {

constexpr long long o = 1000, L = 5000, g = 3000, G = 2; // ns
struct load {
    std::size_t many;
    std::size_t bytes;

    long long M() const { return static_cast<long long>(many); }
    long long first_to_last_byte() const { return static_cast<long long>(bytes - 1) * G; }
    long long s() const { return std::max(o, first_to_last_byte() + g); }
};
constexpr load light{1, 1}, heavy{4, 1001}; // shorter than the latency; longer than it

/// A rank's part in a world: its window, and memory for its puts.
struct rank_state {
    process& self;
    load puts;
    std::vector<std::byte> own = std::vector<std::byte>(3 * puts.many * puts.bytes);
    std::vector<std::byte> memory = std::vector<std::byte>(puts.many * puts.bytes, std::byte{7});
    sim::window window{self, own};

    sim::put to(int target) { return {window, target, memory, puts.bytes}; }
};

/// The times of 5 iterations, each from a common start: the slowest initiator's.
template <class P>
std::vector<long long> times_of(process& self, P pattern) {
    auto group = self.group();
    auto const plan = sonde::plan<>{}.until(sonde::samples{5}).synchronized(sonde::barrier_each{});
    return ns(sonde::run(group, plan.timed_by(self.clock()), pattern).series);
}

/// make(rank_state, pair) -> pattern, on every rank; rank 0 is the initiator, rank 1 the responder, a third idle.
template <class Make>
std::vector<long long> times_of(int ranks, load puts, Make make) {
    return on_ranks(ranks, log_gp_network, [&](process& self) {
        rank_state here{self, puts};
        return times_of(self, make(here, sonde::pair_of(self.rank(), 1)));
    })[0];
}

/// The time of each rank in one iteration, from a common start.
template <class Make>
std::vector<long long> each_rank(int ranks, load puts, Make make) {
    return on_ranks(ranks, log_gp_network, [&](process& self) {
        rank_state here{self, puts};
        auto pattern = make(here, sonde::pair_of(self.rank(), 1));
        pattern();
        return ns(self.now());
    });
}

std::vector<int> others_of(sonde::pairing s) { return s.peer < 0 ? std::vector<int>{} : std::vector{s.peer}; }

auto const fenced = [](rank_state& here, sonde::pairing s) {
    return sonde::rma{sim::fence{here.window}, s.role, here.puts.many, here.to(s.peer)};
};
auto const posted = [](rank_state& here, sonde::pairing s) {
    return sonde::rma{sim::pscw{here.window, others_of(s)}, s.role, here.puts.many, here.to(s.peer)};
};
auto const flushed = [](rank_state& here, sonde::pairing s) {
    return sonde::rma{sim::flush{here.window, s.peer}, s.role, here.puts.many, here.to(s.peer)};
};

std::vector<long long> five(long long t) { return std::vector<long long>(5, t); }

} // namespace

TEST_CASE("sim: a fence epoch costs two exchanges of empty messages, and the puts beyond the latency") {
    // open: o, L, o. close: o + M s until this rank's message leaves, o + L until the other's arrives; then o.
    auto const cost = [](load p) { return (o + L + o) + (o + std::max(p.M() * p.s(), L) + o); };
    CHECK(times_of(2, light, fenced) == five(cost(light)));
    CHECK(times_of(2, heavy, fenced) == five(cost(heavy)));
    CHECK(cost(light) == 14'000); // limited by latency: puts add nothing
    CHECK(cost(heavy) == 29'000); // limited by the gap
}

TEST_CASE("sim: the target of a fence epoch waits for the message after the last put") {
    auto const cost = [](load p) { return (o + L + o) + (o + p.M() * p.s() + L + o); };
    CHECK(each_rank(2, heavy, fenced)[1] == cost(heavy));
    CHECK(each_rank(2, light, fenced)[1] == cost(light));
}

TEST_CASE("sim: a fence of three ranks sends two messages each way, g apart, also from an idle rank") {
    auto const meeting = o + g + L + o;
    CHECK(times_of(3, light, fenced) == five(2 * meeting));
    // The second message leaves M s + g after the first would; both messages of the others have arrived by then.
    CHECK(times_of(3, heavy, fenced) == five(meeting + o + heavy.M() * heavy.s() + g + 2 * o));
    CHECK(each_rank(3, light, fenced)[2] >= 2 * meeting);
}

TEST_CASE("sim: a PSCW epoch costs the wait for the post, the puts, and a message without a wait") {
    auto const cost = [](load p) { return (o + L + o) + (o + p.M() * p.s()); };
    CHECK(times_of(2, light, posted) == five(cost(light)));
    CHECK(times_of(2, heavy, posted) == five(cost(heavy)));
    CHECK(cost(light) == 11'000);
    CHECK(cost(heavy) == 28'000);
    CHECK(each_rank(2, heavy, posted)[1] == cost(heavy) + L + o);
    CHECK(each_rank(3, heavy, posted) == std::vector<long long>{cost(heavy), cost(heavy) + L + o, 0});
}

TEST_CASE("sim: a target posts to its origins one after the other, g apart") {
    auto const found = on_ranks(3, log_gp_network, [](process& self) {
        rank_state here{self, light};
        auto const target = self.rank() == 1;
        sim::pscw const epoch{here.window, target ? std::vector{0, 2} : std::vector{1}};
        sonde::rma{epoch, target ? role::responder : role::initiator, 1, here.to(1)}();
        return ns(self.now());
    });
    auto const first = (o + L + o) + (o + light.s());
    CHECK(found == std::vector<long long>{first, first + g + L + o, first + g});
}

TEST_CASE("sim: a flush costs the puts, the last one's latency and the way back, and no time of the target") {
    auto const cost = [](load p) { return o + (p.M() - 1) * p.s() + p.first_to_last_byte() + L + L + o; };
    CHECK(times_of(2, light, flushed) == five(cost(light)));
    CHECK(times_of(2, heavy, flushed) == five(cost(heavy)));
    CHECK(cost(light) == 12'000);
    CHECK(cost(heavy) == 29'000);
    CHECK(each_rank(3, heavy, flushed) == std::vector<long long>{cost(heavy), 0, 0});
}

TEST_CASE("sim: one put an epoch costs an epoch each; many share its cost") {
    auto const one = times_of(2, {1, 1001}, flushed)[0], four = times_of(2, heavy, flushed)[0];
    CHECK(four - one == 3 * heavy.s());
    CHECK(4 * one - four == 3 * (o + heavy.first_to_last_byte() + L + L + o - heavy.s()));
}

TEST_CASE("sim: in an exchange both sides' puts are in flight at once") {
    auto const exchange = [](auto epoch_of) {
        return [=](rank_state& here, sonde::pairing s) {
            return sonde::rma_exchange{epoch_of(here, s), s.role, here.puts.many, here.to(s.peer)};
        };
    };
    auto const by_fence = exchange([](rank_state& here, sonde::pairing) { return sim::fence{here.window}; });
    auto const by_pscw = exchange([](rank_state& here, sonde::pairing s) {
        return sim::pscw{here.window, others_of(s)};
    });
    auto const by_flush = exchange([](rank_state& here, sonde::pairing s) { return sim::flush{here.window, s.peer}; });
    auto const cost = [](load p) { return (o + L + o) + (o + p.M() * p.s() + L + o); };
    for (auto const p : {light, heavy}) {
        CHECK(each_rank(2, p, by_fence) == std::vector<long long>(2, cost(p)));
        CHECK(each_rank(2, p, by_pscw) == std::vector<long long>(2, cost(p)));
        CHECK(each_rank(2, p, by_flush) == std::vector<long long>(2, times_of(2, p, flushed)[0]));
    }
}

TEST_CASE("sim: a ping-pong between fences has three of them, and the puts delay two") {
    auto const ping_pong = [](rank_state& here, sonde::pairing s) {
        return sonde::rma_ping_pong{sim::fence{here.window}, s.role, here.puts.many, here.to(s.peer)};
    };
    for (auto const p : {light, heavy})
        CHECK(times_of(2, p, ping_pong) == five((o + L + o) + 2 * (o + p.M() * p.s() + L + o)));
    CHECK(times_of(3, light, ping_pong).size() == 5); // the third rank makes the same number of fences
}

TEST_CASE("sim: a ping-pong of PSCW epochs posts the second after the first, g later") {
    auto const ping_pong = [](rank_state& here, sonde::pairing s) {
        return sonde::rma_ping_pong{sim::pscw{here.window, others_of(s)}, s.role, here.puts.many, here.to(s.peer)};
    };
    // Forward: wait for the post, puts, completion, then the post; back: wait for that post, puts, completion.
    auto const cost = [](load p) {
        return (o + L + o) + (o + p.M() * p.s() + g + L + o) + (o + p.M() * p.s() + L + o);
    };
    CHECK(times_of(2, light, ping_pong) == five(cost(light)));
    CHECK(times_of(2, heavy, ping_pong) == five(cost(heavy)));
    CHECK(cost(light) == 30'000);
}

namespace {

/// Every rank puts blocks into its right neighbor's window, behind its first bytes; `epoch_of(window, left, right)`.
void check_puts(int ranks, auto epoch_of, bool passive = false) {
    sim::world{ranks, log_gp_network}.run([&](process& self) {
        constexpr std::size_t first = 64, bytes_of_all = conformance::blocks * conformance::largest_block;
        std::vector<std::byte> own(first + bytes_of_all), memory(bytes_of_all);
        sim::window window{self, own};
        auto group = self.group();
        auto const right = (self.rank() + 1) % ranks, left = (self.rank() + ranks - 1) % ranks;
        auto const make = [&](std::size_t bytes) {
            return sonde::rma_exchange{epoch_of(window, left, right), role::initiator, conformance::blocks,
                                       sim::put{window, right, memory, bytes, first}};
        };
        auto const receive = [&](sonde::region, int) {
            for (std::size_t i = 0; passive && i != conformance::blocks; ++i) window.receive_put(left);
        };
        conformance::check_transfers(group, memory, sonde::region{own}.subspan(first), true, make, receive);
    });
}

} // namespace

TEST_CASE("sim: puts conform, in every epoch") {
    for (int const ranks : {2, 3, 4}) {
        check_puts(ranks, [](auto& w, int, int) { return sim::fence{w}; });
        check_puts(ranks, [](auto& w, int left, int right) {
            return sim::pscw{w, left == right ? std::vector{left} : std::vector{left, right}};
        });
        check_puts(
            ranks,
            [](auto& w, int, int right) {
                return sim::flush{w, right};
            },
            true);
    }
}

TEST_CASE("sim: a target sees nothing of a put before its epoch closes") {
    auto const seen = on_ranks(2, log_gp_network, [](process& self) {
        std::vector<std::byte> own(1), memory(1, std::byte{9});
        sim::window window{self, own};
        sim::fence const epoch{window};
        epoch.open(sonde::both_sides{});
        if (self.rank() == 0) window.put(1, 0, memory);
        self.group().barrier();
        auto const before = own[0];
        epoch.close(sonde::both_sides{});
        return std::vector{before, own[0]};
    });
    CHECK(seen[1] == std::vector{std::byte{0}, std::byte{9}});
}

TEST_CASE("sim: receive_put waits until the put has arrived") {
    auto const read_until = on_ranks(2, log_gp_network, [](process& self) {
        std::vector<std::byte> own(11), memory(11);
        sim::window window{self, own};
        if (self.rank() == 0) window.put(1, 0, memory);
        else window.receive_put(0);
        return ns(self.now());
    });
    CHECK(read_until == std::vector<long long>{1000, 1000 + 10 * 2 + 5000}); // no overhead of its processor
}

TEST_CASE("sim: a put beyond the target's window throws") {
    auto const at = [](std::size_t place) {
        sim::world{2, log_gp_network}.run([&](process& self) {
            std::vector<std::byte> own(10), memory(4);
            sim::window window{self, own};
            sonde::rma_exchange{sim::fence{window}, role::initiator, 1,
                                sim::put{window, 1 - self.rank(), memory, 4, place}}();
        });
    };
    CHECK_NOTHROW(at(6));
    CHECK_THROWS_AS(at(7), std::length_error);
}
