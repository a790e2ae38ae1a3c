// SPDX-License-Identifier: BSL-1.0
#include <sonde/report/form.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

using sonde::report_form;

TEST_CASE("form: rows of the forms stand in the order of the enumerators") {
    for (std::size_t i = 0; i != sonde::report_forms.size(); ++i)
        CHECK(sonde::report_forms[i].form == static_cast<report_form>(i));
    CHECK(sonde::properties_of(report_form::plot).name == "plot");
}

TEST_CASE("form: word and ending name one form each") {
    for (auto const& row : sonde::report_forms) {
        CHECK(sonde::find_report_form(row.name) == &row);
        CHECK(!row.endings[0].empty());
        for (auto const ending : row.endings)
            if (!ending.empty()) CHECK(sonde::report_form_of_file("results" + std::string{ending}) == &row);
    }
    CHECK(sonde::find_report_form("xml") == nullptr);
    CHECK(sonde::report_form_of_file("a.csv.bak") == nullptr);
    CHECK(sonde::report_form_of_file("") == nullptr);
    CHECK(sonde::report_endings() == ".txt, .csv, .jsonl, .html, .prom, .svg, .png or .pdf");
}
