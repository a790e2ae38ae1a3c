// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/group/pair.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/probe/collect.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>

using namespace unit;

namespace {

/// A rank that shares its core, or not, as its group says.
struct known_group : sonde::solo {
    bool crowded;
    bool oversubscribed() const { return crowded; }
};

/// A channel to a peer that has the same values.
struct silent_channel {
    void send(int, std::span<double const>) {}
    void receive(int, std::span<double>) {}
};
struct known_channel : silent_channel {
    bool oversubscribed() const { return true; }
};

auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{1});
auto const nothing = [] {};

} // namespace

TEST_CASE("a record is flagged oversubscribed as its group says, and not if the group does not know") {
    known_group full{{}, true}, wide{{}, false};
    sonde::solo unknown;
    CHECK(sonde::run(full, plan, nothing).flags.oversubscribed);
    CHECK_FALSE(sonde::run(wide, plan, nothing).flags.oversubscribed);
    CHECK_FALSE(sonde::run(unknown, plan, nothing).flags.oversubscribed);
    sonde::flags const both{.timer_limited = true, .oversubscribed = true};
    CHECK(to_string(both) == "timer_limited, oversubscribed");
}

TEST_CASE("every alternative of a comparison is flagged oversubscribed") {
    known_group full{{}, true};
    for (auto const& r : sonde::compare(full, plan, nothing, nothing).records) CHECK(r.flags.oversubscribed);
}

TEST_CASE("a reference to a group says what the group says, and a probe's references are flagged") {
    known_group full{{}, true}, wide{{}, false};
    CHECK(sonde::any_group{full}.oversubscribed());
    CHECK_FALSE(sonde::any_group{wide}.oversubscribed());
    sonde::probe probe;
    probe.scope("step").set_reference([] { return nothing; });
    { auto const pass = probe.scope("step").enter(); }
    auto found = sonde::collect(full, probe);
    sonde::measure_references(full, probe, found, plan.until(sonde::samples{1} || sonde::time_budget{}));
    REQUIRE(found.at(0).reference.has_value());
    CHECK(found[0].reference->flags.oversubscribed);
}

TEST_CASE("a pair is oversubscribed as its channel says") {
    sonde::pair_group known{known_channel{}, 0, 1};
    sonde::pair_group unknown{silent_channel{}, 0, 1};
    CHECK(sonde::detail::oversubscription_of(known));
    CHECK_FALSE(sonde::detail::oversubscription_of(unknown));
}
