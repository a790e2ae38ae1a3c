// SPDX-License-Identifier: BSL-1.0
#include "osu/openshmem/symmetric_heap.hpp"

#include "osu/driver/osu_program.hpp"

#include <cstdlib>
#include <vector>

namespace osu::openshmem {

namespace {

/// Variables with the size of the heap: the standard's, and those that Open MPI 4.1 reads instead.
constexpr char const* heap_variables[] = {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE"};

/// Bytes beside the data: of the reductions of records, and what an allocation is rounded up by.
constexpr std::size_t reserve = std::size_t{4} << 20;

/// The variables that are in the environment.
std::vector<std::string> given_variables() {
    std::vector<std::string> given;
    for (auto const* const name : heap_variables)
        if (std::getenv(name) != nullptr) given.emplace_back(name);
    return given;
}

/// Sets the given variables, or those of the standard and of Open MPI. It is a plain number for all libraries: Open MPI
/// accepts no fractions, and no two variables with different texts.
void set_heap_size(std::vector<std::string> names, std::size_t bytes) {
    if (names.empty()) names.emplace_back(heap_variables[0]);
    if (names == std::vector<std::string>{heap_variables[0]}) names.emplace_back(heap_variables[1]);
    for (auto const& name : names) setenv(name.c_str(), std::to_string(bytes).c_str(), 1);
}

/// The size that a variable gives. Throws refusal for a text that is no size.
std::size_t given_size(std::string const& variable) {
    std::string const text = std::getenv(variable.c_str());
    if (auto const bytes = size_in<double>(text)) return *bytes;
    throw refusal{"Invalid size of the symmetric heap [" + variable + "=" + text +
                  "]; accepted: a number of bytes, with K, M, G or T"};
}

} // namespace

std::size_t choose_heap(std::string const& program, std::size_t data_bytes) {
    auto const needed = data_bytes + reserve;
    auto const variables = given_variables();
    auto const bytes = variables.empty() ? needed : given_size(variables.front());
    for (auto const& other : variables)
        if (given_size(other) != bytes)
            throw refusal{"Two sizes of the symmetric heap [" + variables.front() + ", " + other +
                          "]; accepted: one of them, or equal sizes"};
    if (bytes < needed)
        throw refusal{"The symmetric heap is too small [" + variables.front() + "=" +
                      std::getenv(variables.front().c_str()) + "]: " + program + " needs " + std::to_string(needed) +
                      " bytes for these sizes; accepted: at least that, smaller sizes [-m]"};
    set_heap_size(variables, bytes);
    return bytes;
}

} // namespace osu::openshmem
