// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/datatype.hpp>
#include <boost/mpi/packed_iarchive.hpp>
#include <boost/mpi/packed_oarchive.hpp>
#include <boost/mpi/request.hpp>
#include <boost/mpi/skeleton_and_content.hpp>
#include <boost/shared_ptr.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

/// Objects of Boost.Serialization as messages of Boost.MPI. The namespace is not `sonde::boost`, which would hide
/// `boost` in the rest of `sonde`.
namespace sonde::inline v0_1::boost_mpi {

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
/// and no pattern calls it inside the sample. Every link of this header takes it as the size of a message, so that
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

namespace detail {

/// Ends a request that nobody waits for, after an exception. A receive that is active in MPI is canceled and freed, and
/// so is a send where MPI does not deprecate this. MPI may still read the archive of a send that is not canceled, so
/// the archive is kept until the process ends.
template <mpi::active_request_policy Policy>
void abandon(boost::mpi::request& request) {
    auto const handle = request.trivial();
    if (!handle || *handle == MPI_REQUEST_NULL) return; // a serialized object is received in `wait`, and not before
    int complete = 0;
    if (MPI_Test(&*handle, &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && complete != 0) return;
    if constexpr (Policy == mpi::active_request_policy::cancel) MPI_Cancel(&*handle);
    if (mpi::detail::completes_soon(&*handle)) return;
    MPI_Request_free(&*handle);
    static auto& kept = *new std::vector<boost::mpi::request>;
    kept.push_back(request);
}

/// Owner of the requests of messages in flight, with a policy for requests that nobody waits for.
template <mpi::active_request_policy Policy>
class requests {
public:
    requests() = default;
    requests(requests&&) noexcept = default; // leaves the other one empty
    requests& operator=(requests&&) = delete;
    ~requests() {
        for (auto& r : all_) detail::abandon<Policy>(r);
    }

    /// A new request, for the call that starts it. It is owned before the call, because its allocation may throw.
    boost::mpi::request& add() { return all_.emplace_back(); }
    void reserve(std::size_t n) { all_.reserve(n); }
    /// Waits for all requests in the order of `add`, then forgets them. Throws boost::mpi::exception, and then keeps
    /// them.
    void wait() {
        for (auto& r : all_)
            if (r.active()) r.wait();
        all_.clear();
    }

private:
    std::vector<boost::mpi::request> all_;
};

/// Base class of the links: communicator, peer, tags, and the messages in flight.
class endpoint {
public:
    endpoint(mpi::group_ref ranks, int peer, mpi::tags tag = {})
        : comm_{communicator_of(ranks)}, peer_{peer}, tags_{tag} {}

    /// Completes the receives in the order of `irecv`, and then the sends.
    ///
    /// boost::mpi::wait_all is not used, because it tests one receive after the other, and again from the beginning. A
    /// later receive could then get a message of the same tag that arrives in between.
    void wait_all() {
        received_.wait();
        sent_.wait();
    }
    /// Allocates memory for the requests of n messages in flight each way.
    void reserve(std::size_t n) {
        sent_.reserve(n);
        received_.reserve(n);
    }
    /// True if the link has a peer. Calls without a peer are skipped, because Boost.MPI would deserialize the empty
    /// message from MPI_PROC_NULL.
    bool sends() const { return peer_ >= 0; }

protected:
    void send_to_peer(auto const& m) const {
        if (sends()) comm_.send(peer_, tags_.send, m);
    }
    void recv_from_peer(auto& m) const {
        if (sends()) comm_.recv(peer_, tags_.recv, m);
    }
    void isend_to_peer(auto const& m) {
        if (!sends()) return;
        auto& request = sent_.add(); // in its own statement: an assignment evaluates its right side first
        request = comm_.isend(peer_, tags_.send, m);
    }
    void irecv_from_peer(auto& m) {
        if (!sends()) return;
        auto& request = received_.add();
        request = comm_.irecv(peer_, tags_.recv, m);
    }

    boost::mpi::communicator comm_; // requests refer to it, so the link must not move while messages are in flight
    int peer_;
    mpi::tags tags_;
    requests<mpi::detail::cancel_send> sent_;
    requests<mpi::active_request_policy::cancel> received_;
};

} // namespace detail

/// Messages that are objects: `send(object)` and `recv(object)` of a Boost.MPI communicator, and `isend` and `irecv`.
/// Buffers are `objects<T>`. With a negative peer nothing is sent or received. The group must outlive the link.
///
/// Boost.MPI serializes an object into an archive and sends it. The receiver finds the length of the archive by a
/// matched probe, and deserializes it. If T has an MPI datatype (`boost::mpi::is_mpi_datatype`), or is a vector of such
/// a type, Boost.MPI sends the object where it is, without an archive. All these steps are inside the sample. Throws
/// boost::mpi::exception.
template <class T>
class object_link : public detail::endpoint {
public:
    using endpoint::endpoint;
    void send(T const& object) const { send_to_peer(object); }
    void recv(T& object) const { recv_from_peer(object); }
    void isend(T const& object) { isend_to_peer(object); }
    void irecv(T& object) { irecv_from_peer(object); }
};

/// Buffer whose messages are the contents of objects, made by a `content_link`.
template <class T>
class contents {
public:
    explicit contents(objects<T> all) : objects_{all} {
        for (auto n = all.regions(); n != 0; --n) contents_.push_back(boost::mpi::get_content(all.next()));
    }
    boost::mpi::content const& next() {
        auto const& current = contents_[at_];
        at_ = at_ + 1 == contents_.size() ? 0 : at_ + 1;
        return current;
    }
    std::size_t size() const { return objects_.size(); }
    std::size_t regions() const { return contents_.size(); }

private:
    objects<T> objects_;
    std::vector<boost::mpi::content> contents_; // an MPI datatype of the addresses of the members of each object
    std::size_t at_ = 0;
};

/// Messages that are the contents of objects whose shape does not change: `boost::mpi::skeleton` and `content`.
///
/// The skeleton goes to the peer once, when the buffers are prepared, outside the clock, as in an application that
/// sends an object of the same shape many times. It gives all objects of the peer's receive buffer the shape of the
/// first object of the send buffer. Each message is then one call with an MPI datatype, without an archive. From then
/// on the objects must not move or change their shape.
///
/// Both ranks of the pair make their buffers, first `send_buffer`, then `recv_buffer`, as the patterns do. With a
/// negative peer nothing is sent or received. The group must outlive the link. Throws boost::mpi::exception.
///
/// If `send_buffer` throws on one rank, its peer gets a notice in place of the skeleton, and `recv_buffer` throws
/// there.
template <class T>
class content_link : public detail::endpoint {
public:
    using endpoint::endpoint;

