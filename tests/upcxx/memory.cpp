// SPDX-License-Identifier: BSL-1.0
#include "../memory_conformance.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <sonde/memory.hpp>
#include <sonde/upcxx/group.hpp>
#include <sonde/upcxx/memory.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using namespace sonde::upcxx;

TEST_CASE("shared memory conforms, on each rank by itself") {
    on_ranks([] {
        auto const all = (std::size_t{320} << 20) * static_cast<std::size_t>(rank() + 1);
        conformance::check_memory(all, shared_memory{128}, [](sonde::region bytes) {
            auto const found = global_region_of(bytes);
            CHECK(found.size == bytes.size());
            CHECK(static_cast<int>(found.data.where()) == rank());
            CHECK(found.data.local() == bytes.data());
        });
        conformance::check_exhausted<shared_memory, segment_exhausted>(
            "sonde::upcxx: the shared segment has no room for 1099511627776 bytes; UPCXX_SHARED_HEAP_SIZE sets its "
            "size");
        CHECK(global_region_of({}).data.is_null());
        ::upcxx::barrier();
    });
}

TEST_CASE("global regions of all ranks lead to their bytes") {
    on_ranks([] {
        group ranks;
        shared_allocation bytes{static_cast<std::size_t>(rank()) + 1};
        bytes.fill(std::byte(10 + rank()));
        auto const all = global_regions(ranks, bytes.bytes());
        CHECK(all.size() == static_cast<std::size_t>(size()));
        auto const& of_right = all[static_cast<std::size_t>(right())];
        CHECK(of_right.size == static_cast<std::size_t>(right()) + 1);
        std::byte got[1]{};
        ::upcxx::global_ptr<std::byte const> const from = of_right.subspan(of_right.size - 1, 1).data;
        ::upcxx::rget(from, got, 1).wait();
        CHECK(got[0] == std::byte(10 + right()));
        CHECK_THROWS_AS((void)of_right.subspan(1, of_right.size), std::out_of_range);
        ::upcxx::barrier();
    });
}

TEST_CASE("bytes outside a shared segment are refused, on all ranks alike") {
    on_ranks([] {
        group ranks;
        std::vector<std::byte> own(64);
        shared_allocation const bytes{64};
        CHECK_THROWS_AS((void)global_region_of(own), std::invalid_argument);
        auto const last = size() - 1;
        CHECK_THROWS_WITH_AS(
            (void)global_regions(ranks, rank() == last ? sonde::region{own} : bytes.bytes()),
            ("sonde::upcxx: a region of 64 bytes is not in the shared segment of rank " + std::to_string(last)).c_str(),
            std::invalid_argument);
        CHECK(global_regions(ranks, {}).back().data.is_null());
    });
}
