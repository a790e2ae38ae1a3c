// SPDX-License-Identifier: BSL-1.0
#include <sonde/measure/record.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "support.hpp"

using sonde::detail::cell_text;

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
