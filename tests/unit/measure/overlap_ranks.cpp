// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "overlap_support.hpp"

using namespace unit;

namespace {

/// An offloaded operation that takes 10 us more on each next rank.
nonblocking_operation longer_by_rank(process& self) {
    return {self, {progress_mode::offloaded, 1, 10us * (self.rank() + 1)}};
}

std::vector<double> times_of(sonde::record const& r) {
    std::vector<double> all{r.over_ranks.min.count(), r.over_ranks.mean.count(), r.over_ranks.max.count()};
    for (auto const t : r.series) all.push_back(t.count());
    for (auto const t : r.rank_means) all.push_back(t.count());
    return all;
}

/// Work that notes its requested duration.
struct recorded_work {
    process* self;
    sonde::seconds requested{};
    int calls = 0;

    void set_duration(sonde::seconds target) {
        requested = target;
        ++calls;
    }
    void operator()() const { self->work(5us); }
};

} // namespace

TEST_CASE("measure_overlap: the work's duration is set once, the same on all ranks, to the slowest rank's operation") {
    auto const requested = on_ranks(4, {}, [](process& self) {
        recorded_work work{&self};
        measured(self, longer_by_rank(self), work);
        CHECK(work.calls == 1);
        return ns(work.requested);
    });
    CHECK(requested == equal_results(4, 40'000));
}

TEST_CASE("measure_overlap: a function of record and rank sets the work's duration, which may differ between ranks") {
    auto const own_mean = [](sonde::record const& r, int rank) { return r.rank_means[static_cast<std::size_t>(rank)]; };
    auto const requested = on_ranks(3, {}, [&](process& self) {
        recorded_work work{&self};
        measured(self, longer_by_rank(self), work, sonde::overlap_timing::whole, own_mean);
        return ns(work.requested);
    });
    CHECK(requested == std::vector<long long>{10'000, 20'000, 30'000});
}

TEST_CASE("measure_overlap: the application's own work is measured unchanged, with or without tests") {
    auto const found = on_ranks(2, {}, [](process& self) {
        auto const silent = measured(self, longer_by_rank(self), [&] { self.work(5us); });
        int tests = 0;
        auto const testing = measured(self, longer_by_rank(self), [&](auto& test) {
            do {
                self.work(2us);
                ++tests;
            } while (!test());
        });
        CHECK(ns(testing.work.over_ranks.max) == 2000); // without communication the first test is true
        CHECK(ns(testing.both.over_ranks.max) == 20'000);
        CHECK(tests == (2 + 3) * (1 + 5 * (self.rank() + 1)));
        return ppb(sonde::overlap(silent));
    });
    CHECK(found == equal_results(2, all / 4)); // 5 us of 20 us, the slower rank's
}

TEST_CASE("measure_overlap: three records of the same plan, equal on every rank, each named by its part") {
    auto const all_of_them = on_ranks(3, {}, [](process& self) {
        return measured(self, longer_by_rank(self), work_of(self, 2), sonde::overlap_timing::phases);
    });
    for (auto const& o : all_of_them) {
        CHECK(sonde::overlap(o) == sonde::overlap(all_of_them.front()));
        for (auto const part :
             {&sonde::overlap_records::communication, &sonde::overlap_records::work, &sonde::overlap_records::both}) {
            CHECK((o.*part).stop.samples == 3);
            CHECK((o.*part).point.name == "split");
            CHECK(times_of(o.*part) == times_of(all_of_them.front().*part));
        }
        CHECK(o.communication.point.parameters.at(0).name == "part");
        CHECK(o.communication.point.parameters.at(0).text == "communication");
        CHECK(o.work.point.parameters.at(0).text == "work");
        CHECK(o.both.point.parameters.at(0).text == "both");
        REQUIRE(o.phases.has_value());
        CHECK(o.phases->work == all_of_them.front().phases->work);
        CHECK(o.phases->wait == all_of_them.front().phases->wait);
    }
}

TEST_CASE("measure_overlap: phases are means over ranks, add up to the iteration, and exclude the warm-up") {
    auto const found = on_ranks(4, {}, [](process& self) {
        auto const post = 1us * (self.rank() + 1); // 2.5 us, on average
        nonblocking_operation const split{self, {progress_mode::in_wait, 1, 50us, post, 500ns}};
        int iterations = 0; // two of warm-up and three samples, of work alone and of both together
        auto const slow_at_first = [&](auto& test) {
            self.work(++iterations % 5 == 1 || iterations % 5 == 2 ? 900us : 20us);
            test();
            test();
        };
        return measured(self, split, slow_at_first, sonde::overlap_timing::phases);
    });
    for (auto const& o : found) {
        REQUIRE(o.phases.has_value());
        CHECK(ns(o.phases->post) == 2500);
        CHECK(ns(o.phases->work) == 20'000);
        CHECK(ns(o.phases->test) == 1000);
        CHECK(ns(o.phases->wait) == 50'000);
        CHECK(ns(o.both.over_ranks.mean) == 2500 + 20'000 + 1000 + 50'000);
    }
}

namespace {

/// An operation on a rank whose times do not count.
struct uncounted : nonblocking_operation {
    sonde::role role() const { return role::idle; }
};

} // namespace

TEST_CASE("measure_overlap: ranks that do not count in the communication count nowhere") {
    auto const found = on_ranks(2, {}, [](process& self) {
        operation_profile const c{progress_mode::in_wait, 1, 10us * (1 + 9 * self.rank())};
        auto const work = [&] { self.work(self.rank() == 0 ? 3us : 70us); };
        if (self.rank() == 0)
            return measured(self, nonblocking_operation{self, c}, work, sonde::overlap_timing::phases);
        return measured(self, uncounted{{self, c}}, work, sonde::overlap_timing::phases);
    });
    for (auto const& o : found) {
        CHECK(ns(o.communication.over_ranks.max) == 10'000);
        CHECK(ns(o.work.over_ranks.max) == 3000);
        CHECK(ns(o.both.over_ranks.max) == 13'000);
        CHECK(ns(o.phases->work) == 3000);
        CHECK(ns(o.phases->wait) == 10'000);
    }
}

TEST_CASE("measure_overlap: no phases by default") {
    auto const found = on_ranks(1, {}, [](process& self) { return measured(self, longer_by_rank(self), [] {}); });
    CHECK_FALSE(found.front().phases.has_value());
}

TEST_CASE("measure_overlap: different arguments or plans on the ranks are refused on all ranks") {
    auto const refused = [](auto differ) {
        return on_ranks(3, {}, [&](process& self) {
            auto group = self.group();
            auto split = longer_by_rank(self);
            auto work = [] {};
            auto const odd = self.rank() == 1;
            auto const [what, samples] = differ(odd);
            auto const plan = plan_of(self).until(sonde::samples{samples});
            try {
                (void)sonde::measure_overlap(group, plan, split, work, {}, what);
            } catch (std::invalid_argument const&) {
                return 1;
            }
            return 0;
        });
    };
    using differing = std::pair<sonde::overlap_timing, std::size_t>;
    auto const phases = [](bool odd) {
        return differing{odd ? sonde::overlap_timing::phases : sonde::overlap_timing::whole, 3};
    };
    auto const samples = [](bool odd) { return differing{sonde::overlap_timing::whole, odd ? 3 : 4}; };
    auto const equal = [](bool) { return differing{sonde::overlap_timing::phases, 3}; };
    CHECK(refused(phases) == std::vector<int>{1, 1, 1});
    CHECK(refused(samples) == std::vector<int>{1, 1, 1});
    CHECK(refused(equal) == std::vector<int>{0, 0, 0});
}
