// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/collectives.hpp>

#include <cstddef>
#include <vector>

namespace common {

/// What a collective of one size is made of: the ranks, with their topology where it has one, and a block.
struct recipe {
    sonde::mpi::group const& ranks;
    sonde::mpi::block each;
    sonde::mpi::root_rank at{};
    sonde::mpi::buffers where = sonde::mpi::buffers::out_of_place;

    // As many equal blocks, one after the other.
    sonde::mpi::blocks per_rank() const { return packed(peers()); }
    sonde::mpi::blocks per_source() const { return packed(neighborhood().sources.size()); }
    sonde::mpi::blocks per_destination() const { return packed(neighborhood().destinations.size()); }
    sonde::mpi::mixed_type_blocks<int> typed_per_rank() const { return typed<int>(peers()); }
    sonde::mpi::mixed_type_blocks<MPI_Aint> typed_per_source() const {
        return typed<MPI_Aint>(neighborhood().sources.size());
    }
    sonde::mpi::mixed_type_blocks<MPI_Aint> typed_per_destination() const {
        return typed<MPI_Aint>(neighborhood().destinations.size());
    }

    /// The block shared out: equal parts, the first ranks one element more where it does not divide.
    std::vector<std::size_t> shares() const {
        std::vector<std::size_t> all(peers(), each.count / peers());
        for (std::size_t rank = 0; rank != each.count % peers(); ++rank) ++all[rank];
        return all;
    }
    /// The block shared out in equal parts, the rest left.
    sonde::mpi::block share() const { return {each.type, each.count / peers()}; }

private:
    std::size_t peers() const { return static_cast<std::size_t>(ranks.size()); }
    sonde::mpi::neighborhood neighborhood() const { return sonde::mpi::neighborhood_of(ranks.comm()); }
    sonde::mpi::blocks packed(std::size_t n) const {
        return sonde::mpi::blocks::packed(each.type, std::vector<std::size_t>(n, each.count));
    }
    template <class Displacement>
    sonde::mpi::mixed_type_blocks<Displacement> typed(std::size_t n) const {
        return sonde::mpi::mixed_type_blocks<Displacement>::packed(each, n);
    }
};

} // namespace common
