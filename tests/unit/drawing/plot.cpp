// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/drawing/sample_pages.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using sonde::samples_page;

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
