// SPDX-License-Identifier: BSL-1.0
#include <sonde/measure/comparison.hpp>
#include <sonde/report/comparison_table.hpp>

#include <doctest/doctest.h>

#include <cstddef>

#include "support.hpp"

namespace {

/// An alternative of which every round takes the same time.
sonde::record steady(char const* name, int nanoseconds, std::size_t rounds) {
    sonde::record r;
    r.point.name = name;
    r.series.assign(rounds, sonde::seconds{1e-9 * nanoseconds});
    r.clock_properties.resolution = sonde::seconds{1e-9};
    return r;
}

} // namespace

TEST_CASE("a comparison is a table: medians, speed-ups over the base with their intervals, and outcomes") {
    auto tuned = steady("persistent", 4000, 40);
    tuned.point.parameters = {{"bytes", std::size_t{8}}};
    reports::memory_file out;
    sonde::comparison_table{out.get()}({{steady("blocking", 8000, 40), tuned, steady("", 8000, 40)}});
    CHECK('\n' + out.text() == R"(
alternative           median us  speed-up  95 % interval  outcome
blocking                  8.000     1.000              -  (base)
persistent (bytes 8)      4.000     2.000   2.000..2.000  faster
alternative 2             8.000     1.000   1.000..1.000  undecided
)");
}

TEST_CASE("a table of a comparison says how many rounds are missing, and uses the criterion of the caller") {
    reports::memory_file out;
    sonde::comparison_table{out.get(),
                            {.gain = 0.1, .confidence = 0.99}}({{steady("a", 1000, 8), steady("b", 950, 8)}});
    sonde::comparison_table{out.get(), {.gain = 0.1}}({{steady("a", 1000, 40), steady("b", 950, 40)}});
    CHECK('\n' + out.text() == R"(
alternative  median us  speed-up  99 % interval  outcome
a                1.000     1.000              -  (base)
b                0.950     1.053              -  undecided: 8 rounds of at least 15
alternative  median us  speed-up  95 % interval  outcome
a                1.000     1.000              -  (base)
b                0.950     1.053   1.052..1.054  undecided
)");
}
