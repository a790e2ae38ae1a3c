// SPDX-License-Identifier: BSL-1.0
#include <sonde/report/csv.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "support.hpp"

using reports::example;

namespace {

std::string const header =
    "name,bytes,link,ranks,initiators,total_bytes,total_messages,hops,bus_factor,batch,samples,stopped_by,"
    "median_seconds,median_low_seconds,median_high_seconds,autocorrelation_time,p99_seconds,max_seconds,"
    "tukey_outliers,slowest_mean_seconds,rank_min_seconds,rank_mean_seconds,rank_max_seconds,first_seconds,"
    "clock_cost_seconds,clock_resolution_seconds,clock_bias_seconds,timer_limited,skew_dominated,clock_drift,"
    "correlated,oversubscribed,clock_fault,suspect_transport,global_median_seconds,late_samples,errors\n";

/// The example with a series of whole seconds: their sum is exact in any order, and -ffast-math adds in another.
sonde::record example_of_seconds(std::size_t bytes) {
    auto r = example(bytes);
    for (auto& t : r.series) t = sonde::seconds{std::round(t.count() * 1e6)};
    return r;
}

} // namespace

TEST_CASE("CSV: one header, one line a record, times in seconds, empty fields for missing values") {
    reports::memory_file out;
    sonde::csv csv{out.get()};
    csv(example_of_seconds(8));
    auto checked = example_of_seconds(16);
    checked.errors = 3;
    checked.flags.timer_limited = checked.flags.correlated = checked.flags.oversubscribed = true;
    csv(checked);
    std::string const times = "time_budget,4.5,1,8,1,,8,0,4.5,4.1e-06,4.3e-06,4.5e-06,9e-05,2.3e-08,1e-08,2e-08";
    CHECK(out.text() == header + "ping_pong,8,ssend,4,2,8,1,2,1,10,8," + times + ",0,0,0,0,0,0,0,,,\n" +
                            "ping_pong,16,ssend,4,2,16,1,2,1,10,8," + times + ",1,0,0,1,1,0,0,,,3\n");
}

TEST_CASE("CSV: a field with a comma or a quote is quoted, and its quotes are doubled; an end of line is a blank") {
    CHECK(sonde::detail::csv_field("plain text") == "plain text");
    CHECK(sonde::detail::csv_field("") == "");
    CHECK(sonde::detail::csv_field("a,b") == "\"a,b\"");
    CHECK(sonde::detail::csv_field("say \"hi\"") == "\"say \"\"hi\"\"\"");
    CHECK(sonde::detail::csv_field("two\nlines") == "two lines");
    CHECK(sonde::detail::csv_field("a\rb") == "a b");
}

TEST_CASE("CSV: names of points and parameters are quoted too") {
    auto r = example();
    r.point = {"send, receive", {{"size \"B\"", 8}}};
    reports::memory_file out;
    sonde::csv{out.get()}(r);
    CHECK(out.text().rfind("name,\"size \"\"B\"\"\",ranks", 0) == 0);
    CHECK(out.text().find("\n\"send, receive\",8,4,2,") != std::string::npos);
}

TEST_CASE("CSV: a number reads back as the same number") {
    auto r = example();
    r.first = sonde::seconds{0.1 + 0.2};
    reports::memory_file out;
    sonde::csv{out.get()}(r);
    CHECK(out.text().find(",0.30000000000000004,") != std::string::npos);
}

TEST_CASE("CSV: a record with other parameters is refused with a message, and the file stays as it was") {
    reports::memory_file out;
    sonde::csv csv{out.get()};
    csv(example());
    auto const before = out.text();
    auto other = example();
    other.point = {"stream", {{"bytes", 8}, {"window", 64}}};
    CHECK_THROWS_WITH_AS(csv(other),
                         "sonde::csv: 'stream' has the parameters (bytes, window), but the header of the file has "
                         "(bytes, link); write it to a file of its own",
                         std::invalid_argument);
    CHECK(out.text() == before);
}

