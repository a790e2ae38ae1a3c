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

// The functions without `_c` fail for a datatype that was constructed with large counts.
#if MPI_VERSION >= 4
using argument_count = MPI_Count;
#else
using argument_count = int;
#endif

struct type_arguments {
    std::vector<int> integers;
    std::vector<MPI_Aint> addresses;
    std::vector<MPI_Count> large_counts;
    std::vector<MPI_Datatype> parts;
};

/// The constructor of a datatype, and the numbers of its arguments.
struct type_envelope {
    argument_count integers = 0, addresses = 0, large_counts = 0, parts = 0;
    int combiner = MPI_COMBINER_NAMED;

    explicit type_envelope(MPI_Datatype type) {
#if MPI_VERSION >= 4
        PMPI_Type_get_envelope_c(type, &integers, &addresses, &large_counts, &parts, &combiner);
#else
        PMPI_Type_get_envelope(type, &integers, &addresses, &parts, &combiner);
#endif
    }

    bool is_named() const { return combiner == MPI_COMBINER_NAMED; }

    type_arguments arguments(MPI_Datatype type) const {
        auto const size = [](argument_count n) { return static_cast<std::size_t>(n); };
        type_arguments all{std::vector<int>(size(integers)), std::vector<MPI_Aint>(size(addresses)),
                           std::vector<MPI_Count>(size(large_counts)),
                           std::vector<MPI_Datatype>(size(parts), MPI_DATATYPE_NULL)};
#if MPI_VERSION >= 4
        PMPI_Type_get_contents_c(type, integers, addresses, large_counts, parts, all.integers.data(),
                                 all.addresses.data(), all.large_counts.data(), all.parts.data());
#else
        PMPI_Type_get_contents(type, integers, addresses, parts, all.integers.data(), all.addresses.data(),
                               all.parts.data());
#endif
        return all;
    }
};

} // namespace

std::string construction_of(MPI_Datatype type) {
    constexpr std::size_t longest = 1000; // characters; the rest of a longer one is left out
    type_envelope const constructor(type);
    if (constructor.is_named()) return name_of(type);
    auto all = constructor.arguments(type);
    std::string text;
    auto const add = [&](std::string const& argument) {
        if (text.size() < longest) text += (text.empty() ? "" : ",") + argument;
    };
    for (auto const n : all.integers) add(std::to_string(n));
    for (auto const n : all.large_counts) add(std::to_string(n));
    for (auto const n : all.addresses) add(std::to_string(n));
    for (auto& part : all.parts) {
        add(construction_of(part));
        if (!type_envelope(part).is_named()) SONDE_LIBRARY_CALL(Type_free)(&part);
    }
    return name_of_combiner(constructor.combiner) + ('(' + text + ')');
}

} // namespace tools::replay
