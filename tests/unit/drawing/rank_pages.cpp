// SPDX-License-Identifier: BSL-1.0
#include "../report/support.hpp"

#include <sonde/drawing/gnuplot.hpp>
#include <sonde/drawing/rank_pages.hpp>
#include <sonde/drawing/speedup_page.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using reports::has;
using reports::steady;

namespace {

/// A record in which rank r needs (r + 1) us in each sample but the last, and 1000 times that in the last.
sonde::record growing(int ranks, std::size_t samples) {
    auto r = reports::example(8);
    r.ranks = ranks;
    auto& times = r.rank_samples.emplace();
    for (int rank = 0; rank != ranks; ++rank)
        for (std::size_t i = 0; i != samples; ++i)
            times.push_back(reports::ns(1000LL * (rank + 1) * (i + 1 == samples ? 1000 : 1)));
    return r;
}

/// The lines of the datablock `$cells`.
std::vector<std::string> cells(std::string const& page) {
    std::vector<std::string> lines;
    auto const end = page.find("end_of_cells\nset");
    for (auto at = page.find("end_of_cells\n") + 13; at < end;) {
        auto const next = page.find('\n', at);
        lines.push_back(page.substr(at, next - at));
        at = next + 1;
    }
    return lines;
}

} // namespace

TEST_CASE("strip: a row for each rank, a column for each sample") {
    auto const page = sonde::rank_strip_page("title", growing(3, 4));
    CHECK(cells(page) == std::vector<std::string>{"1 1 1 1000", "2 2 2 2000", "3 3 3 3000"});
    CHECK(has(page, "set title 'title'\n"));
    CHECK(has(page, "set cblabel 'time of an iteration (us)'\n"));
    CHECK(has(page, "set xrange [0:4]\nset yrange [3 - 0.5:-0.5]\n"));
    CHECK(has(page, "(($1 + 0.5) * 1):(($2 + 0.5) * 1 - 0.5):3 "));
}

TEST_CASE("strip: cells of many ranks and samples have the largest time") {
    auto const page = sonde::rank_strip_page("", growing(80, 240));
    auto const rows = cells(page);
    REQUIRE(rows.size() == 40);
    CHECK(rows.front().starts_with("2 2 2 "));
    CHECK(rows.front().ends_with(" 2 2000"));
    CHECK(rows.back().starts_with("80 80 "));
    std::size_t blanks = 0;
    for (char const c : rows.back()) blanks += c == ' ';
    CHECK(blanks == 119);
    CHECK(has(page, "set cblabel 'largest time of a cell (us)'\n"));
    CHECK(has(page, "set xrange [0:240]\nset yrange [80 - 0.5:-0.5]\n"));
    CHECK(has(page, "(($1 + 0.5) * 2):(($2 + 0.5) * 2 - 0.5):3 "));
}

TEST_CASE("strip: each sample is in one cell where the samples are no multiple of the cells") {
    auto r = growing(1, 121);
    for (std::size_t i = 0; i != 121; ++i) r.rank_samples->at(i) = reports::ns(1000 * static_cast<long long>(i + 1));
    auto const row = cells(sonde::rank_strip_page("", r)).front();
    CHECK(row.starts_with("1 2 3 ")); // all cells but the last have one sample
    CHECK(row.ends_with(" 118 119 121"));
}

TEST_CASE("strip: a time of zero has no color, and without another time there is no page") {
    auto r = growing(2, 2);
    r.rank_samples->front() = {};
    CHECK(cells(sonde::rank_strip_page("", r)).front() == "NaN 1000");
    r.rank_samples->assign(4, {});
    CHECK_THROWS_AS((void)sonde::rank_strip_page("", r), std::invalid_argument const&);
}

TEST_CASE("violins: of more than 32 ranks, those with the largest medians") {
    auto const all = sonde::rank_violin_page("", growing(32, 4));
    CHECK(has(all, "set xlabel 'rank'\n"));
    CHECK(has(all, "set xtics ('0' 1,"));
    auto const some = sonde::rank_violin_page("", growing(40, 4));
    CHECK(has(some, "set xlabel 'rank: the 32 of 40 with the largest medians'\n"));
    CHECK(has(some, "set xtics ('8' 1,"));
}

TEST_CASE("a record without rank samples has no pages of ranks") {
    auto r = growing(2, 2);
    r.rank_samples.reset();
    CHECK_THROWS_WITH_AS((void)sonde::rank_strip_page("", r),
                         "sonde::rank_strip_page: the record of 'ping_pong' has no rank samples",
                         std::invalid_argument const&);
    CHECK_THROWS_WITH_AS((void)sonde::rank_violin_page("", r),
                         "sonde::rank_violin_page: the record of 'ping_pong' has no rank samples",
                         std::invalid_argument const&);
}

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
