// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/plot.hpp>
#include <sonde/measure/record.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "../report/support.hpp"

using reports::example;
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
