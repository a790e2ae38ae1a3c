// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/datatype_construction.hpp"

#include "tools/replay/recorder/recorder.hpp"

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

bool is_named(MPI_Datatype type, int (&counts)[3], int& combiner) {
    PMPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner);
    return combiner == MPI_COMBINER_NAMED;
}

} // namespace

std::string construction_of(MPI_Datatype type) {
    constexpr std::size_t longest = 1000; // characters; the rest of a longer one is left out
    int counts[3] = {}, combiner = MPI_COMBINER_NAMED;
    if (is_named(type, counts, combiner)) return name_of(type);
    std::vector<int> integers(static_cast<std::size_t>(counts[0]));
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(counts[1]));
    std::vector<MPI_Datatype> parts(static_cast<std::size_t>(counts[2]), MPI_DATATYPE_NULL);
    PMPI_Type_get_contents(type, counts[0], counts[1], counts[2], integers.data(), addresses.data(), parts.data());
    std::string text;
    auto const add = [&](std::string const& argument) {
        if (text.size() < longest) text += (text.empty() ? "" : ",") + argument;
    };
    for (auto const n : integers) add(std::to_string(n));
    for (auto const n : addresses) add(std::to_string(n));
    for (auto& part : parts) {
        add(construction_of(part));
        int of_part[3] = {};
        if (!is_named(part, of_part, combiner)) SONDE_LIBRARY_CALL(Type_free)(&part);
    }
    PMPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &combiner);
    return name_of_combiner(combiner) + ('(' + text + ')');
}

} // namespace tools::replay
