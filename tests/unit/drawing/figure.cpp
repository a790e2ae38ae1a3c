// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/figure.hpp>
#include <sonde/drawing/sample_pages.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "../report/support.hpp"

using reports::has;
using sonde::axis_scale;
using sonde::curve;
using sonde::figure;
using sonde::figure_page;
using sonde::detail::binary_tics;
using sonde::detail::decade_tics;

namespace {

figure one_curve(curve c) { return {.title = "t", .y_axis = {"latency (us)"}, .curves = {std::move(c)}}; }

} // namespace

TEST_CASE(
    "sizes are powers of two, named in KiB and MiB, all of them with tics and only a readable number with labels") {
    CHECK(binary_tics({1, 8}, 10).text() == "('1' 1, '2' 2, '4' 4, '8' 8)");
    CHECK(binary_tics({1, 16}, 3).text() == "('1' 1, '' 2 1, '4' 4, '' 8 1, '16' 16)");
    CHECK(binary_tics({900, 3000}, 10).text() == "('1 KiB' 1024, '2 KiB' 2048)");
    for (int last = 1; last <= 40; ++last) {
        auto const text = binary_tics({1, std::exp2(last)}, 10).text();
        int labeled = 0;
        for (std::size_t i = 0; i + 1 < text.size(); ++i)
            labeled += text[i] == '\'' && text[i + 1] != '\'' && text[i + 1] != ' ';
        CHECK(labeled <= 10);
        CHECK(labeled >= 2);
    }
    CHECK(sonde::detail::binary_label(512) == "512");
    CHECK(sonde::detail::binary_label(32768) == "32 KiB");
    CHECK(sonde::detail::binary_label(1048576) == "1 MiB");
    CHECK(sonde::detail::binary_label(1536) == "1.5 KiB");
    CHECK(sonde::detail::binary_label(std::exp2(52)) == "4096 TiB");
}

TEST_CASE("values have labels at decades, between them in a small range, and evenly in a smaller one") {
    CHECK(has(decade_tics({0.5, 20000}).text(), "'1' 1, '' 2 1"));
    CHECK(has(decade_tics({0.5, 200000}).text(), "'100000' 1e+05"));
    CHECK(decade_tics({0.15, 1.1}).text() ==
          "('0.2' 0.2, '' 0.3 1, '' 0.4 1, '0.5' 0.5, '' 0.6 1, '' 0.7 1, '' 0.8 1, '' 0.9 1, '1' 1)");
    CHECK(decade_tics({1.28, 1.52}).text() == "('1.30' 1.3, '1.35' 1.35, '1.40' 1.4, '1.45' 1.45, '1.50' 1.5)");
    CHECK(sonde::detail::plain_number(1e-5) == "1e-05");
    CHECK(sonde::detail::plain_number(0.001) == "0.001");
}

TEST_CASE("a figure has logarithmic axes with labels, curves with marks, and models as lines without marks") {
    auto f = one_curve({"run a", {1, 1024}, {2, 8}});
    f.curves.push_back({"Hockney: alpha = 2 us", {1, 1024}, {2, 7}, {}, {}, false});
    auto const page = figure_page(f);
    CHECK(has(page, "\nset title 't'\n"));
    CHECK(has(page, "set xlabel 'message size (bytes)'\n"));
    CHECK(has(page, "set ylabel 'latency (us)'\n"));
    CHECK(has(page, "set logscale x 2\n"));
    CHECK(has(page, "set logscale y\n"));
    CHECK(has(page, "$curve_0 << end_of_points\n1 2 2 2 \n1024 8 8 8 \nend_of_points\n"));
    CHECK(has(page, "$curve_0 using 1:2 with linespoints pointsize 0.7 pointtype 7 linecolor '#0072B2' dashtype 1"
                    " title 'run a'"));
    CHECK(has(page, "$curve_1 using 1:2 with lines linecolor '#D55E00' dashtype 2 title 'Hockney: alpha = 2 us'"));
    CHECK(has(page, "set key below"));
    CHECK_FALSE(has(page, "filledcurves"));
}

