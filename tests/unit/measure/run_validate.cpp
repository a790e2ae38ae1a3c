// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

namespace {

/// A link that damages one byte of received message number `damaged`.
struct damaging {
    sonde::sim::link sound;
    int damaged;
    int arrived = 0;

    void send(sonde::region m) { sound.send(m); }
    void isend(sonde::region m) { sound.isend(m); }
    void irecv(sonde::region m) { pending.push_back(m); }
    void recv(sonde::region m) {
        sound.recv(m);
        if (++arrived == damaged) m.back() ^= std::byte{1};
    }
    void wait_all() {
        for (auto const m : pending) recv(m);
        pending.clear();
    }

    std::vector<sonde::region> pending{};
};

/// Two ranks' buffers for windows of three messages, each in a region of its own.
struct memory {
    sonde::host_allocation out{4096}, in{4096};

    void prepare(std::size_t round, int rank) {
        out.fill(std::byte(16 * round + static_cast<std::size_t>(rank) + 1));
        in.fill(std::byte{0});
    }
    /// Wrong bytes in the first n of each of the first `messages` regions.
    std::size_t verify(std::size_t round, int from, std::size_t messages, std::size_t n) {
        std::size_t wrong = 0;
        auto regions = in.distinct_regions(n, 3);
        for (std::size_t i = 0; i != messages; ++i)
            for (auto const byte : regions.next())
                wrong += byte != std::byte(16 * round + static_cast<std::size_t>(from) + 1);
        return wrong;
    }
};

struct expectation {
    std::size_t messages_to_responder;
    std::size_t messages_to_initiator;
};

/// Wrong bytes in three rounds of the pattern of `make(link, role, out, in)` on ranks 0 and 1, as reported on each; on
/// rank 1, message `damaged` arrives with a flipped bit.
template <class Make>
std::vector<std::size_t> errors(expectation comes, int damaged, Make make) {
    constexpr std::size_t n = 100;
    return on_ranks(2, {1us, 5us, 0us, 0ns}, [&](process& self) {
        memory bytes;
        auto group = self.group();
        auto const rank = self.rank();
        damaging link{self.link(1 - rank), rank == 1 ? damaged : 0};
        auto pattern = make(link, rank == 0 ? role::initiator : role::responder, bytes.out.distinct_regions(n, 3),
                            bytes.in.distinct_regions(n, 3), self.link(1 - rank, 1));
        auto const messages = rank == 1 ? comes.messages_to_responder : comes.messages_to_initiator;
        return sonde::validate(
            group, pattern, [&](std::size_t round) { bytes.prepare(round, rank); },
            [&](std::size_t round) { return bytes.verify(round, 1 - rank, messages, n); }, 3);
    });
}

constexpr auto ping_pong = [](auto link, role who, auto out, auto in, auto) {
    return sonde::ping_pong{link, who, sonde::slice{out.next()}, sonde::slice{in.next()}};
};
constexpr auto stream = [](auto link, role who, auto out, auto in, auto back) {
    static std::byte token{};
    return sonde::stream{link, who, 3, out, in, back, sonde::slice{{&token, 1}}};
};
constexpr auto bidirectional = [](auto link, role who, auto out, auto in, auto) {
    return sonde::bidirectional{link, who, 3, out, in};
};

using counts = std::vector<std::size_t>;

} // namespace

TEST_CASE("validate: every pattern moves every byte of every message") {
    CHECK(errors({1, 1}, 0, ping_pong) == counts{0, 0});
    CHECK(errors({3, 0}, 0, stream) == counts{0, 0});
    CHECK(errors({3, 3}, 0, bidirectional) == counts{0, 0});
}

TEST_CASE("validate: one flipped bit is one wrong byte, counted once, known on every rank") {
    CHECK(errors({1, 1}, 1, ping_pong) == counts{1, 1});
    CHECK(errors({3, 0}, 2, stream) == counts{1, 1});
    CHECK(errors({3, 3}, 9, bidirectional) == counts{1, 1}); // the last message of the last round
}

TEST_CASE("validate: a lost message is wrong in every byte, in every round") {
    CHECK(errors({2, 1}, 0, ping_pong) == counts{300, 300});
    CHECK(errors({3, 1}, 0, stream) == counts{300, 300});
}

TEST_CASE("validate: a number of rounds that differs between ranks is refused on all ranks") {
    auto const refused = caught_on_ranks(3, [](process& self) {
        auto group = self.group();
        auto const nothing = [] {};
        auto const zero = [](std::size_t) { return std::size_t{0}; };
        static_cast<void>(sonde::validate(group, nothing, zero, zero, self.rank() == 2 ? 2 : 1));
    });
    for (auto const& text : refused)
        CHECK(text == "sonde::validate: the arguments must be equal on all ranks; these parts differ: rounds");
}

TEST_CASE_FIXTURE(one_rank, "validate: prepare, barrier, the pattern once and completed, verify; round after round") {
    std::vector<char> order;
    struct {
        std::vector<char>* order;
        void operator()() { order->push_back('p'); }
        void complete() { order->push_back('c'); }
    } pattern{&order};
    auto const prepare = [&](std::size_t round) { order.push_back(static_cast<char>('0' + round)); };
    auto const verify = [&](std::size_t round) {
        order.push_back('v');
        return round + 5;
    };
    CHECK(sonde::validate(group, pattern, prepare, verify, 2) == 5 + 6);
    CHECK(order == std::vector<char>{'0', 'p', 'c', 'v', '1', 'p', 'c', 'v'});
    CHECK(group.barriers == 2);
    CHECK(time.reads == 0);
}
