// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/mpi/topology.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::mpi {

/// MPI_Sendrecv to the peer `to` and from the peer `from`, for the pattern `sonde::exchange`.
class sendrecv_link : public endpoint {
public:
    sendrecv_link(group_ref ranks, int to, int from, tags tag = {}, elements datatype = {})
        : endpoint{ranks, to, tag, datatype}, from_{detail::peer_of_link(ranks.get(), from)} {}

    /// MPI_Sendrecv: sends to one peer and receives from the other.
    void sendrecv(message const& out, message const& in) const {
        check(MPI_Sendrecv(out.data, out.count, out.type, peer_, tags_.send, in.data, in.count, in.type, from_,
                           tags_.recv, comm_, MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
    }

private:
    int from_;
};

/// The two messages of a face of an array, as datatypes of one element at the array's first cell.
struct halo_face {
    owned_datatype send;    // the outermost cells of the block
    owned_datatype receive; // the ghost cells beyond them
};

namespace detail {

/// Cells of an array: `lengths` cells from `starts` on. A block without cells is an empty type.
inline owned_datatype block_of(std::vector<int> const& sizes, std::vector<int> const& lengths,
                               std::vector<int> const& starts, MPI_Datatype type) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    auto empty = false;
    for (auto const n : lengths) empty = empty || n == 0;
    if (empty) {
        check(MPI_Type_contiguous(0, type, &made), "MPI_Type_contiguous");
    } else {
        check(MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), lengths.data(), starts.data(),
                                       MPI_ORDER_C, type, &made),
              "MPI_Type_create_subarray");
    }
    return owned_datatype{made};
}

inline void require_faces(std::vector<int> const& extents, std::vector<int> const& widths) {
    auto valid = !extents.empty() && extents.size() == widths.size();
    for (std::size_t d = 0; valid && d != extents.size(); ++d)
        valid = extents[d] > 0 && widths[d] >= 0 && widths[d] <= extents[d];
    if (!valid)
        throw std::invalid_argument{"sonde::mpi::halo_faces: needs a width for each extent, from 0 to the extent"};
}

} // namespace detail

/// The faces of an n-dimensional array in C order (the last index is contiguous): the lower and the upper face of each
/// dimension in turn, as MPI orders the neighbors on a Cartesian communicator.
///
///     auto const faces = sonde::mpi::halo_faces({rows, columns}, {1, 1}, MPI_DOUBLE);
///     MPI_Isend(array, 1, faces[i].send.get(), ...), MPI_Irecv(array, 1, faces[i].receive.get(), ...)
///
/// `extents`: cells of the block in each dimension, without ghost cells. `widths`: layers of ghost cells on either side
/// of each dimension, so that the array has extent + 2 width cells there; a dimension of width 0 has empty faces. Faces
/// do not contain the edges and corners, which have ghost cells of two or more dimensions. `type`: datatype of a cell.
/// Not collective. Throws std::invalid_argument unless there is a width for each extent and 0 <= width <= extent,
/// extent > 0; std::length_error for more cells in a dimension than an int counts.
[[nodiscard]] inline std::vector<halo_face> halo_faces(std::vector<int> const& extents, std::vector<int> const& widths,
                                                       MPI_Datatype type) {
    detail::require_faces(extents, widths);
    std::vector<int> sizes;
    for (std::size_t d = 0; d != extents.size(); ++d)
        sizes.push_back(
            detail::int_count(static_cast<std::size_t>(extents[d]) + 2 * static_cast<std::size_t>(widths[d])));
    std::vector<halo_face> faces;
    for (std::size_t d = 0; d != extents.size(); ++d) {
        auto lengths = extents, starts = widths;
        lengths[d] = widths[d];
        auto const from = [&](int start) {
            starts[d] = start;
            return detail::block_of(sizes, lengths, starts, type);
        };
        auto const width = widths[d], extent = extents[d];
        auto lower_send = from(width), lower_receive = from(0);
        auto upper_send = from(extent), upper_receive = from(extent + width);
        faces.push_back({std::move(lower_send), std::move(lower_receive)});
        faces.push_back({std::move(upper_send), std::move(upper_receive)});
    }
    return faces;
}

