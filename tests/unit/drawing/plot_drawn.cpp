// SPDX-License-Identifier: BSL-1.0
#include "../report/support.hpp"

#include <sonde/drawing/plot.hpp>
#include <sonde/measure/record.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

using reports::example;
using reports::has;
using reports::no_gnuplot;
using sonde::canvas;

namespace {

int big_endian(std::string const& bytes, std::size_t at) {
    int value = 0;
    for (std::size_t i = 0; i != 4; ++i) value = 256 * value + static_cast<unsigned char>(bytes.at(at + i));
    return value;
}

std::size_t lines_of(std::string const& text) {
    std::size_t lines = 0;
    for (char const c : text) lines += c == '\n';
    return lines;
}

std::string drawn_as_text(sonde::record const& r) {
    reports::scratch_folder folder;
    auto* const file = std::fopen((folder / "tty").c_str(), "w");
    sonde::sample_plot{canvas::tty(80, 24, file)}(r);
    std::fclose(file);
    return reports::contents(folder / "tty");
}

} // namespace

TEST_CASE("without gnuplot an error names its purpose and its path") {
    CHECK_THROWS_WITH_AS(
        sonde::run_gnuplot("", stdout, "no-such-gnuplot"),
        "plots are drawn by gnuplot, and 'no-such-gnuplot' cannot be started: No such file or directory",
        std::system_error);
}

TEST_CASE("a script that gnuplot refuses is an error (needs gnuplot)" * doctest::skip(no_gnuplot)) {
    CHECK_THROWS_WITH_AS(sonde::run_gnuplot("exit status 3"), "gnuplot failed", std::runtime_error);
}

TEST_CASE("gnuplot has a locale with all characters, whatever the program's (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    auto const* const before = std::getenv("LC_ALL");
    std::string const saved = before != nullptr ? before : "";
    setenv("LC_ALL", "C", 1);
    CHECK_NOTHROW(sonde::run_gnuplot("if (system('echo $LC_ALL') ne 'C.UTF-8') exit status 3"));
    before != nullptr ? setenv("LC_ALL", saved.c_str(), 1) : unsetenv("LC_ALL");
}

TEST_CASE("a picture of characters has title, values and median, and the terminal's size (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    auto const text = drawn_as_text(example());
    CHECK(text.find("ping_pong  bytes=4096  link=ssend") != std::string::npos);
    CHECK(text.find("time of an iteration (us)") != std::string::npos);
    CHECK(text.find("median 4.500") != std::string::npos);
    CHECK(text.find("sample") != std::string::npos);
    CHECK(lines_of(text) == 24);
}

TEST_CASE("gnuplot prints a title literally, with any characters (needs gnuplot)" * doctest::skip(no_gnuplot)) {
    auto r = example();
    r.point = {"it's_a `id` \"title\" {/Bold x}", {}};
    CHECK(drawn_as_text(r).find(r.point.name) != std::string::npos);
}

TEST_CASE("each record gets a PNG of its own, 2048 x 1080, and no other file stays (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    sonde::sample_plot plot{canvas::png(folder / "x.png")};
    plot(example(8));
    plot(example(16));
    CHECK(folder.files() == 2);
    for (auto const* name : {"x-ping_pong-8-ssend.png", "x-ping_pong-16-ssend.png"}) {
        auto const picture = reports::contents(folder / name);
        CHECK(picture.substr(1, 3) == "PNG");
        CHECK(big_endian(picture, 16) == 2048);
        CHECK(big_endian(picture, 20) == 1080);
    }
}

TEST_CASE("a PDF holds a page for each record, drawn when the last copy of the reporter is destroyed (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    {
        sonde::sample_plot plot{canvas::pdf(folder / "x.pdf")};
        std::function<void(sonde::record const&)> const copy = plot;
        plot(example(8));
        copy(example(16));
        plot(example(32));
    }
    CHECK(folder.files() == 1);
    auto const text = reports::contents(folder / "x.pdf");
    CHECK(text.rfind("%PDF", 0) == 0);
    CHECK(text.find("/Count 3") != std::string::npos);
}

TEST_CASE("a metric is drawn instead of the time, under its own name (needs gnuplot)" * doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    sonde::sample_plot plot{
        canvas::svg(folder / "x.svg"),
        {"bandwidth (MB/s)", [](sonde::record const& r, sonde::seconds t) { return sonde::bandwidth(r, t) / 1e6; }}};
    auto r = example(1000);
    r.series = {reports::ns(1000)};
    plot(r);
    auto const picture = reports::contents(folder / "x-ping_pong-1000-ssend.svg");
    CHECK(picture.find("bandwidth (MB/s)") != std::string::npos);
    CHECK(picture.find("median 1000") != std::string::npos);
}

TEST_CASE("a picture that cannot be written throws before the first record (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    CHECK_THROWS_WITH_AS(sonde::sample_plot{canvas::png("/no/folder/x.png")},
                         "cannot write into '/no/folder/': No such file or directory", std::system_error);
    CHECK_THROWS_WITH_AS(sonde::sample_plot{canvas::pdf("/no/folder/x.pdf")},
                         "cannot write '/no/folder/x.pdf': No such file or directory", std::system_error);
}

TEST_CASE("a picture's file is named after its point, in the given folder") {
    CHECK(sonde::detail::point_label({"put get", {{"bytes", 8}, {"path", "a/b"}}}) == "put_get-8-a_b");
    CHECK(sonde::detail::point_label({"", {{"bytes", 8}}}) == "8");
    CHECK(sonde::detail::labeled_path("out.d/x.png", "8") == "out.d/x-8.png");
    CHECK(sonde::detail::labeled_path("out.d/x", "8") == "out.d/x-8");
    CHECK(sonde::detail::labeled_path("x.png", "") == "x.png");
}

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

TEST_CASE("gnuplot_not_found is thrown before the first record, and leaves no file") {
    reports::scratch_folder folder;
    reports::no_programs const without;
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
    reports::no_programs const without;
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
    reports::no_programs const without;
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
