// SPDX-License-Identifier: BSL-1.0
// Traces taken apart in collectives and exchanges, and the forms of exchanges.
#include "tools/replay/assess/collect_operations.hpp"
#include "tools/replay/assess/exchange_form.hpp"
#include "tools/replay/assess/lower_bounds.hpp"
#include "tools/replay/assess/site_operation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace tools::replay;

namespace {

using calls = std::vector<step>;

step at(int site, step s) {
    s.what.site = site;
    return s;
}
step sent(distance to) { return {.call = "Send", .what = {.comm = 0, .to = to, .tag = 0, .type = 0, .count = 1}}; }
step got(distance from) {
    return {.call = "Recv", .what = {.comm = 0, .from = from, .recv_tag = 0, .recv_type = 0, .recv_count = 1}};
}
step started(step s) {
    s.call = s.call == "Send" ? "Isend" : "Irecv";
    return s;
}
step waited(std::vector<std::int64_t> ages) { return {.call = "Waitall", .requests = std::move(ages)}; }
step reduced(std::int32_t comm = 0) { return {.call = "Allreduce", .what = {.comm = comm, .type = 0, .count = 4}}; }
step repeated(std::uint64_t passes, calls of) { return {.passes = passes, .body = std::move(of)}; }

std::size_t number(calls& body, std::size_t next = 0) {
    for (auto& s : body) {
        if (s.is_loop()) next = number(s.body, next);
        else s.place = next++;
    }
    return next;
}

/// A trace whose n-th call of a rank took n + 1 us; doubles, and two halves of the world as communicators 1.
trace made(std::vector<calls> ranks) {
    trace t;
    auto const n = static_cast<int>(ranks.size());
    t.about.ranks = n;
    std::vector<int> world, low, high;
    for (int rank = 0; rank != n; ++rank) {
        world.push_back(rank);
        (rank < n / 2 ? low : high).push_back(rank);
    }
    for (int rank = 0; rank != n; ++rank) {
        program p{.sites = {"a", "b", "c", "d", "e"},
                  .types = {{"MPI_DOUBLE", 8, 8}},
                  .body = ranks[static_cast<std::size_t>(rank)]};
        p.events = number(p.body);
        thread_trace thread;
        thread.rank = rank;
        thread.program = static_cast<std::size_t>(rank);
        for (std::size_t i = 0; i != p.events; ++i) {
            thread.call.emplace_back().fill(1e-6 * static_cast<double>(i + 1));
            thread.think.emplace_back().fill(0);
        }
        auto const is_low = rank < n / 2;
        thread.communicators.push_back({world, rank, "all"});
        thread.communicators.push_back({is_low ? low : high, is_low ? rank : rank - n / 2, is_low ? "low" : "high"});
        t.programs.push_back(std::move(p));
        t.threads.push_back(std::move(thread));
    }
    return t;
}

/// "Allreduce x 9" of each operation.
std::string text_of(std::vector<site_operation> const& all) {
    std::string text;
    for (auto const& o : all)
        text += (text.empty() ? "" : "; ") + o.call_text() + " x " + std::to_string(static_cast<int>(o.times));
    return text;
}

std::vector<site_operation> taken_apart(trace const& t) {
    std::vector<std::string> remarks;
    auto found = operations_of(t, phases_of(t), remarks);
    CHECK(remarks.empty());
    return found;
}
std::string operations(std::vector<calls> const& ranks) { return text_of(taken_apart(made(ranks))); }

/// The names of the collectives that send the same as these calls of all ranks.
std::string forms(std::vector<calls> const& ranks) {
    auto const t = made(ranks);
    site_operation o;
    std::vector<message_order> orders;
    for (auto const& of_rank : ranks) {
        o.steps.push_back(of_rank);
        orders.push_back(order_of(of_rank));
    }
    std::string names;
    for (auto const& form : form_of(messages_of(t, o), orders).collectives)
        names += (names.empty() ? "" : ", ") + form.name + (form.condition.empty() ? "" : " ?");
    return names;
}

calls const ring{at(0, started(got(1))), at(1, started(sent(1))), at(2, waited({2, 1}))};

calls joined(calls a, calls const& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

TEST_CASE("collectives and the exchanges between them are operations, with their times in the application") {
    auto const body = joined(ring, {at(3, reduced())});
    auto const t = made({{repeated(9, body)}, {repeated(9, body)}});
    auto const found = taken_apart(t);
    CHECK(text_of(found) == "Allreduce x 9; Waitall, Isend, Irecv x 9");
    CHECK(found[0].is_collective);
    CHECK(found[0].median_seconds == doctest::Approx(4e-6));
    CHECK(found[1].median_seconds == doctest::Approx(6e-6));
    CHECK(found[1].total_seconds() == doctest::Approx(54e-6));
    CHECK(found[1].site_text() == "c and 2 more");
    CHECK(messages_of(t, found[1]) == std::vector<exchanged_message>{{0, 1, 8}, {1, 0, 8}});
}
TEST_CASE("equal operations of a pass are one, and a repeated exchange is taken apart") {
    auto const inner = joined(ring, {at(3, reduced())});
    CHECK(operations({{repeated(5, {repeated(3, inner)})}, {repeated(5, {repeated(3, inner)})}}) ==
          "Allreduce x 15; Waitall, Isend, Irecv x 15");
    CHECK(operations({{repeated(5, {repeated(4, ring), at(3, reduced())})},
                      {repeated(5, {repeated(4, ring), at(3, reduced())})}}) ==
          "Allreduce x 5; Waitall, Isend, Irecv x 20");
}
TEST_CASE("messages that are under way during a collective belong to one exchange") {
    calls const body{at(0, started(got(1))), at(1, started(sent(1))), at(3, reduced()), at(2, waited({2, 1}))};
    auto const found = taken_apart(made({{repeated(2, body)}, {repeated(2, body)}}));
    CHECK(text_of(found) == "Allreduce x 2; Waitall, Isend, Irecv x 2");
    CHECK(found[1].steps[0].back().requests == std::vector<std::int64_t>{2, 1});
}
TEST_CASE("a nonblocking collective includes its completion, and requests are counted without it") {
    auto begun = at(3, reduced());
    begun.call = "Iallreduce";
    calls const body{at(0, started(got(1))), begun, at(1, started(sent(1))), at(2, waited({3, 1})), at(4, waited({2}))};
    auto const found = taken_apart(made({{repeated(2, body)}, {repeated(2, body)}}));
    CHECK(text_of(found) == "Waitall, Iallreduce x 2; Waitall, Isend, Irecv x 2");
    CHECK(found[0].median_seconds == doctest::Approx(2e-6 + 5e-6));
    CHECK(found[0].steps[1].back().requests == std::vector<std::int64_t>{1});
    CHECK(found[1].steps[1].back().requests == std::vector<std::int64_t>{2, 1});
}
TEST_CASE("the same call on disjoint communicators is one operation") {
    calls const body{at(0, reduced(1))};
    auto const found = taken_apart(made({body, body, body, body}));
    CHECK(text_of(found) == "Allreduce x 1");
    CHECK(found[0].ranks() == 4);
    CHECK(found[0].calls.front().seconds == doctest::Approx(1e-6));
}
TEST_CASE("exchanges without a common call site are taken apart, but not a gather and its scatter") {
    calls const there{at(0, started(got(2))), at(1, started(sent(1))), at(2, waited({2, 1}))};
    calls const back{at(3, sent(0)), at(4, got(0))}; // a rank to itself
    auto const both = joined(there, back);
    CHECK(operations({both, both, both}) == "Waitall, Isend, Irecv x 1; Recv, Send x 1");
    calls const root{at(0, got(1)), at(0, got(2)), at(1, sent(1)), at(1, sent(2))};
    CHECK(operations({root, {at(2, sent(2)), at(3, got(2))}, {at(2, sent(1)), at(3, got(1))}}) == "Send, Recv x 1");
}
TEST_CASE("bounds of collectives of a trace") {
    machine m;
    m.message.segments = {{sonde::model::bytes{0}, {sonde::seconds{1e-6}, sonde::model::rate{1e9}}}};
    auto const bound = [&](step s) {
        auto const t = made({{s}, {s}, {s}, {s}});
        return bound_of(t, taken_apart(t).front(), m)->count() * 1e6;
    };
    CHECK(bound(reduced()) == doctest::Approx(2 + 0.048)); // 2 * 3 / 4 of 32 bytes
    CHECK(
        bound({.call = "Alltoall", .what = {.comm = 0, .type = 0, .recv_type = 0, .count = 100, .recv_count = 100}}) ==
        doctest::Approx(2 + 2.4));
    CHECK(bound({.call = "Allgatherv",
                 .what = {.comm = 0, .type = 0, .recv_type = 0, .count = 100},
                 .counts = {100, 100, 100, 100}}) == doctest::Approx(2 + 2.4));
}
TEST_CASE("forms of an exchange: stars, trees and all pairs of three ranks and more") {
    CHECK(forms({{got(1), got(2)}, {sent(2)}, {sent(1)}}) == "MPI_Gather, MPI_Reduce ?");
    CHECK(forms({{sent(1), sent(2)}, {got(2)}, {got(1)}}) == "MPI_Scatter, MPI_Bcast ?");
    CHECK(forms({{got(1), got(2), sent(1), sent(2)}, {sent(2), got(2)}, {sent(1), got(1)}}) ==
          "MPI_Gather + MPI_Scatter, MPI_Allreduce ?");
    CHECK(forms({{sent(1)}, {got(3), sent(1)}, {got(3), sent(1)}, {got(3)}}) == "MPI_Bcast ?, MPI_Reduce ?");
    calls const all{started(got(1)), started(got(2)), started(sent(1)), started(sent(2)), waited({4, 3, 2, 1})};
    CHECK(forms({all, all, all}) == "MPI_Alltoall");
}
TEST_CASE("other exchanges have no such form") {
    CHECK(forms({{sent(1), got(1)}, {sent(1), got(1)}}).empty()); // two ranks
    CHECK(forms({ring, ring, ring}).empty());
    calls const middle{started(got(1)), started(got(2)), started(sent(1)), started(sent(2)), waited({4, 3, 2, 1})};
    calls const lower{started(got(2)), started(sent(2)), waited({2, 1})},
        upper{started(got(1)), started(sent(1)), waited({2, 1})};
    CHECK(forms({middle, lower, upper}).empty()); // neighbors on a line
    calls const shift{started(got(3)), started(sent(1)), waited({2, 1})};
    CHECK(forms({{sent(1)}, shift, shift, {got(3)}}).empty()); // no rank waits before it sends
}
TEST_CASE("a message may depend on what its rank received before") {
    CHECK(order_of({got(1), sent(1)}).sends_after_receiving);
    CHECK(order_of({got(1), sent(1)}).receives_all_first);
    CHECK_FALSE(order_of({sent(1), got(1)}).sends_after_receiving);
    CHECK_FALSE(order_of({got(1), sent(1), got(2)}).receives_all_first);
    CHECK_FALSE(order_of(ring).sends_after_receiving);
    CHECK(order_of(ring).is_at_once);
    CHECK_FALSE(order_of({sent(1), got(1)}).is_at_once);
    CHECK(order_of({started(got(1)), waited({1}), sent(1)}).sends_after_receiving);
}
