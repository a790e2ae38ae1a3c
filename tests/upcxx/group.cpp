// SPDX-License-Identifier: BSL-1.0
#include "../control_conformance.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <sonde/upcxx/control_channel.hpp>
#include <sonde/upcxx/group.hpp>

#include <type_traits>

using namespace sonde::upcxx;

TEST_CASE("a group of all ranks conforms") {
    static_assert(sonde::Group<group> && !std::is_constructible_v<group, ::upcxx::team&&>);
    on_ranks([] {
        group ranks;
        CHECK(ranks.rank() == rank());
        CHECK(ranks.size() == size());
        conformance::check_group(ranks);
        conformance::check_control(ranks, "upcxx_timeline.json");
    });
}

TEST_CASE("a group of a team has the ranks of the team") {
    on_ranks([] {
        auto half = ::upcxx::world().split(rank() % 2, rank());
        {
            group ranks{half};
            CHECK(ranks.size() == (size() + 1 - rank() % 2) / 2);
            CHECK(ranks.rank() == rank() / 2);
            conformance::check_reductions(ranks);
            ranks.barrier();
        }
        half.destroy();
    });
}

TEST_CASE("a group names its library, and each of several ranks has a watchdog") {
    on_ranks([] {
        group ranks;
        CHECK(ranks.library().rfind("UPC++ 20", 0) == 0);
        CHECK(ranks.library().find(", specification 20") != std::string::npos);
        CHECK((ranks.watchdog() != nullptr) == (size() > 1));
    });
}
