// SPDX-License-Identifier: BSL-1.0
#include <sonde/model.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::rate;

TEST_CASE("bytes over a rate are a time, bytes over a time a rate, and a rate times a time bytes") {
    CHECK((bytes{3000} / rate{1e9}).count() == 3e-6);
    CHECK((bytes{3000} / seconds{3e-6}).count() == 1e9);
    CHECK((rate{1e9} * seconds{3e-6}).count() == 3000);
}

TEST_CASE("an integer converts to bytes implicitly, a double does not") {
    static_assert(std::is_convertible_v<int, bytes> && std::is_convertible_v<unsigned long, bytes>);
    static_assert(!std::is_convertible_v<double, bytes> && !std::is_convertible_v<double, rate>);
    static_assert(!std::is_convertible_v<bytes, rate> && !std::is_convertible_v<bytes, double>);
    CHECK(bytes{1} < bytes{1.5});
}
