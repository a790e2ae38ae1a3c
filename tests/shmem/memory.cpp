// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <sonde/memory.hpp>
#include <sonde/shmem/group.hpp>
#include <sonde/shmem/memory.hpp>

#include <shmem.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

using namespace sonde::shmem;

namespace {

std::uintptr_t address(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }

double global_array[16];

} // namespace

TEST_CASE("symmetric memory is aligned, filled and freed") {
    for (int i = 0; i != 40; ++i) { // 640 MiB in all, more than the heap has
        symmetric_allocation bytes{std::size_t{16} << 20};
        CHECK(address(bytes.bytes().data()) % static_cast<std::size_t>(sonde::host_memory::page) == 0);
        CHECK(shmem_addr_accessible(bytes.bytes().data(), (shmem_my_pe() + 1) % shmem_n_pes()) == 1);
    }
    symmetric_allocation bytes{100, symmetric_memory{128}};
    CHECK(address(bytes.bytes().data()) % 128 == 0);
    bytes.fill(std::byte{7});
    CHECK(bytes.bytes().back() == std::byte{7});
}

TEST_CASE("an allocation that exceeds the heap throws on all PEs, with one line") {
    auto const throws = [] { symmetric_allocation const too_large{std::size_t{1} << 40}; };
    auto const line = std::string{"sonde::shmem: the symmetric heap has no room for 1099511627776 bytes; "} +
                      heap_size_variable + " sets its size";
    CHECK_THROWS_WITH_AS(throws(), line.c_str(), heap_exhausted);
    CHECK_THROWS_AS(throws(), std::bad_alloc);
    CHECK_THROWS_AS(symmetric_array<long>{std::size_t{1} << 61}, heap_exhausted);
    symmetric_allocation const bytes{8}; // the heap is usable after that
    CHECK(bytes.bytes().size() == 8);
}

TEST_CASE("a symmetric array has its value on all PEs when the constructor returns") {
    for (int i = 0; i != 20; ++i) {
        symmetric_array<long> array{5, 42 + i};
        REQUIRE(array.elements().size() == 5);
        CHECK(address(array.elements().data()) % alignof(long) == 0);
        auto const right = (shmem_my_pe() + 1) % shmem_n_pes();
        for (auto& element : array.elements()) CHECK(shmem_long_atomic_fetch(&element, right) == 42 + i);
        shmem_barrier_all();
    }
}

TEST_CASE("a global array is symmetric, and buffers of it are borrowed") {
    global_array[15] = 3;
    {
        auto const memory = sonde::borrow(std::span<double>{global_array});
        CHECK(memory.bytes().size() == sizeof global_array);
        CHECK(shmem_addr_accessible(memory.bytes().data(), shmem_n_pes() - 1) == 1);
        global_array[15] = 4;
    }
    CHECK(global_array[15] == 3);
}
