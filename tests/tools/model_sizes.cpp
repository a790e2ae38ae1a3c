// SPDX-License-Identifier: BSL-1.0
#include "tools/records/units.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

using tools::read_sizes;
using sizes = std::vector<std::size_t>;

TEST_CASE("sizes of a range are a fixed number per doubling, evenly in the logarithm, with both ends") {
    CHECK(read_sizes("64:256", 1) == sizes{64, 128, 256});
    CHECK(read_sizes("1K:2K", 4) == sizes{1024, 1218, 1448, 1722, 2048});
    CHECK(read_sizes("100:150", 2) == sizes{100, 141, 150});
    CHECK(read_sizes("7:7", 4) == sizes{7});
}

TEST_CASE("sizes and ranges may be mixed") {
    CHECK(read_sizes("8,1K:4K", 1) == sizes{8, 1024, 2048, 4096});
    CHECK(read_sizes("10:30:10,64:128,20", 1) == sizes{10, 20, 30, 64, 128});
    CHECK_THROWS_WITH(read_sizes("8,4:2", 1), "--sizes 8,4:2: the last size is below the first");
    CHECK_THROWS_WITH(read_sizes("8,1:2:3:4", 1),
                      "--sizes 8,1:2:3:4: takes sizes, A:B and A:B:STEP, with commas between");
}

TEST_CASE("a refused list names the option that it is of") {
    CHECK_THROWS_WITH(read_sizes("8,,1K", 1), "--sizes 8,,1K: '' is no size: whole bytes, or K, M, G, up to 1024G");
    CHECK_THROWS_WITH(read_sizes("8,,1K", 1, 1, "--latency"),
                      "--latency 8,,1K: '' is no size: whole bytes, or K, M, G, up to 1024G");
    CHECK_THROWS_WITH(read_sizes("8:4", 1, 1, "--bandwidth"), "--bandwidth 8:4: the last size is below the first");
    CHECK_THROWS_WITH(read_sizes("0,4", 1, 1, "--latency"), "--latency 0,4: '0' is below 1 byte");
}

TEST_CASE("sizes that round to the same number occur once") {
    CHECK(read_sizes("1:8", 4) == sizes{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(read_sizes("8,2,2,4", 4) == sizes{2, 4, 8});
}

TEST_CASE("a third number is a step") {
    CHECK(read_sizes("1K:4K:1K", 4) == sizes{1024, 2048, 3072, 4096});
    CHECK(read_sizes("1:10:4", 4) == sizes{1, 5, 9});
}

TEST_CASE("a list is taken as it is, in units of 1024") {
    CHECK(read_sizes("3", 4) == sizes{3});
    CHECK(read_sizes("1k,1M,1G,5", 4) == sizes{5, 1024, 1048576, 1073741824});
    CHECK(read_sizes("2KiB,8B,1024G", 4) == sizes{8, 2048, std::size_t{1} << 40});
}

TEST_CASE("0 is a valid size where allowed, and not part of doublings") {
    CHECK(read_sizes("0,8", 4, 0) == sizes{0, 8});
    CHECK(read_sizes("0:4", 1, 0) == sizes{0, 1, 2, 4});
    CHECK(read_sizes("0:0", 1, 0) == sizes{0});
}

TEST_CASE("an invalid list of sizes is refused with its text") {
    for (std::string const text : {"", "0:4", "4:1", "1:", ":4", "1:2:0", "1:2:3:4", "1,,2", "1,3:2", "x", "-1", "K",
                                   "2000G", "1.5K", "99999999999999999999", "1:10001:1", "1:1e300", "1Ki", "8X"}) {
        CAPTURE(text);
        CHECK_THROWS_WITH_AS(read_sizes(text, 4), doctest::Contains(("--sizes " + text + ": ").c_str()),
                             std::invalid_argument);
    }
    CHECK(read_sizes("1:10000:1", 4).size() == 10000);
}
