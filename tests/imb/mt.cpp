// SPDX-License-Identifier: BSL-1.0
// Pairs and output lines of IMB-MT, without MPI.
#include <doctest/doctest.h>

#include "imb/driver/thread_sweep.hpp"
#include "imb/driver/thread_team.hpp"
#include "imb/mt/mt.hpp"
#include "imb/mt/mt_benchmarks.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace imb::mt;
using imb::columns, imb::family;

namespace {

/// "i4": initiates, with rank 4. "r0": responds. "-": idle.
std::string pairings(int ranks, int stride) {
    std::string all;
    for (int rank = 0; rank != ranks; ++rank) {
        auto const pair = pair_by_stride(rank, ranks, stride);
        if (!all.empty()) all += ' ';
        if (pair.role == sonde::role::idle) all += '-';
        else all.append(1, pair.role == sonde::role::initiator ? 'i' : 'r').append(std::to_string(pair.peer));
    }
    return all;
}

/// Four threads, of which the slowest takes 4 ms a repetition.
sonde::record measured() {
    sonde::record r;
    r.initiators = 4;
    r.over_ranks = {sonde::seconds{0.001}, sonde::seconds{0.002}, sonde::seconds{0.004}};
    return r;
}

imb::benchmark row(columns shows, family kind = family::collective) {
    imb::benchmark b;
    b.name = "TestMT";
    b.kind = kind;
    b.shows = shows;
    return b;
}

} // namespace

TEST_CASE("blocks of a stride pair with the next block, and an incomplete last block is idle") {
    CHECK(pairings(4, 0) == "i2 i3 r0 r1");
    CHECK(pairings(4, 1) == "i1 r0 i3 r2");
    CHECK(pairings(5, 0) == "i2 i3 r0 r1 -");
    CHECK(pairings(5, 1) == "i1 r0 i3 r2 -");
    CHECK(pairings(7, 2) == "i2 i3 r0 r1 - - -");
    CHECK(pairings(8, 2) == "i2 i3 r0 r1 i6 i7 r4 r5");
    CHECK(pairings(3, 0) == "i1 r0 -");
}

TEST_CASE("with a stride of 0, or of more than half of the ranks, all ranks are idle") {
    CHECK(pairings(4, 3) == "- - - -");
    CHECK(pairings(3, 2) == "- - -");
    CHECK(pairings(1, 0) == "-");
    CHECK(pairings(2, -1) == "- -");
}

TEST_CASE("times are divided by repetitions, bytes are those of all threads, and bandwidth is the slowest thread's") {
    line_inputs const in{2, 4, 1000, 3};
    auto const shown = times_of(measured(), in);
    CHECK(shown.min == 500);
    CHECK(shown.avg == 1000);
    CHECK(shown.max == 2000);
    CHECK(in.bytes() == 3000);
    CHECK(megabytes_of(measured(), in) == 6);
}

TEST_CASE("window benchmarks count all pairs: bandwidth by the slowest time, messages by the mean, beyond 32 bits") {
    line_inputs const in{64, 1, 1'000'000, 1};
    CHECK(megabytes_of_pairs(measured(), in) == 32000);
    CHECK(rate_of_pairs(measured(), in) == 64'000);
    auto fast = measured();
    fast.over_ranks.mean = sonde::seconds{0x1p-25}; // 0x1p-31 a message, of each of two pairs
    CHECK(rate_of_pairs(fast, in) == 4'294'967'296);
}

TEST_CASE("each benchmark has the suite's columns") {
    auto const rule = "#" + std::string(77, '-') + "\n";
    CHECK(head(row(columns::range_bandwidth), 6, 3, 64) ==
          "\n" + rule + "# Benchmarking TestMT\n# #processes = 2 (threads: 3)\n" + rule +
              "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n");
    CHECK(head(row(columns::rate, family::message_rate), 2, 1, 64) ==
          "\n" + rule + "# Benchmarking TestMT\n# #processes = 2 (threads: 1)\n# window_size = 64\n" + rule +
              "       #bytes #repetitions  t_avg[usec]   Mbytes/sec      Msg/sec\n");
    CHECK(head(row(columns::range, family::synchronization), 2, 1, 64) ==
          "\n" + rule + "# Benchmarking TestMT\n# #processes = 2 (threads: 1)\n" + rule +
              " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n");
    CHECK(no_success(row(columns::range)) ==
          "\n" + rule + "# Benchmarking TestMT\n# NO SUCCESSFUL EXECUTIONS\n" + rule + "\n");
}

TEST_CASE("each benchmark has the suite's output fields") {
    line_inputs const in{2, 4, 1000, 3};
    CHECK(line(row(columns::range_bandwidth), in, 10, measured()) ==
          "         3000           10       500.00      2000.00      1000.00         6.00\n");
    CHECK(line(row(columns::rate), in, 10, measured()) ==
          "         3000           10      1000.00         1.00         2000\n");
    CHECK(line(row(columns::range, family::synchronization), in, 10, measured()) ==
          "           10       500.00      2000.00      1000.00\n");
}

TEST_CASE("check failures list the ranks that found wrong elements") {
    CHECK(imb::check_failures({0, 3, 0, 12}) == "CHECK FAILURES: rank 1: 3\nCHECK FAILURES: rank 3: 12\n");
    CHECK(imb::check_failures({0, 0}).empty());
}

TEST_CASE("buffers are zeroed, aligned and disjoint in every allocation mode") {
    using imb::thread_allocation;
    for (auto const how : {thread_allocation::serial, thread_allocation::continuous, thread_allocation::parallel}) {
        imb::options asked;
        asked.allocation = how;
        asked.alignment = 4096;
        imb::thread_memory all{asked, 3, {4096, 8192}};
        std::vector<imb::thread_regions> found;
        for (int thread = 0; thread != 3; ++thread) found.push_back(all.of(thread));
        for (auto const& p : found) {
            CHECK(p.out.size() == 4096);
            CHECK(p.in.size() == 8192);
            for (auto const region : {p.out, p.in}) {
                CHECK(reinterpret_cast<std::uintptr_t>(region.data()) % 4096 == 0);
                for (auto& byte : region) {
                    REQUIRE(byte == std::byte{0}); // 1 if another's overlaps
                    byte = std::byte{1};
                }
            }
        }
        auto const together =
            found[1].out.data() == found[0].out.data() + 4096 && found[2].out.data() == found[1].out.data() + 4096;
        if (how == thread_allocation::continuous) CHECK(together);
    }
}
