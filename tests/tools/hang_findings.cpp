// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/diagnosis.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using tools::replay::diagnosis_of;
using tools::replay::finding;
using tools::replay::finding_kind;
using tools::replay::rank_activity;
using tools::replay::rank_state;
using tools::replay::shown_call;

namespace {

constexpr auto world = "0-7";

shown_call collective(std::string const& name, std::uint64_t number, std::string const& object = world) {
    return {.name = name, .object = object, .is_collective = true, .number = number, .site = "a.cpp:8"};
}

shown_call send(int to, int tag, std::string const& name = "Send") {
    return {.name = name, .object = world, .to = to, .tag = tag, .site = "io.cpp:12"};
}

shown_call receive(int from, int tag, std::string const& name = "Recv") {
    return {.name = name, .object = world, .from = from, .recv_tag = tag, .site = "io.cpp:12"};
}

rank_state in_call(int rank, shown_call const& call, std::uint64_t done = 3) {
    rank_state s{.rank = rank, .size = 8, .activity = rank_activity::in_call, .seconds = 12, .call = call};
    s.collectives_on[world] = call.is_collective && call.object == world ? call.number - 1 : done;
    return s;
}

/// All eight ranks are in the fourth collective.
std::vector<rank_state> all_in(shown_call const& call = collective("Allreduce", 4)) {
    std::vector<rank_state> found;
    for (int rank = 0; rank != 8; ++rank) found.push_back(in_call(rank, call));
    return found;
}

std::vector<finding> of_kind(std::vector<finding> const& all, finding_kind kind) {
    std::vector<finding> found;
    for (auto const& one : all)
        if (one.kind == kind) found.push_back(one);
    return found;
}

/// Texts of all findings.
std::vector<std::string> texts(std::vector<rank_state> const& states) {
    std::vector<std::string> found;
    for (auto const& one : diagnosis_of(states)) found.push_back(one.text);
    return found;
}

/// The ranks of the only finding from `stopped` on.
std::vector<int> named(std::vector<rank_state> const& states, finding_kind kind) {
    auto const all = diagnosis_of(states);
    for (auto const& one : all) CHECK_MESSAGE((one.kind < finding_kind::stopped || one.kind == kind), one.text);
    auto const found = of_kind(all, kind);
    REQUIRE(found.size() == 1);
    return found[0].ranks;
}

bool has_reason(std::vector<rank_state> const& states) {
    auto const all = diagnosis_of(states);
    return std::any_of(all.begin(), all.end(), [](auto const& one) { return one.kind >= finding_kind::stopped; });
}

} // namespace

TEST_CASE("a rank is said with the scopes in which it is") {
    using enum sonde::scope_kind;
    auto states = all_in();
    for (auto& s : states)
        s.scopes = {{"step/halo", exchange, static_cast<std::uint64_t>(1000 + s.rank % 2), 12.0 + s.rank}};
    auto& late = states[6];
    late.activity = rank_activity::outside;
    late.scopes = {{"relax", work, 7, 13}, {"writer", part, 1, 20}};
    auto const all = texts(states);
    REQUIRE(all.size() == 2);
    CHECK(all[0] ==
          "7 of 8 ranks (0-5,7) are in Allreduce no. 4 of MPI_COMM_WORLD at a.cpp:8 for 12.0 s or longer, without "
          "rank 6, in exchange `step/halo`, passes 1,000 to 1,001, for 12.0 s or longer");
    CHECK(all[1] ==
          "ranks 0-5,7 wait for rank 6, which has not been in MPI for 12.0 s, in work `relax`, pass 7, for 13.0 s "
          "and in scope `writer`, pass 1, for 20.0 s, after Allreduce no. 4 of MPI_COMM_WORLD at a.cpp:8");

    states = all_in();
    states[5] = in_call(5, receive(2, 7));
    states[5].scopes = {{"io", exchange, 2, 12}};
    states[1].scopes = {{"step", part, 3, 12}};
    auto const two = texts(states);
    REQUIRE(two.size() == 3);
    CHECK(two[0].starts_with("6 of 8 ranks (0,2-4,6-7) are in Allreduce"));
    CHECK(two[1].ends_with("without rank 5, in scope `step`, pass 3, for 12.0 s"));
    CHECK(two[2] ==
          "rank 5 waits in Recv from rank 2, tag 7, at io.cpp:12 for 12.0 s, which rank 2 never sends: it is in "
          "the Allreduce; rank 5 is in exchange `io`, pass 2, for 12.0 s");
}

