// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/rank_pages.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "../report/support.hpp"

using reports::has;

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

TEST_CASE("a rank that finished last is named with the medians, without a word about its cause") {
    auto r = growing(4, 100);
    r.stop.samples = 100;
    r.slowest_counts = std::vector<std::size_t>{1, 1, 1, 97};
    CHECK(sonde::straggler_texts(r).empty());
    r.stragglers = {3};
    std::string const named = "Rank 3 finished last in 97 of 100 samples";
    CHECK(sonde::straggler_texts(r) ==
          std::vector{named + "; its median is 4.000 us, that of the ranks' medians 2.500 us."});
    r.rank_samples.reset();
    CHECK(sonde::straggler_texts(r) == std::vector{named + '.'});
    r.slowest_counts.reset(); // on another rank than 0
    CHECK(sonde::straggler_texts(r).empty());
}
