// SPDX-License-Identifier: BSL-1.0
#include "cluster_support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

using namespace unit;

namespace {

struct message {
    int from, to;
    std::size_t bytes;
    picoseconds at{};
};

/// The arrival of each message (ns); all are sent before any is received.
std::vector<long long> arrivals(std::vector<int> of_rank, std::vector<message> const& sent) {
    std::vector<long long> found(sent.size());
    on_nodes({std::move(of_rank), byte_a_ns(16, 4ns)}, {}, [&](process& self) {
        for (auto const& m : sent) {
            if (m.from != self.rank()) continue;
            self.wait_until(m.at);
            std::vector<std::byte> content(m.bytes);
            self.link(m.to, static_cast<int>(&m - sent.data())).send(content);
        }
        for (std::size_t i = 0; i != sent.size(); ++i) {
            if (sent[i].to != self.rank()) continue;
            std::vector<std::byte> content(sent[i].bytes);
            self.link(sent[i].from, static_cast<int>(i)).recv(content);
            found[i] = ns(self.now());
        }
        return 0;
    });
    return found;
}

using times = std::vector<long long>;

} // namespace

TEST_CASE("cluster: a message between nodes takes overhead, start-up, its bytes at the link's rate, overhead") {
    auto const left = on_nodes({{0, 1}, byte_a_ns(16, 40ns)}, {1us, 5us, 3us, 2ns}, [](process& self) {
        std::vector<std::byte> content(100);
        if (self.rank() == 0) self.link(1).send(content);
        else self.link(0).recv(content);
        return ns(self.now());
    });
    CHECK(left == times{1000, 1000 + 40 + 100 + 1000});
}

TEST_CASE("cluster: ranks of one node communicate as in a world without nodes, while its link is busy") {
    auto const talk = [](process& self) {
        std::vector<std::byte> content(1001);
        if (self.rank() == 0) self.link(2).send(content); // another node if there are several
        if (self.rank() < 2) {
            sonde::ping_pong p{self.link(1 - self.rank()), self.rank() == 0 ? role::initiator : role::responder,
                               sonde::slice{content}, sonde::slice{content}};
            for (int i = 0; i != 3; ++i) p();
        }
        return ns(self.now());
    };
    auto const found = on_nodes({{0, 0, 1}, byte_a_ns(16, 40ns)}, {1us, 5us, 3us, 2ns}, talk);
    CHECK(found[0] == 1000 + 6 * (1000 + 2000 + 5000 + 1000));
}

TEST_CASE("cluster: messages of one rank follow one another without a gap, and are not interleaved") {
    CHECK(arrivals({0, 1}, {{0, 1, 100}, {0, 1, 50}, {0, 1, 1}}) == times{104, 154, 155});
    CHECK(arrivals({0, 1, 1}, {{0, 1, 100}, {0, 2, 1}}) == times{104, 105}); // also to another rank
}

TEST_CASE("cluster: messages of different ranks of a node alternate chunk by chunk") {
    CHECK(arrivals({0, 0, 1, 1}, {{0, 2, 32}, {1, 3, 32}}) == times{4 + 48, 4 + 64});
    CHECK(arrivals({0, 0, 1, 1}, {{0, 2, 160}, {1, 3, 16}}) == times{4 + 176, 4 + 32});
    CHECK(arrivals({0, 0, 0, 1, 1, 1}, {{2, 3, 20}, {0, 4, 36}, {1, 5, 16}}) == times{4 + 68, 4 + 72, 4 + 32});
}

TEST_CASE("cluster: a later message starts after the current chunk") {
    CHECK(arrivals({0, 0, 1, 1}, {{0, 2, 64}, {1, 3, 16, 20ns}}) == times{4 + 80, 4 + 48});
    CHECK(arrivals({0, 0, 1, 1}, {{0, 2, 64}, {1, 3, 16, 16ns}}) == times{4 + 80, 4 + 32}); // as that one ends
    // of two that wait, the one that has waited longer
    CHECK(arrivals({0, 0, 0, 1, 1, 1}, {{0, 3, 64}, {1, 4, 16, 9ns}, {2, 5, 16, 8ns}}) ==
          times{4 + 96, 4 + 48, 4 + 32});
}

TEST_CASE("cluster: the two directions of a link do not delay each other") {
    CHECK(arrivals({0, 1}, {{0, 1, 100}, {1, 0, 60}}) == times{104, 64});
}

TEST_CASE("cluster: messages from two nodes to a third share its incoming direction, chunk by chunk") {
    CHECK(arrivals({0, 1, 2, 2}, {{0, 2, 32}, {1, 3, 32}}) == times{4 + 48, 4 + 64});
    CHECK(arrivals({0, 1, 2, 2}, {{0, 2, 32}, {1, 3, 32, 100ns}}) == times{4 + 32, 104 + 32});
    CHECK(arrivals({2, 1, 0, 0}, {{0, 2, 32}, {1, 3, 32}}) == times{4 + 64, 4 + 48}); // at equal times by node
}

TEST_CASE("cluster: messages of a node to two others share its outgoing direction") {
    CHECK(arrivals({0, 0, 1, 2}, {{0, 2, 32}, {1, 3, 32}}) == times{4 + 48, 4 + 64});
}

TEST_CASE("cluster: an empty message takes the start-up alone") {
    CHECK(arrivals({0, 1}, {{0, 1, 0}, {0, 1, 0}}) == times{4, 4});
}

TEST_CASE("cluster: pairs that start within a chunk's time of each other lose no time") {
    for (auto const late : {1ns, 7ns, 15ns, 16ns})
        CHECK(more_of({2, 64, 10, late}, byte_a_ns(16, 4ns)) == more_of({2, 64, 10}, byte_a_ns(16, 4ns)));
}

TEST_CASE("cluster: a later start persists: a turn-around saves as many chunks as the other pair was late") {
    auto const link = byte_a_ns(16, 4ns);
    for (auto const late : {17ns, 20ns, 32ns, 33ns, 48ns, 49ns, 63ns}) {
        auto const chunks = (late.count() + 15) / 16;
        CHECK(more_of({2, 64, 10, late}, link) == 20 * (2 * 64ns + 4ns - chunks * 16ns));
    }
    CHECK(more_of({2, 64, 100, 40ns}, link) == 10 * more_of({2, 64, 10, 40ns}, link)); // for the whole loop
}

TEST_CASE("cluster: three pairs desynchronize, and use nearly both directions; four use both") {
    auto const link = byte_a_ns(16, 4ns);
    auto const three = outcome_of({3, 64, 200}, link), two = outcome_of({2, 64, 200}, link);
    CHECK(two.use.both < 0.11 * two.took);
    CHECK(three.use.both > 0.93 * three.took);
    CHECK(more_of({4, 64, 50}, link) == 100 * (4 * 64ns / 2));
    CHECK(time_of({3, 64, 1}, link) == 2 * (3 * 64ns + 4ns) - 2 * 16ns); // synchronized at first
}

TEST_CASE("cluster: three pairs stay synchronized while the last chunks of two do not outlast a full chunk") {
    auto const link = byte_a_ns(16, 4ns);
    CHECK(more_of({3, 72, 40}, link) == 80 * (3 * 72ns + 4ns - 2 * 8ns));
    CHECK(more_of({3, 73, 40}, link) < 80 * (3 * 73ns + 4ns - 73ns));
}
