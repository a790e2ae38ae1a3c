// SPDX-License-Identifier: BSL-1.0
// Values that sonde-model reads from tables of text, to the last digit.
#include "tools/model/fit/fit.hpp"
#include "tools/model/fit/fit_selection.hpp"
#include "tools/model/output/model_plot.hpp"
#include "tools/records/lines.hpp"
#include "tools/records/log.hpp"
#include "tools/records/series.hpp"
#include "tools/records/units.hpp"

#include <doctest/doctest.h>

namespace {

using namespace tools::model;
using tools::quantity, tools::read_quantity;

tools::log_contents read(std::vector<std::string> const& lines) {
    std::string text;
    for (auto const& line : lines) text += line + '\n';
    return tools::read_log(text, "a");
}

/// The measurements of the only series.
selection selected(std::vector<tools::log_contents> const& found) {
    auto const all = tools::series_of(found);
    REQUIRE(all.size() == 1);
    return select(all.front(), {}, {});
}

sonde::seconds us(double n) { return sonde::seconds{n * 1e-6}; }
double in_us(sonde::seconds t) { return t.count() * 1e6; }

} // namespace

TEST_CASE("a latency of OMB is the time of a message, with any columns after it") {
    auto const chosen = selected({read({"", "# OSU MPI Latency Test v7.4", "# Datatype: MPI_CHAR.",
                                        "# Size  Avg Latency(us)  Validation P50 Tail Lat(us)", "0   1.25   Pass  1.00",
                                        "8   2.50   Pass  2.25"})});
    REQUIRE(chosen.points.size() == 2);
    CHECK(chosen.kind == model_kind::hockney);
    CHECK(chosen.points[0].at.bytes == 0);
    CHECK(chosen.points[1].measured.count() == 2.5 * 1e-6);
    CHECK(in_us(chosen.points[1].resolution) == doctest::Approx(0.005).epsilon(1e-12));
}

TEST_CASE("a number is exact to half a unit of its last digit") {
    CHECK(tools::half_a_digit("250") == 0.5);
    CHECK(tools::half_a_digit("2.5") == doctest::Approx(0.05).epsilon(1e-12));
    CHECK(tools::half_a_digit("2.50e+03") == doctest::Approx(5).epsilon(1e-12));
}

TEST_CASE("a plot has intervals as bands, the parameters once for a range, and no curve of undetermined parameters") {
    using tools::regression::parameter_status;
    auto const at = [](double bytes) {
        return observation{{bytes}, us(bytes), {}, sonde::confidence_interval{us(bytes / 2), us(2 * bytes)}};
    };
    fit_result f{model_kind::hockney, {}, {at(1), at(8), at(64), at(128)}};
    sonde::model::hockney const line{us(1), sonde::model::rate{1e6}};
    f.fit.model = sonde::model::piecewise_hockney{{{sonde::model::bytes{1}, line}, {sonde::model::bytes{64}, line}}};
    f.fit.parameters = {{"alpha", "s", 1e-6},
                        {"r_inf", "B/s", 1e6},
                        {"n_half", "B", 1},
                        {"breakpoint", "B", 64, 64, 64, parameter_status::determined, 1},
                        {"alpha", "s", 1e-6, 0, 0, parameter_status::determined, 1},
                        {"r_inf", "B/s", 1e6, 0, 0, parameter_status::determined, 1}};
    auto const both = figure_of(f).curves;
    REQUIRE(both.size() == 3);
    CHECK(both[0].low.size() == 4);
    CHECK(both[0].high[1] == doctest::Approx(16).epsilon(1e-12));
    CHECK(both[1].name == "model: alpha 1.000 us, r_inf 1.000 MB/s");
    CHECK(both[2].name == "model from 64 B: alpha 1.000 us, r_inf 1.000 MB/s");
    f.fit.parameters.back().status = parameter_status::lower_bound;
    CHECK(figure_of(f).curves.size() == 2);
    CHECK(f.time({8}).has_value());
    CHECK_FALSE(f.time({64}).has_value());
}

TEST_CASE("a model's curves are labeled with their number of pairs") {
    auto const at = [](double bytes, double pairs) { return observation{{bytes, pairs}, us(bytes)}; };
    fit_result f{model_kind::max_rate, {}, {at(1, 1), at(8, 1), at(1, 2), at(8, 2)}};
    f.fit.model = sonde::model::max_rate{us(1), sonde::model::rate{1e6}, sonde::model::rate{1e6}};
    f.fit.parameters = {{"alpha", "s", 1e-6}, {"R_C", "B/s", 1e6}, {"R_N", "B/s", 1e6}, {"k_sat", "", 1}};
    auto const all = figure_of(f).curves;
    REQUIRE(all.size() == 4);
    CHECK(all[0].low.empty());
    CHECK(all[2].name == "model, 1 pair: alpha 1.000 us, R_C 1.000 MB/s, R_N 1.000 MB/s");
    CHECK(all[3].name == "model, 2 pairs");
}

TEST_CASE("a window of osu_mbw_mr takes the time of its message rate") {
    auto const chosen =
        selected({read({"# OSU MPI Multiple Bandwidth / Message Rate Test v7.4", "# [ pairs: 4 ] [ window size: 64 ]",
                        "# Size  MB/s  Messages/s", "1000   2560.00   2560000.00"})});
    REQUIRE(chosen.points.size() == 1);
    CHECK(chosen.kind == model_kind::max_rate);
    CHECK(chosen.points[0].at.bytes == 64000);
    CHECK(chosen.points[0].at.pairs == 4);
    CHECK(chosen.points[0].measured.count() == 4 * 64 / 2560000.0);
}

