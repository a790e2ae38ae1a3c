// SPDX-License-Identifier: BSL-1.0
#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

#include "../report/support.hpp"

namespace {

using namespace std::chrono_literals;

sonde::scope_record halo_scope() {
    sonde::scope_record halo;
    halo.name = "halo";
    halo.parent = 3;
    halo.depth = 1;
    halo.ranks = 2;
    halo.bytes = 48;
    for (auto const t : {8ns, 16ns, 32ns}) halo.times.add(t); // powers of two: as exact with -ffast-math
    halo.totals = {sonde::seconds{0.25}, sonde::seconds{0.5}, sonde::seconds{0.75}};
    halo.slowest = 1;
    return halo;
}

/// A list of three scopes: one with a reference and one without passes, nested in another.
std::vector<sonde::scope_record> three_scopes() {
    std::vector<sonde::scope_record> all{halo_scope(), halo_scope(), {}};
    all[0].parent.reset();
    all[0].depth = 0;
    all[0].enclosing = sonde::seconds{0.1 + 0.2};
    all[0].times.add(2000s); // beyond all buckets but the last
    all[1].parent = 0;
    all[1].name = "a \"b\"\n";
    all[1].reference = reports::example();
    all[1].typical_slowest = 1;
    all[1].typical_ratio = 1.25;
    all[2].name = "never";
    all[2].parent = 1;
    all[2].depth = 2;
    return all;
}

} // namespace

TEST_CASE("JSON of a scope: its figures, null if there are too few passes") {
    auto halo = halo_scope();
    CHECK(sonde::json(halo).dump() ==
          R"({"type":"scope","name":"halo","parent":3,"depth":1,"passes":3,"ranks":2,"median_seconds":1.6e-08,)"
          R"("p99_seconds":null,"max_seconds":3.2e-08,"totals_seconds":{"min":0.25,"mean":0.5,"max":0.75},)"
          R"("enclosing_seconds":0.0,"share":null,"slowest":1,"imbalance":1.5,"bytes":48.0,)"
          R"("bytes_per_second":999999999.9999999,"efficiency":null,)"
          R"("times":{"buckets":[[8,1.0],[16,1.0],[32,1.0]],"sum":56.0,"max":32.0,"min":8.0},"reference":null})");
    halo.reference.emplace().series.assign(5, sonde::seconds{8ns});
    halo.reference->initiators = 1;
    halo.enclosing = 2 * halo.times.sum();
    CHECK(sonde::json(halo)["efficiency"] == 0.5);
    CHECK(sonde::json(halo)["share"] == 0.5);
    CHECK(sonde::json(halo)["reference"]["series_seconds"].size() == 5);
    CHECK(sonde::json(sonde::scope_record{})["parent"].is_null());
    CHECK(sonde::json(sonde::scope_record{})["times"].is_null());
}

TEST_CASE("JSON lines: the scopes of a probe are a line, which reads back equal") {
    reports::scratch_folder folder;
    auto const path = folder / "run.json";
    {
        sonde::json_lines out{path};
        out(reports::example());
        out(three_scopes());
        out(std::vector<sonde::scope_record>{});
        out(std::vector{halo_scope()});
    }
    auto const found = sonde::read_json_lines(path);
    CHECK(found.records.size() == 1);
    REQUIRE(found.scopes.size() == 3);
    CHECK(found.scopes[1].empty());
    CHECK(found.scopes[2].size() == 1);
    auto const& scopes = found.scopes[0];
    REQUIRE(scopes.size() == 3);
    CHECK(sonde::json(scopes).dump() == sonde::json(three_scopes()).dump());
    CHECK_FALSE(scopes[0].parent.has_value());
    CHECK(scopes[1].parent == std::size_t{0});
    CHECK(scopes[1].typical_slowest == 1);
    CHECK(scopes[1].typical_ratio == 1.25);
    CHECK(scopes[2].depth == 2);
    CHECK(scopes[0].enclosing == sonde::seconds{0.1 + 0.2});
    CHECK(scopes[0].times.overflow() == 1);
    CHECK(scopes[0].times.max() == three_scopes()[0].times.max());
    CHECK(scopes[2].times.count() == 0);
    CHECK(scopes[1].reference->series == reports::example().series);
}

TEST_CASE("JSON lines: scopes belong to the run whose environment came before") {
    reports::scratch_folder folder;
    auto const path = folder / "runs.json";
    {
        sonde::output_file const both{path};
        for (int i = 0; i != 2; ++i) sonde::json_lines{both, sonde::local_environment()}(three_scopes());
    }
    auto const runs = sonde::read_launches(path);
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].scopes.size() == 1);
    CHECK(runs[1].scopes.size() == 1);
}

TEST_CASE("JSON lines: who made ranks wait is read back as it was written") {
    sonde::lateness_record found{.steps = 400, .observed = sonde::seconds{4}, .low = 0.125, .high = 0.25};
    found.enough_steps = true;
    found.exchanges = {{"a \"b\"\n", 400, 12, sonde::seconds{0.5}, sonde::seconds{0.25}, {{1, 60, 0, 61}}},
                       {"sum", 400, 0, {}, {}}};
    found.ranks = {{sonde::seconds{0.5}, {}, sonde::seconds{0.125}}, {{}, sonde::seconds{0.375}, {}}};
    found.late = {{1, sonde::seconds{0.375}, "halo", sonde::seconds{0.1 + 0.2}, {9, 19, 29}, 399, {}}};
    found.late[0].work = {"solve", 2.5, false, sonde::seconds{0.1}};
    found.slow_transfers = {{"halo", {2, 3}, 3.5, sonde::seconds{0.125}}};
    found.effects = {
        {"solve", {sonde::step_effect_kind::burst, {5, 6}, 1, 399, sonde::seconds{1}, sonde::seconds{2}, 0.001}}};
    reports::scratch_folder folder;
    auto const path = folder / "run.json";
    {
        sonde::json_lines out{path};
        out(found);
        out(sonde::lateness_record{});
    }
    auto const read = sonde::read_json_lines(path);
    REQUIRE(read.lateness.size() == 2);
    CHECK(sonde::json(read.lateness[0]).dump() == sonde::json(found).dump());
    CHECK(sonde::json(read.lateness[0])["waiting"] == 0.125);
    CHECK(read.lateness[0].late[0].steps == std::vector<std::size_t>{9, 19, 29});
    CHECK(read.lateness[0].late[0].lateness == sonde::seconds{0.1 + 0.2});
    CHECK_FALSE(read.lateness[0].late[0].work.of_other_steps);
    CHECK(read.lateness[0].high == 0.25);
    CHECK(read.lateness[0].exchanges[0].unequal->most == 61);
    CHECK_FALSE(read.lateness[0].exchanges[1].unequal.has_value());
    CHECK_FALSE(read.lateness[1].low.has_value());
}
