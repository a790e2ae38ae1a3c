// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/comparison.hpp"

#include <doctest/doctest.h>

#include "support.hpp"
#include "tools/compare/matched_rows.hpp"

namespace {

using made::row;
using run_files = std::vector<sonde::run_file>;

sonde::record with_parameters(std::vector<sonde::parameter> parameters) {
    auto r = row(8, {1});
    r.point.parameters = std::move(parameters);
    return r;
}

} // namespace

TEST_CASE("records match by name and parameters, in any order") {
    auto const found = tools::match({{{}, {}, {with_parameters({{"a", 1}, {"b", "x"}})}}},
                                    {{{}, {}, {with_parameters({{"b", "x"}, {"a", 1}})}}});
    REQUIRE(found.size() == 1);
    CHECK(found[0].before.medians.size() == 1);
    CHECK(found[0].after.medians.size() == 1);
}

TEST_CASE("another name, or another value, is another row") {
    auto renamed = row(8, {1});
    renamed.point.name = "other";
    CHECK(tools::match({{{}, {}, {row(8, {1})}}}, {{{}, {}, {renamed, row(16, {1})}}}).size() == 3);
}

TEST_CASE("launches whose numbers of repetitions differ have the same row") {
    auto const counted = [](std::size_t n) { return with_parameters({{"bytes", 4}, {"repetitions", n}}); };
    auto const found = tools::match({{{}, {}, {counted(900)}}, {{}, {}, {counted(880)}}}, {{{}, {}, {counted(910)}}});
    REQUIRE(found.size() == 1);
    CHECK(found[0].before.medians.size() == 2);
    CHECK(found[0].after.medians.size() == 1);
    CHECK(tools::name_of(found[0]) == "exchange bytes=4");
}

TEST_CASE("a point that occurs twice in a launch makes two rows, matched in order") {
    auto const twice = run_files{{{}, {}, {row(8, {1}), row(8, {100})}}};
    auto const found = tools::match(twice, twice);
    REQUIRE(found.size() == 2);
    CHECK(found[1].before.medians == made::times({100}));
    CHECK(found[1].after.medians == made::times({100}));
    CHECK(tools::name_of(found[0]) == "exchange bytes=8 link=send");
    CHECK(tools::name_of(found[1]) == "exchange bytes=8 link=send #2");
}

TEST_CASE("each launch gives a row one observation, its median") {
    auto const found = tools::match({{{}, {}, {row(8, {1, 9, 2})}}, {{}, {}, {row(8, {4})}}}, {});
    REQUIRE(found.size() == 1);
    CHECK(found[0].before.medians == made::times({2, 4}));
    CHECK(found[0].after.medians.empty());
}

TEST_CASE("the table has common settings once, and a line for each row with its own settings") {
    auto const launches = [](double by) {
        run_files all;
        for (double const t : {10.0, 11.0, 12.0, 13.0, 14.0, 15.0}) {
            all.push_back({{}, {}, {row(8, {t * by}), row(1048576, {1000 * t * by})}});
        }
        return all;
    };
    auto const lines = tools::comparison_table(tools::compare(tools::match(launches(1), launches(2)), {}));
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == "# exchange link=send");
    // clang-format off
    CHECK(lines[1] == "bytes         old          [95 %]  within  between       new          [95 %]  within  between  new/old       p  outcome");
    CHECK(lines[2] == "8        12.50 ns  [10.00, 15.00]   0.0 %   15.0 %  25.00 ns  [20.00, 30.00]   0.0 %   15.0 %    2.000  0.0043  slower");
    CHECK(lines[3] == "1048576  12.50 us  [10.00, 15.00]   0.0 %   15.0 %  25.00 us  [20.00, 30.00]   0.0 %   15.0 %    2.000  0.0043  slower");
    // clang-format on
}
