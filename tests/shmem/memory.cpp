// SPDX-License-Identifier: BSL-1.0
#include "../memory_conformance.hpp"

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

double global_array[16];

} // namespace

TEST_CASE("symmetric memory conforms; an allocation that exceeds the heap throws on all PEs") {
    auto const right = (shmem_my_pe() + 1) % shmem_n_pes();
    conformance::check_memory(std::size_t{640} << 20, symmetric_memory{128},
                              [&](sonde::region bytes) { CHECK(shmem_addr_accessible(bytes.data(), right) == 1); });
    conformance::check_exhausted<symmetric_memory, heap_exhausted>(
        std::string{"sonde::shmem: the symmetric heap has no room for 1099511627776 bytes; "} + heap_size_variable +
        " sets its size");
    CHECK_THROWS_AS(symmetric_array<long>{std::size_t{1} << 61}, heap_exhausted);
}

TEST_CASE("a symmetric array has its value on all PEs when the constructor returns") {
    for (int i = 0; i != 20; ++i) {
        symmetric_array<long> array{5, 42 + i};
        REQUIRE(array.elements().size() == 5);
        CHECK(reinterpret_cast<std::uintptr_t>(array.elements().data()) % alignof(long) == 0);
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
