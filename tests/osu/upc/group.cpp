// SPDX-License-Identifier: BSL-1.0
// The group of threads of UPC, on the stand-in.
#define DOCTEST_CONFIG_IMPLEMENT
#include "osu/upc/upc_group.hpp"

#include <doctest/doctest.h>

#include <bupc_extern.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

extern "C" char const fake_upc_shared_heap[] = "1MB";

namespace {

/// Value i of a rank: every third is smaller than on the ranks before, or larger. Sums depend on the order of the
/// ranks.
double value(int rank, std::size_t i) { return 0.1 * static_cast<double>(i) + (i % 3 == 0 ? -rank : rank); }

double reduced(int size, std::size_t i, sonde::reduction how) {
    auto all = value(0, i);
    for (int rank = 1; rank != size; ++rank) {
        auto const next = value(rank, i);
        if (how == sonde::reduction::sum) all += next;
        else all = how == sonde::reduction::min ? std::min(all, next) : std::max(all, next);
    }
    return all;
}

} // namespace

TEST_CASE("a reduction of any number of values has the same bits on all ranks, and the heap has room for no more") {
    osu::upc::group const threads;
    constexpr std::size_t numbers[] = {0, 1, 256, 600};
    for (auto const how : {sonde::reduction::sum, sonde::reduction::min, sonde::reduction::max})
        for (auto const n : numbers) {
            std::vector<double> values(n), expected(n);
            for (std::size_t i = 0; i != n; ++i) {
                values[i] = value(threads.rank(), i);
                expected[i] = reduced(threads.size(), i, how);
            }
            threads.all_reduce(values, how);
            CHECK(values == expected);
        }
    CHECK_THROWS_AS(osu::upc::shared_blocks{std::size_t{1} << 20}, std::bad_alloc);
    osu::upc::shared_blocks const last{std::size_t{1} << 19};
    CHECK(last.local().size() == std::size_t{1} << 19);
    osu::upc::shared_blocks const fourth{1};
    CHECK_THROWS_AS(osu::upc::shared_blocks{1}, std::bad_alloc); // the table of upc_operations.upc is full
}

int main(int argc, char** argv) {
    doctest::Context context{argc, argv};
    bupc_init(&argc, &argv);
    context.setOption("no-colors", true);
    context.setOption("minimal", osu_upc_thread() != 0);
    bupc_exit(context.run());
}
