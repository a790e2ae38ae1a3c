// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/datatype_construction.hpp"

#include "tools/replay/recorder/recorder.hpp"

#include <sonde/mpi/type_contents.hpp>

#include <mpi.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace tools::replay {

namespace {

char const* name_of_combiner(int combiner) {
    std::pair<int, char const*> const names[] = {{MPI_COMBINER_DUP, "dup"},
                                                 {MPI_COMBINER_CONTIGUOUS, "contiguous"},
                                                 {MPI_COMBINER_VECTOR, "vector"},
                                                 {MPI_COMBINER_HVECTOR, "hvector"},
                                                 {MPI_COMBINER_INDEXED, "indexed"},
                                                 {MPI_COMBINER_HINDEXED, "hindexed"},
                                                 {MPI_COMBINER_INDEXED_BLOCK, "indexed_block"},
                                                 {MPI_COMBINER_HINDEXED_BLOCK, "hindexed_block"},
                                                 {MPI_COMBINER_STRUCT, "struct"},
                                                 {MPI_COMBINER_SUBARRAY, "subarray"},
                                                 {MPI_COMBINER_DARRAY, "darray"},
                                                 {MPI_COMBINER_RESIZED, "resized"}};
    auto const* const known =
        std::find_if(std::begin(names), std::end(names), [&](auto const& n) { return n.first == combiner; });
    return known == std::end(names) ? "other" : known->second;
}

std::string name_of(MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME + 1] = {};
    int length = 0;
    PMPI_Type_get_name(type, name, &length);
    return name;
}

} // namespace

std::string construction_of(MPI_Datatype type) {
    constexpr std::size_t longest = 1000; // characters; the rest of a longer one is left out
    sonde::mpi::detail::type_envelope const constructor{type};
    if (constructor.combiner == MPI_COMBINER_NAMED) return name_of(type);
    auto all = constructor.contents(type);
    std::string text;
    auto const add = [&](std::string const& argument) {
        if (text.size() < longest) text += (text.empty() ? "" : ",") + argument;
    };
    for (auto const n : all.integers) add(std::to_string(n));
    for (auto const n : all.large_counts) add(std::to_string(n));
    for (auto const n : all.addresses) add(std::to_string(n));
    for (auto& part : all.types) {
        add(construction_of(part));
        if (sonde::mpi::detail::type_envelope{part}.is_derived()) SONDE_LIBRARY_CALL(Type_free)(&part);
    }
    return name_of_combiner(constructor.combiner) + ('(' + text + ')');
}

} // namespace tools::replay