TEST_CASE("CSV: a record without initiators has empty fields for its times") {
    reports::memory_file out;
    sonde::csv{out.get()}(reports::record_without_initiators());
    auto const text = out.text();
    CHECK(text.substr(text.find('\n') + 1) ==
          "idle,8,2,0,0,0,1,1,1,2,samples,,,,,,,,,,,,,2e-08,1e-09,1.5e-08,0,0,0,0,0,0,0,,,\n");
}

TEST_CASE("CSV: a record without samples has empty fields for its times") {
    auto r = example(8);
    r.series.clear();
    r.stop.samples = 0;
    reports::memory_file out;
    sonde::csv{out.get()}(r);
    auto const text = out.text();
    CHECK(text.substr(text.find('\n') + 1) ==
          "ping_pong,8,ssend,4,2,8,1,2,1,10,0,time_budget,,,,,,,,,,,,9e-05,2.3e-08,1e-08,2e-08,0,0,0,0,0,0,0,,,\n");
    CHECK(sonde::median(r) == sonde::seconds{});
}

TEST_CASE("CSV: a comparison is a table whose lines are records with speed-up, interval, outcome and criterion") {
    auto base = example_of_seconds(8), other = base;
    base.point = {"a", {{"bytes", 8}}};
    other.point = {"", {{"window", 64}}}; // named as in a table
    for (auto& t : other.series) t *= 2;
    reports::memory_file out;
    sonde::csv csv{out.get()};
    csv({{base, other}}, {.gain = 0.1, .confidence = 0.99});
    auto const text = out.text();
    auto const end_of_header = text.find('\n');
    CHECK(text.starts_with("name,bytes,window,ranks,"));
    CHECK(text.substr(0, end_of_header).ends_with(",errors,speedup,speedup_low,speedup_high,outcome,gain,confidence"));
    auto const rows = text.substr(end_of_header + 1);
    CHECK(rows.starts_with("a,8,,4,2,8,"));
    CHECK(rows.find(",,1,,,base,0.1,0.99\nalternative 1,,64,4,2,8,") != std::string::npos);
    CHECK(rows.ends_with(",,0.5,,,undecided,0.1,0.99\n"));
}

TEST_CASE("CSV: an alternative without initiators has no speed-up") {
    reports::memory_file out;
    auto base = reports::record_without_initiators();
    sonde::csv{out.get()}({{base, base}});
    CHECK(out.text().ends_with(",,,,undecided,0,0.95\n"));
}

TEST_CASE("CSV: the interval of a speed-up has its low end first") {
    auto base = reports::steady("a", 8000, 40);
    base.clock_properties.resolution = {};
    reports::memory_file out;
    sonde::csv{out.get()}({{base, reports::faster_by_2_to_4()}});
    CHECK(out.text().ends_with(",2,4,faster,0,0.95\n"));
}

TEST_CASE("CSV: comparisons with the same columns are one table, and other tables begin after an empty line") {
    sonde::comparison const found{{reports::steady("a", 8000, 40), reports::steady("b", 4000, 40)}};
    reports::memory_file out;
    sonde::csv csv{out.get()};
    auto const count_of_headers = [&] {
        std::size_t headers = 0;
        for (auto at = out.text().find("name,"); at != std::string::npos; at = out.text().find("name,", at + 1))
            ++headers;
        return headers;
    };
    csv(found);
    csv(found);
    CHECK(count_of_headers() == 1);
    CHECK(out.text().find(",faster,0,0.95\na,") != std::string::npos);
    csv(reports::steady("c", 7000, 1));
    CHECK(count_of_headers() == 2);
    CHECK(out.text().find(",faster,0,0.95\n\nname,ranks,") != std::string::npos);
    csv(reports::steady("d", 7000, 1));
    csv(found);
    CHECK(count_of_headers() == 3);
}

TEST_CASE("CSV: a comparison without rounds is refused, and the file stays empty") {
    reports::memory_file out;
    sonde::csv csv{out.get()};
    CHECK_THROWS_AS(csv({{reports::steady("a", 1, 0), reports::steady("b", 1, 0)}}), std::invalid_argument);
    CHECK(out.text().empty());
}
