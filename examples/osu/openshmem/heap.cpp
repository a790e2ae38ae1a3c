// SPDX-License-Identifier: BSL-1.0
#include "osu/openshmem/heap.hpp"

#include "osu/driver/program.hpp"

#include <cstdlib>
#include <limits>
#include <string_view>

namespace osu::openshmem {

namespace {

/// Variables with the size of the heap: the standard's, and those that Open MPI 4.1 reads instead.
constexpr char const* heap_variables[] = {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE"};

/// Bytes beside the data: of the reductions of records, and what an allocation is rounded up by.
constexpr std::size_t reserve = std::size_t{4} << 20;

/// The variable that chooses the size; null if there is none.
char const* given_variable() {
    for (auto const* const name : heap_variables)
        if (std::getenv(name) != nullptr) return name;
    return nullptr;
}

/// Sets the given variable, or those of the standard and of Open MPI. It is a plain number for all libraries: Open MPI
/// accepts no fractions.
void set_heap_size(char const* given, std::size_t bytes) {
    auto const size = std::to_string(bytes);
    std::string const name = given == nullptr ? heap_variables[0] : given;
    setenv(name.c_str(), size.c_str(), 1);
    if (name == heap_variables[0]) setenv(heap_variables[1], size.c_str(), 1);
}

} // namespace

std::optional<std::size_t> heap_size_of(std::string const& text) {
    constexpr std::string_view suffixes = "kmgt";
    auto const suffix = text.empty() ? suffixes.npos : suffixes.find(lower(text).back());
    auto const digits = suffix == suffixes.npos ? text : text.substr(0, text.size() - 1);
    auto bytes = number<double>(digits, 0, 1e18);
    if (!bytes) return std::nullopt;
    for (std::size_t i = 0; suffix != suffixes.npos && i <= suffix; ++i) *bytes *= 1024;
    if (*bytes > static_cast<double>(std::numeric_limits<std::size_t>::max() / 2)) return std::nullopt;
    return static_cast<std::size_t>(*bytes);
}

void choose_heap(std::string const& program, std::size_t data_bytes) {
    auto const needed = data_bytes + reserve;
    auto const* const variable = given_variable();
    if (variable == nullptr) return set_heap_size(nullptr, needed);
    std::string const text = std::getenv(variable), setting = " [" + std::string{variable} + "=" + text + "]";
    auto const bytes = heap_size_of(text);
    if (!bytes)
        throw refusal{"Invalid size of the symmetric heap" + setting +
                      "; accepted: a number of bytes, with K, M, G or T"};
    if (*bytes < needed)
        throw refusal{"The symmetric heap is too small" + setting + ": " + program + " needs " +
                      std::to_string(needed) + " bytes for these sizes; accepted: at least that, smaller sizes [-m]"};
    set_heap_size(variable, *bytes);
}

} // namespace osu::openshmem
