// SPDX-License-Identifier: BSL-1.0
#include "../report/support.hpp"

#include <sonde/drawing/gnuplot.hpp>
#include <sonde/drawing/plot.hpp>
#include <sonde/drawing/sample_pages.hpp>
#include <sonde/drawing/size_figures.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using reports::example;
using sonde::bandwidth_figure;
using sonde::latency_figure;
using sonde::samples_page;

namespace {

/// A record of that many equal samples, with further settings.
sonde::record flat(std::size_t bytes, int ns, std::string const& link = "ssend", std::size_t samples = 60) {
    auto r = example(bytes);
    r.point.parameters.back() = {"link", link};
    r.series.assign(samples, reports::ns(ns));
    return r;
}

} // namespace

TEST_CASE("a latency curve is the one-way median over the sizes, in ascending order, with its interval") {
    auto r = example(1024); // 1 to 8 us in 8 samples, of a round trip
    auto const f = latency_figure({r, flat(8, 2000)});
    REQUIRE(f.curves.size() == 1);
    auto const& c = f.curves.front();
    CHECK(c.x == std::vector<double>{8, 1024});
    CHECK(c.y.front().value() == doctest::Approx(1));
    CHECK(c.y.back().value() == doctest::Approx(2.25));
    CHECK(c.low.back() <= c.y.back());
    CHECK(c.high.back() >= c.y.back());
    CHECK(f.y_axis.label == "latency (us)");
    CHECK(c.name == "measured");
}

TEST_CASE("a bandwidth curve is of all initiators together, with the lower end of its interval below the upper one") {
    auto r = example(4096);
    r.series = {};
    for (int i = 0; i != 60; ++i) r.series.push_back(reports::ns(1000 + 10 * (i * 37 % 60)));
    auto const f = bandwidth_figure({r});
    auto const& c = f.curves.at(0);
    CHECK(c.y.at(0).value() == doctest::Approx(4096 / 1.295));
    CHECK(c.low.at(0) < c.y.at(0));
    CHECK(c.high.at(0) > c.y.at(0));
    CHECK(f.y_axis.label == "bandwidth (MB/s)");
    r.total.bytes = 0;
    CHECK(bandwidth_figure({r}).curves.empty());
}

TEST_CASE("common parameters of all records are the title, different ones name the curves") {
    auto const f = latency_figure({flat(1, 10), flat(1, 20, "isend"), flat(2, 10), flat(2, 20, "isend")});
    CHECK(f.title == "ping_pong, median, 95 % interval");
    REQUIRE(f.curves.size() == 2);
    CHECK(f.curves[0].name == "link=ssend");
    CHECK(f.curves[1].name == "link=isend");
    CHECK(f.curves[1].x == std::vector<double>{1, 2});
}

TEST_CASE("a title names an interval only if there is one") {
    CHECK(latency_figure({flat(1, 10, "ssend", 1), flat(2, 10, "ssend", 1)}).title == "ping_pong  link=ssend, median");
    CHECK(latency_figure({flat(1, 10, "ssend", 1), flat(2, 10)}).title ==
          "ping_pong  link=ssend, median, 95 % interval");
    auto const two = latency_figure({flat(1, 10, "ssend", 1), flat(1, 10, "isend")},
                                    {sonde::median_estimator(), sonde::percentile_estimator(0.5)});
    CHECK(two.curves.at(0).name == "link=ssend, median");
    CHECK(two.curves.at(2).name == "link=isend, median, 95 % interval");
}

TEST_CASE("the number of repetitions makes no other curve") {
    auto a = flat(1, 10), b = flat(2, 10);
    a.point.parameters.emplace_back("repetitions", 1000);
    b.point.parameters.emplace_back("repetitions", 10);
    CHECK(latency_figure({a, b}).curves.size() == 1);
}

