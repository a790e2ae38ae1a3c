// SPDX-License-Identifier: BSL-1.0
#include <sonde/report/openmetrics.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "support.hpp"

using reports::contents;
using sonde::detail::openmetrics_text;

namespace {

/// Metadata of all gauges, and the given samples of each.
std::string families(std::string const& median, std::string const& low, std::string const& high,
                     std::string const& samples, std::string const& errors) {
    return "# TYPE sonde_median_seconds gauge\n"
           "# UNIT sonde_median_seconds seconds\n"
           "# HELP sonde_median_seconds Median time of an iteration.\n" +
           median +
           "# TYPE sonde_median_low_seconds gauge\n"
           "# UNIT sonde_median_low_seconds seconds\n"
           "# HELP sonde_median_low_seconds Low end of the median's 95 % confidence interval.\n" +
           low +
           "# TYPE sonde_median_high_seconds gauge\n"
           "# UNIT sonde_median_high_seconds seconds\n"
           "# HELP sonde_median_high_seconds High end of the median's 95 % confidence interval.\n" +
           high +
           "# TYPE sonde_samples gauge\n"
           "# HELP sonde_samples Number of samples.\n" +
           samples +
           "# TYPE sonde_errors gauge\n"
           "# HELP sonde_errors Number of wrong elements that the validation found.\n" +
           errors + "# EOF\n";
}

sonde::environment with_library(std::string const& text) {
    sonde::environment e;
    e.communication_library = text;
    return e;
}

/// 40 samples of 8 us, at the size.
sonde::record measured(std::size_t bytes) {
    auto r = reports::steady("ping_pong", 8000, 40);
    r.ranks = r.initiators = 2;
    r.point.parameters = {{"bytes", bytes}, {"link", "ssend"}};
    r.clock_properties.resolution = {};
    return r;
}

std::string labels(std::string const& bytes, std::string const& library = "") {
    return R"({test="ping_pong",ranks="2",)" + (library.empty() ? "" : R"(library=")" + library + R"(",)") +
           R"(bytes=")" + bytes + R"(",link="ssend"} )";
}

} // namespace

TEST_CASE("OpenMetrics: each gauge once, with a sample for each record") {
    auto checked = measured(16);
    checked.errors = 3;
    auto const both = [](std::string const& gauge) {
        return gauge + labels("8") + "8e-06\n" + gauge + labels("16") + "8e-06\n";
    };
    CHECK(openmetrics_text({measured(8), checked}, "") ==
          families(both("sonde_median_seconds"), both("sonde_median_low_seconds"), both("sonde_median_high_seconds"),
                   "sonde_samples" + labels("8") + "40\nsonde_samples" + labels("16") + "40\n",
                   "sonde_errors" + labels("16") + "3\n"));
}

TEST_CASE("OpenMetrics: a record without times or without an interval has no sample of them") {
    auto few = measured(8);
    few.series.resize(2);
    few.stop.samples = 2;
    CHECK(openmetrics_text({few, reports::record_without_initiators()}, "") ==
          families("sonde_median_seconds" + labels("8") + "8e-06\n", "", "",
                   "sonde_samples" + labels("8") + "2\n" + R"(sonde_samples{test="idle",ranks="2",bytes="8"} 2)" + "\n",
                   ""));
    CHECK(openmetrics_text({}, "") == families("", "", "", "", ""));
}

TEST_CASE("OpenMetrics: of records with equal labels the last one is written, because a series must be unique") {
    auto later = measured(8);
    later.stop.samples = 41;
    auto const text = openmetrics_text({measured(8), later}, "");
    CHECK(reports::has(text, "sonde_samples" + labels("8") + "41\n"));
    CHECK(!reports::has(text, " 40\n"));
}

