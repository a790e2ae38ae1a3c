// SPDX-License-Identifier: BSL-1.0
// Sixteen ranks on four hosts, of which a part has a wrong bit in 1 of 10,000 messages: the part that is named.
#include "suite/corruption.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using suite::corruption;
using suite::find_corruption;
using suite::machine_part;
using suite::message_tally;
using kind = suite::part_kind;
using way = suite::part_direction;

constexpr int ranks = 16;
std::vector<int> const host_of_rank{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
auto const names = suite::names_of(host_of_rank, {"c0", "c1", "c2", "c3"});
int host(int rank) { return host_of_rank[static_cast<std::size_t>(rank)]; }

using passes_function = std::function<bool(int, int)>;

/// Each pair has `checked` messages; those that pass have a wrong bit with the probability 1e-4.
std::vector<message_tally> counted(std::size_t checked, passes_function const& passes, unsigned seed) {
    std::mt19937_64 random{seed};
    std::poisson_distribution<std::size_t> wrong{1e-4 * static_cast<double>(checked)};
    std::vector<message_tally> all;
    for (int from = 0; from != ranks; ++from)
        for (int to = 0; to != ranks; ++to)
            if (from != to) all.push_back({from, to, checked, passes(from, to) ? wrong(random) : 0});
    return all;
}

struct fault {
    kind at;
    int first;
    int second;
    passes_function passes;
};

bool is_named(corruption const& found, fault const& f) {
    auto const& p = found.suspects.front();
    return p.kind == f.at && p.first == f.first && p.second == f.second;
}

std::vector<fault> const faults{
    {kind::link, 3, 9, [](int a, int b) { return a == 3 && b == 9; }},
    {kind::link, 3, 9, [](int a, int b) { return (a == 3 && b == 9) || (a == 9 && b == 3); }},
    {kind::link, 4, 5, [](int a, int b) { return a == 4 && b == 5; }},
    {kind::rank, 6, -1, [](int a, int) { return a == 6; }},
    {kind::rank, 6, -1, [](int, int b) { return b == 6; }},
    {kind::rank, 6, -1, [](int a, int b) { return a == 6 || b == 6; }},
    {kind::host, 2, -1, [](int a, int b) { return (host(a) == 2) != (host(b) == 2); }},
    {kind::host, 2, -1, [](int a, int) { return host(a) == 2; }},
    {kind::host, 2, -1, [](int, int b) { return host(b) == 2; }},
    {kind::host_link, 0, 3, [](int a, int b) { return host(a) == 0 && host(b) == 3; }},
};

struct name_counts {
    int right = 0, wrong = 0;
};

name_counts names_in(int trials, std::size_t checked, fault const& f) {
    name_counts found;
    for (unsigned seed = 0; seed != static_cast<unsigned>(trials); ++seed) {
        auto const c = find_corruption(counted(checked, f.passes, seed), host_of_rank);
        if (c.names_part()) ++(is_named(c, f) ? found.right : found.wrong);
    }
    return found;
}

TEST_CASE("with enough messages the part is named, and never another") {
    for (auto const& f : faults) {
        CAPTURE(static_cast<int>(f.at));
        auto const found = names_in(100, f.at == kind::link ? 300'000 : 50'000, f);
        CHECK(found.right >= 99);
        CHECK(found.wrong == 0);
    }
}

TEST_CASE("with few messages another part is hardly ever named") {
    int named = 0, wrong = 0;
    for (auto const& f : faults)
        for (auto const checked : {300u, 3'000u, 30'000u}) {
            auto const found = names_in(200, checked, f);
            named += found.right;
            wrong += found.wrong;
        }
    CHECK(named > 1'000);
    CHECK(wrong <= 6); // 1 of 1000 of 6,000 runs
}

TEST_CASE("errors of all ranks, or of two causes, have nothing in common") {
    passes_function const everywhere = [](int, int) { return true; };
    passes_function const two_links = [](int a, int b) { return a == 3 && (b == 9 || b == 13); };
    passes_function const two_ranks = [](int a, int) { return a == 2 || a == 13; };
    int named = 0;
    for (unsigned seed = 0; seed != 200; ++seed)
        for (auto const& cause : {everywhere, two_links, two_ranks})
            named += find_corruption(counted(300'000, cause, seed), host_of_rank).names_part();
    CHECK(named == 0);
}

TEST_CASE("without a wrong message there is no suspect") {
    auto const found = find_corruption(counted(
                                           100, [](int, int) { return false; }, 1),
                                       host_of_rank);
    CHECK(found.suspects.empty());
    CHECK_FALSE(found.names_part());
    CHECK(sentence(found, names) == "No wrong bit in 24000 messages");
    CHECK(sentence(find_corruption({}, {}), {}) == "No wrong bit in 0 messages");
}

/// 1000 messages of each pair; these have wrong bits.
corruption found_in(std::vector<message_tally> const& wrong) {
    auto all = counted(
        1'000, [](int, int) { return false; }, 1);
    for (auto& one : all)
        for (auto const& w : wrong)
            if (one.sender == w.sender && one.receiver == w.receiver) one.wrong = w.wrong;
    return find_corruption(all, host_of_rank);
}

std::string text_of(std::vector<message_tally> const& wrong) {
    auto const text = sentence(found_in(wrong), names);
    return text.substr(text.find(": ") + 2);
}

TEST_CASE("a sentence has a number, and says no more than the counts do") {
    CHECK(sentence(found_in({{3, 9, 0, 2}}), names) ==
          "Wrong bits in 2 of 240000 messages, on 1 of 240 pairs of sender and receiver: too few to name a link, rank "
          "or host");
    CHECK(text_of({{3, 9, 0, 5}}) ==
          "the link from rank 3 (c0) to rank 9 (c2), or messages from rank 3 (c0), or messages to rank 9 (c2), or the "
          "link from host c0 to host c2");
    CHECK(text_of({{3, 9, 0, 9}}) == "the link from rank 3 (c0) to rank 9 (c2)");
    CHECK(text_of({{3, 9, 0, 9}, {9, 3, 0, 9}}) == "the link of rank 3 (c0) and rank 9 (c2)");
    CHECK(text_of({{3, 9, 0, 9}, {1, 8, 0, 9}, {8, 15, 0, 9}}) == "no common link, rank or host");
    CHECK(text_of({{3, 1, 0, 3}, {3, 5, 0, 3}, {3, 9, 0, 3}, {3, 12, 0, 3}}) == "messages from rank 3 (c0)");
    CHECK(text_of({{1, 3, 0, 3}, {5, 3, 0, 3}, {9, 3, 0, 3}, {3, 12, 0, 3}, {3, 7, 0, 3}}) == "rank 3 (c0)");
}

TEST_CASE("of blocks the ranks are listed, eight at most, and nothing is named") {
    CHECK(sentence(suite::collective_blocks{1600, 0}) == "No wrong bit in 1600 blocks");
    CHECK(sentence(suite::collective_blocks{1600, 12, {5, 3}, {1}}) ==
          "Wrong bits in 12 of 1600 blocks, from ranks 3, 5 to rank 1; the library may have passed them through other "
          "ranks");
    CHECK(sentence(suite::collective_blocks{9, 9, {0}, {0, 1, 2, 3, 4, 5, 6, 7, 8}}) ==
          "Wrong bits in 9 of 9 blocks, from rank 0 to ranks 0, 1, 2, 3, 4, 5, 6, 7 and 1 more; the library may have "
          "passed them through other ranks");
}

TEST_CASE("of two ranks the link is not told from a rank") {
    std::vector<message_tally> const one_way{{0, 1, 1'000, 100}, {1, 0, 1'000, 0}};
    auto const found = find_corruption(one_way, {0, 1});
    CHECK(found.suspects.size() == 3);
    CHECK_FALSE(found.names_part());
    CHECK_FALSE(found.may_be_anywhere);
}

TEST_CASE("wrong arguments are refused") {
    std::vector<message_tally> const one{{0, 1, 2, 1}}, more{{0, 1, 2, 3}};
    CHECK_THROWS_AS(static_cast<void>(find_corruption(one, {0})), std::invalid_argument);
    CHECK_THROWS_AS(static_cast<void>(find_corruption(more, {0, 0})), std::invalid_argument);
    for (auto const rate : {0., 1.})
        CHECK_THROWS_AS(static_cast<void>(find_corruption(one, {0, 0}, rate)), std::invalid_argument);
}

} // namespace