TEST_CASE("an interval is a band in a picture, of a single point a bar, and not drawn on a terminal") {
    auto const page = figure_page(one_curve({"a", {1, 2}, {3, 4}, {2, 3}, {4, 5}}));
    CHECK(has(page, "1 3 2 4 \n2 4 3 5 \n"));
    auto const branch = page.find("} else {\nplot $curve_0 using 1:3:4 with filledcurves fillstyle transparent");
    CHECK(branch != std::string::npos);
    CHECK(page.find("filledcurves") > branch);
    CHECK(has(figure_page(one_curve({"a", {1}, {3}, {2}, {4}})), "$curve_0 with yerrorbars"));
}

TEST_CASE("an interval end that is missing or not finite is drawn at the point") {
    CHECK(has(figure_page(one_curve({"a", {1, 2}, {3, 4}, {0, {}}, {4, {}}})), "1 3 3 4 \n2 4 4 4 \n"));
    CHECK(has(figure_page(one_curve({"a", {1, 2}, {3, 4}, {0, NAN}, {4, NAN}})), "1 3 3 4 \n2 4 4 4 \n"));
}

TEST_CASE("size 0 is left out of a logarithmic axis, and the axis says so") {
    auto f = one_curve({"a", {0, 1, 2}, {3, 3, 4}});
    CHECK(has(figure_page(f), "set xlabel 'message size (bytes), without 0'\n"));
    CHECK(has(figure_page(f), "<< end_of_points\n\n1 3 3 3 \n"));
    CHECK_FALSE(has(figure_page(one_curve({"a", {NAN, 1}, {3, 3}})), "without 0"));
    f.x_axis.scale = axis_scale::linear;
    CHECK(has(figure_page(f), "set xlabel 'message size (bytes)'\n"));
    CHECK(has(figure_page(f), "\n0 3 3 3 \n"));
}

TEST_CASE(
    "a missing value interrupts a line, and so does a number that is not finite; a curve of these alone is left out") {
    auto f = one_curve({"a", {1, 2, 4}, {3, {}, 4}});
    f.curves.push_back({"gone", {1, 2, 4}, {NAN, INFINITY, {}}});
    CHECK(has(figure_page(one_curve({"a", {1, 2, 4}, {3, NAN, 4}})), "1 3 3 3 \n\n4 4 4 4 \n"));
    auto const page = figure_page(f);
    CHECK(has(page, "1 3 3 3 \n\n4 4 4 4 \n"));
    CHECK_FALSE(has(page, "gone"));
}

TEST_CASE("one point and equal values have an axis range around them") {
    CHECK(has(figure_page(one_curve({"a", {8}, {3}})), "set xrange [5.333333333333333:12]\n"));
    CHECK(has(figure_page(one_curve({"a", {8, 16}, {3, 3}})), "set yrange [2:4.5]\n"));
    auto linear = one_curve({"a", {0}, {0}});
    linear.x_axis.scale = linear.y_axis.scale = axis_scale::linear;
    CHECK(has(figure_page(linear), "set yrange [-1:1]\n"));
}

TEST_CASE("a figure without a point, or with x and y of different sizes, is refused") {
    CHECK_THROWS_WITH_AS(figure_page({.title = "t"}), "sonde::figure_page: 't' has no point to draw",
                         std::invalid_argument);
    CHECK_THROWS_AS(figure_page(one_curve({"a", {0, NAN}, {1, 1}})), std::invalid_argument);
    CHECK_THROWS_WITH_AS(figure_page(one_curve({"a", {1, 2}, {1}})),
                         "sonde::figure_page: x, y, low and high of 'a' have different sizes", std::invalid_argument);
    CHECK_THROWS_AS(figure_page(one_curve({"a", {1}, {1}, {1}})), std::invalid_argument);
}

