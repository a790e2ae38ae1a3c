// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/detail/affinity.hpp>
#include <sonde/group/pair.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/probe/collect.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace unit;

namespace {

/// A rank that shares its core, or not, as its group says.
struct known_group : sonde::single_rank {
    bool crowded;
    bool oversubscribed() const { return crowded; }
};

/// Several ranks that share their cores, or not.
struct known_ranks : sonde::sim::group {
    bool crowded;
    bool oversubscribed() const { return crowded; }
};

/// A channel to a peer that has the same values.
struct silent_channel {
    void send(int, std::span<std::byte const>) {}
    void receive(int, std::span<std::byte>) {}
};
struct known_channel : silent_channel {
    bool oversubscribed() const { return true; }
};

/// What each rank finds, with a host and a binding for each.
std::vector<int> found(std::vector<std::uint64_t> const& hosts,
                       std::vector<sonde::detail::processor_set> const& bindings) {
    return on_ranks(static_cast<int>(hosts.size()), {}, [&](process& self) {
        auto group = self.group();
        auto const rank = static_cast<std::size_t>(self.rank());
        return sonde::detail::is_oversubscribed(sonde::group_ref{group}, hosts[rank], bindings[rank]) ? 1 : 0;
    });
}

auto const one_sample = sonde::plan<>{}.warmup(0).until(sonde::samples{1});
auto const nothing = [] {};

} // namespace

TEST_CASE("a record is flagged oversubscribed as its group says, and not if the group does not know") {
    known_group full{{}, true}, wide{{}, false};
    sonde::single_rank unknown;
    CHECK(sonde::run(full, one_sample, nothing).flags.oversubscribed);
    CHECK_FALSE(sonde::run(wide, one_sample, nothing).flags.oversubscribed);
    CHECK_FALSE(sonde::run(unknown, one_sample, nothing).flags.oversubscribed);
    sonde::flags const both{.timer_limited = true, .oversubscribed = true};
    CHECK(to_string(both) == "timer_limited, oversubscribed");
}

TEST_CASE("every alternative of a comparison is flagged oversubscribed") {
    known_group full{{}, true};
    for (auto const& r : sonde::compare(full, one_sample, nothing, nothing).records) CHECK(r.flags.oversubscribed);
}

TEST_CASE("a rank that takes longer is a straggler, unless ranks share cores: then it may have waited for one") {
    auto const stragglers = [](bool crowded) {
        return on_ranks(4, {}, [&](process& self) {
            known_ranks group{self.group(), crowded};
            auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{30}).timed_by(self.clock());
            return sonde::run(group, plan, [&] { self.work(self.rank() == 2 ? 9us : 5us); }).stragglers;
        });
    };
    CHECK(stragglers(false) == std::vector<std::vector<int>>(4, {2}));
    CHECK(stragglers(true) == std::vector<std::vector<int>>(4));
}

TEST_CASE("a reference to a group says what the group says, and a probe's references are flagged") {
    known_group full{{}, true}, wide{{}, false};
    CHECK(sonde::group_ref{full}.oversubscribed());
    CHECK_FALSE(sonde::group_ref{wide}.oversubscribed());
    sonde::probe probe;
    probe.scope("step").set_reference([] { return nothing; });
    { auto const pass = probe.scope("step").enter(); }
    auto found = sonde::collect(full, probe);
    sonde::measure_references(full, probe, found, one_sample.until(sonde::samples{1} || sonde::time_budget{}));
    REQUIRE(found.at(0).reference.has_value());
    CHECK(found[0].reference->flags.oversubscribed);
}

TEST_CASE("a pair is oversubscribed as its channel says") {
    sonde::pair_group known{known_channel{}, 0, 1};
    sonde::pair_group unknown{silent_channel{}, 0, 1};
    CHECK(sonde::detail::group_hook::oversubscribed(known));
    CHECK_FALSE(sonde::detail::group_hook::oversubscribed(unknown));
}

TEST_CASE("ranks of a group are counted by hosts, in any order, and all ranks learn of one crowded host") {
    constexpr std::uint64_t a = 7, b = 7 + (std::uint64_t{1} << 63), c = 6; // equal in one half of their bits
    std::vector<int> const yes(4, 1), no(4, 0);
    CHECK(found({a, a, a, a}, {{1}, {2}, {4}, {8}}) == no);
    CHECK(found({a, a, a, a}, {{1}, {2}, {4}, {1}}) == yes);
    CHECK(found({a, b, c, 8}, {{1}, {1}, {1}, {1}}) == no);
    CHECK(found({a, b, a, b}, {{1}, {1}, {2}, {2}}) == no);
    CHECK(found({a, b, a, b}, {{1}, {1}, {2}, {1}}) == yes);
    CHECK(found({a, b, a, b}, {{1}, {1}, {1}, {2}}) == yes);
    CHECK(found({a, b, c, a}, {{3}, {3}, {3}, {3}}) == no);
    CHECK(found({a, a, b, a}, {{3}, {3}, {3}, {3}}) == yes);
}

TEST_CASE("bindings of ranks have any length, may be unknown, and keep all their bits") {
    constexpr auto last = std::uint64_t{1} << 63;
    CHECK(found({1, 1, 1}, {{1}, {0, 1}, {0, 0, last}}) == std::vector<int>(3, 0));
    CHECK(found({1, 1, 1}, {{1}, {0, last}, {0, last, 0, 0}}) == std::vector<int>(3, 1));
    CHECK(found({1, 1, 1}, {{last | 1}, {last | 1}, {}}) == std::vector<int>(3, 0));
    CHECK(found({1, 1, 1}, {{last | 1}, {last | 1}, {1}}) == std::vector<int>(3, 1));
    CHECK(found({1, 1}, {{}, {}}) == std::vector<int>(2, 0));
    CHECK(sonde::detail::host_number(sonde::single_rank{}) != 14695981039346656037u); // that of no name
}
