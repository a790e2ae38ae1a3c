// SPDX-License-Identifier: BSL-1.0
#include <sonde/report/any_reporter.hpp>
#include <sonde/report/form.hpp>
#include <sonde/report/open.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using sonde::report_form;

namespace {

/// Notes what it gets: "record a", "finish".
struct records_alone {
    std::vector<std::string>* notes;

    void operator()(sonde::record const& r) { notes->push_back("record " + r.point.name); }
    void finish() { notes->push_back("finish"); }
};

struct everything : records_alone {
    using records_alone::operator();
    void operator()(sonde::comparison const&, sonde::criterion required = {}) {
        notes->push_back("comparison " + std::to_string(required.gain));
    }
    void operator()(std::vector<sonde::scope_record> const& scopes) {
        notes->push_back(std::to_string(scopes.size()) + " scopes");
    }
};

sonde::record named(std::string name) {
    sonde::record r;
    r.point.name = std::move(name);
    return r;
}

sonde::comparison compared() {
    sonde::comparison c;
    c.records = {named("a"), named("b")};
    return c;
}

} // namespace

TEST_CASE("any_reporter: reporter of any type passes everything that the reporter takes") {
    std::vector<std::string> notes;
    sonde::any_reporter const report = everything{{&notes}};
    auto const copy = report;
    report(named("a"));
    copy(compared(), {.gain = 0.5});
    CHECK(report(std::vector<sonde::scope_record>(3)));
    copy.finish();
    CHECK(notes == std::vector<std::string>{"record a", "comparison 0.500000", "3 scopes", "finish"});
}

TEST_CASE("any_reporter: reporter of records gets the records of a comparison, and says that it takes no scopes") {
    std::vector<std::string> notes;
    sonde::any_reporter const report = records_alone{&notes};
    report(compared());
    CHECK(!report(std::vector<sonde::scope_record>(3)));
    CHECK(notes == std::vector<std::string>{"record a", "record b"});
}

TEST_CASE("any_reporter: comparison goes to a reporter that takes no criterion, too") {
    struct without_criterion {
        int* comparisons;
        void operator()(sonde::record const&) const { FAIL("not a record of its own"); }
        void operator()(sonde::comparison const&) const { ++*comparisons; }
    };
    int comparisons = 0;
    sonde::any_reporter const report = without_criterion{&comparisons};
    report(compared());
    CHECK(comparisons == 1);
}

TEST_CASE("any_reporter: empty reporter writes nothing") {
    sonde::any_reporter const report;
    CHECK(!report);
    report(named("a"));
    report(compared());
    CHECK(report(std::vector<sonde::scope_record>(3)));
    report.finish();
}

TEST_CASE("any_reporter: each form opens its file") {
    for (auto const& row : sonde::report_forms)
        CHECK_THROWS(sonde::open_report(row.form, "/no such folder/file" + std::string{row.endings[0]}, std::nullopt));
}

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
