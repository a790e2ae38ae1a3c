// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/epoch.hpp>
#include <sonde/mpi/rma.hpp>
#include <sonde/transfer.hpp>

#include <concepts>
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

// A window of device memory is one, but what the host would dereference does not compile.
static_assert(Window<opaque_created_window> && Window<opaque_dynamic_window>);
static_assert(std::same_as<window_region<created_window>, sonde::region>);
static_assert(std::same_as<window_region<section<created_window>>, sonde::region>);
static_assert(std::same_as<window_region<section<opaque_dynamic_window>>, sonde::opaque_region>);
template <class W>
constexpr bool host_looks = requires(W const& w) { sonde::region{w.region()}; };
static_assert(host_looks<created_window> && host_looks<allocated_window> && host_looks<section<dynamic_window>>);
static_assert(!host_looks<opaque_created_window> && !host_looks<opaque_dynamic_window>);
static_assert(!host_looks<section<opaque_created_window>>);
template <class W>
constexpr bool host_dereferences = requires(W const& w) { *w.region().data() = w.region()[0]; };
static_assert(host_dereferences<created_window> && !host_dereferences<opaque_created_window>);
static_assert(!std::constructible_from<created_window, group const&, sonde::opaque_region>);
static_assert(std::constructible_from<opaque_created_window, group const&, sonde::region>);

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
