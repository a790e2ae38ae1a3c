// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/pattern.hpp>
#include <sonde/shmem/collectives.hpp>

#include <shmem.h>

#include <cstddef>
#include <vector>

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
