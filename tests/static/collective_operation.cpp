// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/mpi/collective.hpp>

#include <cstddef>
#include <vector>

/// A user-defined collective: rank 0 broadcasts an int.
struct my_broadcast {
    static constexpr auto functions = sonde::mpi::bcast::functions; // of the MPI library
    static constexpr auto name = functions.name;
    MPI_Comm comm;
    int rank, size;

    std::size_t send_bytes() const { return 0; } // all ranks have one buffer, the receive buffer
    std::size_t recv_bytes() const { return sizeof(int); }
    std::vector<sonde::contribution> contributions(int) const {
        if (rank != 0) return {};
        return {{0, sizeof(int), sonde::all_ranks, true}};
    }
    std::vector<sonde::expected_block> expected_blocks(int) const { return {{0, sizeof(int), 0, 0}}; }
    sonde::traffic traffic() const { return {sizeof(int), 1, 1, 1, static_cast<std::size_t>(size)}; }
    int invoke(sonde::call_arguments const& a, auto function, auto... more) const {
        return function(a.recvbuf, 1, MPI_INT, 0, comm, more...);
    }
};
static_assert(sonde::CollectiveOperation<my_broadcast>);
// [/satisfies]

namespace collective_operation_concept {

using sonde::RootedOperation;

// The three call modes are patterns; those with a request have the expressions of sonde::NonblockingOperation.
template <class P>
constexpr bool starts_and_waits = sonde::Pattern<P> && requires(P p, bool complete) {
    p.start();
    complete = p.test();
    p.wait();
};
static_assert(sonde::Pattern<sonde::mpi::blocking<my_broadcast>> && !starts_and_waits<sonde::mpi::blocking<my_broadcast>>);
static_assert(starts_and_waits<sonde::mpi::nonblocking<my_broadcast>>);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
static_assert(starts_and_waits<sonde::mpi::persistent<my_broadcast>>);
#endif

using sonde::CollectiveOperation, sonde::contribution, sonde::expected_block;

struct no_name : my_broadcast { static constexpr int name = 0; };
struct no_send_bytes : my_broadcast { void send_bytes() const; };
struct no_recv_bytes : my_broadcast { void recv_bytes() const; };
struct no_contributions : my_broadcast { std::vector<contribution> contributions() const; }; // without the root
struct no_expected_blocks : my_broadcast { std::vector<expected_block> expected_blocks() const; };
struct no_traffic : my_broadcast { double traffic() const; };
static_assert(!CollectiveOperation<no_name> && !CollectiveOperation<no_send_bytes> &&
              !CollectiveOperation<no_recv_bytes> && !CollectiveOperation<no_contributions> &&
              !CollectiveOperation<no_expected_blocks> && !CollectiveOperation<no_traffic>);

// A rotating root needs both the root and the number of ranks.
struct only_root : my_broadcast { sonde::root_rank root() const; };
struct only_size : my_broadcast { int group_size() const; };
struct with_both : only_root { int group_size() const; };
static_assert(!RootedOperation<my_broadcast>);
static_assert(!RootedOperation<only_root> && !RootedOperation<only_size> && RootedOperation<with_both>);

} // namespace collective_operation_concept
