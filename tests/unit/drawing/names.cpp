// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/html.hpp>
#include <sonde/drawing/plot.hpp>
#include <sonde/drawing/rank_pages.hpp>
#include <sonde/drawing/speedup_page.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/report/progress.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sim/clock.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "../report/support.hpp"

// Names come from users and from files of others: no reporter passes on control characters or invalid UTF-8.

namespace {

using sonde::detail::plain_text;

/// Escape sequences of terminals in 7 and in 8 bits, line breaks, half a character, U+FFFE, a character, markup.
std::string const hostile =
    "=cmd\x1b[31m\r\n\t\x9b" + std::string(1, '\0') + "\xc2\x9b\x7f\xef\xbf\xbe\xc3\xb6<a>]]>\xe2\x82";

sonde::record hostile_record(std::size_t bytes) {
    auto r = reports::example(bytes);
    r.point.name = hostile;
    r.point.parameters.back() = {"link" + hostile, hostile};
    r.series.assign(60, reports::ns(1000));
    return r;
}

/// True if the text is valid UTF-8 of characters that XML allows, without control characters other than line feeds and,
/// between the tags of a page, tabs.
bool is_plain(std::string_view text, bool tabs = false) {
    for (; !text.empty();) {
        auto const length = sonde::detail::first_character(text);
        if (length == 0 || (text[0] == '\t' && !tabs)) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::ptrdiff_t lines(std::string const& text) { return std::count(text.begin(), text.end(), '\n'); }

bool const nothing_draws =
    reports::no_gnuplot || std::system("/usr/bin/python3 -c 'import xml.dom.minidom' 2>/dev/null") != 0;

bool is_xml(std::string const& path) {
    auto const command = "/usr/bin/python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' '" + path + '\'';
    return std::system(command.c_str()) == 0;
}

} // namespace

TEST_CASE("plain text is one line of valid UTF-8 without control characters, and other text stays as it is") {
    std::string const good = "J\xc3\xbclich \xe2\x80\x93 \xf0\x9f\x98\x80 <a href=\"x\">";
    CHECK(plain_text(good) == good);
    CHECK(plain_text("a\x1b[1m\r\n\tb\x7f") == "a [1m   b ");
    CHECK(plain_text("\xc2\x9b\xc2\xa0") == "\xef\xbf\xbd\xef\xbf\xbd\xc2\xa0"); // an 8-bit escape, a blank
    CHECK(plain_text("\xef\xbf\xbe") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); // U+FFFE
    CHECK(is_plain(plain_text(hostile)));
    CHECK_FALSE(is_plain(hostile));
}

TEST_CASE("a table has a line for each row, whatever the names are") {
    reports::memory_file out;
    sonde::table{out.get()}(hostile_record(8));
    CHECK(is_plain(out.text()));
    CHECK(lines(out.text()) == 2);
}

TEST_CASE("a CSV file has a line for each record, and no field that a spreadsheet evaluates") {
    reports::memory_file out;
    sonde::csv csv{out.get()};
    csv(hostile_record(8));
    csv(hostile_record(16));
    CHECK(is_plain(out.text()));
    CHECK(lines(out.text()) == 3);
    CHECK(out.text().find("\n'=cmd") != std::string::npos);
    CHECK(out.text().find(",'=cmd") != std::string::npos);
}

TEST_CASE("CSV: formulas have an apostrophe in front, numbers of either sign and single signs stay") {
    using sonde::detail::csv_field;
    for (auto const* text : {"-1", "+1", "-1.5e-09", "+2.5", "-", "+", "a=b", "1-2", "", "-7", "-.5", "+7.", "-1E+30"})
        CHECK(csv_field(text) == text);
    for (std::string const text : {"=1+2", "+1+2", "-1-2", "@SUM(A1)", "-x", "=-1", "+-x", "-.", "-1e", "-1e+",
                                   "-1.2.3", "=7", "@7", "--1", "-0x10"})
        CHECK(csv_field(text) == "'" + text);
    CHECK(csv_field("=\"a\",b") == "\"'=\"\"a\"\",b\"");
}

TEST_CASE("a page for a browser, its draft and its figures have no control characters and no markup of names") {
    reports::scratch_folder folder;
    auto const path = folder / "x.html";
    sonde::environment where;
    where.command_line = hostile;
    where.hosts = {hostile};
    sonde::html page{path, where};
    for (std::size_t const bytes : {8u, 16u}) page(hostile_record(bytes));
    CHECK(is_plain(reports::contents(path), true));
    page.finish();
    auto const text = reports::contents(path);
    CHECK(is_plain(text, true));
    CHECK(text.find("<a>") == std::string::npos);
}

TEST_CASE("a comparison has plain names in every report, and a line for each alternative") {
    sonde::comparison const found{{hostile_record(8), hostile_record(16)}};
    reports::memory_file text, values;
    sonde::table{text.get()}(found);
    CHECK(is_plain(text.text()));
    CHECK(lines(text.text()) == 3);
    sonde::csv{values.get()}(found);
    CHECK(is_plain(values.text()));
    CHECK(lines(values.text()) == 3);
    CHECK(is_plain(sonde::speedup_page(hostile, found)));
    reports::scratch_folder folder;
    sonde::html page{folder / "x.html"};
    page(found);
    CHECK(is_plain(reports::contents(folder / "x.html"), true));
    page.finish();
    CHECK(is_plain(reports::contents(folder / "x.html"), true));
    CHECK(reports::contents(folder / "x.html").find("<a>") == std::string::npos);
}

TEST_CASE("scripts of gnuplot have no control characters in names") {
    auto const records = std::vector{hostile_record(8), hostile_record(16)};
    for (auto const& page : sonde::detail::size_plot_pages(records, {}).figures) CHECK(is_plain(page));
    for (auto const& page : sonde::detail::size_plot_pages(records, {}).samples) CHECK(is_plain(page));
    CHECK(is_plain(sonde::detail::sample_page(records.front(), {})));
}

TEST_CASE("a picture of hostile names is XML (needs gnuplot and python3)" * doctest::skip(nothing_draws)) {
    reports::scratch_folder folder;
    {
        sonde::size_plot draw{folder / "x.svg"};
        for (std::size_t const bytes : {8u, 16u}) draw(hostile_record(bytes));
    }
    CHECK(is_xml(folder / "x.svg"));
}

TEST_CASE("progress is one line on the terminal, cut between characters") {
    using namespace std::chrono_literals;
    reports::memory_file out;
    sonde::sim::virtual_time time;
    sonde::sim::manual_clock clock{time};
    sonde::progress_line report{9, sonde::null_reporter{}, sonde::progress_stream{out.get(), true}, clock};
    clock.advance(3s);
    report(hostile_record(8));
    auto const shown = out.text();
    CHECK(shown.starts_with("\r[1/9] =cmd"));
    CHECK(is_plain(std::string_view{shown}.substr(1)));

    reports::memory_file wide;
    sonde::status_line line{wide.get()};
    std::string characters;
    for (int i = 0; i != 100; ++i) characters += "\xe2\x82\xac"; // three bytes each
    line.show(characters);
    CHECK(wide.text() == '\r' + characters.substr(0, 3 * 79));
    line.erase();
    CHECK(wide.text() == '\r' + characters.substr(0, 3 * 79) + '\r' + std::string(79, ' ') + '\r');
}

TEST_CASE("a table of scopes has a line for each scope") {
    reports::memory_file out;
    sonde::scope_record scope;
    scope.name = hostile;
    sonde::probe_table{out.get()}({scope, scope});
    CHECK(is_plain(out.text()));
    CHECK(lines(out.text()) == 3);
}