TEST_CASE("nothing is found of ranks that go on") {
    std::vector<rank_state> states(8);
    for (int rank = 0; rank != 8; ++rank) states[static_cast<std::size_t>(rank)] = {.rank = rank, .size = 8};
    CHECK(diagnosis_of(states).empty());
    CHECK(diagnosis_of({}).empty());
}

TEST_CASE("a receive of a message that its sender cannot send any more") {
    auto states = all_in(collective("Allreduce", 1204));
    states[5] = in_call(5, receive(2, 7), 1203);
    CHECK(
        texts(states) ==
        std::vector<std::string>{
            "7 of 8 ranks (0-4,6-7) are in Allreduce no. 1,204 of MPI_COMM_WORLD at a.cpp:8 for 12.0 s or longer, "
            "without rank 5",
            "rank 5 waits in Recv from rank 2, tag 7, at io.cpp:12 for 12.0 s, which rank 2 never sends: it is in the "
            "Allreduce"});
    SUBCASE("the sender sent another tag") {
        states[2].messages = {send(5, 6), send(5, 8)};
        states[5].messages = {receive(2, 6)};
        CHECK(texts(states)[1].ends_with("; its last message to rank 5 has tag 8, at io.cpp:12"));
        states[5].messages.push_back(receive(2, 8)); // that was taken
        CHECK(texts(states)[1].ends_with("it is in the Allreduce"));
    }
    SUBCASE("the sender itself waits for a rank that computes") {
        states[6].activity = rank_activity::outside;
        states[6].call = collective("Barrier", 1203);
        states[6].processor = 0.99;
        states[2] = in_call(2, collective("Barrier", 1, "2,6"), 1203);
        auto const found = diagnosis_of(states);
        CHECK(of_kind(found, finding_kind::never_sent).empty());
        CHECK(of_kind(found, finding_kind::not_sent).size() == 1);
        CHECK(of_kind(found, finding_kind::computes).at(0).text ==
              "ranks 0-4,7 wait for rank 6, which has not been in MPI for 12.0 s and computes (99 % of a core), after "
              "Barrier no. 1,203 of MPI_COMM_WORLD at a.cpp:8");
    }
    SUBCASE("the message is on its way") {
        states[2] = in_call(2, send(5, 7), 1203);
        CHECK(!has_reason(states));
    }
}

TEST_CASE("a collective differs between ranks") {
    auto states = all_in(collective("Bcast", 4));
    for (auto& s : states) s.call.root = 0, s.call.count = 100, s.call.bytes = 400;
    CHECK(!has_reason(states));
    SUBCASE("by its root") {
        states[3].call.root = 3;
        CHECK(named(states, finding_kind::mismatch) == std::vector{3});
        CHECK(texts(states).back() ==
              "collective no. 4 of MPI_COMM_WORLD differs: Bcast with root 0 on ranks 0-2,4-7 at "
              "a.cpp:8, but Bcast with root 3 on rank 3 at a.cpp:8");
    }
    SUBCASE("by its size, on a rank that is in the next one") {
        states[1].call.bytes = 4;
        states[1].collectives = {states[1].call};
        states[1].call = collective("Barrier", 5);
        states[1].collectives_on[world] = 4;
        CHECK(named(states, finding_kind::mismatch) == std::vector{1});
    }
    SUBCASE("by its function") {
        states[5].call = collective("Barrier", 4);
        CHECK(named(states, finding_kind::mismatch) == std::vector{5});
    }
    SUBCASE("by its operation") {
        for (auto& s : states) s.call.operation = s.rank < 6 ? "MPI_SUM" : "MPI_MAX";
        CHECK(named(states, finding_kind::mismatch) == std::vector{6, 7});
    }
    SUBCASE("not by what may differ") {
        states[1].call.count = 200; // of a type of half the size
        states[2].call.site = "b.cpp:9";
        states[3].call.bytes = -1; // not known
        for (auto& s : states) s.call.operation = s.rank < 6 ? "MPI_SUM" : "";
        CHECK(!has_reason(states));
    }
    SUBCASE("not by sizes of neighbors") {
        for (auto& s : states) s.call.name = "Neighbor_allgather", s.call.root = -1, s.call.bytes = 8 * s.rank;
        CHECK(!has_reason(states));
    }
    SUBCASE("not between the sides of an intercommunicator") {
        for (auto& s : states) s.call.object = "intercommunicator", s.call.root = s.rank;
        CHECK(!has_reason(states));
    }
}

