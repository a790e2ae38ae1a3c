// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/group.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/datatype.hpp>
#include <boost/mpi/packed_oarchive.hpp>

#include <mpi.h>

#include <cstddef>
#include <span>
#include <stdexcept>

/// Objects of Boost.Serialization as messages of Boost.MPI. The namespace is not `sonde::boost`, which would hide
/// `boost` in the rest of `sonde`.
namespace sonde::boost_mpi {

/// The communicator of a group, for the calls of Boost.MPI in a pattern. It is valid as long as the group.
///
/// A group can be made from a Boost.MPI communicator, which converts to an MPI_Comm: `sonde::mpi::group ranks{world}`.
[[nodiscard]] inline boost::mpi::communicator communicator_of(mpi::group_ref ranks) {
    return {ranks.comm(), boost::mpi::comm_attach};
}

/// Bytes of an object in an archive of Boost.MPI (`packed_oarchive`). The object is serialized to count them.
template <class T>
[[nodiscard]] std::size_t packed_size(T const& object) {
    boost::mpi::packed_oarchive archive{MPI_COMM_SELF};
    archive << object;
    return archive.size();
}

/// The MPI datatype that Boost.MPI derives from the members of T, for links that send regions of bytes:
/// `sonde::mpi::link{ranks, peer, 0, sonde::boost_mpi::elements_of<particle>()}`. Boost.MPI frees it with its
/// environment.
template <class T>
    requires boost::mpi::is_mpi_datatype<T>::value
[[nodiscard]] mpi::elements elements_of() {
    return {boost::mpi::get_mpi_datatype<T>(T{})};
}

/// Buffer whose messages are objects: one object, or several in rotation. The objects belong to the caller and must
/// outlive the buffer. Objects of a const T can only be sent. The constructor throws std::invalid_argument if there is
/// no object.
///
/// `size()` is the current packed size of the first object; a receive may change it. Each call serializes the object,
/// and no pattern calls it inside the sample. Every link of this folder takes it as the size of a message, so that
/// bandwidths of different ways to send an object compare in the same way as their times.
template <class T>
class objects {
public:
    explicit objects(T& one) : objects{std::span<T>{&one, 1}} {}
    explicit objects(std::span<T> all) : all_{all} {
        if (all.empty()) throw std::invalid_argument{"sonde::boost_mpi::objects: needs at least one object"};
    }

    T& next() {
        auto& current = all_[at_];
        at_ = at_ + 1 == all_.size() ? 0 : at_ + 1;
        return current;
    }
    std::size_t size() const { return packed_size(all_.front()); }
    std::size_t regions() const { return all_.size(); }

private:
    std::span<T> all_;
    std::size_t at_ = 0;
};

} // namespace sonde::boost_mpi
