// SPDX-License-Identifier: BSL-1.0
// Senders and receivers of IMB-P2P, with a simulated message log.
#include <doctest/doctest.h>

#include "imb/p2p/communication.hpp"

#include <map>
#include <utility>
#include <vector>

using namespace imb::p2p;

namespace {

using route = std::pair<int, int>; // from, to

/// Logs the messages of one rank.
struct message_log {
    int me;
    std::vector<route> sent{};
    std::vector<route> received{};
    int completed = 0;

    void send(int to) { sent.emplace_back(me, to); }
    void recv(int from) { received.emplace_back(from, me); }
    void sendrecv(int to, int from) {
        send(to);
        recv(from);
    }
    void exchange(std::vector<int> const& ranks) {
        for (auto const r : ranks) sendrecv(r, r);
    }
    void sendrecv_replace(int to, int from) { sendrecv(to, from); }
    void complete() { ++completed; }
};

struct totals {
    std::map<route, int> sent;
    std::map<route, int> received;
    std::size_t messages = 0;
};

/// The messages of all ranks in some repetitions.
template <class Make>
totals after(int repetitions, int ranks, Make make) {
    totals found;
    for (int rank = 0; rank != ranks; ++rank) {
        message_log transport{rank};
        auto communication = make(rank);
        for (int i = 0; i != repetitions; ++i) communication(transport);
        for (auto const& r : transport.sent) ++found.sent[r];
        for (auto const& r : transport.received) ++found.received[r];
        found.messages += transport.sent.size();
    }
    return found;
}

template <class Make>
void check_matched(int ranks, std::size_t messages, Make make) {
    CAPTURE(ranks);
    auto const found = after(3, ranks, make);
    CHECK(found.sent == found.received);
    CHECK(found.messages == 3 * messages);
    for (auto const& [where, n] : found.sent) CHECK(where.first != where.second);
}

} // namespace

TEST_CASE("every sent message is received, and their number is the expected one") {
    for (int ranks = 2; ranks != 8; ++ranks) {
        auto const p = static_cast<std::size_t>(ranks);
        check_matched(ranks, p, [=](int rank) { return unirandom{rank, ranks}; });
        check_matched(ranks, 2 * p, [=](int rank) { return birandom{rank, ranks}; });
        check_matched(ranks, p, [=](int rank) { return corandom{rank, random_ring{ranks}}; });
    }
    for (int ranks : {4, 6, 12})
        check_matched(ranks, 4 * static_cast<std::size_t>(ranks),
                      [=](int rank) { return stencil{plane_of(ranks).neighbors(rank)}; });
    for (int ranks : {8, 12, 27})
        check_matched(ranks, 6 * static_cast<std::size_t>(ranks),
                      [=](int rank) { return stencil{space_of(ranks).neighbors(rank)}; });
}

TEST_CASE("in a pair one rank sends and then receives, the other receives and then sends") {
    source_log none{1};
    ping_pong{{sonde::role::initiator, 5}}(none);
    CHECK(none.sources == std::vector{5});
    struct order {
        std::vector<int> messages;
        void send(int to) { messages.push_back(to); }
        void recv(int from) { messages.push_back(-from); }
    };
    order first, second;
    ping_pong{{sonde::role::initiator, 5}}(first);
    ping_pong{{sonde::role::responder, 5}}(second);
    CHECK(first.messages == std::vector{5, -5});
    CHECK(second.messages == std::vector{-5, 5});
}

TEST_CASE("random steps restart after the warm-up") {
    auto const sent_by = [](int warm, int timed) {
        communication_pattern pattern{message_log{1}, unirandom{1, 5}, {}};
        for (int i = 0; i != warm; ++i) pattern();
        pattern.after_warmup();
        auto const before = pattern.transport().sent.size();
        for (int i = 0; i != timed; ++i) pattern();
        auto const& all = pattern.transport().sent;
        return std::vector<route>{all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
    };
    REQUIRE(!sent_by(0, 4).empty());
    CHECK(sent_by(3, 4) == sent_by(0, 4));
}

TEST_CASE("complete() calls the transport, and the traffic is that of the constructor's arguments") {
    communication_pattern pattern{message_log{0}, ping_ping{1}, {8, 1, 1}};
    pattern.complete();
    CHECK(pattern.transport().completed == 1);
    CHECK(pattern.traffic().bytes == 8);
}

TEST_CASE("the source log has the last sender of each receive buffer, and messages received in place") {
    source_log log{4};
    CHECK(log.sources == std::vector{-1, -1, -1, -1});
    stencil{{1, 2, 3, 4}}(log);
    CHECK(log.sources == std::vector{1, 2, 3, 4});
    CHECK(!log.in_place);
    ring_replace{7, 9}(log);
    CHECK(log.sources[0] == 9);
    CHECK(log.in_place);
}
