// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replay_phases.hpp"

#include "tools/replay/run/cancelled_receives.hpp"
#include "tools/replay/run/phase_completeness.hpp"
#include "tools/replay/run/replayed_calls.hpp"
#include "tools/replay/run/window_epochs.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace tools::replay;

namespace {

using steps = std::vector<step>;

step send(distance to, std::int32_t tag = 0) {
    return {.call = "Send", .what = {.comm = 0, .to = to, .tag = tag, .count = 1}};
}
step isend(distance to) { return {.call = "Isend", .what = {.comm = 0, .to = to, .tag = 0, .count = 1}}; }
step receive(distance from, std::int32_t tag = 0) {
    return {.call = "Recv", .what = {.comm = 0, .from = from, .recv_tag = tag, .recv_count = 1}};
}
step wait(std::vector<std::int64_t> ages) { return {.call = "Waitall", .requests = std::move(ages)}; }
step barrier() { return {.call = "Barrier", .what = {.comm = 0}}; }
step loop(std::uint64_t passes, steps of) { return {.passes = passes, .body = std::move(of)}; }

/// A trace with a program for each rank.
trace trace_of(std::vector<steps> const& ranks) {
    trace t;
    t.about.ranks = static_cast<int>(ranks.size());
    std::vector<int> world;
    for (std::size_t rank = 0; rank != ranks.size(); ++rank) world.push_back(static_cast<int>(rank));
    for (std::size_t rank = 0; rank != ranks.size(); ++rank) {
        t.programs.push_back({.body = ranks[rank]});
        thread_trace thread;
        thread.rank = static_cast<int>(rank);
        thread.program = rank;
        thread.think = thread.call = {times::slices{}, times::slices{}};
        thread.communicators.push_back({.world = world, .rank = static_cast<int>(rank), .text = "all"});
        t.threads.push_back(thread);
    }
    return t;
}

std::string text_of(std::vector<replay_phase> const& phases) {
    std::string text;
    for (auto const& p : phases) text += (text.empty() ? "" : ", ") + p.name + " x " + std::to_string(p.passes);
    return text;
}
std::string phases(std::vector<steps> const& ranks) { return text_of(phases_of(trace_of(ranks))); }

std::string complaint(auto f) {
    try {
        f();
    } catch (std::runtime_error const& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("loops that all ranks have are phases, and what is between them") {
    steps const ring{isend(1), receive(1), wait({1})};
    CHECK(phases({{loop(9, ring)}, {loop(9, ring)}}) == "loop 1 x 9");
    steps const all{barrier(), loop(9, ring), loop(4, {barrier()}), barrier()};
    CHECK(phases({all, all}) == "before loop 1 x 1, loop 1 x 9, loop 2 x 4, after loop 2 x 1");
    CHECK(phases({{barrier()}, {barrier()}}) == "all x 1");
    CHECK(phases({{}, {}}).empty());
}
TEST_CASE("a loop of less than a hundredth of the time is part of what is around it") {
    auto short_one = barrier();
    short_one.place = 1;
    steps const both{loop(4, {barrier()}), loop(4, {short_one})};
    auto t = trace_of({both, both});
    t.threads[0].call[0].fill(1);
    t.threads[0].call[1].fill(0.02);
    CHECK(text_of(phases_of(t)) == "loop 1 x 4, loop 2 x 4");
    t.threads[0].call[1].fill(0.009);
    CHECK(text_of(phases_of(t)) == "loop 1 x 4, after loop 1 x 1");
    t.threads[0].think[1].fill(0.009);
    CHECK(text_of(phases_of(t)) == "loop 1 x 4, loop 2 x 4");
    step end{.call = "Finalize"};
    end.place = 2;
    t.programs[0].body.push_back(end);
    t.threads[0].think.emplace_back();
    t.threads[0].call.emplace_back().fill(100);
    CHECK(text_of(phases_of(t)) == "loop 1 x 4, loop 2 x 4");
}
TEST_CASE("a loop that only some ranks have is part of what is around it") {
    CHECK(phases({{loop(3, {receive(1)})}, {send(1), send(1), send(1)}}) == "all x 1");
    CHECK(phases({{loop(3, {receive(1)}), loop(5, {barrier()})}, {send(1), send(1), send(1), loop(5, {barrier()})}}) ==
          "before loop 1 x 1, loop 1 x 5");
    CHECK(phases({{loop(3, {barrier()})}, {loop(2, {barrier()}), barrier()}}) == "all x 1");
}
TEST_CASE("a loop whose messages or requests leave it is no phase") {
    steps const first{loop(2, {send(1), barrier()})}, second{loop(2, {barrier()}), receive(1), receive(1)};
    CHECK(phases({first, second}) == "all x 1");
    steps const late{isend(1), loop(2, {isend(1), receive(1), wait({2})}), receive(1), wait({1})};
    CHECK(phases({late, late}) == "all x 1");
    steps const any{isend(1),
                    isend(1),
                    receive(1),
                    receive(1),
                    {.call = "Waitany", .what = {.count = 1}},
                    {.call = "Waitany", .what = {.count = 1}}};
    CHECK(phases({{loop(2, any)}, {loop(2, any)}}) == "loop 1 x 2");
    steps older{isend(1), receive(1), wait({1}), loop(2, {isend(1), receive(1), any.back()})};
    CHECK(phases({older, older}) == "before loop 1 x 1, loop 1 x 2");
    older.back().body.back().requests = {2, 1};
    CHECK(phases({older, older}) == "all x 1");
}
TEST_CASE("requests may be open at the end of a program, where a pass of the replay ends, but of no phase") {
    CHECK(phases({{isend(1)}, {receive(1)}}) == "all x 1");
    steps const sends{loop(2, {isend(1)})}, receives{loop(2, {receive(1)})};
    auto const found = phases_of(trace_of({sends, receives}));
    CHECK(text_of(found) == "all x 1");
    program const run{.body = sends};
    CHECK(leaves_requests(run, {&run.body[0]}));
    program const waits{.body = {isend(1), wait({1})}};
    CHECK(leaves_requests(waits, {&waits.body[0]}));
    CHECK_FALSE(leaves_requests(waits, {&waits.body[0], &waits.body[1]}));
}
TEST_CASE("receives that are always cancelled are left out, if no message is for them") {
    step const posted{.call = "Irecv", .what = {.comm = 0, .from = 1, .recv_tag = 0, .recv_count = 1}};
    step const cancel{.call = "Cancel", .requests = {1}};
    auto const result = [](steps const& both) {
        auto t = trace_of({both, both});
        leave_out_cancelled(t);
        return complaint([&] { phases_of(t); });
    };
    steps const unmatched{posted, barrier(), cancel, wait({1})};
    CHECK(result(unmatched).empty());
    CHECK(result({loop(3, unmatched)}).empty());
    CHECK(result({loop(3, {send(1), receive(1)}), loop(2, unmatched)}).empty());
    CHECK(result({send(1), posted, wait({1}), loop(2, {posted}), barrier(), cancel, wait({1, 2})})
              .find("receives more messages") != std::string::npos); // of one call, not all are cancelled
    auto matched = trace_of({{send(1), posted, cancel, wait({1})}, {send(1), posted, cancel, wait({1})}});
    leave_out_cancelled(matched);
    CHECK(matched.programs[0].body[1].what.from == 1);
}
TEST_CASE("calls that do not match are refused with the reason") {
    auto const reason = [](std::vector<steps> const& ranks) { return complaint([&] { phases(ranks); }); };
    CHECK(reason({{send(1)}, {}}).find("rank 1 receives fewer messages than are sent to it") != std::string::npos);
    CHECK(reason({{}, {receive(1)}}).find("rank 1 receives more messages than are sent to it") != std::string::npos);
    CHECK(reason({{send(1, 5)}, {receive(1, 6)}})
              .find("rank 1 receives messages of tag 6 from rank 0 that are not sent") != std::string::npos);
    CHECK(reason({{send(1)}, {receive(any_partner, any_tag)}}).empty());
    CHECK(reason({{barrier(), barrier()}, {barrier()}}).find("ranks 0 and 1 call MPI_Barrier differently often") !=
          std::string::npos);
    CHECK(reason({{isend(1), wait({2})}, {receive(1)}}).find("rank 0 completes requests that it did not start") !=
          std::string::npos);
    CHECK(reason({{send(null_partner), receive(null_partner)}, {}}).empty());
}
TEST_CASE("a trace that lacks something, or is of other ranks, is refused") {
    steps const one{barrier()};
    auto const refused = [](trace const& t, int ranks) { return complaint([&] { require_replayable(t, ranks); }); };
    auto const good = trace_of({one, one});
    CHECK(refused(good, 2).empty());
    CHECK(refused(good, 3) == "the trace is of 2 ranks, and this job has 3: its messages are between those ranks");
    auto t = good;
    t.remarks.push_back("'a' is cut");
    CHECK(refused(t, 2) == "the trace cannot be replayed: 'a' is cut");
    t = good;
    t.threads.erase(t.threads.begin());
    CHECK(refused(t, 2) == "the trace cannot be replayed: rank 0 is not recorded");
    t = good;
    t.threads.pop_back();
    CHECK(refused(t, 2) == "the trace cannot be replayed: ranks are not recorded");
    t = good;
    t.threads[1].dropped = 3;
    CHECK(refused(t, 2) ==
          "the trace cannot be replayed: calls of rank 1 are missing, since the recorder's memory was full");
    t = good;
    t.threads[1].thread = 1;
    CHECK(refused(t, 2) == "the trace cannot be replayed: rank 1 called MPI from several threads");
    t = good;
    t.threads[0].communicators[0].world.clear();
    CHECK(refused(t, 2) == "the trace cannot be replayed: it has an intercommunicator");
}
TEST_CASE("a loop with messages on an intercommunicator is complete without them") {
    auto t = trace_of({{loop(5, {send(0), barrier()})}, {loop(5, {receive(0), barrier()})}});
    for (auto& thread : t.threads) thread.communicators[0].world.clear();
    CHECK(text_of(complete_loops_of(t)) == "loop 1 x 5");
}
TEST_CASE("calls that are left out are counted") {
    auto t =
        trace_of({{loop(5, {{.call = "Comm_dup"}, barrier()}), {.call = "Start", .requests = {0}}, wait({0})}, {}});
    t.threads[1].not_recorded["File_open"] = 2;
    CHECK(left_out(t) ==
          std::map<std::string, std::uint64_t>{{"Comm_dup", 5}, {"File_open", 2}, {"Start", 1}, {"Waitall", 1}});
    CHECK(phases({{loop(5, {{.call = "Comm_dup"}})}, {loop(5, {{.call = "Comm_dup"}})}}).empty());
}
TEST_CASE("a loop is found on each rank behind as many loops of its number of passes") {
    auto short_one = send(1), other = receive(1);
    short_one.place = other.place = 1;
    auto t = trace_of(
        {{loop(2, {short_one}), barrier(), loop(2, {barrier()})}, {loop(2, {other}), barrier(), loop(2, {barrier()})}});
    t.threads[0].call[0].fill(1);
    CHECK(text_of(phases_of(t)) == "before loop 1 x 1, loop 1 x 2");
}

namespace {

step made(char const* call, std::int64_t number) {
    step s{.call = call, .what = {.comm = 0, .tag = 0}, .requests = {number}};
    if (s.call == "Recv_init") {
        s.what.from = 1;
        s.what.recv_tag = 0;
    } else {
        s.what.to = 1;
    }
    return s;
}
step on_window(char const* call, std::vector<std::int64_t> group = {}) {
    return {.call = call, .what = {.window = 0}, .counts = std::move(group)};
}
step put(distance to = 1) { return {.call = "Put", .what = {.window = 0, .to = to, .count = 1}}; }
step lock(char const* call, distance to = 1) {
    return {.call = call, .what = {.window = 0, .to = to, .mode = shared_lock}};
}

/// The reason why the steps of two ranks that do the same are not complete, or the text of their phases.
std::string window_phases(steps const& both) {
    auto t = trace_of({both, both});
    for (auto& thread : t.threads) thread.windows.push_back({thread.communicators[0]});
    try {
        return text_of(phases_of(t));
    } catch (std::runtime_error const& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("persistent messages that are made before a loop are complete in it") {
    step const start{.call = "Startall", .requests = {-1, -2}};
    steps const good{made("Send_init", -1),
                     made("Recv_init", -2),
                     loop(4, {start, wait({-1, -2})}),
                     {.call = "Request_free", .requests = {-1}}};
    CHECK(phases({good, good}) == "before loop 1 x 1, loop 1 x 4, after loop 1 x 1");
    steps const late{made("Send_init", -1), made("Recv_init", -2), start, loop(4, {wait({-1, -2}), start}),
                     wait({-1, -2})};
    CHECK(phases({late, late}) == "all x 1");
    steps const never{made("Send_init", -1), made("Recv_init", -2), start};
    CHECK(phases({never, never}) == "all x 1"); // at the end of the program
    steps const one_way{made("Send_init", -1), {.call = "Start", .requests = {-1}}, wait({-1})};
    CHECK(complaint([&] { phases({one_way, {}}); }).find("rank 1 receives fewer messages") != std::string::npos);
    step const any{.call = "Waitany", .what = {.count = 2}};
    steps const in_any_order{made("Send_init", -1), made("Recv_init", -2), loop(4, {start, any})};
    CHECK(phases({in_any_order, in_any_order}) == "before loop 1 x 1, loop 1 x 4");
}
TEST_CASE("a request number is that of the call that made it last") {
    program const run{.body = {made("Send_init", -1),
                               {.call = "Start", .requests = {-1}},
                               made("Recv_init", -1),
                               loop(2, {{.call = "Start", .requests = {-1}}})}};
    persistent_requests const all{run};
    CHECK(all.maker(run.body[1], -1) == &run.body[0]);
    CHECK(all.maker(run.body[3].body[0], -1) == &run.body[2]);
    CHECK(all.maker(run.body[1], -2) == nullptr);
}
TEST_CASE("one-sided operations are phases with their epochs") {
    auto const fence = on_window("Win_fence");
    CHECK(window_phases({fence, loop(3, {put(), fence})}) == "before loop 1 x 1, loop 1 x 3");
    CHECK(window_phases({on_window("Win_lock_all"), loop(3, {put(), lock("Win_flush")}),
                         on_window("Win_unlock_all")}) == "before loop 1 x 1, loop 1 x 3, after loop 1 x 1");
    CHECK(window_phases({loop(3, {lock("Win_lock"), put(), lock("Win_unlock")})}) == "loop 1 x 3");
    steps const general{on_window("Win_post", {1}), on_window("Win_start", {1}), put(), on_window("Win_complete"),
                        on_window("Win_wait")};
    CHECK(window_phases({loop(3, general)}) == "loop 1 x 3");
    CHECK(window_phases({fence, put(), loop(3, {fence, put()}), fence}) == "all x 1"); // operations leave the loop
}
TEST_CASE("one-sided operations without their epochs are refused") {
    auto const refused = [](steps const& both, char const* reason) {
        CHECK(window_phases(both).find(reason) != std::string::npos);
    };
    refused({put()}, "rank 0 makes one-sided operations outside of an epoch");
    refused({lock("Win_lock"), put(0), lock("Win_unlock")}, "outside of an epoch");
    refused({on_window("Win_fence"), put()}, "has an epoch that is not closed");
    refused({on_window("Win_start", {1}), put(), on_window("Win_complete")},
            "rank 0 starts epochs more often than rank 1 posts");
    auto no_more = on_window("Win_fence");
    no_more.what.mode = no_succeed;
    refused({no_more, put(), on_window("Win_fence")}, "outside of an epoch");
    auto t = trace_of({{on_window("Win_fence")}, {}});
    for (auto& thread : t.threads) thread.windows.push_back({thread.communicators[0]});
    CHECK(complaint([&] { phases_of(t); }).find("call MPI_Win_fence differently often on the window of ranks all") !=
          std::string::npos);
}
TEST_CASE("epochs that are open before a step") {
    program const run{.body = {on_window("Win_lock_all"), loop(2, {put(), lock("Win_lock", 0)})}};
    auto const at_loop = epochs_before(run, run.body[1].body[0]);
    CHECK(at_loop.open().at(0).is_locked);
    CHECK(at_loop.open().at(0).locks.empty());
    CHECK(epochs_before(run, run.body[1].body[1]).open().at(0).locks.empty());
    CHECK(epochs_before(run, run.body[0]).open().empty());
    program const of_no_rank{.body = {lock("Win_lock", null_partner), put()}};
    CHECK(epochs_before(of_no_rank, of_no_rank.body[1]).open().at(0).locks.empty());
}
TEST_CASE("messages that a probe takes are received in the same phase") {
    step const probe{.call = "Mprobe", .what = {.comm = 0, .from = any_partner, .recv_tag = any_tag}},
        take{.call = "Mrecv"};
    CHECK(phases({{loop(3, {probe, take, send(1)})}, {loop(3, {send(1), receive(1)})}}) == "loop 1 x 3");
    CHECK(phases({{loop(3, {probe, send(1)}), take, take, take}, {loop(3, {send(1), receive(1)})}}) == "all x 1");
    CHECK(complaint([&] {
              phases({{loop(3, {probe})}, {loop(3, {send(1)})}});
          }).find("rank 0 takes messages by MPI_Mprobe that it does not receive") != std::string::npos);
    CHECK(complaint([&] {
              phases({{take, probe}, {send(1)}});
          }).find("takes messages by MPI_Mprobe") != std::string::npos);
}
TEST_CASE("passes without requests are not counted one by one") {
    CHECK(phases({{loop(std::uint64_t{1} << 40, {barrier()})}, {loop(std::uint64_t{1} << 40, {barrier()})}}) ==
          "loop 1 x 1099511627776");
}
