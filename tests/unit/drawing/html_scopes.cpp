// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/html.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../report/support.hpp"

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