TEST_CASE("each estimator is a curve; too few samples for it leave a gap") {
    auto const f = latency_figure({flat(1, 10, "ssend", 1000), flat(2, 10)},
                                  {sonde::median_estimator(), sonde::percentile_estimator(0.99)});
    REQUIRE(f.curves.size() == 2);
    CHECK(f.curves[0].name == "median, 95 % interval");
    CHECK(f.curves[1].name == "P99");
    CHECK(f.curves[1].low.empty());
    CHECK(f.curves[1].y[0].value() == doctest::Approx(0.005));
    CHECK_FALSE(f.curves[1].y[1].has_value());
}

TEST_CASE("a record without bytes is a gap") {
    auto r = flat(1, 10);
    r.point.parameters.erase(r.point.parameters.begin());
    auto const f = latency_figure({r, flat(2, 10)});
    CHECK_FALSE(f.curves.at(0).y.at(0).has_value());
    CHECK(f.curves.at(0).y.at(1).has_value());
}

TEST_CASE("a record without samples is a gap") {
    CHECK_FALSE(latency_figure({flat(1, 10, "ssend", 0), flat(2, 10)}).curves.at(0).y.at(0).has_value());
}

TEST_CASE("several messages in flight have no latency: the axis is labeled one-way time") {
    auto r = flat(8, 1000);
    r.total.messages = 64 * 2 * 2;
    CHECK(latency_figure({r}).y_axis.label == "one-way time (us)");
    auto halo = r;
    halo.total.hops = 1;
    CHECK(latency_figure({halo}).y_axis.label == "time of an iteration (us)");
    CHECK(latency_figure({halo, r}).y_axis.label == "one-way time (us)");
    CHECK(sonde::detail::time_label({halo}) == "time of an iteration (us)");
}

TEST_CASE("several sizes are curves, bandwidth if bytes move, and samples of each series; one size is its samples") {
    auto const sizes = sonde::detail::size_plot_pages({flat(1, 10), flat(2, 20), flat(1, 10, "isend")}, {});
    CHECK(sizes.figures.size() == 2);
    CHECK(sizes.samples.size() == 2);
    auto silent = flat(1, 10), longer = flat(2, 10);
    silent.total.bytes = longer.total.bytes = 0;
    CHECK(sonde::detail::size_plot_pages({silent, longer}, {}).figures.size() == 1);
    auto const one = sonde::detail::size_plot_pages({flat(8, 10)}, {});
    REQUIRE(one.figures.size() == 1);
    CHECK(one.figures[0].find("with points pointtype dot") != std::string::npos);
    auto const beside = sonde::detail::size_plot_pages({flat(8, 10), flat(8, 20, "isend")}, {});
    REQUIRE(beside.figures.size() == 1);
    CHECK(beside.figures[0].find("('link=ssend' 1, 'link=isend' 2)") != std::string::npos);
}

TEST_CASE("more than ten curves are split by name, and those of a name by tens") {
    std::vector<sonde::record> records;
    for (auto const* name : {"allreduce", "bcast"})
        for (int link = 0; link != 6; ++link)
            for (std::size_t const bytes : {1U, 2U}) {
                records.push_back(flat(bytes, 10, std::to_string(link)));
                records.back().point.name = name;
            }
    CHECK(sonde::detail::size_plot_pages(records, {}).figures.size() == 4);
    for (auto& r : records) r.point.name += r.point.parameters.back().text; // twelve names
    CHECK(sonde::detail::size_plot_pages(records, {}).figures.size() == 24);
    records.resize(20);
    CHECK(sonde::detail::size_plot_pages(records, {}).figures.size() == 2);
    records.clear();
    for (std::size_t const bytes : {1U, 2U})
        for (int link = 0; link != 23; ++link) records.push_back(flat(bytes, 10, std::to_string(link)));
    CHECK(sonde::detail::size_plot_pages(records, {}).figures.size() == 6);
}

TEST_CASE("records without initiators are gaps among others, and alone no figure") {
    auto const no_initiators = reports::record_without_initiators();
    CHECK_FALSE(latency_figure({no_initiators, flat(16, 10)}).curves.at(0).y.at(0).has_value());
    CHECK(sonde::detail::sample_page(no_initiators, {}).empty());
    CHECK(sonde::detail::size_plot_pages({no_initiators}, {}).figures.empty());
    auto longer = no_initiators;
    longer.point.parameters = {{"bytes", 16}};
    auto const all = sonde::detail::size_plot_pages({no_initiators, longer}, {});
    CHECK(all.figures.empty());
    CHECK(all.samples.empty());
}

