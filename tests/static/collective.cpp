// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/mpi/collectives.hpp>
#include <sonde/patterns/overlapped.hpp>

namespace collective_concept {

using sonde::traffic;
using sonde::mpi::everyone;
using sonde::mpi::part;
using sonde::mpi::piece;
using sonde::mpi::turn;

// [satisfies]
/// Rank 0 sends an int to every other, as a collective of one's own: the functions of the library, and four hooks.
struct shout {
    static constexpr auto called = SONDE_MPI_CALLS(Bcast, Ibcast);
    MPI_Comm comm;
    int rank, size;

    std::size_t sends() const { return 0; } // there is one region, the one received into
    std::size_t receives() const { return sizeof(int); }
    std::vector<part> parts(int) const {
        if (rank != 0) return {};
        return {{0, sizeof(int), everyone, true}};
    }
    std::vector<piece> pieces(int) const { return {{0, sizeof(int), 0, 0}}; }
    traffic moves() const { return {sizeof(int), 1, 1, 1, static_cast<std::size_t>(size)}; }
    template <class F, class... More>
    int launch(F call, turn const& t, More... more) const {
        return call(t.in, 1, MPI_INT, 0, comm, more...);
    }
};
static_assert(sonde::mpi::Collective<shout>);
// [/satisfies]

using namespace sonde::mpi;

template <class... K>
constexpr bool collectives = (Collective<K> && ...);
template <class... K>
constexpr bool rooted = (Rooted<K> && ...);
template <class... K>
constexpr bool without_root = (!Rooted<K> && ...);

static_assert(rooted<bcast, gather, gatherv, reduce, scatter, scatterv>);
static_assert(collectives<allgather, allgatherv, allreduce, alltoall, alltoallv, alltoallw, barrier, exscan,
                          reduce_scatter, reduce_scatter_block, scan>);
static_assert(without_root<allgather, allgatherv, allreduce, alltoall, alltoallv, alltoallw, barrier, exscan,
                           reduce_scatter, reduce_scatter_block, scan, shout>);
static_assert(collectives<neighbor_allgather, neighbor_allgatherv, neighbor_alltoall, neighbor_alltoallv,
                          neighbor_alltoallw>);
static_assert(without_root<neighbor_allgather, neighbor_allgatherv, neighbor_alltoall, neighbor_alltoallv,
                           neighbor_alltoallw>);

// The three forms are patterns, of any buffers; those with a request can be split.
static_assert(sonde::Pattern<blocking<shout>> && !sonde::Split<blocking<shout>>);
static_assert(sonde::Split<nonblocking<shout>>);
static_assert(sonde::Pattern<blocking<gather, sonde::rotating, sonde::slice>>);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
static_assert(sonde::Split<persistent<shout>>);
static_assert(sonde::Split<persistent<gather, sonde::rotating, sonde::slice>>);
#endif

// [misses]
struct unnamed : shout { static constexpr int called = 0; };                  // which functions of the library?
struct no_sends : shout { void sends() const; };
struct no_receives : shout { void receives() const; };
struct no_parts : shout { std::vector<part> parts() const; };                 // whose, for which root?
struct no_pieces : shout { std::vector<piece> pieces() const; };
struct no_traffic : shout { double moves() const; };
struct no_launch : shout { int launch() const; };
static_assert(!Collective<unnamed>);
static_assert(!Collective<no_sends>);
static_assert(!Collective<no_receives>);
static_assert(!Collective<no_parts>);
static_assert(!Collective<no_pieces>);
static_assert(!Collective<no_traffic>);
static_assert(!Collective<no_launch>);
// [/misses]

// A root alone, or the number of ranks alone, is not what lets roots take turns.
struct only_at : shout { root at() const; };
struct only_ranks : shout { int ranks() const; };
struct with_both : only_at { int ranks() const; };
static_assert(!Rooted<only_at> && !Rooted<only_ranks> && Rooted<with_both>);

} // namespace collective_concept
