// SPDX-License-Identifier: BSL-1.0
#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <chrono>

TEST_CASE("JSON of a scope: its figures, null if there are too few passes") {
    using namespace std::chrono_literals;
    sonde::scope_record halo;
    halo.name = "halo";
    halo.parent = 3;
    halo.ranks = 2;
    halo.bytes = 48;
    for (auto const t : {8ns, 16ns, 32ns}) halo.times.add(t); // powers of two: as exact with -ffast-math
    halo.totals = {sonde::seconds{0.25}, sonde::seconds{0.5}, sonde::seconds{0.75}};
    halo.slowest = 1;
    CHECK(
        sonde::json(halo).dump() ==
        R"({"type":"scope","name":"halo","parent":3,"passes":3,"ranks":2,"median_seconds":1.6e-08,"p99_seconds":null,)"
        R"("max_seconds":3.2e-08,"totals_seconds":{"min":0.25,"mean":0.5,"max":0.75},"slowest":1,"imbalance":1.5,)"
        R"("bytes":48.0,"bytes_per_second":999999999.9999999,"efficiency":null,"reference":null})");
    halo.reference.emplace().series.assign(5, sonde::seconds{8ns});
    halo.reference->initiators = 1;
    CHECK(sonde::json(halo)["efficiency"] == 0.5);
    CHECK(sonde::json(halo)["reference"]["series_seconds"].size() == 5);
    CHECK(sonde::json(sonde::scope_record{})["parent"].is_null());
}