TEST_CASE("a page shows every sample, labels both axes and names the median") {
    CHECK(
        samples_page("Size: 8, Avg:2", "sample", "time (us)", {1, 2.5, 4}) ==
        "reset\n"
        "$samples << end_of_samples\n1\n2.5\n4\nend_of_samples\n"
        "set title 'Size: 8, Avg:2'\nset xlabel 'sample'\nset ylabel 'time (us)'\nset yrange [0.85:4.15]\n"
        "set key above right horizontal samplen 2\n"
        "if (GPVAL_TERM ne 'dumb') set grid ytics linetype 1 linecolor '#dddddd'\n"
        "dot = GPVAL_TERM eq 'dumb' ? 0 : 7\n"
        "plot [0:3] $samples using 0:1 with points pointtype dot pointsize 0.5 linecolor '#0072B2' title 'time (us)', "
        "2.5 with lines linecolor '#D55E00' title 'median 2.500'\n");
}

TEST_CASE("outliers get a logarithmic axis with the labels of figures, unless a sample is zero") {
    CHECK(samples_page("", "", "", {3, 3, 16}).find("set logscale y\nset ytics ('' 3 1, '' 4 1, '5' 5, '' 6 1, ") !=
          std::string::npos);
    CHECK(samples_page("", "", "", {3, 3, 15}).find("logscale") == std::string::npos);
    CHECK(samples_page("", "", "", {0, 3, 16}).find("logscale") == std::string::npos);
}

TEST_CASE("equal samples have an axis range around them") {
    CHECK(samples_page("", "", "", {2, 2}).find("\nset yrange [1:3]\n") != std::string::npos);
    CHECK(samples_page("", "", "", {0, 0}).find("\nset yrange [-1:1]\n") != std::string::npos);
    CHECK(samples_page("", "", "", {1, 2}).find("\nset yrange [0.95:2.05]\n") != std::string::npos);
}

TEST_CASE("NaN samples are left out of the median, and a page of NaN alone is refused") {
    auto const nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(samples_page("", "", "", {1, nan, 3}).find("title 'median 2.000'") != std::string::npos);
    CHECK_THROWS_AS(samples_page("", "", "", {nan}), std::invalid_argument);
    CHECK_THROWS_AS(samples_page("", "", "", {}), std::invalid_argument);
}

TEST_CASE("a legend has four digits") {
    CHECK(sonde::detail::four_digits(0.0012345) == "0.001234");
    CHECK(sonde::detail::four_digits(12.3456) == "12.35");
    CHECK(sonde::detail::four_digits(50764.4) == "50764");
    CHECK(sonde::detail::four_digits(0) == "0.000");
    CHECK(sonde::detail::four_digits(1.5e-9) == "1.500e-09");
    CHECK(sonde::detail::four_digits(-2) == "-2.000");
}

TEST_CASE("texts are strings to gnuplot, with any characters") {
    CHECK(sonde::gnuplot_quoted("it's") == "'it''s'");
    CHECK(sonde::gnuplot_quoted("a\nb\\n`id`$x") == "'a b\\n`id`$x'");
    CHECK(sonde::gnuplot_quoted("\x7f") == "' '");
}

TEST_CASE("canvases have the requested sizes") {
    CHECK(sonde::canvas::tty().terminal == "dumb mono noenhanced size 120,40");
    CHECK(sonde::canvas::tty(80, 24).terminal == "dumb mono noenhanced size 80,24");
    CHECK(sonde::canvas::png("x").terminal == "pngcairo linewidth 2 size 2048,1080 noenhanced font 'sans,25'");
    CHECK(sonde::canvas::png("x", 640, 400).terminal == "pngcairo linewidth 2 size 640,400 noenhanced font 'sans,12'");
    CHECK(sonde::canvas::pdf("x.pdf").path == "x.pdf");
}
