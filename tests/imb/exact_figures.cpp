// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "imb/driver/imb_table.hpp"

#include <string>
#include <vector>

namespace {

using imb::columns, imb::family;

sonde::record measured(double min, double mean, double max, int initiators = 2) {
    sonde::record r;
    r.initiators = initiators;
    r.over_ranks = {sonde::seconds{min}, sonde::seconds{mean}, sonde::seconds{max}};
    return r;
}

sonde::record of_ranks(std::vector<double> const& times) {
    auto r = measured(times.front(), times.front(), times.front());
    for (auto const t : times) {
        r.rank_means.emplace_back(t);
        if (sonde::seconds{t} > r.over_ranks.max) r.over_ranks.max = sonde::seconds{t};
    }
    return r;
}

imb::benchmark row(columns shows) {
    imb::benchmark test;
    test.name = "Test";
    test.shows = shows;
    return test;
}

using one = std::vector<imb::result>;

TEST_CASE("time_bandwidth shows the slowest rank's time and the bandwidth by it, in 10^6 bytes a second") {
    auto test = row(columns::time_bandwidth);
    test.time_factor = 0.5;
    one const found{{measured(700e-6, 750e-6, 800e-6), {}, {}}};
    CHECK(imb::figures_of(test, test.shows, {4'194'304, 2, 256}, found) == "       400.00     10485.76");
}

TEST_CASE("range columns show the minimum, the maximum and the mean over the ranks of all groups that count") {
    auto test = row(columns::range_bandwidth);
    test.bandwidth_factor = 2;
    one const found{{measured(1e-6, 2e-6, 3e-6, 1), {}, {}}, {measured(2e-6, 4e-6, 8e-6, 3), {}, {}}};
    CHECK(imb::figures_of(test, test.shows, {800, 4, 256}, found) ==
          "         1.00         8.00         3.50       200.00");
    CHECK(imb::figures_of(row(columns::range), columns::range, {800, 4, 256}, found) ==
          "         1.00         8.00         3.50");
}

TEST_CASE("a benchmark that sends to all others moves its bytes once for each of them") {
    auto test = row(columns::time_bandwidth);
    test.to_all_others = true;
    one const found{{measured(2e-6, 2e-6, 2e-6), {}, {}}};
    CHECK(imb::figures_of(test, test.shows, {100, 5, 256}, found) == "         2.00       200.00");
}

TEST_CASE("a time of zero has bandwidth 0, and a result without counting ranks has time 0") {
    auto const test = row(columns::time_bandwidth);
    CHECK(imb::figures_of(test, test.shows, {8, 2, 256}, one{{measured(0, 0, 0), {}, {}}}) ==
          "         0.00         0.00");
    CHECK(imb::figures_of(test, test.shows, {8, 2, 256}, one{{measured(1, 1, 1, 0), {}, {}}}) ==
          "         0.00         0.00");
}

TEST_CASE("a message rate counts the window's messages of every pair, and may exceed 2^31") {
    auto test = row(columns::rate);
    test.bandwidth_factor = 2;
    one const found{{measured(1e-6, 1e-6, 1e-6), {}, {}}};
    CHECK(imb::figures_of(test, test.shows, {10, 6, 1000}, found) == "     60000.00   6000000000");
}

TEST_CASE("overlap of collectives is that of the rank with the longest overlapped time, relative to the larger time") {
    auto const test = row(columns::overlap);
    one const found{{of_ranks({5e-6, 8e-6}), of_ranks({9e-6, 12e-6}), of_ranks({4e-6, 10e-6})}};
    CHECK(imb::figures_of(test, test.shows, {8, 2, 256}, found) ==
          "        12.00         8.00        10.00        60.00");
}

TEST_CASE("overlap of files is that of the maximum times, relative to the smaller one, from 0 to 100") {
    auto test = row(columns::overlap);
    test.overlap_relative_to = imb::overlap_base::smaller;
    one const found{{of_ranks({5e-6, 8e-6}), of_ranks({15e-6, 12e-6}), of_ranks({10e-6, 10e-6})}};
    CHECK(imb::figures_of(test, test.shows, {8, 2, 256}, found) ==
          "        15.00         8.00        10.00        37.50");
    one const slow{{of_ranks({5e-6}), of_ranks({20e-6}), of_ranks({5e-6})}};
    CHECK(imb::overlap_of(test, slow).percent == 0);
    one const fast{{of_ranks({5e-6}), of_ranks({1e-6}), of_ranks({5e-6})}};
    CHECK(imb::overlap_of(test, fast).percent == 100);
}

TEST_CASE("a passive target's table has the pure time first") {
    auto const test = row(columns::passive_overlap);
    CHECK(imb::figures_of(test, test.shows, {8, 2, 256}, one{{of_ranks({1e-6}), of_ranks({3e-6}), {}}}) ==
          "         1.00         3.00");
}

TEST_CASE("a table's head has dashes of its columns' width, the number of waiting processes, and the mode") {
    auto const test = row(columns::time_bandwidth);
    std::vector<std::vector<int>> const two{{0, 1}};
    auto const dashes = "#" + std::string(51, '-') + "\n";
    CHECK(imb::head_of({test, imb::mode::non_aggregate, 4, two, 0, false, false}, test.shows) ==
          "\n" + dashes + "# Benchmarking Test \n# #processes = 2 \n" +
              "# ( 2 additional processes waiting in MPI_Barrier)\n" + dashes + "#\n#    MODE: NON-AGGREGATE \n#\n" +
              "       #bytes #repetitions      t[usec]   Mbytes/sec\n");
}

TEST_CASE("a table's head lists the ranks of several groups, sixteen a line") {
    auto const test = row(columns::sync);
    std::vector<int> many;
    for (int r = 0; r != 17; ++r) many.push_back(r);
    auto const head = imb::head_of({test, imb::mode::only, 35, {many, many}, 0, true, false}, test.shows);
    CHECK(head.find("# Benchmarking Multi-Test \n# ( 2 groups of 17 processes each running simultaneous ) \n"
                    "# Group  0:     0    1    2    3    4    5    6    7    8    9   10   11   12   13   14   15\n"
                    "#              16\n# \n# Group  1: ") != head.npos);
    CHECK(head.find("\n# ( 1 additional process waiting in MPI_Barrier)\n") != head.npos);
    CHECK(head.find("        Group #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n") != head.npos);
}

TEST_CASE("a table's head shows the ranks of -map by rows") {
    auto const test = row(columns::range);
    auto const head = imb::head_of({test, imb::mode::only, 4, {{0, 2, 1, 3}}, 2, false, true}, test.shows);
    CHECK(head.find("# #processes = 4; rank order (rowwise): \n#     0    2\n# \n#     1    3\n# \n") != head.npos);
    CHECK(head.find("  t_avg[usec]      defects\n") != head.npos);
}

TEST_CASE("a single-transfer benchmark of several groups shows a range instead of one time") {
    imb::options settings;
    auto test = row(columns::time_bandwidth);
    test.kind = family::single_transfer;
    CHECK(imb::columns_of(test, settings) == columns::time_bandwidth);
    settings.multi = 1;
    CHECK(imb::columns_of(test, settings) == columns::time_bandwidth);
    settings.multi = 0;
    CHECK(imb::columns_of(test, settings) == columns::range_bandwidth);
    test.kind = family::passive;
    CHECK(imb::columns_of(test, settings) == columns::time_bandwidth);
}

TEST_CASE("the text of a failure names the option that helps") {
    CHECK(imb::failure_text(imb::failure::memory, std::size_t{3} << 29, "") ==
          " out-of-mem.; needed X=   1.501 GB; use flag \"-mem X\" or MAX_MEM_USAGE>=X (IMB_mem_info.h)");
    CHECK(imb::failure_text(imb::failure::overflow, 0, " Stopping benchmark") ==
          " int-overflow; The production rank*size caused int overflow; Stopping benchmark");
    CHECK(imb::failure_text(imb::failure::time_out, 0, "").substr(0, 11) == " time-out.;");
    CHECK(imb::invalid_line(row(columns::sync), 1) == "\n# !! Benchmark Test invalid for 1 processes !!");
}

} // namespace
