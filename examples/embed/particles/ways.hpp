// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "particle.hpp"

#include <boost/mpi/nonblocking.hpp>
#include <boost/mpi/request.hpp>
#include <boost/mpi/skeleton_and_content.hpp>

#include <array>
#include <cstddef>
#include <variant>
#include <vector>

namespace particles {

// Ways to exchange a halo with both neighbors. `prepare` follows each rebuild, which changes the number of ghosts, and
// gives the received ghosts their number if the way needs it; `exchange` is called in every step. Collective.

namespace detail {

/// Start the receives, start the sends, and wait for all: `start_receive(side)`, `start_send(side)`.
void exchange(auto start_receive, auto start_send) {
    std::array<boost::mpi::request, 4> all{start_receive(left), start_receive(right), start_send(left),
                                           start_send(right)};
    boost::mpi::wait_all(all.begin(), all.end()); // each of the two receives has a tag of its own
}

} // namespace detail

/// The objects in archives of Boost.MPI.
class serialized {
public:
    static constexpr auto name = "serialized objects";

    explicit serialized(neighbors ring) : ring_{ring} {}
    void prepare(halo&) {}
    void exchange(halo& h) {
        detail::exchange([&](side s) { return ring_.comm.irecv(ring_.rank_at(s), ring_.tag_from(s), h.in[s]); },
                         [&](side s) { return ring_.comm.isend(ring_.rank_at(s), ring_.tag_to(s), h.out[s]); });
    }

private:
    neighbors ring_;
};

/// The skeletons of the objects after each rebuild, and their contents in every step.
class skeleton_and_content {
public:
    static constexpr auto name = "skeleton and content";

    explicit skeleton_and_content(neighbors ring) : ring_{ring} {}
    void prepare(halo& h) {
        std::vector<boost::mpi::request> sent;
        for (auto const s : {left, right})
            sent.push_back(ring_.comm.isend(ring_.rank_at(s), ring_.tag_to(s), boost::mpi::skeleton(h.out[s])));
        for (auto const s : {left, right}) {
            ring_.comm.recv(ring_.rank_at(s), ring_.tag_from(s), boost::mpi::skeleton(h.in[s]));
            in_[s] = boost::mpi::get_content(h.in[s]);
            out_[s] = boost::mpi::get_content(h.out[s]);
        }
        boost::mpi::wait_all(sent.begin(), sent.end());
    }
    void exchange(halo&) {
        detail::exchange([&](side s) { return ring_.comm.irecv(ring_.rank_at(s), ring_.tag_from(s), in_[s]); },
                         [&](side s) { return ring_.comm.isend(ring_.rank_at(s), ring_.tag_to(s), out_[s]); });
    }

private:
    neighbors ring_;
    boost::mpi::content out_[2], in_[2]; // MPI datatypes of the addresses in the objects
};

/// The particles as an array of their MPI datatype. Their number is sent after each rebuild.
class derived_datatype {
public:
    static constexpr auto name = "derived datatype";

    explicit derived_datatype(neighbors ring) : ring_{ring} {}
    void prepare(halo& h) {
        std::size_t out[2], in[2];
        detail::exchange([&](side s) { return ring_.comm.irecv(ring_.rank_at(s), ring_.tag_from(s), in[s]); },
                         [&](side s) {
                             out[s] = h.out[s].all.size();
                             return ring_.comm.isend(ring_.rank_at(s), ring_.tag_to(s), out[s]);
                         });
        for (auto const s : {left, right}) h.in[s].all.resize(in[s]);
    }
    void exchange(halo& h) {
        auto const n = [](ghosts const& g) { return static_cast<int>(g.all.size()); };
        detail::exchange(
            [&](side s) {
                return ring_.comm.irecv(ring_.rank_at(s), ring_.tag_from(s), h.in[s].all.data(), n(h.in[s]));
            },
            [&](side s) {
                return ring_.comm.isend(ring_.rank_at(s), ring_.tag_to(s), h.out[s].all.data(), n(h.out[s]));
            });
    }

private:
    neighbors ring_;
};

using any_way = std::variant<serialized, skeleton_and_content, derived_datatype>;

inline std::vector<any_way> all_ways(neighbors ring) {
    return {serialized{ring}, skeleton_and_content{ring}, derived_datatype{ring}};
}

} // namespace particles
