// SPDX-License-Identifier: BSL-1.0
// Compiling is passing: types of sonde::shmem.
#include <sonde/error.hpp>
#include <sonde/group.hpp>
#include <sonde/memory.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem.hpp>
#include <sonde/shmem/collectives.hpp>

#include <concepts>
#include <cstddef>
#include <shmem.h>
#include <type_traits>
#include <vector>

namespace models_shmem {

using namespace sonde::shmem;

static_assert(std::derived_from<error, sonde::library_error>);
static_assert(sonde::Group<group> && !std::copyable<group>);
static_assert(sonde::Memory<symmetric_memory>);
static_assert(!std::move_constructible<session> && !std::copyable<symmetric_array<int>>);

// Transfers, each in the epochs that complete it.
template <class T, class C = default_context>
constexpr bool is_transfer =
    sonde::TransferIn<T, quiet<C>> && sonde::TransferIn<T, fence<C>> && sonde::TransferIn<T, no_completion>;
static_assert(is_transfer<put<>> && is_transfer<put_nbi<>> && is_transfer<get<>> && is_transfer<get_nbi<>>);
static_assert(is_transfer<put<context_ref>, context_ref> && is_transfer<get_nbi<context_ref>, context_ref>);
static_assert(sonde::TransferIn<put<>, barrier_all> && sonde::TransferIn<fetch_inc<int>, barrier_all>);
static_assert(is_transfer<add<int>> && is_transfer<inc<long>> && is_transfer<set<float>> && is_transfer<fetch<double>>);
static_assert(is_transfer<fetch_add<unsigned>> && is_transfer<fetch_inc<long long>> && is_transfer<swap<double>>);
static_assert(is_transfer<compare_swap<long, context_ref>, context_ref>);

// An epoch of one context does not complete transfers of another.
static_assert(!sonde::TransferIn<put<context_ref>, quiet<>> && !sonde::TransferIn<put<>, quiet<context_ref>>);
static_assert(!sonde::TransferIn<inc<long, context_ref>, barrier_all> &&
              !sonde::TransferIn<inc<long, context_ref>, fence<>>);

// A context costs memory only if there is one.
static_assert(sizeof(put<>) < sizeof(put<context_ref>) && sizeof(inc<int>) < sizeof(inc<int, context_ref>));
static_assert(std::is_empty_v<quiet<>> && std::is_empty_v<fence<>> && std::is_empty_v<barrier_all>);

// Round trips need a target that waits.
static_assert(sonde::PassiveEpoch<quiet<>> && sonde::PassiveEpoch<fence<>> && sonde::PassiveEpoch<no_completion>);
static_assert(!sonde::PassiveEpoch<barrier_all>);
static_assert(sonde::Pattern<sonde::rma<quiet<>, put<>>> && sonde::Pattern<sonde::rma_ping_pong<barrier_all, put<>>>);

// A reference to a context must not be one to a temporary.
static_assert(std::constructible_from<context_ref, context&> && !std::constructible_from<context_ref, context>);

using sonde::CollectiveOperation, sonde::RootedOperation;
static_assert(CollectiveOperation<barrier> && CollectiveOperation<sonde::shmem::sync>);
static_assert(CollectiveOperation<broadcast<int>> && CollectiveOperation<collect<float>>);
static_assert(CollectiveOperation<fcollect<double>> && CollectiveOperation<alltoall<long>>);
static_assert(CollectiveOperation<alltoalls<unsigned>> && CollectiveOperation<reduce<double, max>>);
static_assert(SymmetricOperation<barrier> && SymmetricOperation<broadcast<int>> && SymmetricOperation<reduce<int, sum>>);
static_assert(RootedOperation<broadcast<int>> && !RootedOperation<fcollect<int>>);
static_assert(sonde::Pattern<blocking<reduce<float, sum>>>);

// Operations keep the team of their group: they accept a variable, constant or not, and no temporary.
template <class Op, class... More>
constexpr bool needs_a_lasting_group =
    std::constructible_from<Op, group&, More...> && std::constructible_from<Op, group const&, More...> &&
    !std::constructible_from<Op, group, More...> && !std::constructible_from<Op, group const, More...>;
static_assert(needs_a_lasting_group<barrier> && needs_a_lasting_group<sonde::shmem::sync>);
static_assert(needs_a_lasting_group<broadcast<int>, std::size_t> &&
              needs_a_lasting_group<broadcast<long>, std::size_t, int>);
static_assert(needs_a_lasting_group<collect<float>, std::vector<std::size_t>>);
static_assert(needs_a_lasting_group<fcollect<double>, std::size_t> && needs_a_lasting_group<alltoall<long>, std::size_t>);
static_assert(needs_a_lasting_group<alltoalls<unsigned>, std::size_t, std::ptrdiff_t, std::ptrdiff_t> &&
              needs_a_lasting_group<reduce<double, max>, std::size_t>);

// The elements of a symmetric array do not outlive it.
template <class A>
concept HasElements = requires(A&& array) { static_cast<A&&>(array).elements(); };
static_assert(HasElements<symmetric_array<int>&> && !HasElements<symmetric_array<int>>);

} // namespace models_shmem

// Compiling is passing.

/// A user-defined collective: every PE puts a float into the memory of its right neighbor.
struct my_shift {
    static constexpr auto name = "shift by shmem_putmem";
    static constexpr bool synchronizes = true;
    int pe, size;

    sonde::shmem::active_set pes() const { return {0, 0, size}; }
    std::size_t send_bytes() const { return sizeof(float); }
    std::size_t recv_bytes() const { return sizeof(float); }
    std::size_t work_bytes() const { return 0; }
    std::vector<sonde::contribution> contributions(int) const { return {{0, sizeof(float), (pe + 1) % size}}; }
    std::vector<sonde::expected_block> expected_blocks(int) const {
        auto const left = (pe + size - 1) % size;
        return {{0, sizeof(float), left, left, pe}};
    }
    sonde::traffic traffic() const { return {sizeof(float), 1, 1, 1, static_cast<std::size_t>(size)}; }
    void invoke(sonde::call_arguments a, sonde::shmem::work_area) const {
        shmem_putmem(a.recvbuf, a.sendbuf, sizeof(float), (pe + 1) % size);
        shmem_barrier_all();
    }
};
static_assert(sonde::shmem::SymmetricOperation<my_shift>);

namespace shmem_collective_operation_concept {

using sonde::call_arguments, sonde::shmem::SymmetricOperation;

static_assert(sonde::Pattern<sonde::shmem::blocking<my_shift>>);

struct no_synchronizes : my_shift { void synchronizes() const; };
struct no_pes : my_shift { int pes() const; };
struct no_work_bytes : my_shift { void work_bytes() const; };
struct no_invoke : my_shift { void invoke() const; };
struct invoke_not_const : my_shift { void invoke(call_arguments, sonde::shmem::work_area); }; // operations are constant
static_assert(!SymmetricOperation<no_synchronizes> && !SymmetricOperation<no_pes> &&
              !SymmetricOperation<no_work_bytes> && !SymmetricOperation<no_invoke> &&
              !SymmetricOperation<invoke_not_const>);

} // namespace shmem_collective_operation_concept
