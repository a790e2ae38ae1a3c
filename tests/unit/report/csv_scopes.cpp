// SPDX-License-Identifier: BSL-1.0
#include <sonde/report/csv.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support.hpp"

namespace {

/// A step of 40 us, half of it in an exchange, four times; and a scope without passes.
std::vector<sonde::scope_record> csv_example() {
    std::vector<sonde::scope_record> found(3);
    found[0].name = "step";
    found[1].name = "halo, east";
    found[1].parent = 0;
    found[1].depth = 1;
    found[2].name = "never";
    for (std::size_t i = 0; i != 2; ++i) {
        found[i].ranks = 1;
        for (int pass = 0; pass != 4; ++pass) found[i].times.add(reports::ns(i == 0 ? 65'536 : 32'768));
        auto const total = sonde::seconds{i == 0 ? 0.5 : 0.25};
        found[i].totals = {total, total, total};
    }
    found[0].enclosing = 2 * found[0].times.sum();
    found[1].enclosing = found[0].times.sum();
    found[1].bytes = 4 * 8000;
    return found;
}

std::string const scope_titles =
    "list,index,parent,name,depth,passes,ranks,median_seconds,p99_seconds,max_seconds,"
    "total_min_seconds,total_mean_seconds,total_max_seconds,enclosing_seconds,share,slowest,"
    "imbalance,bytes,bytes_per_second,efficiency\n";

std::string lines_of_list(std::string const& list) {
    return list + ",0,,step,0,4,1,6.5536e-05,,6.5536e-05,0.5,0.5,0.5,0.000524288,0.5,0,1,0,,\n" + list +
           ",1,0,\"halo, "
           "east\",1,4,1,3.2768e-05,,3.2768e-05,0.25,0.25,0.25,0.000262144,0.5,0,1,32000,244140624.99999997,\n" +
           list + ",2,,never,0,0,0,,,,,,,0,,,,0,,\n";
}

} // namespace

TEST_CASE("CSV: a scope is a line, with the number of its list") {
    reports::memory_file out;
    sonde::csv report{out.get()};
    report(csv_example());
    report(std::vector<sonde::scope_record>{});
    report(csv_example());
    CHECK(out.text() == scope_titles + lines_of_list("0") + lines_of_list("2"));
}

TEST_CASE("CSV: a file on a disk holds one table, and files with numbers beside it hold the others") {
    reports::scratch_folder const folder;
    std::filesystem::create_directory(folder / "a.b");
    sonde::csv report{folder / "a.b/run.csv"};
    report(reports::example());
    report(csv_example());
    report({{reports::steady("a", 8000, 40), reports::steady("b", 4000, 40)}});
    report(reports::example(16));
    report(csv_example());
    auto const records = reports::contents(folder / "a.b/run.csv");
    CHECK(records.starts_with("name,bytes,link,"));
    CHECK(records.find("\n\n") == std::string::npos);
    CHECK(std::count(records.begin(), records.end(), '\n') == 3);
    CHECK(reports::contents(folder / "a.b/run.2.csv") == scope_titles + lines_of_list("0") + lines_of_list("1"));
    CHECK(reports::contents(folder / "a.b/run.3.csv").find(",faster,0,0.95\n") != std::string::npos);
    CHECK(sonde::output_file{folder / "a.b/run"}.numbered_path(2) == folder / "a.b/run.2");
    CHECK(sonde::output_file{"/dev/null"}.numbered_path(2) == "");
}

TEST_CASE("CSV: records and scopes on one stream are tables with an empty line between them") {
    reports::memory_file out;
    sonde::csv report{out.get()};
    report(reports::example());
    auto const record_table = out.text();
    report(csv_example());
    report(reports::example());
    CHECK(out.text() == record_table + '\n' + scope_titles + lines_of_list("0") + '\n' + record_table);
}
