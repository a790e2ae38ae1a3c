// SPDX-License-Identifier: BSL-1.0
#include <sonde/pattern/do_not_optimize.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

// tests/codegen counts the instructions that do_not_optimize and clobber_memory keep.

namespace {

template <class T>
bool unchanged(T const& value) {
    auto kept = value;
    sonde::do_not_optimize(kept);
    sonde::do_not_optimize(value);
    sonde::do_not_optimize(T{value});
    sonde::clobber_memory();
    return kept == value;
}

} // namespace

TEST_CASE("do_not_optimize: takes values of any type, and changes none") {
    CHECK(unchanged(true));
    CHECK(unchanged('x'));
    CHECK(unchanged(42));
    CHECK(unchanged(1.5));
    CHECK(unchanged(1.5L));
    CHECK(unchanged(static_cast<void*>(nullptr)));
    CHECK(unchanged(std::string{"a text that is longer than a register"}));
    CHECK(unchanged(std::vector{1, 2, 3}));
    CHECK(unchanged(std::array<double, 1000>{1, 2, 3}));
}
