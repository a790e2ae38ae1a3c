// SPDX-License-Identifier: BSL-1.0
#include "../report/support.hpp"

#include <sonde/drawing/html.hpp>
#include <sonde/drawing/html_contents.hpp>
#include <sonde/drawing/html_document.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

using reports::has;
using reports::steady;
using sonde::detail::html_escaped;

namespace {

std::string const mark = "\xef\xbf\xbd"; // U+FFFD

std::string drawn(std::string const& within) {
    return "<?xml version='1.0'?>\n<svg \n width='640' height='420'\n viewBox=\"0 0 640 420\"\n "
           "xmlns=\"x\">\n<title>Gnuplot</title>\n"
           "<desc>by</desc>\n<g id=\"all\">" +
           within + "</g>\n</svg>\n";
}

} // namespace

TEST_CASE("HTML: texts are escaped, between tags and in quotes of either kind") {
    CHECK(html_escaped("<script>alert('1')</script>") == "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
    CHECK(html_escaped("\" onload=\"x") == "&quot; onload=&quot;x");
    CHECK(html_escaped("a & b &lt;") == "a &amp; b &amp;lt;");
    CHECK(html_escaped("") == "");
}

TEST_CASE("HTML: characters of every length in UTF-8 stay, and bytes of no character are replaced, each by itself") {
    std::string const all = "A \xc2\xb5 \xe2\x80\x93 \xed\x9f\xbf \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf\t\n";
    CHECK(html_escaped(all) == all);
    CHECK(html_escaped("a\xff\xfe b") == "a" + mark + mark + " b");
    CHECK(html_escaped("\xe2<b") == mark + "&lt;b"); // the next character stays
    CHECK(html_escaped("\xc0\xbc") == mark + mark);  // an overlong '<'
}

TEST_CASE("HTML: control characters are replaced, except tab and line feed") {
    CHECK(html_escaped(std::string{"a\0b\x1b[1m\r\x7f", 9}) == "a" + mark + "b" + mark + "[1m" + mark + mark);
}

TEST_CASE("HTML: a picture becomes a scalable element with an alternative text") {
    CHECK(sonde::detail::svg_element(drawn("<path/>"), "f1-", "a \"b\"") ==
          "<svg role=\"img\" aria-label=\"a &quot;b&quot;\" viewBox=\"0 0 640 420\">\n<g "
          "id=\"f1-all\"><path/></g>\n</svg>\n");
}

TEST_CASE("HTML: identifiers in a picture, and their references, become unique; similar words in texts stay") {
    CHECK(
        sonde::detail::svg_element(
            drawn(
                "<circle id='p'/><use xlink:href='#p' fill=\"url(#q)\"/><b color='#fff'/><text> id='p' url(#q)</text>"),
            "f2-", "")
            .find("<circle id='f2-p'/><use xlink:href='#f2-p' fill=\"url(#f2-q)\"/><b color='#fff'/><text> id='p' "
                  "url(#q)</text>") != std::string::npos);
}

TEST_CASE("HTML: invalid SVG throws") {
    CHECK_THROWS_WITH_AS(sonde::detail::svg_element("", "f1-", ""), "gnuplot drew no SVG", std::runtime_error);
    CHECK_THROWS_WITH_AS(sonde::detail::svg_element("<svg viewBox=\"\"><g >", "f1-", ""), "gnuplot drew no SVG",
                         std::runtime_error);
}

namespace {

/// A step of 40 us, half of it in an exchange, four times; and a scope without passes.
std::vector<sonde::scope_record> steps_of(std::string const& name) {
    std::vector<sonde::scope_record> found(3);
    for (auto& r : found) r.ranks = 1;
    found[0].name = "step";
    found[1].name = name;
    found[1].parent = 0;
    found[1].depth = 1;
    found[2].name = "never";
    found[2].ranks = 0;
    for (int i = 0; i != 4; ++i) {
        found[0].times.add(reports::ns(40'000));
        found[1].times.add(reports::ns(20'000));
    }
    for (int i = 0; i != 2; ++i) {
        auto const total = found[static_cast<std::size_t>(i)].times.sum();
        found[static_cast<std::size_t>(i)].totals = {total, total, total};
    }
    found[0].enclosing = reports::ns(200'000);
    found[1].enclosing = reports::ns(160'000);
    found[1].bytes = 4 * 8000;
    return found;
}

std::string const scope_cell = "<td class=\"number\">", scope_dash = scope_cell + "\u2013</td>";

std::string const section_of_steps =
    "<section>\n<h2>Scopes</h2>\n<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Table: Scopes\">\n"
    "<table class=\"results\">\n<caption>Times of passes, of all ranks; shares of the enclosing scope</caption>\n"
    "<thead><tr><th scope=\"col\">scope</th>"
    "<th scope=\"col\" class=\"number\">passes</th><th scope=\"col\" class=\"number\">ranks</th>"
    "<th scope=\"col\" class=\"number\">median</th><th scope=\"col\" class=\"number\">max</th>"
    "<th scope=\"col\" class=\"number\">s per rank</th><th scope=\"col\" class=\"number\">share</th>"
    "<th scope=\"col\" class=\"number\">max/mean</th>"
    "<th scope=\"col\" class=\"number\">mean bytes</th><th scope=\"col\" class=\"number\">MB/s</th></tr></thead>\n"
    "<tbody>\n<tr><td>step</td>" +
    scope_cell + "4</td>" + scope_cell + "1</td>" + scope_cell + "40.00 us</td>" + scope_cell + "40.00 us</td>" +
    scope_cell + "0.000160</td>" + scope_cell + "80.0 %</td>" + scope_cell + "1.00</td>" + scope_dash + scope_dash +
    "</tr>\n<tr><td>\u2003a&lt;b</td>" + scope_cell + "4</td>" + scope_cell + "1</td>" + scope_cell + "20.00 us</td>" +
    scope_cell + "20.00 us</td>" + scope_cell + "0.0000800</td>" + scope_cell + "50.0 %</td>" + scope_cell +
    "1.00</td>" + scope_cell + "8000</td>" + scope_cell + "400.0</td></tr>\n<tr><td>never</td>" + scope_cell +
    "0</td>" + scope_cell + "0</td>" + scope_dash + scope_dash + scope_dash + scope_dash + scope_dash + scope_dash +
    scope_dash + "</tr>\n</tbody>\n</table>\n</div>\n</section>\n";

} // namespace

TEST_CASE("HTML: scopes of a probe are a table, nested ones indented, to the text") {
    reports::scratch_folder folder;
    auto const path = folder / "x.html";
    {
        sonde::html page{path};
        page(steps_of("a<b"));
    }
    auto const page = reports::contents(path);
    CHECK(reports::has(page, "<main>\n" + section_of_steps + "</main>"));
}

TEST_CASE("HTML: scopes follow the records, and are in the draft as soon as they are reported") {
    reports::scratch_folder folder;
    auto const path = folder / "x.html";
    sonde::html page{path};
    page(reports::example(8));
    page(steps_of("a<b"));
    auto const end_of_table = std::string{"</tbody>\n</table>\n</div>\n"};
    CHECK(reports::contents(path).ends_with("</tr>\n" + end_of_table + section_of_steps));
    page(reports::example(8));
    page(steps_of("other"));
    auto const draft = reports::contents(path);
    CHECK(reports::has(draft, section_of_steps + "<h2>ping_pong</h2>\n<div"));
    page.finish();
    auto const final_page = reports::contents(path);
    auto const first = final_page.find(section_of_steps);
    CHECK(reports::has(final_page, "2 records of 1 benchmark"));
    CHECK(final_page.find("<h2>ping_pong</h2>") < first);
    CHECK(final_page.find("other", first) < final_page.find("<h2>Parameters"));
}

namespace {

sonde::comparison two_ways() {
    sonde::comparison found{{steady("blocking", 8000, 40), steady("persistent", 4000, 40)}};
    for (auto& r : found.records) r.point.parameters = {{"bytes", 8}};
    return found;
}

std::string page_of_comparison(sonde::comparison const& found, sonde::criterion required = {}) {
    reports::scratch_folder folder;
    sonde::html page{folder / "x.html"};
    page(found, required);
    page.finish();
    return reports::contents(folder / "x.html");
}

std::string const cell = "<td class=\"number\">";

} // namespace

TEST_CASE("HTML: a comparison is a section with a row for each alternative, its speed-up, interval and outcome") {
    reports::no_programs const none;
    auto const page = page_of_comparison(two_ways(), {.gain = 0.02, .confidence = 0.99});
    CHECK(has(page, "<p class=\"summary\">1 comparison</p>"));
    CHECK(has(page,
              "<h2>Comparison with blocking (bytes 8)</h2>\n<p class=\"note\">Speed-up: the base\u2019s time over "
              "the alternative\u2019s, median over 40 rounds. An alternative is faster if its whole interval is above "
              "1.020, and slower if all of it times 1.020 is below 1; otherwise it is undecided. All intervals hold "
              "together with a confidence of 99 %.</p>"));
    CHECK(has(page,
              "<ul class=\"conclusions\">\n<li>Comparison with blocking (bytes 8) (8.000 us): persistent (bytes 8) "
              "is faster, 2.000 times as fast (2.000 \u2013 2.000).</li>\n</ul>\n<section>"));
    CHECK(has(
        page,
        "; in all rows bytes 8, samples 40, stopped by samples</caption>\n<thead><tr><th scope=\"col\">alternative</th>"
        "<th scope=\"col\" class=\"number\">speed-up</th><th scope=\"col\" class=\"number\">99 % "
        "interval</th><th scope=\"col\">outcome</th>"));
    CHECK(has(page,
              "<tr><td>blocking</td>" + cell + "1.000</td>" + cell + "\u2013</td><td>base</td>" + cell + "8.000</td>"));
    CHECK(has(page, "<tr><td>persistent</td>" + cell + "2.000</td>" + cell + "2.000 \u2013 2.000</td><td>faster</td>" +
                        cell + "4.000</td>"));
    CHECK(has(page, "<dt>bytes</dt><dd>8</dd>"));
    CHECK(has(page, "Without figures"));
}

TEST_CASE("HTML: a comparison with its scope in the application shows what would be won there") {
    reports::no_programs const none;
    auto found = two_ways();
    CHECK(!has(page_of_comparison(found, {}), "won of loop"));
    found.application = {"a < b", sonde::seconds{1}, sonde::seconds{2}, sonde::seconds{10}};
    auto const page = page_of_comparison(found, {});
    CHECK(has(page, "<th scope=\"col\" class=\"number\">won of loop</th>"));
    CHECK(has(page, "<td>faster</td>" + cell + "5.00 % (5.00..5.00)</td>"));
    CHECK(has(page,
              "Won of the loop: at most, by the transfer in a &lt; b, 10 % of the loop; waiting there, 20 %, is not "
              "won.</p>"));
}

TEST_CASE("HTML: records and comparisons are counted apart, and wrong data of an alternative are an alarm") {
    reports::no_programs const none;
    reports::scratch_folder folder;
    auto found = two_ways();
    found.records[1].errors = 3;
    sonde::html page{folder / "x.html"};
    page(found);
    page(reports::example(8));
    page(found);
    auto const draft = reports::contents(folder / "x.html");
    CHECK(has(draft, cell + "2.000</td>" + cell + "2.000 \u2013 2.000</td><td>faster</td>"));
    page.finish();
    auto const text = reports::contents(folder / "x.html");
    CHECK(has(text, "<p class=\"summary\">1 record of 1 benchmark, 2 comparisons</p>"));
    CHECK(has(text, "Wrong data in 2 of 5 records"));
    CHECK(has(text, "<tr class=\"failed\"><td>persistent</td>"));
    CHECK(text.find("<h2>Comparison with") < text.find("<h2>ping_pong</h2>"));
}

TEST_CASE("HTML: the speed-ups of a comparison are drawn, unless there is only a base (needs gnuplot)" *
          doctest::skip(reports::no_gnuplot)) {
    auto const page = page_of_comparison(two_ways());
    CHECK(
        has(page, "<figcaption>Speed-up with its 95 % interval</figcaption>\n<svg role=\"img\" aria-label=\"Speed-up"));
    CHECK(has(page, "viewBox=\"0 0 640 150\""));
    CHECK(has(page, ">persistent<"));
    auto const base = page_of_comparison({{steady("blocking", 8000, 40)}});
    CHECK(!has(base, "<svg"));
    CHECK(!has(base, "Without figures"));
    CHECK(has(base, "<td>blocking</td>"));
}
