// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/measure/compare.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

using namespace unit;

namespace {

void does_nothing() {}

/// "halo bytes=8 link=ssend".
std::string shown_point(sonde::record const& r) {
    auto text = r.point.name;
    for (auto const& p : r.point.parameters) text += ' ' + p.name + '=' + p.text;
    return text;
}

std::string place_of_line(int line) { return "run_point.cpp:" + std::to_string(line); }

} // namespace

TEST_CASE_FIXTURE(one_rank, "run: a text is the name of the record, a list in braces a name and parameters") {
    auto const of = [&](auto&&... at) {
        return shown_point(sonde::run(
            group, plan(1), [] {}, at...));
    };
    std::size_t const n = 8;
    CHECK(of("halo") == "halo");
    CHECK(of(std::string{"halo"}) == "halo");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"halo"})) == "halo");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"halo", {}})) == "halo");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"halo", {{"bytes", n}}})) == "halo bytes=8");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"halo", {{"link", "ssend"}}})) == "halo link=ssend");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"a", {{"b", "c"}, {"d", "e"}}})) == "a b=c d=e");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {"", {{"bytes", n}}})) == " bytes=8");
}

TEST_CASE_FIXTURE(one_rank, "run: without a point, the name is the place of the call, file and line") {
    int const line = __LINE__ + 1;
    auto const by_lambda = sonde::run(group, plan(1), [] {});
    auto const by_function = sonde::run(group, plan(1), does_nothing);
    auto const on_lines = sonde::run(group, //
                                     plan(1), does_nothing);
    CHECK(shown_point(by_lambda) == place_of_line(line));
    CHECK(shown_point(by_function) == place_of_line(line + 1));
    CHECK(shown_point(on_lines) == place_of_line(line + 2));
}

TEST_CASE_FIXTURE(one_rank, "run: an empty name is no name, and the point of a named pattern comes before the place") {
    CHECK(shown_point(sonde::run(
              group, plan(1), [] {}, "")) == "");
    CHECK(shown_point(sonde::run(group, plan(1), [] {}, {})) == "");
    CHECK(shown_point(sonde::run(group, plan(1), sonde::named{"halo", [] {}})) == "halo");
    CHECK(shown_point(sonde::run(group, plan(1), sonde::named{{"", {{"bytes", 8}}}, [] {}})) == " bytes=8");
    CHECK(shown_point(sonde::run(group, plan(1), sonde::named{"halo", [] {}}, "own")) == "own");
}

TEST_CASE("run: ranks that make one call have one name") {
    int line = 0;
    auto const names = on_ranks(3, {}, [&](process& self) {
        auto group = self.group();
        working pattern{&self, role::initiator, {1us}};
        auto const plan = sonde::plan<>{}.warmup(0).until(sonde::samples{2}).timed_by(self.clock());
        if (self.rank() == 0) line = __LINE__ + 1;
        return sonde::run(group, plan, pattern).point.name;
    });
    CHECK(names == std::vector<std::string>(3, place_of_line(line)));
}
