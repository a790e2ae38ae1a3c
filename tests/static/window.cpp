// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/epoch.hpp>
#include <sonde/mpi/rma.hpp>
#include <sonde/transfer.hpp>

#include <cstddef>

namespace window_concept {

// [satisfies]
struct mapped {
    MPI_Win handle() const;
    sonde::region region() const;
    MPI_Aint base(int rank) const; // displacement of the first byte of a rank's part
    std::size_t size(int rank) const;
};
static_assert(sonde::mpi::Window<mapped>);
// [/satisfies]

using namespace sonde::mpi;
static_assert(Window<created_window> && Window<allocated_window> && Window<shared_window> && Window<dynamic_window>);
static_assert(Window<section<mapped>> && Window<section<section<dynamic_window>>>);

// [misses]
struct no_handle : mapped { void handle() = delete; };
struct no_region : mapped { void region() = delete; };
struct no_base : mapped { void base() = delete; };
struct no_size : mapped { void size() = delete; };
struct of_one_size : mapped { std::size_t size() const; }; // ranks may have parts of different lengths
static_assert(!sonde::mpi::Window<no_handle>);
static_assert(!sonde::mpi::Window<no_region>);
static_assert(!sonde::mpi::Window<no_base>);
static_assert(!sonde::mpi::Window<no_size>);
static_assert(!sonde::mpi::Window<of_one_size>);
// [/misses]

static_assert(!Window<MPI_Win>);

static_assert(sonde::Epoch<fence> && !sonde::PassiveEpoch<fence>);
static_assert(sonde::Epoch<pscw> && !sonde::PassiveEpoch<pscw>);
static_assert(sonde::PassiveEpoch<sonde::mpi::lock> && sonde::PassiveEpoch<lock_all>);
static_assert(sonde::PassiveEpoch<flush<>> && sonde::PassiveEpoch<flush_local<peers>>);
static_assert(sonde::PassiveEpoch<flush_all> && sonde::PassiveEpoch<flush_local_all>);

static_assert(Targets<peer> && Targets<peers> && !Targets<int>);
template <class O>
constexpr bool goes_everywhere = sonde::TransferIn<O, fence> && sonde::TransferIn<O, pscw> &&
                                 sonde::TransferIn<O, sonde::mpi::lock> && sonde::TransferIn<O, flush_all>;
static_assert(goes_everywhere<put<>> && goes_everywhere<get<peers>> && goes_everywhere<accumulate<>>);
static_assert(goes_everywhere<get_accumulate<>> && goes_everywhere<fetch_and_op<>>);
static_assert(goes_everywhere<compare_and_swap<peers>>);

// A request of one operation may be waited for where the target is passive only, and some operations have none.
static_assert(sonde::TransferIn<requested<put<>>, flush<>> && sonde::TransferIn<requested<get<peers>>, lock_all>);
static_assert(!sonde::TransferIn<requested<put<>>, fence> && !sonde::TransferIn<requested<put<>>, pscw>);
static_assert(!sonde::TransferIn<requested<accumulate<>>, fence>);
static_assert(Requestable<put<>> && Requestable<get<>> && Requestable<accumulate<>> && Requestable<get_accumulate<>>);
static_assert(!Requestable<fetch_and_op<>> && !Requestable<compare_and_swap<>>);

} // namespace window_concept
