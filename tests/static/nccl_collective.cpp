// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/nccl/collectives.hpp>
#include <sonde/nccl/forms.hpp>
#include <sonde/patterns/overlapped.hpp>

namespace nccl_collective_concept {

using sonde::traffic;
using sonde::nccl::turn;

// [satisfies]
/// Every rank gives its right neighbour a float, as a collective of one's own.
struct shift {
    static constexpr auto called = "shift by ncclSend and ncclRecv";
    int rank, size;

    std::size_t sends() const { return sizeof(float); }
    std::size_t receives() const { return sizeof(float); }
    traffic moves() const { return {sizeof(float), 1, 1, 1, static_cast<std::size_t>(size)}; }
    void enqueue(turn t, ncclComm_t comm, cudaStream_t stream) const {
        sonde::nccl::check(ncclGroupStart(), "ncclGroupStart");
        ncclSend(t.out, 1, ncclFloat, (rank + 1) % size, comm, stream);
        ncclRecv(t.in, 1, ncclFloat, (rank + size - 1) % size, comm, stream);
        sonde::nccl::check(ncclGroupEnd(), called); // says what failed in the group
    }
};
static_assert(sonde::nccl::Collective<shift>);
// [/satisfies]

using namespace sonde::nccl;

static_assert(Collective<allgather> && Collective<allreduce> && Collective<alltoall> && Collective<bcast> &&
              Collective<reduce> && Collective<reduce_scatter>);
static_assert(sonde::Pattern<enqueued<shift>> && !sonde::Split<enqueued<shift>>);
static_assert(sonde::Split<waited<shift>>);

// [misses]
struct unnamed : shift { static constexpr int called = 0; };
struct no_sends : shift { void sends() const; };
struct no_receives : shift { void receives() const; };
struct no_traffic : shift { double moves() const; };
struct no_enqueue : shift { void enqueue() const; };
struct without_stream : shift { void enqueue(turn, ncclComm_t) const; };
struct changing : shift { void enqueue(turn, ncclComm_t, cudaStream_t); }; // a value stays what it is
static_assert(!Collective<unnamed>);
static_assert(!Collective<no_sends>);
static_assert(!Collective<no_receives>);
static_assert(!Collective<no_traffic>);
static_assert(!Collective<no_enqueue>);
static_assert(!Collective<without_stream>);
static_assert(!Collective<changing>);
// [/misses]

} // namespace nccl_collective_concept
