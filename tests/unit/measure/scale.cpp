// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"
#include "counted_group.hpp"

#include <sonde/stop/precision.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

using namespace unit;

namespace {

struct observed {
    truth::group_calls calls;
    sonde::record record;
};

/// What each rank passes to its group in a run that stops by precision.
std::vector<observed> precise_run_on(int ranks) {
    return on_ranks(ranks, {}, [](process& self) {
        auto inner = self.group();
        truth::counted_group group{inner};
        working pattern{&self, role::initiator, {10us, 11us, 10us, 12us}};
        auto const plan = sonde::plan<>{}
                              .synchronized(sonde::barrier_each{})
                              .until(sonde::relative_error{0.2}.within(sonde::seconds{1}))
                              .timed_by(self.clock());
        auto r = sonde::run(group, plan, pattern);
        return observed{group.calls, std::move(r)};
    });
}

} // namespace

TEST_CASE("off rank 0, what a run passes to its group does not depend on the number of ranks") {
    auto const two = precise_run_on(2);
    CHECK(two[1].calls.barriers == two[1].record.stop.samples + 10);
    CHECK(two[1].calls.gathered == 24);
    CHECK(two[1].calls.broadcasts > 1); // the decisions of the rule
    for (int const ranks : {4, 8, 16}) {
        auto const all = precise_run_on(ranks);
        for (auto const& one : all) {
            auto const is_root = &one == &all.front();
            auto expected = two[1].calls;
            auto const counted = is_root ? static_cast<std::size_t>(ranks) : 0;
            expected.received = 24 * counted;
            CHECK(one.calls == expected);
            CHECK((one.record.slowest_counts ? one.record.slowest_counts->capacity() : 0) == counted);
            CHECK(one.record.stop.reason == sonde::stop_reason::precision);
        }
    }
}

namespace {

/// The last rank of a group whose other ranks have the value 0, without a gather of its own.
struct last_of {
    int ranks;
    std::vector<std::size_t> lengths{}; // of its reductions
    double last = 0;                    // number of the last reduction

    int rank() const { return ranks - 1; }
    int size() const { return ranks; }
    void barrier() const {}
    void all_reduce(std::span<double> values, sonde::reduction) {
        lengths.push_back(values.size());
        last = values.back();
    }
};

} // namespace

TEST_CASE("a group without a gather reduces at most 8 KiB at a time, of 6 bytes each 8") {
    using list = std::vector<std::size_t>;
    auto const lengths_of = [](int ranks, std::size_t each) {
        last_of group{ranks};
        std::vector<std::uint16_t> const mine(4 * each, 0x0201);
        CHECK(!sonde::gather(group, mine).has_value());
        auto const left = 8 * each * static_cast<std::size_t>(ranks) % 6; // bytes of the last number
        CHECK(group.last == (each == 0 ? 0 : left == 2 ? 0x0201 : left == 4 ? 0x02010201 : 0x020102010201));
        return group.lengths;
    };
    CHECK(lengths_of(3000, 1) == list{1024, 1024, 1024, 928});
    CHECK(lengths_of(768, 1) == list{1024});
    CHECK(lengths_of(5, 400) == list{1024, 1024, 619});
    CHECK(lengths_of(2, 2000) == list{1024, 1024, 1024, 1024, 1024, 214});
    CHECK(lengths_of(2, 0).empty());
}
