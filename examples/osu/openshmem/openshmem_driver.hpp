// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/library.hpp"
#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_driver.hpp"
#include "suite/launch.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/pattern_ref.hpp>
#include <sonde/shmem/group.hpp>
#include <sonde/shmem/memory.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace osu::openshmem {

namespace shmem = sonde::shmem;

extern library const openshmem_library;

/// Bytes on the symmetric heap of `blocks` blocks of `each` bytes of a PE: all, or none if they are in global arrays.
/// Throws refusal if they exceed these arrays, of `global` bytes, or half of the address space.
std::size_t heap_bytes(options const& asked, std::size_t blocks, std::size_t each, std::size_t global);

/// Symmetric data of this PE, on the heap or in a global array.
class symmetric_buffer {
public:
    /// `global`: the array of the word `global`, of at least `bytes`. Throws sonde::shmem::heap_exhausted. Collective
    /// over all PEs, and so is the destructor.
    symmetric_buffer(symmetric_data where, std::span<std::byte> global, std::size_t bytes, std::size_t alignment)
        : heap_{where == symmetric_data::heap ? bytes : 0, shmem::symmetric_memory{alignment}},
          bytes_{where == symmetric_data::heap ? heap_.bytes() : sonde::region{global.first(bytes)}} {}

    sonde::region bytes() const { return bytes_; }

private:
    shmem::symmetric_allocation heap_;
    sonde::region bytes_;
};

/// Driver of programs whose data OpenSHMEM moves. The PEs, which are the ranks of MPI, are the group that is measured:
/// shmem_barrier_all synchronizes them.
class openshmem_driver : public driver {
public:
    /// Starts OpenSHMEM with `heap` bytes for the data of each PE on the symmetric heap. Throws refusal, on all ranks,
    /// for a heap that the environment makes smaller, and if the PEs are not the ranks. Collective over the group.
    openshmem_driver(invocation const& from, std::size_t heap);

    shmem::group& pes() { return pes_; }
    /// PE p of the lower half of the PEs is an initiator, and its peer is p + half.
    sonde::pairing pairing() const { return sonde::pair_of(world().rank(), world().size() / 2); }

    /// Name and parameters of a record: the size, and the place of the data if the program takes the word.
    sonde::point point_of(point const& at) const;

    /// Measure a pattern. Collective over all PEs.
    sonde::record run(size_plan const& plan, sonde::pattern_ref<sonde::mpi::wtime> pattern, sonde::point at);

    /// Symmetric data as the command line places it. Throws refusal, on all ranks, if the heap has no room. Collective
    /// over the group.
    symmetric_buffer allocate(std::span<std::byte> global, std::size_t bytes, std::size_t alignment) const;

    /// Validate contents after a measurement. Each round is `-u` iterations and one checked one, each followed by
    /// shmem_barrier_all. `write(round)` writes the data and clears the results, `find_wrong(round)` returns the wrong
    /// elements of this PE. Returns the number of wrong elements of all PEs. Collective over all PEs.
    std::size_t count_wrong(point const& at, std::function<void()> const& iterate,
                            std::function<void(std::size_t)> const& write,
                            std::function<std::vector<wrong_element>(std::size_t)> const& find_wrong);

private:
    shmem::group pes_;
    std::optional<wrong_log> log_;
};

} // namespace osu::openshmem
