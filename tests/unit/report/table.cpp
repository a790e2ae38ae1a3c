// SPDX-License-Identifier: BSL-1.0
#include <sonde/measure/record.hpp>
#include <sonde/report/table.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "support.hpp"

using reports::example;

namespace {

sonde::column link_column() {
    return {"kind", [](sonde::record const& r) { return r.point.parameters.back().text; }};
}

} // namespace

TEST_CASE("the default table: parameters, median with interval, percentile or dash, mean, bandwidth, samples, reason") {
    reports::memory_file out;
    sonde::table table{out.get()};
    table(example(1));
    table(example(65536));
    CHECK('\n' + out.text() == R"(
name           bytes  link   median us  median 95 % interval        tau     p99 us  slowest mean us       MB/s    samples      batch  stopped by   flags
ping_pong          1  ssend      4.500          1.000..8.000        1.0          -            4.500       0.22          8         10  time_budget  -
ping_pong      65536  ssend      4.500          1.000..8.000        1.0          -            4.500   14563.56          8         10  time_budget  -
)");
}

TEST_CASE("a table prints nothing before its first record") {
    reports::memory_file out;
    sonde::table table{out.get()};
    CHECK(out.text().empty());
}

TEST_CASE("columns appear with their contents: percentile, bandwidth, errors, and flags") {
    auto r = example();
    r.point = {"barrier", {}};
    r.total = {};
    r.series.assign(299, reports::ns(1000));
    r.clock_properties.resolution = reports::ns(40); // 4 ns of an iteration
    r.errors = 3;
    r.flags = {.timer_limited = true, .correlated = true, .oversubscribed = true};
    reports::memory_file out;
    sonde::table{out.get()}(r);
    CHECK('\n' + out.text() == R"(
name     median us  median 95 % interval        tau     p99 us  slowest mean us    samples      batch     errors  stopped by   flags
barrier      1.000          0.998..1.002        1.0      1.000            1.000          8         10          3  time_budget  timer_limited, correlated, oversubscribed
)");
}

TEST_CASE("the caller's columns replace the default ones") {
    reports::memory_file out;
    sonde::table table{out.get(),
                       {{"one way us", [](auto const& r) { return sonde::latency(r); }},
                        link_column(),
                        {"ratio", [](auto const&) { return 0.5; }, 1}}};
    table(example());
    CHECK(out.text() == "name           bytes  link   one way us  kind       ratio\n"
                        "ping_pong       4096  ssend        2.25  ssend        0.5\n");
}

TEST_CASE("a record with another column, or a wider text, gets a new header, so that all columns are aligned") {
    reports::memory_file out;
    sonde::table table{out.get(), {link_column()}};
    auto r = example();
    table(r);
    r.point.parameters.back().text = "persistent";
    table(r);
    r.point.parameters.erase(r.point.parameters.begin());
    table(r);
    r.point.parameters.emplace_back("window", 64);
    table(r);
    CHECK(out.text() == "name           bytes  link   kind\n"
                        "ping_pong       4096  ssend  ssend\n"
                        "\n"
                        "name           bytes  link        kind\n"
                        "ping_pong       4096  persistent  persistent\n"
                        "ping_pong          -  persistent  persistent\n"
                        "\n"
                        "name       link           window  kind\n"
                        "ping_pong  persistent         64  64\n");
}

TEST_CASE("a parameter with a column's name keeps its own value") {
    auto r = example();
    r.point = {"", {{"samples", 1000}}};
    reports::memory_file out;
    sonde::table{out.get(), {{"samples", [](auto const& found) { return found.stop.samples; }}}}(r);
    CHECK(out.text() == "  samples    samples\n"
                        "     1000          8\n");
}

TEST_CASE("a table can be stored as a function of a record") {
    reports::memory_file out;
    std::function<void(sonde::record const&)> const report = sonde::table{out.get(), {link_column()}};
    report(example());
    CHECK(out.text() == "name           bytes  link   kind\nping_pong       4096  ssend  ssend\n");
}

TEST_CASE("a record without initiators shows a dash for each time and rate") {
    reports::memory_file out;
    auto columns = sonde::default_columns();
    columns.push_back({"bandwidth", [](auto const& r) { return sonde::bandwidth(r); }});
    sonde::table{out.get(), columns}(reports::record_without_initiators());
    CHECK(out.text() == "name      bytes  median us  median 95 % interval        tau     p99 us  slowest mean us    "
                        "samples  stopped by  "
                        "flags  bandwidth\n"
                        "idle          8          -                     -          -          -                -       "
                        "   2  samples     "
                        "-              -\n");
}
