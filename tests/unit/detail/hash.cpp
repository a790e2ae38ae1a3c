// SPDX-License-Identifier: BSL-1.0
#include <sonde/detail/hash.hpp>

#include <doctest/doctest.h>

#include <string_view>

using sonde::detail::fnv_1a;

TEST_CASE("FNV-1a of its authors' examples, of all bytes, and of bytes in two parts") {
    static_assert(fnv_1a("") == 0xcbf29ce484222325u);
    static_assert(fnv_1a("a") == 0xaf63dc4c8601ec8cu);
    static_assert(fnv_1a("foobar") == 0x85944171f73967e8u);
    CHECK(fnv_1a("bar", fnv_1a("foo")) == fnv_1a("foobar"));
    CHECK(fnv_1a("\xff") == 0xaf64724c8602eb6eu);
    CHECK(fnv_1a(std::string_view{"a\0b", 3}) != fnv_1a("a"));
}
