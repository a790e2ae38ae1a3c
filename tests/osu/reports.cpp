// SPDX-License-Identifier: BSL-1.0
// Records of a row that the reports of `--report` and the plots of `-G` get.
#include "osu/driver/osu_driver.hpp"

#include "suite/refusal.hpp"
#include "suite/reports.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using texts = std::vector<std::string>;

/// Reports that write down the records that they get, by their parameters: "both kernel".
struct listed_reports {
    texts reported{}, drawn{}, named{};
    osu::row_reports reports{{into(reported)}, {into(drawn)}, {into(named)}};

    static osu::reporter into(texts& all) {
        return {[&all](sonde::record const& r) {
            std::string text;
            for (auto const& p : r.point.parameters) text += (text.empty() ? "" : " ") + p.text;
            all.push_back(text);
        }};
    }
};

sonde::record part_of(std::string const& part, std::string const& work) {
    sonde::record made;
    made.point = {"osu_iallreduce", {{"part", part}, {"work", work}}};
    return made;
}

sonde::overlap_records beside(std::string const& work) {
    sonde::overlap_records made;
    made.communication = part_of("communication", work);
    made.work = part_of("work", work);
    made.both = part_of("both", work);
    return made;
}

} // namespace

TEST_CASE_FIXTURE(listed_reports, "a plot draws the record beside OMB's work, wherever the work is done") {
    reports.add({beside("matrix"), beside("spin")}, {"", {{"bytes", 8}}});
    reports.add({beside("kernel"), beside("median kernel")}, {"", {{"bytes", 16}}});
    reports.add({beside("kernel and matrix"), std::nullopt}, {});
    CHECK(drawn == texts{"both matrix", "both kernel", "both kernel and matrix"});
    CHECK(named == texts{"8", "16", ""});
    CHECK(reported == texts{"communication matrix", "work matrix", "both matrix", "communication spin", "work spin",
                            "both spin", "communication kernel", "work kernel", "both kernel",
                            "communication median kernel", "work median kernel", "both median kernel",
                            "communication kernel and matrix", "work kernel and matrix", "both kernel and matrix"});
}

TEST_CASE_FIXTURE(listed_reports, "a plot draws the record of any other row, whatever its parameters are") {
    reports.add(part_of("half", "none"), {});
    CHECK(drawn == texts{"half none"});
    CHECK(reported == drawn);
}

TEST_CASE("a report that a full disk ends keeps its records, and the refusal comes at the end") {
    std::size_t written = 0, finished = 0;
    auto const open = [&] {
        return suite::reporter{.take =
                                   [&](sonde::record const&) {
                                       if (written == 2)
                                           throw std::system_error{ENOSPC, std::generic_category(), "cannot write"};
                                       ++written;
                                   },
                               .finish = [&] { ++finished; }};
    };
    auto const report = suite::opened("--report json=x", open);
    for (int i = 0; i != 5; ++i) report({});
    CHECK(written == 2);
    CHECK_THROWS_WITH_AS(
        report.finish(),
        "Cannot report [--report json=x]: No space left on device; accepted: a file that can be written",
        suite::refusal);
    CHECK(finished == 0);
    written = 3;
    auto const whole = suite::opened("--report json=x", open);
    whole({});
    whole.finish();
    CHECK(finished == 1);
}

TEST_CASE("a rank that finished last in most rows is noted with its host and its smallest lag") {
    auto const row = [](std::vector<int> stragglers, double share) {
        sonde::record made;
        made.slowest_counts.emplace(3);
        made.straggler_lags.assign(stragglers.size(), {sonde::seconds{1e-6}, share});
        made.stragglers = std::move(stragglers);
        return made;
    };
    sonde::environment where;
    where.hosts = {"a", "b"};
    where.host_of_rank = {0, 0, 1};
    osu::asymmetry_note note;
    for (auto const share : {0.2, 0.083}) note.add(row({1, 2}, share));
    CHECK(note.lines(where).empty()); // two rows tell nothing
    note.add(row({2}, 0.4));
    note.add(row({}, 0));
    CHECK(note.lines(where) ==
          texts{"# Asymmetric: rank 2 on b finished last in 3 of 4 rows, at least 8.3 % after the median rank"});
    for (int i = 0; i != 3; ++i) note.add(row({}, 0));
    CHECK(note.lines(where).empty()); // 3 of 7
}