TEST_CASE("OpenMetrics: alternatives without a name have their number as their name, so that each has its samples") {
    reports::scratch_folder folder;
    auto const path = folder / "a.prom";
    sonde::openmetrics report{path};
    report(sonde::comparison{
        {reports::steady("", 8000, 40), reports::steady("b", 4000, 40), reports::steady("", 2000, 40)}});
    report.finish();
    auto const text = contents(path);
    CHECK(text.find("sonde_median_seconds{test=\"alternative 0\",ranks=\"0\"} 8e-06\n") != std::string::npos);
    CHECK(text.find("sonde_median_seconds{test=\"b\",ranks=\"0\"} 4e-06\n") != std::string::npos);
    CHECK(text.find("sonde_median_seconds{test=\"alternative 2\",ranks=\"0\"} 2e-06\n") != std::string::npos);
}

TEST_CASE("OpenMetrics: values of labels are escaped, and are one line") {
    using sonde::detail::openmetrics_value;
    CHECK(openmetrics_value("plain, text") == R"("plain, text")");
    CHECK(openmetrics_value(R"(a\b "c")") == R"("a\\b \"c\"")");
    CHECK(openmetrics_value("two\nlines\xff") == "\"two lines\xef\xbf\xbd\"");
}

TEST_CASE("OpenMetrics: names of labels are letters, digits and underscores, and differ") {
    using sonde::detail::openmetrics_name;
    CHECK(openmetrics_name("bytes") == "bytes");
    CHECK(openmetrics_name("message size (B)") == "message_size__B_");
    CHECK(openmetrics_name("2nd") == "p2nd");
    CHECK(openmetrics_name("__x") == "p__x");
    CHECK(openmetrics_name("") == "p");
    auto r = measured(8);
    r.point.parameters = {{"ranks", 7}, {"test", "x"}, {"a b", 1}, {"a-b", 2}};
    CHECK(reports::has(openmetrics_text({r}, ""),
                       R"(sonde_samples{test="ping_pong",ranks="2",ranks_="7",test_="x",a_b="1",a_b_="2"} 40)"));
}

TEST_CASE("OpenMetrics: the library is its name and version") {
    using sonde::detail::short_library_name;
    CHECK(short_library_name("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4") == "Open MPI v4.1.4");
    CHECK(short_library_name("MPICH Version:\t4.0.2\nMPICH Release date:\tThu\n") == "MPICH Version: 4.0.2");
    CHECK(short_library_name("") == "");
    reports::scratch_folder const folder;
    sonde::openmetrics{folder / "a.prom", with_library("Open MPI v4.1.4, package: x")}(measured(8));
    CHECK(reports::has(contents(folder / "a.prom"), "sonde_samples" + labels("8", "Open MPI v4.1.4") + "40\n"));
}

TEST_CASE("OpenMetrics: the old file stays until the new one is complete, and no other file is left") {
    reports::scratch_folder const folder;
    auto const path = folder / "a.prom";
    sonde::output_file{path}.write("old");
    sonde::openmetrics report{path};
    auto copy = report;
    copy(measured(8));
    CHECK(contents(path) == "old");
    CHECK(folder.files() == 1);
    report.finish();
    CHECK(contents(path) == openmetrics_text({measured(8)}, ""));
    CHECK(folder.files() == 1);
    report.finish();
    CHECK(folder.files() == 1);
}

TEST_CASE("OpenMetrics: a file that cannot be written is refused before the first record, or keeps its contents") {
    reports::scratch_folder const folder;
    CHECK_THROWS_AS(sonde::openmetrics{folder / "none/a.prom"}, std::system_error);
    CHECK(!std::filesystem::exists(folder / "none"));
    auto const path = folder / "a.prom";
    std::filesystem::create_directory(path); // cannot be replaced by a file
    CHECK_THROWS_AS(sonde::detail::replace_file(path, "new"), std::system_error);
    CHECK(folder.files() == 1);
    sonde::openmetrics full{"/dev/full"};
    full(measured(8));
    CHECK_THROWS_AS(full.finish(), std::system_error);
    CHECK(std::filesystem::is_character_file("/dev/full"));
}
