// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <turns.hpp>

#include <sonde/groups/threads.hpp>
#include <sonde/sim/network.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

using sonde::role;

namespace {

/// Messages between two sides in the memory of one process, matched by direction and tag as MPI does.
class memory_link {
public:
    memory_link(sonde::sim::detail::mailboxes& boxes, role who, osu::marks tags)
        : boxes_{&boxes}, side_{who == role::initiator ? 0 : 1}, tags_{tags} {}
    void send(sonde::region r) { boxes_->deliver({side_, 1 - side_, tag(side_)}, {{}, {r.begin(), r.end()}}); }
    void recv(sonde::region r) {
        auto const message = boxes_->receive({1 - side_, side_, tag(1 - side_)});
        std::memcpy(r.data(), message.content.data(), message.content.size());
    }

private:
    int tag(int from) const { return from == 0 ? tags_.data : tags_.reply; }

    sonde::sim::detail::mailboxes* boxes_;
    int side_;
    osu::marks tags_;
};

struct number {
    std::size_t value = 0;
    sonde::slice bytes() { return sonde::slice{sonde::region{reinterpret_cast<std::byte*>(&value), sizeof value}}; }
};

/// S sender and R receiver threads of one process; `each(member, pattern, out, in)` on each.
void on_both_sides(int senders, int receivers, auto each) {
    sonde::sim::detail::mailboxes boxes;
    sonde::solo alone;
    sonde::thread_team team{alone, senders + receivers};
    team.run([&](auto& me) {
        auto const who = me.rank() < senders ? role::initiator : role::responder;
        osu::turns const mine{senders, receivers, who, who == role::initiator ? me.rank() : me.rank() - senders};
        number out, in;
        osu::taking_turns pattern{
            mine, [&](osu::marks tags) {
                return sonde::ping_pong{memory_link{boxes, who, tags}, who, out.bytes(), in.bytes()};
            }};
        each(me, pattern, out, in);
    });
}

constexpr std::array<std::pair<int, int>, 7> sides{{{1, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 2}, {4, 1}}};

} // namespace

TEST_CASE("one run per thread: senders count, receivers do not, and nobody waits for ever") {
    for (auto const& [senders, receivers] : sides) {
        auto const expected = senders;
        on_both_sides(senders, receivers, [&](auto& me, auto& pattern, number&, number&) {
            auto const found = sonde::run(me, sonde::plan<>{}.warmup(3).until(sonde::samples{50}), pattern);
            CHECK(found.initiators == expected);
            CHECK(found.stop.samples == 50);
            CHECK(found.total.messages == 2 * expected);
            CHECK(found.total.hops == 2);
        });
    }
}

TEST_CASE("with a barrier each round, both ends of an exchange handle the same iteration") {
    constexpr std::size_t rounds = 20;
    for (auto const& [senders, receivers] : sides)
        on_both_sides(senders, receivers, [&](auto& me, auto& pattern, number& out, number& in) {
            std::size_t wrong = 0;
            auto observed = [&] {
                pattern.each([&](std::size_t iteration, auto& exchange) {
                    out.value = 7 * iteration + 1;
                    in.value = 0;
                    exchange();
                    if (in.value != out.value) ++wrong;
                });
            };
            auto const errors = sonde::validate(
                me, observed, [](std::size_t) {}, [&](std::size_t) { return std::exchange(wrong, 0u); }, rounds);
            CHECK(errors == 0);
        });
}
