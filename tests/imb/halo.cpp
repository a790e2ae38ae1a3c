// SPDX-License-Identifier: BSL-1.0
// The command line, grids and output lines of IMB-HALO, without MPI.
#include "words_program.hpp"

#include "imb/halo/imb_halo.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <string>
#include <vector>

using namespace imb::halo;

namespace {

using extents = std::vector<int>;

imb::options parsed(imb::words const& all) { return imb::parsed(all, imb::halo_component()); }

/// "up/down" in each dimension.
std::string neighbors_text(extents const& grid, int rank) {
    std::string all;
    for (auto const& n : neighbors_of(grid, rank)) all += std::to_string(n.up) + "/" + std::to_string(n.down) + " ";
    return all;
}

std::vector<std::size_t> parts(std::size_t elements, int threads) {
    std::vector<std::size_t> all;
    for (int t = 0; t != threads; ++t) all.push_back(elements_of_thread(elements, threads, t));
    return all;
}

} // namespace

TEST_CASE("a grid has the extents' ratios, as large as the ranks suffice for") {
    CHECK(extents_of({1}, 5) == extents{5});
    CHECK(extents_of({7}, 5) == extents{5});
    CHECK(extents_of({1, 1}, 4) == extents{2, 2});
    CHECK(extents_of({2, 2}, 4) == extents{2, 2});
    CHECK(extents_of({1, 2}, 8) == extents{2, 4});
    CHECK(extents_of({4, 2}, 2) == extents{2, 1});
    CHECK(extents_of({2, 1}, 4) == extents{2, 1});
    CHECK(extents_of({1, 1, 1}, 8) == extents{2, 2, 2});
}

TEST_CASE("the factor of a grid is an exact root of the ranks for each of its points") {
    CHECK(extents_of({1, 2}, 16) == extents{2, 4});
    CHECK(extents_of({1, 1, 1}, 64) == extents{4, 4, 4});
    CHECK(extents_of({1, 1, 1}, 125) == extents{5, 5, 5});
    CHECK(extents_of({1, 1, 1}, 124) == extents{4, 4, 4});
    CHECK(whole_root(1, 3) == 1);
    CHECK(whole_root(INT_MAX, 1) == INT_MAX);
    CHECK(whole_root(INT_MAX, 2) == 46340);
    CHECK(whole_root(INT_MAX, 31) == 1);
}

TEST_CASE("a grid that the ranks do not suffice for is refused") {
    CHECK(imb::refused([] {
              static_cast<void>(extents_of({2, 3}, 5));
          }) == "Not enough processes for -topo: 5; accepted: at least 6");
    CHECK(imb::refused([] {
              static_cast<void>(extents_of({1 << 30, 3, 5}, 5));
          }) == "Not enough processes for -topo: 5; accepted: more than 2147483647");
}

TEST_CASE("neighbors are those of a periodic grid in row-major order") {
    CHECK(neighbors_text({4}, 0) == "1/3 ");
    CHECK(neighbors_text({2, 3}, 0) == "3/3 1/2 ");
    CHECK(neighbors_text({2, 3}, 5) == "2/2 3/4 ");
    CHECK(neighbors_text({2, 2, 3}, 7) == "1/1 10/10 8/6 ");
}

TEST_CASE("dimensions of one rank and idle ranks have no neighbors") {
    CHECK(neighbors_text({2, 1}, 1) == "0/0 ");
    CHECK(neighbors_text({2, 1}, 2) == "");
    CHECK(neighbors_text({1}, 0) == "");
    CHECK(messages_of({2, 1}) == 4);
    CHECK(messages_of({3, 2, 4}) == 12);
    CHECK(messages_of({1}) == 0);
}

TEST_CASE("threads share the elements; the first have one more, and small messages have fewer threads") {
    CHECK(parts(8, 3) == std::vector<std::size_t>{3, 3, 2});
    CHECK(parts(2, 3) == std::vector<std::size_t>{1, 1, 0});
    CHECK(parts(0, 2) == std::vector<std::size_t>{0, 0});
    CHECK(threads_of(8, 3) == 3);
    CHECK(threads_of(2, 3) == 2);
    CHECK(threads_of(0, 3) == 1);
}

TEST_CASE("IMB-HALO's lines have the bytes, the messages of a rank, the mean time, and a rank's bandwidth both ways") {
    sonde::record r;
    r.over_ranks = {sonde::seconds{1e-6}, sonde::seconds{2e-6}, sonde::seconds{4e-6}};
    CHECK(line(4096, 8, r) == "4096(x8)(bytes) 2(usec) 16384(Mb/s)\n");
    CHECK(line(0, 4, r) == "0(x4)(bytes) 2(usec) 0(Mb/s)\n");
    CHECK(head("simple_halo", {2, 1}, 3) == "\n# Benchmarking simple_halo (processes: 2; threads: 3; dimensions: 2)\n");
}

TEST_CASE("IMB-HALO's options have their values, and -stride none") {
    auto const usual = parsed({});
    CHECK(usual.topology == extents{1});
    CHECK(usual.counts == std::vector<std::size_t>{1, 2, 4, 8});
    CHECK(usual.warm_ups == 100);
    CHECK(usual.repeats == 1000);
    auto const found = parsed({"-topo", "2.1.3", "-count", "5,0", "-datatype", "char", "-stride", "7", "-warmup", "0"});
    CHECK(found.topology == extents{2, 1, 3});
    CHECK(found.counts == std::vector<std::size_t>{5, 0});
    CHECK(found.data == imb::element::character);
    CHECK(found.stride == 0);
    CHECK(found.warm_ups == 0);
}

TEST_CASE("an invalid IMB-HALO argument is refused") {
    for (auto const* topology : {"0", "2.0", "2..3", "2x3", "-1", "2.", ""})
        CHECK(imb::refused([&] {
                  parsed({"-topo", topology});
              }) == "Invalid value of -topo: " + imb::as_shown(topology) +
                        "; accepted: whole numbers from 1 to 2147483647 with dots between");
    for (auto const* option : {"-check", "-barrier", "-window_size", "-malloc_algo"})
        CHECK(imb::refused([&] {
                  parsed({option, "1"});
              }) == std::string{"This program has no option "} + option + " (-help lists all)");
    CHECK(imb::refused([] { parsed({"-datatype", "float"}); }).starts_with("Invalid value of -datatype: float"));
    CHECK(imb::refused([] { parsed({"-repeat", "0"}); }).starts_with("Invalid value of -repeat: 0"));
}
