// SPDX-License-Identifier: BSL-1.0
// Calls that differ between ranks, and user code that throws on one rank: all ranks throw, and none waits.
#include "../../support.hpp"

#include <sonde/map.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/memory.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/probe/collect.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

namespace {

using said_by_ranks = std::vector<std::string>;

/// What each of three ranks catches in `call(self, group, plan)`; "" for a rank without an exception.
said_by_ranks said_in(auto call) {
    return caught_on_ranks(3, [&](process& self) {
        auto group = self.group();
        call(self, group, sonde::plan<>{}.warmup(1).until(sonde::samples{2}).timed_by(self.clock()));
    });
}

said_by_ranks all_say(std::string const& text) { return said_by_ranks(3, text); }

/// An operation without messages, and a probe.
struct empty_operation {
    void start() {}
    bool test() { return true; }
    void wait() {}
    void operator()() {}
};

auto const do_nothing = [] {};
auto const nothing_wrong = [](std::size_t) { return std::size_t{0}; };

/// A pattern that requires something of all ranks.
struct requiring {
    sonde::requirements of_ranks;

    void operator()() const {}
    sonde::requirements requirements() const { return of_ranks; }
};

/// What three ranks catch that measure the patterns `make(rank)` in a run, in comparisons, in a validation, through an
/// adaptor and through a reference; the texts without the function's name are equal.
said_by_ranks said_of(auto make) {
    auto const run = said_in([&](process& self, auto& group, auto const& plan) {
        static_cast<void>(sonde::run(group, plan, make(self.rank())));
    });
    auto const adapted = said_in([&](process& self, auto& group, auto const& plan) {
        static_cast<void>(sonde::run(group, plan, sonde::with_traffic{{.bytes = 8}, make(self.rank())}));
    });
    auto const referred = said_in([&](process& self, auto& group, auto const& plan) {
        auto pattern = make(self.rank());
        static_cast<void>(sonde::run(group, plan, sonde::pattern_ref<sonde::sim::manual_clock>{pattern}));
    });
    CHECK(adapted == run);
    CHECK(referred == run);
    auto const others = {
        said_in([&](process& self, auto& group, auto const& plan) {
            static_cast<void>(sonde::compare(group, plan, make(self.rank())));
        }),
        said_in([&](process& self, auto& group, auto const& plan) {
            static_cast<void>(sonde::compare(
                group, plan, [] {}, make(self.rank()), [] {}));
        }),
        said_in([&](process& self, auto& group, auto const&) {
            auto pattern = make(self.rank());
            static_cast<void>(sonde::validate(
                group, pattern, [](std::size_t) {}, [](std::size_t) { return 0; }));
        }),
    };
    auto const reason = [](std::string const& text) { return text.substr(std::min(text.size(), text.find(": "))); };
    for (auto const& other : others)
        for (std::size_t i = 0; i != 3; ++i) CHECK(reason(other[i]) == reason(run[i]));
    return run;
}

} // namespace

TEST_CASE(
    "calls: a root that differs between ranks is refused on all ranks, and a rank without a root differs from none") {
    auto const rooted = [](auto root_of) {
        return said_of([root_of](int rank) { return requiring{{.root = root_of(rank)}}; });
    };
    using root = std::optional<int>;
    CHECK(rooted([](int) { return root{2}; }) == all_say(""));
    CHECK(rooted([](int rank) { return rank == 1 ? root{} : root{2}; }) == all_say(""));
    CHECK(rooted([](int rank) { return root{rank == 2 ? 1 : 0}; }) ==
          all_say("sonde::run: the root must be equal on all ranks; rank 0 has 0, rank 2 has 1"));
    CHECK(rooted([](int rank) { return rank == 1 ? root{} : root{rank}; }) ==
          all_say("sonde::run: the root must be equal on all ranks; rank 0 has 0, rank 2 has 2"));
    CHECK(rooted([](int rank) { return rank == 0 ? root{} : root{rank}; }) ==
          all_say("sonde::run: the root must be equal on all ranks; rank 1 has 1, rank 2 has 2"));
    CHECK(rooted([](int rank) { return root{rank == 0 ? -1 : 0}; }) ==
          all_say("sonde::run: the root must be equal on all ranks; rank 0 has one that rotates, rank 1 has 0"));
}

