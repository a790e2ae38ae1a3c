// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/html.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "../report/support.hpp"

using reports::has;
using reports::steady;

namespace {

/// PATH without gnuplot.
class path_of_nothing {
public:
    path_of_nothing() { setenv("PATH", "/nowhere", 1); }
    path_of_nothing(path_of_nothing const&) = delete;
    ~path_of_nothing() { setenv("PATH", before_.c_str(), 1); }

private:
    std::string before_ = std::getenv("PATH");
};

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
    path_of_nothing const none;
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

TEST_CASE("HTML: records and comparisons are counted apart, and wrong data of an alternative are an alarm") {
    path_of_nothing const none;
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

TEST_CASE("HTML: names of alternatives are escaped") {
    path_of_nothing const none;
    auto found = two_ways();
    for (auto& r : found.records) r.point.name = "<b>";
    auto const page = page_of_comparison(found);
    CHECK(!has(page, "<b>"));
    CHECK(has(page, "<h2>Comparison with &lt;b&gt; (bytes 8)</h2>"));
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
