// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/gnuplot.hpp>
#include <sonde/drawing/speedup_page.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "../report/support.hpp"

using reports::has;
using reports::steady;

namespace {

/// Alternatives with each outcome by a gain of 2 %. The times have no ticks, so that intervals are points.
sonde::comparison each_outcome() {
    sonde::comparison found{{steady("base", 8000, 40), steady("fast", 4000, 40), steady("slow", 16000, 40),
                             steady("it's like it", 8000, 40), steady("", 7960, 40)}};
    for (auto& r : found.records) r.clock_properties.resolution = {};
    return found;
}

std::string block(std::string const& page, std::string const& name) {
    auto const begin = page.find('$' + name + " << end_of_points\n");
    if (begin == page.npos) return {};
    auto const first = page.find('\n', begin) + 1;
    return page.substr(first, page.find("end_of_points\n", first) - first);
}

} // namespace

TEST_CASE("speed-ups are points with intervals, of each outcome its own, in the rows of the alternatives") {
    auto const page = sonde::speedup_page("a title", each_outcome(), {.gain = 0.02});
    CHECK(block(page, "faster") == "2 1 2 2\n");
    CHECK(block(page, "slower") == "0.5 2 0.5 0.5\n");
    CHECK(block(page, "undecided").starts_with("1 3 1 1\n1.005025"));
    CHECK(has(page, "set title 'a title'"));
    CHECK(has(page, "set ytics ('fast' 1, 'slow' 2, 'it''s like it' 3, 'alternative 4' 4)"));
    CHECK(has(page, "set yrange [5 - 0.4:0.4]"));
    CHECK(has(page, "plot $faster using 1:2:3:4 with xerrorbars"));
    auto const same = sonde::speedup_page("", {{steady("a", 1, 40), steady("b", 1, 40)}});
    CHECK(!has(same, "$faster"));
    CHECK(!has(same, "$slower"));
}

TEST_CASE("an interval of speed-ups is drawn from end to end, and without an interval there is the point alone") {
    sonde::comparison found{{steady("base", 8000, 40), reports::faster_by_2_to_4()}};
    found.records[0].clock_properties.resolution = {};
    CHECK(block(sonde::speedup_page("", found), "faster").ends_with(" 1 2 4\n"));
    for (auto& r : found.records) r.series.resize(3);
    CHECK(block(sonde::speedup_page("", found), "undecided") == "4 1 4 4\n");
}

TEST_CASE("the base is a line, and the gain of the criterion an area around it") {
    auto const page = sonde::speedup_page("", each_outcome(), {.gain = 0.25});
    CHECK(has(page, "set arrow 1 from 1, graph 0 to 1, graph 1 nohead"));
    CHECK(has(page, "set object 1 rectangle from first 0.8, graph 0 to first 1.25, graph 1 behind"));
    CHECK(!has(sonde::speedup_page("", each_outcome()), "set object"));
}

TEST_CASE("the axis of speed-ups is logarithmic from a factor of 4 on") {
    auto found = each_outcome();
    CHECK(has(sonde::speedup_page("", found), "set logscale x"));
    found.records[1] = steady("fast", 5000, 40);
    CHECK(!has(sonde::speedup_page("", found), "set logscale x"));
}

TEST_CASE("parameters that all alternatives have are not repeated at each, and long names have several lines") {
    auto found = each_outcome();
    for (auto& r : found.records) r.point.parameters = {{"bytes", 8}};
    auto const low = sonde::detail::speedup_page_height(found);
    found.records[1].point.parameters.emplace_back("chunk", 4);
    CHECK(has(sonde::speedup_page("", found), "set ytics ('fast (chunk 4)' 1, 'slow' 2,"));
    found.records[1].point.name = "an exchange whose name is longer than a line";
    CHECK(
        has(sonde::speedup_page("", found), "('an exchange whose name is '.\"\\n\".'longer than a line (chunk 4)' 1"));
    CHECK(sonde::detail::speedup_page_height(found) == low + 18);
    found.records[1].point.name = std::string(40, 'x');
    CHECK(has(sonde::speedup_page("", found), "('" + std::string(28, 'x') + "\u2026'.\"\\n\".'(chunk 4)' 1"));
}

TEST_CASE("a comparison without an alternative beside the base has no page") {
    CHECK_THROWS_AS((void)sonde::speedup_page("", {{steady("base", 1, 40)}}), std::invalid_argument);
}

TEST_CASE("gnuplot draws speed-ups, also as characters (needs gnuplot)" * doctest::skip(reports::no_gnuplot)) {
    reports::scratch_folder folder;
    auto found = each_outcome();
    found.records[1].point.name = "an exchange whose name is longer than a line";
    auto const page = sonde::speedup_page("title", found, {.gain = 0.02});
    sonde::draw(sonde::canvas::svg(folder / "x.svg"), page);
    auto const picture = reports::contents(folder / "x.svg");
    for (auto const* text : {"speed-up over the base", "longer than a line", "slow", "undecided", "faster", "title"})
        CHECK_MESSAGE(has(picture, text), text);
    auto* const file = std::fopen((folder / "tty").c_str(), "w");
    sonde::draw(sonde::canvas::tty(80, 24, file), page);
    std::fclose(file);
    CHECK(has(reports::contents(folder / "tty"), "speed-up over the base"));
}
