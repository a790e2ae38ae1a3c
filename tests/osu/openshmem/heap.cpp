// SPDX-License-Identifier: BSL-1.0
// Size of the symmetric heap, from the environment and for the sizes of a program; without OpenSHMEM.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "osu/openshmem/symmetric_heap.hpp"

#include "osu/driver/osu_program.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

namespace {

using osu::openshmem::choose_heap;

constexpr char const* variables[] = {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE"};
constexpr std::size_t reserve = 4 << 20;

/// The variables with these values; those without one are not set.
void set(std::initializer_list<char const*> values) {
    auto const* value = values.begin();
    for (auto const* const name : variables) {
        if (*value == nullptr) unsetenv(name);
        else setenv(name, *value, 1);
        ++value;
    }
}

std::string text(char const* name) {
    auto const* const found = std::getenv(name);
    return found == nullptr ? "none" : found;
}

std::string refusal_for(std::size_t bytes) {
    try {
        choose_heap("osu_oshm_put", bytes);
    } catch (osu::refusal const& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("without a variable the heap has room for the data, under the names of the standard and of Open MPI") {
    set({nullptr, nullptr, nullptr});
    choose_heap("osu_oshm_put", 100);
    CHECK(text("SHMEM_SYMMETRIC_SIZE") == std::to_string(100 + reserve));
    CHECK(text("SMA_SYMMETRIC_SIZE") == std::to_string(100 + reserve));
    CHECK(text("SHMEM_SYMMETRIC_HEAP_SIZE") == "none");
}

TEST_CASE("the user's size stays; Open MPI gets the standard's") {
    set({"5M", nullptr, nullptr});
    choose_heap("osu_oshm_put", 1 << 20);
    CHECK(text("SHMEM_SYMMETRIC_SIZE") == "5242880");
    CHECK(text("SMA_SYMMETRIC_SIZE") == "5242880");
    set({nullptr, nullptr, "8M"});
    choose_heap("osu_oshm_put", 1 << 20);
    CHECK(text("SHMEM_SYMMETRIC_HEAP_SIZE") == "8388608");
    CHECK(text("SMA_SYMMETRIC_SIZE") == "none"); // Open MPI refuses two different texts under its names
    set({"8M", nullptr, "8192K"});
    CHECK(choose_heap("osu_oshm_put", 1 << 20) == std::size_t{8} << 20);
    CHECK(text("SHMEM_SYMMETRIC_SIZE") == "8388608");
    CHECK(text("SHMEM_SYMMETRIC_HEAP_SIZE") == "8388608");
}

TEST_CASE("two different sizes are refused") {
    set({"8M", nullptr, "16M"});
    CHECK(refusal_for(1) == "Two sizes of the symmetric heap [SHMEM_SYMMETRIC_SIZE, SHMEM_SYMMETRIC_HEAP_SIZE]; "
                            "accepted: one of them, or equal sizes");
}

TEST_CASE("a heap that is too small by one byte is refused with the number of bytes that the program needs") {
    auto const least = std::to_string(1000 + reserve);
    set({nullptr, least.c_str(), nullptr});
    CHECK(refusal_for(1000).empty());
    CHECK(refusal_for(1001) == "The symmetric heap is too small [SMA_SYMMETRIC_SIZE=" + least +
                                   "]: osu_oshm_put needs " + std::to_string(1001 + reserve) +
                                   " bytes for these sizes; accepted: at least that, smaller sizes [-m]");
    set({"large", nullptr, nullptr});
    CHECK(refusal_for(1).find("Invalid size of the symmetric heap [SHMEM_SYMMETRIC_SIZE=large]") == 0);
}