TEST_CASE("calls: ranks that are all initiators, or all responders, of a pattern of both are refused") {
    using sonde::role;
    auto const roles = [](std::vector<role> of, bool both = true) {
        return said_of(
            [=](int rank) { return requiring{{.in_pair = both ? of[static_cast<std::size_t>(rank)] : role::idle}}; });
    };
    auto const i = role::initiator, r = role::responder, idle = role::idle;
    CHECK(roles({i, i, i}) == all_say("sonde::run: all ranks are initiators, and the pattern needs a responder"));
    CHECK(roles({r, r, r}) == all_say("sonde::run: all ranks are responders, and the pattern needs an initiator"));
    for (auto const& fine : {std::vector{i, r, idle}, {i, i, r}, {idle, idle, idle}, {i, i, idle}})
        CHECK(roles(fine) == all_say(""));
    CHECK(roles({i, i, i}, false) == all_say(""));
    sonde::single_rank alone; // a rank whose partner is in the program's own hands
    CHECK_NOTHROW((void)sonde::run(alone, sonde::plan<>{}.until(sonde::samples{2}), requiring{{.in_pair = i}}));
}

TEST_CASE("ping-pongs and streams need an initiator and a responder") {
    struct silent {
        void send(sonde::region) {}
        void recv(sonde::region) {}
        void isend(sonde::region) {}
        void irecv(sonde::region) {}
        void wait_all() {}
        bool sends() const { return has_peer; }
        bool has_peer = true;
    };
    sonde::host_allocation const memory{64};
    auto const out = memory.first(8);
    CHECK(sonde::ping_pong{silent{}, role::initiator, out, out}.requirements().in_pair == role::initiator);
    CHECK(sonde::stream{silent{}, role::initiator, 1, out, out, silent{}, out}.requirements().in_pair ==
          role::initiator);
    sonde::ping_pong const without_peer{silent{false}, role::initiator, out, out};
    CHECK(without_peer.requirements().in_pair == role::idle);
    CHECK(sonde::requirements_of(sonde::bidirectional{silent{}, role::initiator, 1, out, out}).in_pair == role::idle);
}

TEST_CASE("calls: ranks in different functions all throw, and learn who called what") {
    auto const differ = [](std::string const& function, auto call) {
        CHECK(said_in([&](process& self, auto& group, auto const& plan) {
                  if (self.rank() == 0) static_cast<void>(sonde::run(group, plan, do_nothing));
                  else call(self, group, plan);
              }) ==
              all_say("sonde: all ranks must call the same function; rank 0 called run, rank 1 called " + function));
    };
    differ("compare", [](process&, auto& group, auto const& plan) {
        static_cast<void>(sonde::compare(group, plan, do_nothing, do_nothing));
    });
    differ("validate", [](process&, auto& group, auto const&) {
        static_cast<void>(sonde::validate(group, do_nothing, nothing_wrong, nothing_wrong));
    });
    differ("map", [](process& self, auto& group, auto const& plan) {
        static_cast<void>(sonde::map(group, plan, [&](int, role r) { return working{&self, r, {1us}}; }));
    });
    differ("measure_overlap", [](process&, auto& group, auto const& plan) {
        empty_operation operation;
        auto work = [] {};
        static_cast<void>(sonde::measure_overlap(group, plan, operation, work));
    });
    differ("collect", [](process&, auto& group, auto const&) {
        sonde::probe const probe;
        static_cast<void>(sonde::collect(group, probe));
    });
}

