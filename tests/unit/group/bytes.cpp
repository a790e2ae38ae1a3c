// SPDX-License-Identifier: BSL-1.0
#include "../../group_conformance.hpp"
#include "../../support.hpp"

#include <sonde/clock/offset.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/group/threads.hpp>
#include <sonde/measure/environment.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace unit;

namespace {

/// A group with a broadcast and a gather of its own, by those of another one, which counts the calls.
template <class G>
struct own_calls : G {
    explicit own_calls(G const& inner) : G{inner} {}
    void all_reduce(std::span<double> values, sonde::reduction how) const {
        ++reductions;
        G::all_reduce(values, how);
    }
    void broadcast(std::span<std::byte> bytes, int root) const {
        ++broadcasts;
        G inner{*this};
        sonde::broadcast(inner, bytes, root);
    }
    void gather(std::span<std::byte const> mine, std::span<std::byte> all) const {
        ++gathers;
        G inner{*this};
        auto const found = sonde::gather(inner, mine);
        CHECK((found ? found->size() : 0) == all.size());
        for (std::size_t i = 0; i != all.size(); ++i) all[i] = found->at(i);
    }
    mutable int reductions = 0, broadcasts = 0, gathers = 0;
};

} // namespace

TEST_CASE("bytes reach every rank by a group's own calls, also through a reference to the group") {
    for (int const ranks : {1, 2, 3})
        sonde::sim::world{ranks, {}}.run([](process& self) {
            auto group = self.group();
            own_calls counted_calls{group};
            conformance::check_bytes(counted_calls);
            conformance::check_values(counted_calls);
            CHECK(counted_calls.broadcasts > 0);
            CHECK(counted_calls.gathers > 0);
            CHECK(counted_calls.reductions == 2); // the longest of the texts
            sonde::group_ref any{counted_calls};
            conformance::check_bytes(any);
            conformance::check_values(any);
            CHECK(counted_calls.reductions == 4);
        });
}

TEST_CASE("a long text takes one reduction for 6 KiB") {
    sonde::sim::world{2, {}}.run([](process& self) {
        struct counted : sonde::sim::group {
            int reductions = 0;
            void all_reduce(std::span<double> v, sonde::reduction how) {
                ++reductions;
                sonde::sim::group::all_reduce(v, how);
            }
        } group{self.group()};
        std::string text(60 * 1024, 'x');
        sonde::broadcast(group, text);
        CHECK(group.reductions == 1 + 10); // the length first
    });
}

TEST_CASE("a thread that waits for a message of one that has failed is woken, and threads of two processes have no "
          "channel") {
    sonde::single_rank single;
    sonde::thread_team team{single, 2};
    CHECK_THROWS_AS(team.run([](auto& me) {
        auto channel = sonde::control_channel_of(me);
        std::array<std::byte, 1> message{};
        if (me.rank() == 1) throw std::domain_error{"thread 1"};
        channel.receive(1, message);
    }),
                    std::domain_error);
    sonde::sim::world{2, {}}.run([](process& self) {
        auto parent = self.group();
        sonde::thread_team both{parent, 1};
        both.run([](auto& me) { CHECK_THROWS_AS(sonde::control_channel_of(me), std::logic_error); });
    });
}

TEST_CASE("the environment of any group: rank 0's texts on all ranks, hosts and bindings of all ranks on rank 0") {
    auto const found = on_ranks(3, {}, [](process& self) {
        struct named : sonde::sim::group {
            std::string host_name() const { return rank() == 1 ? "b" : "a"; }
            std::string library() const { return "a network of " + std::to_string(size()); }
        } group{self.group()};
        auto const word = "program of rank " + std::to_string(self.rank());
        char const* const argv[] = {word.c_str()};
        return sonde::environment_of(group, 1, argv);
    });
    for (auto const& e : found) {
        CHECK(e.command_line == "'program of rank 0'");
        CHECK(e.communication_library == "a network of 3");
        CHECK(e.compiler == found[0].compiler);
    }
    CHECK(found[0].hosts == std::vector<std::string>{"a", "b"});
    CHECK(found[0].ranks_per_host == std::vector{2, 1});
    CHECK(found[0].host_of_rank == std::vector{0, 1, 0});
    CHECK(found[0].bindings == std::vector<std::string>(3, sonde::local_environment().bindings.at(0)));
    CHECK(found[0].date.size() == sonde::utc_date().size());
    CHECK(found[0].unlike_hosts.empty());
    CHECK(found[1].hosts.empty());
    CHECK(found[2].bindings.empty());
    CHECK(found[1].date.empty());
    CHECK(found[1].system.kernel.empty());
    CHECK(!found[1].stolen_before);

    sonde::single_rank single;
    sonde::thread_team team{single, 2};
    team.run([](auto& me) {
        auto const e = sonde::environment_of(me);
        CHECK(e.ranks_per_host == (me.rank() == 0 ? std::vector{2} : std::vector<int>{}));
        CHECK(e.communication_library.empty());
    });
}
