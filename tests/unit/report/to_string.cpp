// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/report/formatter.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>
#include <sonde/report/to_string.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using reports::example;
using sonde::detail::cell_text;

namespace {

std::string streamed(auto const& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

/// An alternative of which every round takes the same time.
sonde::record constant(char const* name, int nanoseconds, std::size_t rounds) {
    sonde::record r;
    r.point.name = name;
    r.series.assign(rounds, reports::ns(nanoseconds));
    return r;
}

} // namespace

TEST_CASE("to_string: intervals, speed-ups and estimates with their units, also of times below a nanosecond") {
    using sonde::to_string;
    CHECK(to_string(sonde::confidence_interval{reports::ns(17045), reports::ns(18117)}) == "17.045..18.117 us");
    CHECK(to_string(sonde::confidence_interval{sonde::seconds{2.5e-10}, reports::ns(1)}) == "0.000250..0.00100 us");
    CHECK(to_string(sonde::speedup_range{1.1, 2}) == "1.100..2.000");
    sonde::median_estimate m{reports::ns(17602), 21.4, {}};
    CHECK(to_string(m) == "17.602 us (tau 21.4)");
    m.interval = {reports::ns(17045), reports::ns(18117)};
    CHECK(to_string(m) == "17.602 us (17.045..18.117 us, tau 21.4)");
}

TEST_CASE("straggler_texts: who finished last, how often and by how much, without a word about its cause") {
    sonde::record r;
    r.stop.samples = 300;
    r.slowest_counts = std::vector<std::size_t>{10, 1, 250, 290};
    CHECK(sonde::straggler_texts(r).empty());
    r.stragglers = {2, 3};
    r.straggler_lags = {{reports::ns(250), 0.0625}, {reports::ns(12000), 0.11}};
    CHECK(sonde::straggler_texts(r) ==
          std::vector<std::string>{
              "Rank 2 finished last in 250 of 300 samples, at least 0.250 us (6.2 %) after the median rank.",
              "Rank 3 finished last in 290 of 300 samples, at least 12.0 us (11 %) after the median rank."});
    r.slowest_counts.reset(); // on another rank than 0
    CHECK(sonde::straggler_texts(r).empty());
}

TEST_CASE("to_string: traffic names what is not 1") {
    CHECK(to_string(sonde::traffic{}) == "0 bytes, 0 messages");
    CHECK(to_string(sonde::traffic{8192, 2, 2, 1.75, 4}) ==
          "8192 bytes, 2 messages, 2 hops, bus factor 1.75, shared by 4");
}

TEST_CASE("to_string: a point has its name and its parameters, and no control characters") {
    CHECK(to_string(sonde::point{}) == "");
    CHECK(to_string(sonde::point{"ring", {}}) == "ring");
    CHECK(to_string(sonde::point{"ring", {{"bytes", 8}, {"link", "a\nb"}}}) == "ring (bytes 8, link a b)");
    CHECK(to_string(sonde::point{"", {{"bytes", 8}}}) == "(bytes 8)");
}

TEST_CASE("to_string: a record has the columns of a table that have a value") {
    CHECK(to_string(example(65536)) ==
          "ping_pong (bytes 65536, link ssend): median 4.500 us (1.000..8.000 us, tau 1.0), slowest mean 4.500 us, "
          "14563.56 MB/s, 8 samples of 10 iterations, stopped by time_budget");
    auto r = constant("barrier", 1000, 299);
    r.stop = {sonde::stop_reason::samples, 299};
    r.errors = 3;
    r.flags = {.timer_limited = true, .correlated = true};
    CHECK(to_string(r) == "barrier: median 1.000 us (1.000..1.000 us, tau 1.0), p99 1.000 us, slowest mean 1.000 us, "
                          "299 samples, stopped by samples, 3 errors, flags timer_limited, correlated");
    CHECK(to_string(sonde::record{}) == "no times, 0 samples, stopped by none");
    r.ranks = 2; // none of them an initiator
    r.point = {};
    r.flags = {};
    r.errors = {};
    CHECK(to_string(r) == "no times, 299 samples, stopped by samples");
}

TEST_CASE("to_string: a comparison has medians, speed-ups, and outcomes") {
    sonde::comparison const found{
        {constant("blocking", 8000, 40), constant("persistent", 4000, 40), constant("", 8000, 40)}};
    CHECK(to_string(found) == "blocking 8.000 us (base); persistent 4.000 us, speed-up 2.000 (2.000..2.000), faster; "
                              "alternative 2 8.000 us, speed-up 1.000 (1.000..1.000), undecided");
    sonde::comparison const few{{constant("a", 1000, 8), constant("b", 500, 8)}};
    CHECK(to_string(few) == "a 1.000 us (base); b 0.500 us, speed-up 2.000, undecided: 8 rounds of at least 12");
}

TEST_CASE("to_string: a comparison says what an alternative wins of the application's loop") {
    sonde::comparison found{{constant("blocking", 8000, 40), constant("persistent", 4000, 40)}};
    found.application = {"halo", sonde::seconds{1}, sonde::seconds{2}, sonde::seconds{10}};
    CHECK(to_string(found) ==
          "blocking 8.000 us (base); persistent 4.000 us, speed-up 2.000 (2.000..2.000), faster, won "
          "of loop 5.00 % (5.00..5.00); won of loop: at most, by the transfer in halo, 10 % of the "
          "loop; waiting there, 20 %, is not won");
}

TEST_CASE("operator<< writes the text of to_string") {
    CHECK(streamed(example(8)) == to_string(example(8)));
    CHECK(streamed(sonde::speedup_range{1, 2}) == "1.000..2.000");
    CHECK(streamed(sonde::stop_reason::time_budget) == "time_budget");
    CHECK(streamed(sonde::outcome::faster) == "faster");
    CHECK(streamed(sonde::flags{.clock_drift = true}) == "clock_drift");
    CHECK(streamed(sonde::comparison{}) == "");
}

#ifdef __cpp_lib_format
#include <format>

TEST_CASE("std::format writes the text of to_string, in the given width") {
    CHECK(std::format("{}", example(8)) == to_string(example(8)));
    CHECK(std::format("{:>14}|{:<9}|", sonde::speedup_range{1, 2}, sonde::outcome::faster) ==
          "  1.000..2.000|faster   |");
}
#endif

TEST_CASE("each flag has its own name and remark") {
    CHECK(to_string(sonde::flags{.timer_limited = true}) == "timer_limited");
    CHECK(to_string(sonde::flags{.skew_dominated = true}) == "skew_dominated");
    CHECK(to_string(sonde::flags{.clock_drift = true}) == "clock_drift");
    CHECK(to_string(sonde::flags{.correlated = true}) == "correlated");
    CHECK(to_string(sonde::flags{.oversubscribed = true}) == "oversubscribed");
    CHECK(to_string(sonde::flags{.clock_fault = true}) == "clock_fault");
    CHECK(to_string(sonde::flags{.suspect_transport = true}) == "suspect_transport");
    std::set<std::string> remarks;
    for (auto const& flag : sonde::all_flags) remarks.insert(flag.remark);
    CHECK(remarks.size() == std::size(sonde::all_flags));
}

TEST_CASE("a number is written with the fewest digits that read back as the same number") {
    CHECK(sonde::detail::shortest(0.1) == "0.1");
    CHECK(sonde::detail::shortest(0.1 + 0.2) == "0.30000000000000004");
    CHECK(sonde::detail::shortest(2.3e-8) == "2.3e-08");
}

TEST_CASE("a parameter's text reads back as its number, however small, and keeps all digits of an integer") {
    CHECK(sonde::parameter{"x", 1e-9}.text == "1e-09");
    CHECK(sonde::parameter{"x", 0.1}.text == "0.1");
    CHECK(sonde::parameter{"x", 1.0 / 3}.text == "0.3333333333333333");
    CHECK(sonde::parameter{"x", 2.0}.text == "2");
    CHECK(sonde::parameter{"x", std::numeric_limits<std::uint64_t>::max()}.text == "18446744073709551615");
}

TEST_CASE("a time in a cell is in microseconds, and never has fewer than three digits") {
    CHECK(cell_text(reports::ns(1234567), 3) == "1234.567");
    CHECK(cell_text(reports::ns(20), 3) == "0.0200");
    CHECK(cell_text(sonde::seconds{1.25e-12}, 3) == "0.00000125");
    CHECK(cell_text(sonde::seconds{0}, 3) == "0.000");
    CHECK(cell_text(reports::ns(-20), 2) == "-0.0200");
}

TEST_CASE("a cell shows numbers, intervals and texts, and a dash for no value") {
    CHECK(cell_text(2.5, 1) == "2.5");
    CHECK(cell_text(std::size_t{7}, 3) == "7");
    CHECK(cell_text(std::string{"ssend"}, 3) == "ssend");
    CHECK(cell_text(sonde::confidence_interval{reports::ns(1000), reports::ns(2000)}, 3) == "1.000..2.000");
    CHECK(cell_text(std::optional<double>{}, 3) == "-");
    CHECK(cell_text(std::optional<sonde::seconds>{reports::ns(500)}, 3) == "0.500");
}

TEST_CASE("padding is by displayed characters, not by bytes") {
    CHECK(sonde::detail::padded("Jülich", 8, true) == "Jülich  ");
    CHECK(sonde::detail::padded("7", 3, false) == "  7");
    CHECK(sonde::detail::padded("12345", 3, false) == "12345");
}

TEST_CASE("a character of UTF-8 has the bytes that Unicode's table 3-7 allows") {
    using sonde::detail::utf8_length;
    for (std::string_view const first :
         {"\x7f", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
        CHECK(utf8_length(std::string{first} + "\x80") == first.size());
    for (std::string_view const wrong :
         {"\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
          "\xf5\x80\x80\x80", "\xc2", "\xe2\x82", "\xe2\x28\xa1", "\xf0\x9f\x98", "\xff"})
        CHECK(utf8_length(wrong) == 0);
}
