// SPDX-License-Identifier: BSL-1.0
#include "datatypes.hpp"

#include "common.hpp"

#include <algorithm>
#include <climits>

namespace osu {

namespace {

using sonde::mpi::check;

MPI_Datatype handle_of(element kind) {
    switch (kind) {
    case element::integer:
        return MPI_INT;
    case element::real:
        return MPI_FLOAT;
    case element::character:
        break;
    }
    return MPI_CHAR;
}

datatype type_of(element kind) {
    auto const handle = handle_of(kind);
    int bytes = 0, length = 0;
    char name[MPI_MAX_OBJECT_NAME];
    check(MPI_Type_size(handle, &bytes), "MPI_Type_size");
    check(MPI_Type_get_name(handle, name, &length), "MPI_Type_get_name");
    return {kind, handle, static_cast<std::size_t>(bytes), name};
}

using described = message_layout::described;

described as_one(MPI_Datatype made, std::size_t span) {
    sonde::mpi::owned_datatype owned{made};
    auto const type = owned.get();
    MPI_Count bytes = 0;
    check(MPI_Type_size_x(type, &bytes), "MPI_Type_size_x");
    return {std::move(owned), {type, 1}, span, static_cast<std::size_t>(bytes)};
}

described contiguous(datatype const& type, std::size_t n) {
    if (n > INT_MAX) throw refusal{"Too many elements for a contiguous type [-D cont]; accepted: 2147483647 or fewer"};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check(MPI_Type_contiguous(static_cast<int>(n), type.handle, &made), "MPI_Type_contiguous");
    return as_one(made, n * type.bytes);
}

described strided(datatype const& type, std::size_t n, derived const& asked) {
    auto const blocks = n / asked.stride;
    if (blocks > INT_MAX) throw refusal{"Too many blocks for a vector type [-D vect]; accepted: 2147483647 or fewer"};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check(MPI_Type_vector(static_cast<int>(blocks), static_cast<int>(asked.block), static_cast<int>(asked.stride),
                          type.handle, &made),
          "MPI_Type_vector");
    return as_one(made, n * type.bytes);
}

described indexed(datatype const& type, std::vector<block> const& blocks) {
    std::vector<int> lengths, displacements;
    std::size_t span = 0;
    for (auto const& b : blocks) {
        lengths.push_back(b.length);
        displacements.push_back(b.displacement);
        span = std::max(span, static_cast<std::size_t>(b.displacement) + static_cast<std::size_t>(b.length));
    }
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check(MPI_Type_indexed(static_cast<int>(blocks.size()), lengths.data(), displacements.data(), type.handle, &made),
          "MPI_Type_indexed");
    return as_one(made, span * type.bytes);
}

} // namespace

std::vector<datatype> types_of(options const& asked) {
    if (asked.types.empty()) return {type_of(element::character)};
    std::vector<datatype> types;
    for (auto const kind : asked.types) types.push_back(type_of(kind));
    return types;
}

message_layout::message_layout(derived asked) : asked_{std::move(asked)} {
    if (asked_.kind == layout::indexed) blocks_ = read_blocks(asked_.file);
}

described message_layout::describe(datatype const& type, std::size_t size) const {
    auto const n = size / type.bytes;
    switch (asked_.kind) {
    case layout::contiguous:
        return contiguous(type, n);
    case layout::vector:
        return strided(type, n, asked_);
    case layout::indexed:
        return indexed(type, blocks_);
    case layout::plain:
        break;
    }
    return {{}, {type.handle}, n * type.bytes, n * type.bytes};
}

} // namespace osu