    /// Throws std::invalid_argument if the objects differ in shape.
    template <class U>
        requires std::is_same_v<std::remove_const_t<U>, T>
    contents<U> send_buffer(objects<U> buffer) {
        boost::shared_ptr<boost::mpi::packed_oarchive> skeleton;
        try {
            skeleton.reset(new boost::mpi::packed_oarchive{comm_});
            write_skeleton(buffer.next(), *skeleton);
            for (auto n = buffer.regions(); n != 1; --n) require_shape(*skeleton, buffer.next());
        } catch (...) { // the peer waits for a skeleton
            boost::mpi::packed_oarchive none{comm_};
            none << false;
            send_to_peer(none);
            throw;
        }
        if (sends()) {
            auto& request = sent_.add();
            request = comm_.isend(peer_, tags_.send, *skeleton);
            request.preserve(skeleton);
        }
        return contents<U>{buffer};
    }
    /// Throws std::invalid_argument if the peer's `send_buffer` has thrown.
    contents<T> recv_buffer(objects<T> buffer) {
        if (sends()) {
            boost::mpi::packed_iarchive skeleton{comm_};
            comm_.recv(peer_, tags_.recv, skeleton);
            for (auto n = buffer.regions(); n != 0; --n) read_skeleton(skeleton, buffer.next());
            sent_.wait();
        }
        return contents<T>{buffer};
    }

    void send(boost::mpi::content const& m) const { send_to_peer(m); }
    void recv(boost::mpi::content const& m) const { recv_from_peer(m); }
    void isend(boost::mpi::content const& m) { isend_to_peer(m); }
    void irecv(boost::mpi::content const& m) { irecv_from_peer(m); }

private:
    /// Writes true, for a skeleton, and the skeleton.
    static void write_skeleton(T const& object, boost::mpi::packed_oarchive& into) {
        into << true;
        boost::mpi::packed_skeleton_oarchive archive{into};
        archive << object;
    }
    void read_skeleton(boost::mpi::packed_iarchive const& from, T& object) const {
        auto const* const bytes = static_cast<char const*>(from.address());
        boost::mpi::packed_iarchive::buffer_type copy(bytes, bytes + from.size());
        boost::mpi::packed_iarchive packed{comm_, copy}; // from the beginning, for each object
        bool there = false;
        packed >> there;
        if (!there)
            throw std::invalid_argument{"sonde::boost_mpi::content_link: rank " + std::to_string(peer_) +
                                        " could not make its send buffer"};
        boost::mpi::packed_skeleton_iarchive archive{packed};
        archive >> object;
    }
    void require_shape(boost::mpi::packed_oarchive const& expected, T const& object) const {
        boost::mpi::packed_oarchive found{comm_};
        write_skeleton(object, found);
        auto const bytes = [](boost::mpi::packed_oarchive const& a) { return static_cast<char const*>(a.address()); };
        if (found.size() != expected.size() || !std::equal(bytes(found), bytes(found) + found.size(), bytes(expected)))
            throw std::invalid_argument{"sonde::boost_mpi::content_link: the objects of a buffer differ in shape"};
    }
};

} // namespace sonde::boost_mpi