TEST_CASE("ten curves differ without colors: each has its own mark and dashes") {
    std::vector<std::string> pens;
    for (std::size_t n = 0; n != 10; ++n) {
        sonde::detail::curve_style const style{n};
        auto const line = style.line();
        pens.push_back(style.marker() + line.substr(line.find(" dashtype")));
        for (std::size_t i = 0; i != n; ++i) CHECK(pens[i] != pens[n]);
    }
}

TEST_CASE("a name of several lines in the legend gives each as much height") {
    auto f = one_curve({"short", {1, 2}, {3, 4}});
    CHECK_FALSE(has(figure_page(f), "set key spacing"));
    f.curves.push_back({"five words of which each two fit", {1, 2}, {3, 4}});
    auto const page = figure_page(f, 12);
    CHECK(has(page, "title 'five words '.\"\\n\".'of which '.\"\\n\".'each two fit'"));
    CHECK(has(page, "\nset key spacing 3\n"));
    CHECK_FALSE(has(figure_page(f), "set key spacing"));
}

TEST_CASE("a long title continues in a second line between words") {
    CHECK(sonde::detail::gnuplot_lines("one two three", 8) == "'one two '.\"\\n\".'three'");
    CHECK(sonde::detail::gnuplot_lines("it's", 8) == "'it''s'");
    CHECK(sonde::detail::gnuplot_lines("longer-than-that", 8) == "'longer-than-that'");
    CHECK(sonde::detail::gnuplot_lines("", 8) == "''");
}

TEST_CASE("fifty samples are a violin, fewer or equal ones points, and each has its median") {
    std::vector<double> many, same(60, 7.0);
    for (int i = 0; i != 50; ++i) many.push_back(1 + i % 10);
    auto const page = sonde::violin_page("t", "size", "us", {{"8", many}, {"16", {3, 5}}, {"32", same}});
    CHECK(has(page, "$medians << end_of_points\n1 5.5\n2 4\n3 7\nend_of_points\n"));
    CHECK(has(page, "$samples << end_of_points\n2 3\n2 5\n3 7\n"));
    CHECK(has(page, "set xtics ('8' 1, '16' 2, '32' 3)\n"));
    CHECK(has(page, "$outlines << end_of_points\n1."));
    many.pop_back();
    CHECK(has(sonde::violin_page("t", "size", "us", {{"8", many}}), "$outlines << end_of_points\nend_of_points\n"));
    CHECK_THROWS_AS(sonde::violin_page("t", "size", "us", {{"8", {0, NAN, -1}}}), std::invalid_argument);
}

TEST_CASE("a density is highest at most of the samples, and ends with them") {
    std::vector<double> values(90, 10.0);
    for (double const v : {1.0, 2.0, 100.0}) values.push_back(v);
    for (int i = 0; i != 20; ++i) values.push_back(9.5 + i * 0.05);
    auto const density = sonde::detail::kernel_density(values);
    CHECK(density.front().value == doctest::Approx(1));
    CHECK(density.back().value == doctest::Approx(100));
    for (auto const& p : density) {
        CHECK((p.density >= 0 && p.density <= 1));
        if (p.density == 1) CHECK(p.value == doctest::Approx(10).epsilon(0.05));
        if (p.value > 20 && p.value < 80) CHECK(p.density < 0.1);
    }
}

TEST_CASE("values that differ by a rounding error are drawn as equal ones") {
    std::vector<double> values(60, 1000.0);
    values.back() = std::nextafter(1000.0, 1001.0);
    CHECK(std::log(values.front()) == std::log(values.back()));
    auto const page = sonde::violin_page("t", "size", "us", {{"8", values}});
    CHECK(has(page, "$outlines << end_of_points\nend_of_points\n"));
    CHECK(has(page, "$samples << end_of_points\n1 1000\n"));
    auto linear = one_curve({"a", {1, 2}, {1000, std::nextafter(1000.0, 1001.0)}});
    linear.y_axis.scale = axis_scale::linear;
    CHECK(has(figure_page(linear), "set yrange [499.99"));
}
