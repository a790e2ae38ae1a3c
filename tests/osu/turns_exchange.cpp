// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "osu/pt2pt/turns.hpp"

#include <sonde/group/threads.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

using sonde::role;

namespace {

/// Messages between threads of a process. Messages from one side to the other with one tag arrive in order.
class mailboxes {
public:
    using channel = std::tuple<int, int, int>; // from, to, tag
    using message = std::vector<std::byte>;

    void deliver(channel c, message m) {
        std::lock_guard const lock{mutex_};
        boxes_[c].push_back(std::move(m));
        changed_.notify_all();
    }
    message receive(channel c) {
        std::unique_lock lock{mutex_};
        auto& box = boxes_[c];
        changed_.wait(lock, [&] { return !box.empty(); });
        auto m = std::move(box.front());
        box.pop_front();
        return m;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<channel, std::deque<message>> boxes_;
};

/// Messages between two sides in the memory of one process, matched by direction and tag as MPI does.
class memory_link {
public:
    memory_link(mailboxes& boxes, role who, osu::tag_pair tags)
        : boxes_{&boxes}, side_{who == role::initiator ? 0 : 1}, tags_{tags} {}
    void send(sonde::region r) { boxes_->deliver({side_, 1 - side_, tag(side_)}, {r.begin(), r.end()}); }
    void recv(sonde::region r) {
        auto const message = boxes_->receive({1 - side_, side_, tag(1 - side_)});
        std::memcpy(r.data(), message.data(), message.size());
    }

private:
    int tag(int from) const { return from == 0 ? tags_.data : tags_.reply; }

    mailboxes* boxes_;
    int side_;
    osu::tag_pair tags_;
};

struct number {
    std::size_t value = 0;
    sonde::slice bytes() { return sonde::slice{sonde::region{reinterpret_cast<std::byte*>(&value), sizeof value}}; }
};

/// Calls `each(member, pattern, out, in)` on each sender and receiver thread of one process.
void on_both_sides(int senders, int receivers, auto each) {
    mailboxes boxes;
    sonde::single_rank single_rank;
    sonde::thread_team team{single_rank, senders + receivers};
    team.run([&](auto& me) {
        auto const who = me.rank() < senders ? role::initiator : role::responder;
        osu::turn_schedule const mine{senders, receivers, who,
                                      who == role::initiator ? me.rank() : me.rank() - senders};
        number out, in;
        osu::turn_pattern pattern{
            mine, [&](osu::tag_pair tags) {
                return sonde::ping_pong{memory_link{boxes, who, tags}, who, out.bytes(), in.bytes()};
            }};
        each(me, pattern, out, in);
    });
}

constexpr std::array<std::pair<int, int>, 7> sides{{{1, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 2}, {4, 1}}};

} // namespace

TEST_CASE("one run per thread: senders count, receivers do not, and no thread waits forever") {
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
