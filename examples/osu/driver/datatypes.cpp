// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/datatypes.hpp"

#include "osu/driver/osu_program.hpp"
#include "suite/values.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>

namespace osu {

namespace {

/// Refuses overlapping blocks: MPI does not allow a receive to write to an address twice.
void require_apart(std::vector<block> blocks, pair_file const& file) {
    std::sort(blocks.begin(), blocks.end(),
              [](block const& a, block const& b) { return a.displacement < b.displacement; });
    for (std::size_t i = 1; i < blocks.size(); ++i)
        if (blocks[i].displacement < blocks[i - 1].displacement + std::int64_t{blocks[i - 1].length})
            refuse_file(file, "Blocks overlap");
}

/// Blocks of the file of `-D indx:FILE`: a line 'DISPLACEMENT, LENGTH' for each; lines that start with '#' are
/// comments.
std::vector<block> read_blocks(std::string const& path) {
    pair_file const file{"-D indx:", path, "block", "a file of lines 'DISPLACEMENT, LENGTH' in elements"};
    std::vector<block> blocks;
    for (auto const& [displacement, length] : read_pairs(file)) blocks.push_back({displacement, length});
    require_apart(blocks, file);
    return blocks;
}

using sonde::mpi::check;

datatype type_of(element kind) { return {kind, datatype_of(kind), bytes_of(kind), mpi_name(kind)}; }

/// A message of one element of the derived datatype.
message_description one_element(MPI_Datatype made, std::size_t span) {
    auto const owner = std::make_shared<sonde::mpi::owned_datatype const>(made);
    auto const type = owner->get();
    MPI_Count bytes = 0;
    check(MPI_Type_size_x(type, &bytes), "MPI_Type_size_x");
    return {{type, 1}, span, static_cast<std::size_t>(bytes), owner};
}

message_description contiguous(datatype const& type, std::size_t n) {
    if (n > INT_MAX) throw refusal{"Too many elements for a contiguous type [-D cont]; accepted: 2147483647 or fewer"};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check(MPI_Type_contiguous(static_cast<int>(n), type.handle, &made), "MPI_Type_contiguous");
    return one_element(made, n * type.bytes);
}

message_description strided(datatype const& type, std::size_t n, derived const& asked) {
    auto const blocks = n / asked.stride;
    if (blocks > INT_MAX) throw refusal{"Too many blocks for a vector type [-D vect]; accepted: 2147483647 or fewer"};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check(MPI_Type_vector(static_cast<int>(blocks), static_cast<int>(asked.block), static_cast<int>(asked.stride),
                          type.handle, &made),
          "MPI_Type_vector");
    return one_element(made, n * type.bytes);
}

message_description indexed(datatype const& type, std::vector<block> const& blocks) {
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
    return one_element(made, span * type.bytes);
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

message_description message_layout::describe(datatype const& type, std::size_t size) const {
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
    return {{type.handle}, n * type.bytes, n * type.bytes};
}

} // namespace osu
