// SPDX-License-Identifier: BSL-1.0
#include <sonde/link.hpp>
#include <sonde/memory.hpp>
#include <sonde/openacc.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace openacc = sonde::openacc;

namespace {

/// A link to itself: a sent message stays in a mailbox until it is received.
struct mailbox {
    sonde::region box;
    void send(sonde::region from) const { std::memcpy(box.data(), from.data(), from.size()); }
    void recv(sonde::region into) const { std::memcpy(into.data(), box.data(), into.size()); }
};

std::vector<std::byte> numbers(std::size_t n) {
    std::vector<std::byte> all;
    for (std::size_t i = 0; i != n; ++i) all.push_back(static_cast<std::byte>(i * 7 + 1));
    return all;
}

} // namespace

static_assert(sonde::Memory<openacc::memory>);

TEST_CASE("ranks take the devices of their node round-robin") {
    auto const devices = openacc::device_count();
    REQUIRE(devices > 0);
    for (int rank = 0; rank != 2 * devices + 1; ++rank) {
        CHECK(openacc::choose_device(rank) == rank % devices);
        CHECK(acc_get_device_num(acc_get_device_type()) == rank % devices);
    }
    CHECK_THROWS_WITH_AS(openacc::choose_device(-1), "sonde::openacc::choose_device: a local rank is 0 or more",
                         std::invalid_argument);
}

TEST_CASE("a region is on a device unless the host is OpenACC's device") {
    sonde::allocation const eight{8, openacc::memory{}};
    CHECK(eight.bytes().on_device() == !openacc::is_host());
}

TEST_CASE("a type of the environment without a device is an error, and a type with one is none") {
    for (auto const* type : {"abacus", "host "}) {
        setenv("ACC_DEVICE_TYPE", type, 1);
        auto const text = std::string{"there is no OpenACC device of the type in ACC_DEVICE_TYPE, "} + type;
        CHECK_THROWS_WITH_AS(static_cast<void>(openacc::device_count()), text.c_str(), openacc::error);
        CHECK_THROWS_AS(static_cast<void>(openacc::is_host()), openacc::error);
        CHECK_THROWS_AS(openacc::choose_device(0), openacc::error);
    }
    for (auto const* type : {"HOST", ""}) {
        setenv("ACC_DEVICE_TYPE", type, 1);
        CHECK(openacc::device_count() > 0);
    }
    unsetenv("ACC_DEVICE_TYPE");
    CHECK(openacc::device_count() > 0);
}

TEST_CASE("memory is filled, written and read, also beyond the block of a fill") {
    for (std::size_t const n : {std::size_t{1}, std::size_t{5}, (std::size_t{1} << 20) + 3}) {
        sonde::allocation<openacc::memory> bytes{n};
        bytes.fill(std::byte{0x5a});
        std::vector<std::byte> found(n);
        bytes.read(0, found);
        CHECK(found == std::vector(n, std::byte{0x5a}));
        auto const sent = numbers(n / 2);
        bytes.write(n - n / 2, sent);
        bytes.read(0, found);
        auto expected = std::vector(n, std::byte{0x5a});
        std::copy(sent.begin(), sent.end(), expected.end() - static_cast<std::ptrdiff_t>(n / 2));
        CHECK(found == expected);
    }
}

TEST_CASE("memory that does not exist is an error with its size") {
    auto const bytes = std::size_t{1} << 62;
    CHECK_THROWS_WITH_AS(openacc::memory{}.allocate(bytes),
                         "acc_malloc: no memory for 4611686018427387904 bytes on the device", openacc::error);
}

TEST_CASE("a message is staged in host memory") {
    auto const sent = numbers(4);
    std::vector<std::byte> box(4), found(4);
    sonde::allocation<openacc::memory> out{4}, in{4};
    out.write(0, sent);
    sonde::staged_link link{mailbox{box}, openacc::memory{}, sonde::host_memory{}};
    auto from = sonde::send_buffer(link, out.first(4)), to = sonde::recv_buffer(link, in.first(4));
    link.send(from.next());
    link.recv(to.next());
    in.read(0, found);
    CHECK(found == sent);
}
