// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/datatype.hpp>
#include <boost/serialization/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace particles {

struct particle {
    std::int64_t id = 0;
    double mass = 1;
    double place = 0; // on the ring, whose length is the number of ranks
    double speed = 0;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& id& mass& place& speed;
    }
};

/// Copies of the particles that are close to the boundary with a neighbor. Their number changes only when the halo is
/// rebuilt.
struct ghosts {
    std::vector<particle> all;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& all;
    }
};

/// The sides of a rank's part of the ring.
enum side : std::size_t { left, right };

/// The neighbors of a rank on the ring, which may be one rank, or the rank itself. Messages to the left have another
/// tag than those to the right, so that the two of one neighbor are not confused.
struct neighbors {
    boost::mpi::communicator comm;

    int rank_at(side s) const { return (comm.rank() + (s == left ? comm.size() - 1 : 1)) % comm.size(); }
    static int tag_to(side s) { return static_cast<int>(s); }
    static int tag_from(side s) { return static_cast<int>(s == left ? right : left); }
};

/// Messages of a rank to and from its neighbors, by side; they are exchanged in every step.
struct halo {
    ghosts out[2];
    ghosts in[2];
};

} // namespace particles

BOOST_IS_MPI_DATATYPE(particles::particle)
