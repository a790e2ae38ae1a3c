// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

namespace {

using who = std::vector<role>;
constexpr auto counts = role::initiator;

/// The records of four ranks with alternating work of 2 and 4 us, times two, three and four on the next ranks; in four
/// blocks, by the schedule of the budget.
std::vector<sonde::record> four_ranks(sonde::keep_options keeps, std::size_t batch = 1,
                                      who const& roles = {counts, counts, role::responder, role::idle}) {
    return on_ranks(4, {}, [&](process& self) {
        auto group = self.group();
        auto const factor = self.rank() + 1;
        auto const budget = sonde::time_budget{1s} || sonde::samples{4};
        auto const plan = sonde::plan<>{}.warmup(2).batch(batch).until(budget).timed_by(self.clock()).keep(keeps);
        auto const mine = roles[static_cast<std::size_t>(self.rank())];
        return sonde::run(group, plan, working{&self, mine, {2us * factor, 4us * factor}});
    });
}

using list = std::vector<long long>;

} // namespace

TEST_CASE("keep: a record has only the series by default; each optional content is kept alone") {
    auto const neither = four_ranks({}).front();
    CHECK(neither.sample_means.empty());
    CHECK(neither.rank_means.empty());
    auto const samples = four_ranks({.sample_means = true}).front();
    CHECK(samples.sample_means.size() == 4);
    CHECK(samples.rank_means.empty());
    auto const ranks = four_ranks({.rank_means = true}).front();
    CHECK(ranks.sample_means.empty());
    CHECK(ranks.rank_means.size() == 4);
}

TEST_CASE("keep: calls combine, and the last number of samples counts") {
    auto const keeps = [](auto... each) {
        sonde::plan<> p;
        ((p = p.keep(each)), ...);
        return p.retention;
    };
    constexpr sonde::keep_options of_samples{.sample_means = true}, of_ranks{.rank_means = true}, ten{.samples = 10};
    CHECK(keeps().max_samples() == std::size_t{1} << 20);
    CHECK(keeps(of_samples).max_samples() == std::size_t{1} << 20);
    auto const combined = keeps(of_samples, ten, of_ranks);
    CHECK(combined.sample_means);
    CHECK(combined.rank_means);
    CHECK(combined.samples == 10);
    CHECK(keeps(ten, sonde::keep_options{.samples = 20}).samples == 20);
    CHECK(keeps(ten, sonde::keep_options{.samples = std::size_t{1} << 20}).samples == std::size_t{1} << 20);
    CHECK(keeps(ten, sonde::keep_options{.samples = 0}).samples == 0); // which `run` refuses
}

TEST_CASE("keep: sample means are those of the ranks that count, sample by sample, on every rank") {
    for (auto const& r : four_ranks({.sample_means = true})) {
        CHECK(ns(r.sample_means) == list{3000, 6000, 3000, 6000}); // of 2 and 4 us, of 4 and 8 us
        CHECK(ns(r.series) == list{4000, 8000, 4000, 8000});
    }
}

TEST_CASE("keep: rank means are by rank, also of ranks that do not count, on every rank, without the warm-up") {
    for (auto const& r : four_ranks({.rank_means = true})) CHECK(ns(r.rank_means) == list{3000, 6000, 9000, 12'000});
}

TEST_CASE("keep: with a batch both are of an iteration, not of a sample") {
    auto const r = four_ranks({.sample_means = true, .rank_means = true}, 2).front();
    CHECK(ns(r.sample_means) == list{4500, 4500, 4500, 4500});
    CHECK(ns(r.rank_means) == list{3000, 6000, 9000, 12'000});
}

TEST_CASE("keep: if no rank counts the sample means are zero") {
    auto const r = four_ranks({.sample_means = true}, 1, who(4, role::idle)).front();
    CHECK(ns(r.sample_means) == list{0, 0, 0, 0});
}

TEST_CASE("keep: rank samples are each rank's own times, sample by sample, on rank 0 alone or on every rank") {
    std::vector<list> const own{
        {2000, 4000, 2000, 4000}, {4000, 8000, 4000, 8000}, {6000, 12'000, 6000, 12'000}, {8000, 16'000, 8000, 16'000}};
    auto const root_only = four_ranks({.rank_samples = true});
    for (int rank = 0; rank != 4; ++rank) {
        auto const times = sonde::samples_of(root_only.front(), rank);
        CHECK(ns({times.begin(), times.end()}) == own[static_cast<std::size_t>(rank)]);
        if (rank != 0) CHECK(!root_only[static_cast<std::size_t>(rank)].rank_samples.has_value());
    }
    for (auto const& r : four_ranks({.rank_samples = true, .on_all_ranks = true}))
        for (int rank = 0; rank != 4; ++rank) {
            auto const times = sonde::samples_of(r, rank);
            CHECK(ns({times.begin(), times.end()}) == own[static_cast<std::size_t>(rank)]);
        }
}

TEST_CASE("keep: there are as many rank samples as the series has, and none of ranks outside the group") {
    auto const r = four_ranks({.rank_samples = true, .samples = 3}).front();
    CHECK(r.series.size() == 3);
    CHECK(sonde::samples_of(r, 3).size() == 3);
    for (int const absent : {4, -1})
        CHECK_THROWS_WITH_AS(static_cast<void>(sonde::samples_of(r, absent)),
                             ("sonde::samples_of: there is no rank " + std::to_string(absent) + " of 4").c_str(),
                             std::out_of_range);
    CHECK(sonde::samples_of({}, 0).empty());
    CHECK(!four_ranks({}).front().rank_samples.has_value());
}

TEST_CASE("keep: rank samples on all ranks that are not kept are refused") {
    one_rank one;
    auto const plan = one.plan(1).keep({.on_all_ranks = true});
    CHECK_THROWS_AS(static_cast<void>(sonde::run(one.group, plan, [] {})), std::invalid_argument);
}

namespace {

/// A group of a million ranks that have the times of this one: each may keep 16 samples.
struct crowd : sonde::single_rank {
    int size() const { return 1 << 20; }
    void gather(std::span<std::byte const> mine, std::span<std::byte>) { gathered = mine.size() / sizeof(double); }
    std::size_t gathered = 0;
};

} // namespace

TEST_CASE("keep: rank samples are bounded over all ranks, whatever the number of samples") {
    one_rank one;
    crowd group;
    auto const plan = one.plan(40).keep({.rank_samples = true});
    auto const r = sonde::run(group, plan, [] {});
    CHECK(r.series.size() == 40);
    CHECK(group.gathered == 16);
    CHECK(r.rank_samples.value().size() == sonde::keep_options::max_rank_samples);
}