TEST_CASE("windows of several sizes, and rows that no model takes, are skipped by name") {
    auto const found =
        read({"# OSU MPI Multiple Bandwidth / Message Rate Test v7.4", "# [ pairs: 2 ] [ window size: varied ]",
              "#    1    2", "1   0.21  0.51", "# OSU MPI Bandwidth Test v7.4", "# Size  Bandwidth (MB/s)", "1  5.00"});
    REQUIRE(found.tables.size() == 1);
    CHECK(found.tables[0].place() == "a:5");
    CHECK(found.tables[0].what.text() == "OSU MPI Bandwidth Test v7.4");
    CHECK(found.tables[0].no_model.starts_with("its text has no window"));
    CHECK(found.remarks == std::vector<std::string>{"a:4: rows that belong to no header: left out"});
}

TEST_CASE("two groups make one time: 4 x n over the sum of both bandwidths, n as printed") {
    auto const chosen =
        selected({read({"# Benchmarking Multi-PingPong ", "# ( 2 groups of 2 processes each running simultaneous ) ",
                        " Group #bytes #repetitions t[usec] Mbytes/sec", "", " 0 4000 640 2.00 2000.00",
                        " 1 4000 640 4.00 1000.00"})});
    REQUIRE(chosen.points.size() == 1);
    CHECK(chosen.kind == model_kind::multi);
    CHECK(chosen.points[0].at.repetitions == 640);
    CHECK(in_us(chosen.points[0].measured) == doctest::Approx(4 * 4000 * 640 / 3000.0).epsilon(1e-12));
}

TEST_CASE("different numbers of groups are numbers of pairs, with the time of the slowest") {
    auto const three =
        read({"# Benchmarking Multi-PingPong ", "# ( 3 groups of 2 processes each running simultaneous ) ",
              " Group #bytes #repetitions t[usec] Mbytes/sec", "", " 0 8 10 2.00 4.00", " 1 8 10 4.00 2.00",
              " 2 8 10 1.00 8.00"});
    auto const one =
        read({"# Benchmarking PingPong ",
              "# #processes = 2; rank order (rowwise): ", "#bytes #repetitions t[usec] Mbytes/sec", " 8 10 1.00 8.00"});
    auto const chosen = selected({three, one});
    REQUIRE(chosen.points.size() == 2);
    CHECK(chosen.kind == model_kind::max_rate);
    CHECK(chosen.points[0].at.pairs == 1);
    CHECK(chosen.points[1].at.pairs == 3);
    CHECK(chosen.points[1].measured.count() == 4.0 * 1e-6);
}

TEST_CASE("IMB-P2P's bandwidth is of all pairs, by the slowest rank, its time the mean") {
    auto const text = [](std::string const& row) {
        return read(
            {"# Benchmarking PingPong", "# #processes = 4", "#bytes #repetitions t[usec] Mbytes/sec Msg/sec", row});
    };
    auto const chosen = selected({text("4000 640 2.00 4000.00 1000000")});
    REQUIRE(chosen.points.size() == 1);
    CHECK(chosen.points[0].at.pairs == 2);
    CHECK(chosen.points[0].at.repetitions == 640);
    CHECK(chosen.read_from.front().ends_with("the mean over pairs, not the slowest"));
    auto const uneven = text("4000 640 2.00 2222.22 555556"); // one pair took 3.6 us, the other 0.4
    REQUIRE(uneven.tables.size() == 1);
    CHECK(uneven.tables[0].rows[0].times.front().count() == 2.0 * 1e-6);
    for (auto const* contradiction : {"4000 640 2.00 8000.00 2000000", "4000 640 2.00 1000.00 250000"})
        CHECK(text(contradiction).tables.at(0).no_model ==
              "line 4: Mbytes/sec: contradicts the time: is one in another unit?");
}

TEST_CASE("a benchmark's name ends before its layout") {
    auto const found = read({"# Benchmarking Stencil2D (2 x 2)", "# #processes = 4",
                             "#bytes #repetitions t[usec] Mbytes/sec Msg/sec", "4 640 2.00 8.00 2000000"});
    REQUIRE(found.tables.size() == 1);
    CHECK(found.tables[0].what.program == "Stencil2D");
    CHECK(found.tables[0].no_model == "no model describes it");
}

TEST_CASE("values are printed in a readable unit, and read in it") {
    CHECK(quantity(1.5e9, "B/s") == "1.500 GB/s");
    CHECK(quantity(524288, "B") == "512.0 KiB");
    CHECK(quantity(2.5e-7, "s") == "250.0 ns");
    CHECK(quantity(1e-10, "s/B") == "100.0 ps/B");
    CHECK(quantity(4.5, "") == "4.500");
    CHECK(read_quantity("512KiB", "B", "C") == 524288);
    CHECK(read_quantity("0.5 GB/s", "B/s", "B_r") == 5e8);
    CHECK(read_quantity("512k", "B", "C") == 524288);
    CHECK_THROWS(read_quantity("1e308GB/s", "B/s", "B_r"));
}
