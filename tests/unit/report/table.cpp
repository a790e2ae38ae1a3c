// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/to_string.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <string>

using reports::example;
using reports::steady;

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

TEST_CASE("a comparison is a table: medians, speed-ups over the base with their intervals, and outcomes") {
    auto tuned = steady("persistent", 4000, 40);
    tuned.point.parameters = {{"bytes", std::size_t{8}}};
    reports::memory_file out;
    sonde::comparison_table{out.get()}({{steady("blocking", 8000, 40), tuned, steady("", 8000, 40)}});
    CHECK('\n' + out.text() == R"(
alternative           median us  speed-up  95 % interval  outcome
blocking                  8.000     1.000              -  (base)
persistent (bytes 8)      4.000     2.000   2.000..2.000  faster
alternative 2             8.000     1.000   1.000..1.000  undecided
)");
}

TEST_CASE("a comparison with its scope in the application shows what would be won there, by the transfer only") {
    reports::memory_file out;
    sonde::comparison found{{steady("blocking", 8000, 40), steady("persistent", 4000, 40), steady("slow", 10000, 40)}};
    found.application = {"halo", sonde::seconds{1.5}, sonde::seconds{3}, sonde::seconds{10}};
    sonde::comparison_table{out.get()}(found);
    found.application->loop = {};
    for (auto& r : found.records) r.flags.oversubscribed = true;
    sonde::comparison_table{out.get()}(found);
    CHECK('\n' + out.text() == R"(
alternative  median us  speed-up  95 % interval             won of loop  outcome
blocking         8.000     1.000              -                       -  (base)
persistent       4.000     2.000   2.000..2.000     7.50 % (7.50..7.50)  faster
slow            10.000     0.800   0.800..0.800  -3.75 % (-3.75..-3.75)  slower
won of loop: at most, by the transfer in halo, 15 % of the loop; waiting there, 30 %, is not won
alternative  median us  speed-up  95 % interval  won of loop  outcome
blocking         8.000     1.000              -            -  (base)
persistent       4.000     2.000   2.000..2.000            -  faster
slow            10.000     0.800   0.800..0.800            -  slower
won of loop: unknown, because the loop of halo has no time
flags: oversubscribed
)");
}

TEST_CASE("a comparison shows no numbers for alternatives without initiators, which are undecided") {
    auto idle = reports::record_without_initiators();
    idle.series.assign(40, {});
    auto timed = steady("timed", 4000, 40);
    sonde::comparison const found{{idle, idle}}, mixed{{timed, idle}};
    for (auto const& one : {found, mixed}) {
        CHECK(sonde::speedup(one, 1) == 0);
        CHECK(!sonde::speedup_interval(one, 1));
        CHECK(!sonde::rounds_needed(one, 1));
        CHECK(sonde::classify(one, 1) == sonde::outcome::undecided);
        CHECK(sonde::fastest(one) == 0);
    }
    reports::memory_file out;
    sonde::comparison_table{out.get()}(found);
    sonde::comparison_table{out.get()}(mixed);
    CHECK('\n' + out.text() == R"(
alternative     median us  speed-up  95 % interval  outcome
idle (bytes 8)          -         -              -  (base)
idle (bytes 8)          -         -              -  undecided
alternative     median us  speed-up  95 % interval  outcome
timed               4.000     1.000              -  (base)
idle (bytes 8)          -         -              -  undecided
)");
    CHECK(sonde::to_string(mixed) == "timed 4.000 us (base); idle (bytes 8) - us, speed-up -, undecided");
}

TEST_CASE("short times of a comparison have as many digits as the table of records gives them") {
    sonde::comparison const found{{steady("a", 7, 40), steady("b", 6, 40)}};
    reports::memory_file out;
    sonde::comparison_table{out.get()}(found);
    CHECK(out.text().find("a              0.00700 ") != std::string::npos);
    CHECK(out.text().find("b              0.00600 ") != std::string::npos);
    CHECK(sonde::to_string(found).find("b 0.00600 us, speed-up 1.167") != std::string::npos);
}

TEST_CASE("a table of a comparison says how many rounds are missing, and uses the criterion of the caller") {
    reports::memory_file out;
    sonde::comparison_table report{out.get()};
    report({{steady("a", 1000, 8), steady("b", 950, 8)}}, {.gain = 0.1, .confidence = 0.99});
    report({{steady("a", 1000, 40), steady("b", 950, 40)}}, {.gain = 0.1});
    CHECK('\n' + out.text() == R"(
alternative  median us  speed-up  99 % interval  outcome
a                1.000     1.000              -  (base)
b                0.950     1.053              -  undecided: 8 rounds of at least 15
alternative  median us  speed-up  95 % interval  outcome
a                1.000     1.000              -  (base)
b                0.950     1.053   1.052..1.054  undecided
)");
}

TEST_CASE("a table of records has tables of comparisons between its rows, and repeats its header after them") {
    sonde::comparison const found{{steady("a", 1000, 40), steady("b", 500, 40)}};
    reports::memory_file out;
    sonde::table report{out.get(), {{"median us", [](sonde::record const& r) { return sonde::median(r); }, 3}}};
    report(found, {.gain = 0.02, .confidence = 0.999});
    report(steady("c", 7000, 1));
    report(steady("d", 8000, 1));
    report(found);
    CHECK('\n' + out.text() == R"(
alternative  median us  speed-up  99.9 % interval  outcome
a                1.000     1.000                -  (base)
b                0.500     2.000     1.997..2.003  faster

name  median us
c         7.000
d         8.000

alternative  median us  speed-up  95 % interval  outcome
a                1.000     1.000              -  (base)
b                0.500     2.000   1.997..2.003  faster
)");
}

TEST_CASE("a table of a comparison has the flags of the records below its rows") {
    auto base = steady("a", 1000, 40), other = steady("b", 500, 40);
    other.flags.timer_limited = true;
    reports::memory_file out;
    sonde::comparison_table report{out.get()};
    report({{base, other}});
    base.flags = other.flags = {.oversubscribed = true};
    report({{base, other}});
    CHECK('\n' + out.text() == R"(
alternative  median us  speed-up  95 % interval  outcome
a                1.000     1.000              -  (base)
b                0.500     2.000   1.997..2.003  faster
flags of b: timer_limited
alternative  median us  speed-up  95 % interval  outcome
a                1.000     1.000              -  (base)
b                0.500     2.000   1.997..2.003  faster
flags: oversubscribed
)");
}
