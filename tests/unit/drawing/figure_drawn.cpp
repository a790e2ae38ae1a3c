// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/plot.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "../report/support.hpp"

using reports::example;
using reports::has;
using reports::no_gnuplot;
using sonde::canvas;

namespace {

/// Three sizes with two links.
void draw_six(sonde::size_plot draw) {
    for (std::size_t const bytes : {0U, 1024U, 1048576U})
        for (auto const* link : {"ssend", "isend"}) {
            auto r = example(bytes);
            r.point.parameters.back() = {"link", link};
            draw(r);
        }
}

/// PATH without gnuplot.
class empty_path {
public:
    empty_path() { setenv("PATH", "/nowhere", 1); }
    empty_path(empty_path const&) = delete;
    ~empty_path() { setenv("PATH", before_.c_str(), 1); }

private:
    std::string before_ = std::getenv("PATH");
};

} // namespace

TEST_CASE("an SVG of several sizes has both figures, legends, sizes and units (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    draw_six(sonde::size_plot{folder / "x.svg"});
    CHECK(folder.files() == 1);
    auto const picture = reports::contents(folder / "x.svg");
    for (auto const* text : {"link=ssend", "link=isend", "latency (us)", "bandwidth (MB/s)", "1 KiB", "1 MiB",
                             "ping_pong, median, 95 % interval", "message size (bytes), without 0"})
        CHECK_MESSAGE(has(picture, text), text);
    CHECK(has(picture, "viewBox=\"0 0 1024 970\""));
    CHECK(has(picture, "</svg>"));
}

TEST_CASE("a PDF has a page for each figure and series, drawn when the last copy is destroyed (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    {
        sonde::size_plot draw{folder / "x.pdf"};
        std::function<void(sonde::record const&)> const copy = draw;
        draw_six(draw);
        CHECK(reports::contents(folder / "x.pdf").empty());
    }
    CHECK(has(reports::contents(folder / "x.pdf"), "/Count 4"));
    draw_six(sonde::size_plot{folder / "x.png"});
    CHECK(reports::contents(folder / "x.png").substr(1, 3) == "PNG");
}

TEST_CASE("a terminal gets the figures as characters (needs gnuplot)" * doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    auto* const file = std::fopen((folder / "tty").c_str(), "w");
    draw_six(sonde::size_plot{canvas::tty(80, 24, file)});
    std::fclose(file);
    auto const text = reports::contents(folder / "tty");
    for (auto const* part : {"latency (us)  ping_pong", "bandwidth (MB/s)  ping_pong", "link=isend", "1 KiB"})
        CHECK_MESSAGE(has(text, part), part);
}

TEST_CASE("a size plot with an unknown file suffix is refused, with or without gnuplot") {
    for (auto const* name : {"x.txt", "x", "svg", "x.svg.gz"})
        CHECK_THROWS_WITH_AS(sonde::size_plot{name},
                             ("a picture's file ends in .svg, .png or .pdf: not '" + std::string{name} + "'").c_str(),
                             std::invalid_argument);
}

TEST_CASE("a size plot that cannot be written throws before the first record (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    CHECK_THROWS_WITH_AS(sonde::size_plot{"/no/folder/x.svg"},
                         "cannot write '/no/folder/x.svg': No such file or directory", std::system_error);
}

TEST_CASE("gnuplot_not_found is thrown before the first record, and leaves no file") {
    reports::scratch_folder folder;
    empty_path const without;
    CHECK_THROWS_WITH_AS(sonde::size_plot{folder / "x.svg"},
                         "plots are drawn by gnuplot, and 'gnuplot' cannot be started: No such file or directory",
                         sonde::gnuplot_not_found);
    CHECK(folder.files() == 0);
}

TEST_CASE("a failure in the destructor is printed, and leaves the previous picture (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    sonde::output_file{folder / "x.svg"}.line("a good picture");
    std::optional<sonde::size_plot> draw{folder / "x.svg"};
    (*draw)(example(1));
    (*draw)(example(2));
    empty_path const without;
    CHECK_NOTHROW(draw.reset());
    CHECK(reports::contents(folder / "x.svg") == "a good picture\n");
}

TEST_CASE("finish() throws a failure once (needs gnuplot)" * doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    sonde::size_plot sizes{folder / "x.svg"};
    sonde::sample_plot samples{canvas::pdf(folder / "x.pdf")};
    sonde::size_plot full{canvas{canvas::for_file("x.svg").terminal, "/dev/full"}};
    for (std::size_t const bytes : {1U, 2U}) {
        sizes(example(bytes));
        samples(example(bytes));
    }
    empty_path const without;
    CHECK_THROWS_AS(sizes.finish(), sonde::gnuplot_not_found);
    CHECK_NOTHROW(sizes.finish());
    CHECK_THROWS_AS(samples.finish(), sonde::gnuplot_not_found);
    CHECK_NOTHROW(full.finish()); // without records there is no picture
}

TEST_CASE("a picture that does not fit on its disk throws (needs gnuplot)" * doctest::skip(no_gnuplot)) {
    CHECK_THROWS_WITH_AS(sonde::draw({"svg", "/dev/full"}, "plot x\n"),
                         "cannot write '/dev/full': No space left on device", std::system_error);
}

TEST_CASE("a picture that gnuplot cannot draw leaves the previous one (needs gnuplot)" * doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    sonde::output_file{folder / "x.svg"}.line("a good picture");
    CHECK_THROWS_AS(sonde::draw(canvas::svg(folder / "x.svg"), "exit status 3\n"), std::runtime_error);
    CHECK(reports::contents(folder / "x.svg") == "a good picture\n");
}

TEST_CASE("a finished picture is not drawn again by the destructor (needs gnuplot)" * doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    {
        sonde::size_plot draw{folder / "x.svg"};
        draw_six(draw);
        draw.finish();
        CHECK(has(reports::contents(folder / "x.svg"), "</svg>"));
        sonde::output_file{folder / "x.svg"}.line("another's");
    }
    CHECK(reports::contents(folder / "x.svg") == "another's\n");
}