TEST_CASE("a rank that skips one of equal collectives is in MPI_Finalize at the end") {
    auto states = all_in(collective("Allreduce", 8));
    for (auto& s : states)
        for (std::uint64_t n = 6; n != 8; ++n) s.collectives.push_back(collective("Allreduce", n));
    states[5] = in_call(5, {.name = "Finalize", .object = world}, 7);
    CHECK(named(states, finding_kind::skipped) == std::vector{5});
    states[5].collectives = {collective("Allreduce", 6), collective("Allreduce", 7)};
    states[5].collectives[1].site = "b.cpp:9";
    CHECK(texts(states).back() ==
          "ranks 0-4,6-7 wait for rank 5, which has called 7 collectives of MPI_COMM_WORLD and not "
          "no. 8: it is in Finalize; no. 7 is at b.cpp:9 there, and at a.cpp:8 on ranks 0-4,6-7");
}

TEST_CASE("sends that wait for each other") {
    auto states = all_in();
    states[2] = in_call(2, send(3, 4));
    states[3] = in_call(3, send(2, 4));
    CHECK(named(states, finding_kind::cycle) == std::vector{2, 3});
    SUBCASE("in a ring of all ranks") {
        for (int rank = 0; rank != 8; ++rank)
            states[static_cast<std::size_t>(rank)] = in_call(rank, send((rank + 1) % 8, 4));
        CHECK(named(states, finding_kind::cycle).size() == 8);
    }
    SUBCASE("but not with a receive of each") {
        for (int rank = 0; rank != 8; ++rank) {
            auto both = send((rank + 1) % 8, 4, "Sendrecv");
            both.from = (rank + 7) % 8;
            both.recv_tag = 4;
            states[static_cast<std::size_t>(rank)] = in_call(rank, both);
        }
        CHECK(!has_reason(states));
    }
    SUBCASE("to itself") {
        states = all_in();
        states[2] = in_call(2, send(2, 4));
        CHECK(named(states, finding_kind::cycle) == std::vector{2});
    }
}

TEST_CASE("collectives of two communicators in another order") {
    auto states = all_in();
    states[0] = in_call(0, collective("Barrier", 1, "0-1"));
    states[1] = in_call(1, collective("Barrier", 1, "0-1#1"));
    auto const found = of_kind(diagnosis_of(states), finding_kind::cycle);
    REQUIRE(found.size() == 1);
    CHECK(found[0].text ==
          "ranks 0-1 wait for each other: rank 0 in Barrier no. 1 of communicator 0-1 at a.cpp:8; rank "
          "1 in Barrier no. 1 of communicator 0-1#1 at a.cpp:8");
}

TEST_CASE("requests that a call waits for") {
    auto states = all_in();
    states[1] = in_call(1, {.name = "Waitall", .site = "a.cpp:9"});
    states[1].requests = {receive(0, 20, "Irecv"), receive(7, 21, "Irecv")};
    states[1].requests[0].request = 100;
    states[1].requests[1].request = 101;
    states[1].messages = states[1].requests;
    states[0].messages = {send(1, 20)};
    CHECK(named(states, finding_kind::never_sent) == std::vector{1});
    CHECK(texts(states).back().find("Waitall for Irecv from rank 7, tag 21, at io.cpp:12") != std::string::npos);
    states[1].call.waits_for_any = true; // the other one will do
    CHECK(!has_reason(states));
}

TEST_CASE("processes that are stopped, or ended, and ranks without a page") {
    auto states = all_in();
    states[4].activity = rank_activity::stopped;
    states[4].call = collective("Allreduce", 3);
    states[4].collectives_on[world] = 3;
    states[4].process = 4711;
    CHECK(named(states, finding_kind::stopped) == std::vector{4});
    states[4].activity = rank_activity::has_ended;
    CHECK(named(states, finding_kind::ended) == std::vector{4});
    states.erase(states.begin() + 4);
    CHECK(named(states, finding_kind::no_page) == std::vector{4});
}

TEST_CASE("a rank that polls for a message that is not sent") {
    auto states = all_in();
    states[1] = in_call(1, receive(0, 30, "Iprobe"));
    states[1].activity = rank_activity::polls;
    CHECK(named(states, finding_kind::never_sent) == std::vector{1});
}