TEST_CASE("calls: another name, number or order of alternatives is refused with the ranks") {
    auto const named = [](process& self, char const* name, char const* other) {
        return sonde::named{self.rank() == 2 ? other : name, do_nothing};
    };
    CHECK(said_in([&](process& self, auto& group, auto const& plan) {
              static_cast<void>(
                  sonde::run(group, plan, do_nothing, {self.rank() == 2 ? "bcast" : "halo", {{"bytes", 8}}}));
          }) == all_say("sonde::run: the name must be equal on all ranks; rank 0 has halo bytes=8, rank 2 has bcast "
                        "bytes=8"));
    CHECK(said_in([&](process& self, auto& group, auto const& plan) {
              static_cast<void>(sonde::run(group, plan, do_nothing, {"halo", {{"bytes", 8 + self.rank()}}}));
          }) == all_say("sonde::run: the name must be equal on all ranks; rank 0 has halo bytes=8, rank 1 has halo "
                        "bytes=9"));
    CHECK(said_in([&](process& self, auto& group, auto const& plan) {
              static_cast<void>(sonde::compare(group, plan, named(self, "a", "b"), named(self, "b", "a")));
          }) == all_say("sonde::compare: the name must be equal on all ranks; rank 0 has a, b, rank 2 has b, a"));
    CHECK(said_in([&](process& self, auto& group, auto const& plan) {
              auto const visit = [](std::size_t, auto f) { f(do_nothing); };
              static_cast<void>(sonde::compare(
                  group, plan, sonde::alternatives{static_cast<std::size_t>(self.rank() == 0 ? 2 : 3), visit}));
          }) == all_say("sonde::compare: the number of alternatives must be equal on all ranks; rank 0 has 2, rank 1 "
                        "has 3"));
}

TEST_CASE("calls: bytes, patterns without a name, and other places of a call are no difference") {
    auto const found = said_in([&](process& self, auto& group, auto const& plan) {
        sonde::traffic const moved{.bytes = self.rank() == 1 ? 16U : 8U, .messages = 1};
        static_cast<void>(sonde::run(group, plan, sonde::with_traffic{moved, do_nothing}));
        if (self.rank() == 0) static_cast<void>(sonde::run(group, plan, sonde::named{"send", do_nothing}));
        else static_cast<void>(sonde::run(group, plan, do_nothing));
        if (self.rank() == 0) static_cast<void>(sonde::run(group, plan, do_nothing));
        else static_cast<void>(sonde::run(group, plan, do_nothing));
    });
    CHECK(found == all_say(""));
}

TEST_CASE("calls: a hook that throws on a rank when the record is completed makes all ranks throw") {
    struct failing {
        process* self;
        std::size_t* calls;
        void operator()() const {}
        sonde::traffic traffic() const {
            if (self->rank() == 1 && ++*calls == 2) throw std::domain_error{"traffic"};
            return {};
        }
    };
    std::string const other = "sonde: an exception was thrown on rank 1";
    CHECK(said_in([&](process& self, auto& group, auto const& plan) {
              std::size_t calls = 0;
              static_cast<void>(sonde::run(group, plan, failing{&self, &calls}));
          }) == said_by_ranks{other, "traffic", other});
}

TEST_CASE("calls: a pattern of a map whose traffic is invalid on a rank makes all ranks throw") {
    for (auto const at_once : {sonde::pairs_at_once::one, sonde::pairs_at_once::round}) {
        auto const found = said_in([&](process& self, auto& group, auto const& plan) {
            auto const invalid = [&](int, role r) {
                return working{&self, r, {1us}, {.hops = self.rank() == 1 ? 0.0 : 1.0}};
            };
            static_cast<void>(sonde::map(group, plan, invalid, {.at_once = at_once}));
        });
        for (auto const& text : found) CHECK(!text.empty());
        CHECK(found[1].starts_with("sonde::traffic: hops and shared_by must be positive"));
    }
}
