// SPDX-License-Identifier: BSL-1.0

// Compiling is passing: an object that keeps a handle of, or a reference to, an owner refuses a temporary owner.

#include <sonde/memory.hpp>
#include <sonde/sync/synchronized_start.hpp>
#include <sonde/mpi/io.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/group/threads.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace mpi_temporaries {

using namespace sonde::mpi;
using sonde::opaque_region, sonde::region, sonde::root_rank, sonde::slice;

// Users of a group accept a variable, constant or not, and no temporary.
template <class T, class... More>
constexpr bool needs_a_lasting_group =
    std::constructible_from<T, group&, More...> && std::constructible_from<T, group const&, More...> &&
    !std::constructible_from<T, group, More...> && !std::constructible_from<T, group const, More...>;

static_assert(needs_a_lasting_group<sonde::mpi::link, int> && needs_a_lasting_group<sync_link, int, tags, elements>);
static_assert(needs_a_lasting_group<async_link, int> && needs_a_lasting_group<persistent_link, int>);
static_assert(needs_a_lasting_group<persistent_link, int, tags, elements, std::size_t>);
static_assert(needs_a_lasting_group<multi_peer_link, std::vector<int>> && needs_a_lasting_group<endpoint, int>);
static_assert(needs_a_lasting_group<control_channel> && needs_a_lasting_group<io::file, std::string>);
static_assert(needs_a_lasting_group<created_window, region> && needs_a_lasting_group<dynamic_window, region>);
static_assert(needs_a_lasting_group<opaque_created_window, opaque_region> &&
              needs_a_lasting_group<opaque_dynamic_window, opaque_region, hints> &&
              needs_a_lasting_group<allocated_window, std::size_t> &&
              needs_a_lasting_group<shared_window, std::size_t, hints>);
static_assert(!std::constructible_from<sonde::thread_team<group>, group, int>);

static_assert(needs_a_lasting_group<barrier> && needs_a_lasting_group<bcast, block>);
static_assert(needs_a_lasting_group<gather, block> && needs_a_lasting_group<gatherv, blocks, root_rank>);
static_assert(needs_a_lasting_group<scatter, block> && needs_a_lasting_group<scatterv, blocks, root_rank, sonde::placement>);
static_assert(needs_a_lasting_group<allgather, block> && needs_a_lasting_group<allgatherv, blocks>);
static_assert(needs_a_lasting_group<alltoall, block> && needs_a_lasting_group<alltoallv, blocks, blocks>);
static_assert(needs_a_lasting_group<alltoallw, mixed_type_blocks, mixed_type_blocks>);
static_assert(needs_a_lasting_group<allreduce, block, MPI_Op> && needs_a_lasting_group<reduce, block, MPI_Op, root_rank>);
static_assert(needs_a_lasting_group<scan, block, MPI_Op> && needs_a_lasting_group<exscan, block, MPI_Op>);
static_assert(needs_a_lasting_group<reduce_scatter_block, block, MPI_Op> &&
              needs_a_lasting_group<reduce_scatter, MPI_Datatype, std::vector<std::size_t>, MPI_Op>);
static_assert(needs_a_lasting_group<neighbor_allgather, block> && needs_a_lasting_group<neighbor_alltoall, block>);
static_assert(needs_a_lasting_group<neighbor_allgatherv, block, blocks> &&
              needs_a_lasting_group<neighbor_alltoallv, blocks, blocks> &&
              needs_a_lasting_group<neighbor_alltoallw, mixed_type_blocks, mixed_type_blocks>);

template <class G>
constexpr bool gives_synchronizers = requires(G&& ranks) {
    sonde::synchronized_start{std::forward<G>(ranks)};
    sonde::synchronized_start{std::forward<G>(ranks), wtime{}, sonde::clock_sync_options{}};
    sonde::global_clock{std::forward<G>(ranks)};
    sonde::control_channel_of(std::forward<G>(ranks));
};
template <class G>
constexpr bool gives_one = requires(G&& ranks) { sonde::synchronized_start{std::forward<G>(ranks)}; } ||
                           requires(G&& ranks) { sonde::global_clock{std::forward<G>(ranks)}; } ||
                           requires(G&& ranks) { sonde::control_channel_of(std::forward<G>(ranks)); };
static_assert(gives_synchronizers<group&> && gives_synchronizers<group const&> && !gives_one<group>);

// An owner of a communicator accepts a temporary group.
template <class G>
constexpr bool gives_values = requires(G&& ranks, std::vector<int> v, std::vector<bool> b) {
    topology::cartesian(std::forward<G>(ranks), v, b);
    topology::dist_graph(std::forward<G>(ranks), v, v);
    local_ranks::of(std::forward<G>(ranks));
    peers::all_others(std::forward<G>(ranks));
    environment_of(std::forward<G>(ranks));
};
static_assert(gives_values<group&> && gives_values<group>);