/// A neighbor in a halo exchange, and the messages to and from it: regions of the application's array, as bytes, or
/// with a datatype that says where the elements lie (`{column_type, 1}`). With a negative rank the entry stands for no
/// neighbor, and its other members are ignored. Two neighbors with the same rank need different tags.
struct halo_neighbor {
    int rank;                                   // negative: no neighbor
    opaque_region send;                         // bytes to send
    opaque_region receive;                      // bytes to receive
    elements datatype{};                        // of both messages
    tags tag{};                                 // of both messages
    std::optional<elements> receive_datatype{}; // of the message from the neighbor, if it is another one
};

/// Halo exchange with any neighbors, as most applications write it: MPI_Irecv from each, MPI_Isend to each, and one
/// MPI_Waitall. All ranks are initiators, and each counts the bytes and messages that it sends.
class halo {
public:
    /// The constructor throws what `message_buffer` throws for a neighbor's region and datatype, and
    /// std::invalid_argument for a rank that the group does not have and for a tag that `endpoint` refuses.
    halo(group_ref ranks, std::vector<halo_neighbor> const& neighbors) : comm_{ranks.comm()} {
        for (auto const& n : neighbors) {
            if (n.rank < 0) continue;
            static_cast<void>(detail::peer_of_link(ranks.get(), n.rank));
            static_cast<void>(detail::require_tags(n.tag));
            receives_.emplace_back(n.rank, n.tag.recv,
                                   message_buffer{opaque_slice{n.receive}, n.receive_datatype.value_or(n.datatype)});
            sends_.emplace_back(n.rank, n.tag.send, message_buffer{opaque_slice{n.send}, n.datatype});
            moved_.bytes += sends_.back().data.size();
            ++moved_.messages;
        }
        pending_.reserve(neighbors.size());
    }

    void operator()() {
        for (auto& from : receives_) {
            auto const m = from.data.next();
            check(MPI_Irecv(m.data, m.count, m.type, from.rank, from.tag, comm_, pending_.add()), "MPI_Irecv");
        }
        for (auto& to : sends_) {
            auto const m = to.data.next();
            check(MPI_Isend(m.data, m.count, m.type, to.rank, to.tag, comm_, pending_.add_send()), "MPI_Isend");
        }
        pending_.wait();
    }
    sonde::traffic traffic() const { return moved_; }

private:
    struct side {
        side(int peer, int t, message_buffer<opaque_slice> m) : rank{peer}, tag{t}, data{std::move(m)} {}
        int rank;
        int tag;
        message_buffer<opaque_slice> data;
    };

    MPI_Comm comm_;
    std::vector<side> receives_;
    std::vector<side> sends_;
    sonde::traffic moved_;
    requests<active_request_policy::cancel> pending_;
};

/// The neighbors of this rank on a Cartesian grid, without regions: the lower and the upper neighbor of each dimension
/// in turn. Their tags distinguish the directions of messages, because both neighbors may be the same rank (a periodic
/// dimension of two ranks). Not collective. Throws std::invalid_argument for a communicator that is not Cartesian.
[[nodiscard]] inline std::vector<halo_neighbor> cartesian_neighbors(MPI_Comm grid) {
    int kind = MPI_UNDEFINED;
    check(MPI_Topo_test(grid, &kind), "MPI_Topo_test");
    if (kind != MPI_CART) throw std::invalid_argument{"sonde::mpi: the communicator is not Cartesian"};
    std::vector<halo_neighbor> all;
    for (auto const rank : neighborhood_of(grid).destinations) {
        auto const to = static_cast<int>(all.size()), from = to % 2 == 0 ? to + 1 : to - 1; // the opposite direction
        all.push_back({rank, {}, {}, {}, tags{to, from}});
    }
    return all;
}

/// The same with the messages of an array's faces (`halo_faces`), which must outlive their use: `array` is the array's
/// memory, ghost cells included. Throws std::invalid_argument, too, for fewer faces than neighbors.
[[nodiscard]] inline std::vector<halo_neighbor> cartesian_neighbors(MPI_Comm grid, opaque_region array,
                                                                    std::vector<halo_face> const& faces) {
    auto all = mpi::cartesian_neighbors(grid);
    if (faces.size() < all.size())
        throw std::invalid_argument{"sonde::mpi::cartesian_neighbors: the array has fewer dimensions than the grid"};
    for (std::size_t i = 0; i != all.size(); ++i) {
        all[i].send = all[i].receive = array;
        all[i].datatype = {faces[i].send.get(), 1};
        all[i].receive_datatype = elements{faces[i].receive.get(), 1};
    }
    return all;
}
std::vector<halo_neighbor> cartesian_neighbors(MPI_Comm, opaque_region, std::vector<halo_face>&&) = delete;

} // namespace sonde::mpi