namespace {

/// Eight ranks that make the same steps: a collective of all, one of half of them, or a message around the ring. Some
/// of them compute at a random place, and the others go on until they wait for those, perhaps for many ranks in
/// between.
class healthy_program {
public:
    explicit healthy_program(unsigned seed) : random_{seed} {
        for (auto& step : steps_) step = static_cast<int>(random_() % 3);
        for (auto& stop : stops_) stop = random_() % 3 == 0 ? static_cast<int>(random_() % steps_.size()) : length;
        stops_[random_() % 8] = static_cast<int>(random_() % steps_.size());
        for (bool moves = true; moves;) {
            moves = false;
            for (int rank = 0; rank != 8; ++rank)
                for (; can_go_on(rank); ++at(rank)) moves = true;
        }
    }

    std::vector<rank_state> states() const {
        std::vector<rank_state> found;
        for (int rank = 0; rank != 8; ++rank) {
            auto const place = places_[static_cast<std::size_t>(rank)];
            rank_state s{.rank = rank, .size = 8, .seconds = 5, .processor = 1};
            for (int step = 0; step != place; ++step) add_to_past(s, step);
            auto const computes = place == stops_[static_cast<std::size_t>(rank)];
            s.activity = computes ? rank_activity::outside : rank_activity::in_call;
            s.call = place == length ? shown_call{.name = "Finalize", .object = world}
                     : computes      ? shown_call{.name = "Barrier"}
                                     : call(rank, place, s);
            found.push_back(s);
        }
        return found;
    }

private:
    static constexpr int length = 24;

    int& at(int rank) { return places_[static_cast<std::size_t>(rank)]; }
    bool can_go_on(int rank) {
        auto const place = at(rank);
        if (place == length || place == stops_[static_cast<std::size_t>(rank)]) return false;
        auto const step = steps_[static_cast<std::size_t>(place)];
        auto const has_begun = [&](int other) {
            return at(other) > place || (at(other) == place && stops_[static_cast<std::size_t>(other)] != place);
        };
        if (step == 2) return has_begun((rank + 7) % 8); // it sends first
        for (int other = 0; other != 8; ++other)
            if ((step == 0 || other / 4 == rank / 4) && !has_begun(other)) return false;
        return true;
    }
    shown_call call(int rank, int place, rank_state const& s) const {
        auto const step = steps_[static_cast<std::size_t>(place)];
        if (step == 2) return receive((rank + 7) % 8, place);
        auto const object = std::string{step == 0 ? world : rank < 4 ? "0-3" : "4-7"};
        auto const done = s.collectives_on.find(object);
        return collective("Allreduce", (done == s.collectives_on.end() ? 0 : done->second) + 1, object);
    }
    void add_to_past(rank_state& s, int place) const {
        auto const one = call(s.rank, place, s);
        if (one.is_collective) {
            s.collectives.push_back(one);
            s.collectives_on[one.object] = one.number;
        } else {
            s.messages.push_back(send((s.rank + 1) % 8, place));
            s.messages.push_back(one);
        }
    }

    std::mt19937 random_;
    std::vector<int> steps_ = std::vector<int>(length);
    std::vector<int> stops_ = std::vector<int>(8), places_ = std::vector<int>(8);
};

} // namespace

TEST_CASE("nothing but the ranks that compute is a reason in a program without a fault") {
    int reasons = 0;
    for (unsigned seed = 0; seed != 500; ++seed)
        for (auto const& one : diagnosis_of(healthy_program{seed}.states())) {
            auto const is_fault = one.kind >= finding_kind::stopped && one.kind != finding_kind::computes &&
                                  one.kind != finding_kind::not_sent;
            CHECK_MESSAGE(!is_fault, seed, ": ", one.text);
            reasons += one.kind == finding_kind::computes ? 1 : 0;
        }
    CHECK(reasons > 500);
}

TEST_CASE("many ranks are named in few sentences") {
    std::vector<rank_state> states;
    for (int rank = 0; rank != 1024; ++rank) {
        states.push_back(rank % 2 == 0 ? in_call(rank, collective("Allreduce", 9, "0-1023"))
                                       : in_call(rank, receive(rank - 1, 7)));
        states.back().size = 1024;
        states.back().call.object = "0-1023";
        states.back().collectives_on = {{"0-1023", 8}};
    }
    auto const found = diagnosis_of(states);
    CHECK(found.size() == 11); // two groups, eight sentences, and one for the others
    CHECK(found.back().kind == finding_kind::never_sent);
    CHECK(found.back().text == "the same, or another call, of ranks 17-1023:2");
}