// Users of a window that owns its memory; class template argument deduction is tested by the expression that users
// write.
template <class W>
constexpr bool refers = requires(W&& w, peer to, region r, block each) {
    put{std::forward<W>(w), to, r, each};
    get{std::forward<W>(w), to, r, each};
    accumulate{std::forward<W>(w), to, r, each, MPI_SUM};
    get_accumulate{std::forward<W>(w), to, r, r, each, MPI_SUM};
    fetch_and_op{std::forward<W>(w), to, r, r, MPI_INT, MPI_SUM};
    compare_and_swap{std::forward<W>(w), to, r, r, r, MPI_INT};
    target_layout{std::forward<W>(w), to, each};
    fence{std::forward<W>(w)};
    pscw{std::forward<W>(w), to};
    sonde::mpi::lock{std::forward<W>(w), to};
    lock_all{std::forward<W>(w)};
    flush{std::forward<W>(w), to};
    flush_local{std::forward<W>(w), to, lock_type::exclusive};
    flush_all{std::forward<W>(w)};
    flush_local_all{std::forward<W>(w)};
};
static_assert(refers<allocated_window&> && refers<created_window const&> && refers<opaque_dynamic_window&>);
template <class W>
constexpr bool a_transfer_refers = requires(W&& w, peer to, region r, block each) {
    put{std::forward<W>(w), to, r, each};
} || requires(W&& w, peer to, region r, block each) {
    get{std::forward<W>(w), to, r, each};
} || requires(W&& w, peer to, region r, block each) {
    accumulate{std::forward<W>(w), to, r, each, MPI_SUM};
} || requires(W&& w, peer to, region r, block each) {
    get_accumulate{std::forward<W>(w), to, r, r, each, MPI_SUM};
} || requires(W&& w, peer to, region r) {
    fetch_and_op{std::forward<W>(w), to, r, r, MPI_INT, MPI_SUM};
} || requires(W&& w, peer to, region r) {
    compare_and_swap{std::forward<W>(w), to, r, r, r, MPI_INT};
} || requires(W&& w, peer to, block each) { target_layout{std::forward<W>(w), to, each}; };
template <class W>
constexpr bool an_epoch_refers =
    requires(W&& w) { fence{std::forward<W>(w)}; } || requires(W&& w, peer to) { pscw{std::forward<W>(w), to}; } ||
    requires(W&& w, peer to) { sonde::mpi::lock{std::forward<W>(w), to}; } ||
    requires(W&& w) { lock_all{std::forward<W>(w)}; } || requires(W&& w, peer to) { flush{std::forward<W>(w), to}; } ||
    requires(W&& w, peer to) { flush_local{std::forward<W>(w), to}; } ||
    requires(W&& w) { flush_all{std::forward<W>(w)}; } || requires(W&& w) { flush_local_all{std::forward<W>(w)}; };
template <class W>
constexpr bool is_refused = !a_transfer_refers<W> && !an_epoch_refers<W>;
static_assert(is_refused<allocated_window> && is_refused<created_window> && is_refused<shared_window const>);
static_assert(is_refused<dynamic_window> && is_refused<opaque_created_window>);

// A section owns nothing, so it may be a temporary; the window that it refers to may not.
static_assert(refers<section<allocated_window>> && refers<section<section<created_window>>>);
template <class W>
constexpr bool has_sections = requires(W&& w) { section{std::forward<W>(w), std::size_t{}, std::size_t{}}; };
static_assert(has_sections<allocated_window&> && has_sections<dynamic_window const&>);
static_assert(has_sections<section<allocated_window>&> && !has_sections<section<allocated_window>>);
static_assert(!has_sections<allocated_window> && !has_sections<opaque_created_window const>);

// Users of a file.
template <class F>
constexpr bool has_accesses = requires(F&& on, io::access how, slice b) {
    io::blocking{std::forward<F>(on), how, b};
    io::nonblocking{std::forward<F>(on), how, b};
    io::split_collective{std::forward<F>(on), how, b, io::offsets{}, io::file_sync::each_iteration};
};
template <class F>
constexpr bool has_an_access =
    requires(F&& on, io::access how, slice b) { io::blocking{std::forward<F>(on), how, b}; } ||
    requires(F&& on, io::access how, slice b) { io::nonblocking{std::forward<F>(on), how, b}; } ||
    requires(F&& on, io::access how, slice b) { io::split_collective{std::forward<F>(on), how, b}; };
static_assert(has_accesses<io::file&> && has_accesses<io::file const&>);
static_assert(!has_an_access<io::file> && !has_an_access<io::file const>);

// Users of a datatype.
template <class T>
constexpr bool has_type = requires(T&& t) { elements{std::forward<T>(t).get()}; };
static_assert(has_type<owned_datatype&> && has_type<owned_datatype const&> && !has_type<owned_datatype>);

// Users of the faces of an array.
template <class F>
constexpr bool has_neighbors =
    requires(MPI_Comm grid, opaque_region array, F&& faces) { cartesian_neighbors(grid, array, std::forward<F>(faces)); };
static_assert(has_neighbors<std::vector<halo_face>&> && has_neighbors<std::vector<halo_face> const&>);
static_assert(!has_neighbors<std::vector<halo_face>>);

} // namespace mpi_temporaries
