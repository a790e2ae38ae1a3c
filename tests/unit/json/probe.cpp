// SPDX-License-Identifier: BSL-1.0
#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

/// The text of an object; with -ffast-math, which changes the last digits, numbers have 12 of them.
std::string text_of(sonde::json object) {
#ifdef __FAST_MATH__
    for (auto& value : object)
        if (value.is_number_float()) {
            char digits[32];
            std::snprintf(digits, sizeof digits, "%.12g", value.get<double>());
            value = std::strtod(digits, nullptr);
        }
#endif
    return object.dump();
}

} // namespace

TEST_CASE("JSON of a scope: its figures, null if there are too few passes") {
    using namespace std::chrono_literals;
    sonde::scope_record halo;
    halo.name = "halo";
    halo.parent = 3;
    halo.ranks = 2;
    halo.bytes = 60;
    for (auto const t : {10ns, 20ns, 25ns}) halo.times.add(t);
    halo.totals = {sonde::seconds{0.25}, sonde::seconds{0.5}, sonde::seconds{0.75}};
    halo.slowest = 1;
    CHECK(text_of(sonde::json(halo)) ==
          R"({"type":"scope","name":"halo","parent":3,"passes":3,"ranks":2,"median_seconds":2e-08,"p99_seconds":null,)"
          R"("max_seconds":2.5e-08,"totals_seconds":{"min":0.25,"mean":0.5,"max":0.75},"slowest":1,"imbalance":1.5,)"
          R"("bytes":60.0,"bytes_per_second":1000000000.0,"efficiency":null,"reference":null})");
    halo.reference.emplace().series.assign(5, sonde::seconds{10ns});
    halo.reference->initiators = 1;
    CHECK(sonde::json(halo)["efficiency"] == 0.5);
    CHECK(sonde::json(halo)["reference"]["series_seconds"].size() == 5);
    CHECK(sonde::json(sonde::scope_record{})["parent"].is_null());
}
