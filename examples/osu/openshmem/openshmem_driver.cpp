// SPDX-License-Identifier: BSL-1.0
#include "osu/openshmem/openshmem_driver.hpp"

#include "osu/driver/osu_option_table.hpp"
#include "osu/driver/validation.hpp"
#include "osu/openshmem/symmetric_heap.hpp"
#include "suite/hosts.hpp"
#include "suite/memory_limits.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/shmem/session.hpp>

#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace osu::openshmem {

namespace {

/// One word if the data of the program may be in two places, else none.
void set_symmetric_data(options& into, program const& about, std::vector<std::string> const& words) {
    if (!about.heap_or_global) return refuse_words(into, about, words);
    for (auto const where : {symmetric_data::heap, symmetric_data::global})
        if (words == std::vector{name(where)}) return static_cast<void>(into.data_in = where);
    throw refusal{"Invalid arguments. Usage: " + about.name + " <heap|global>"};
}

/// The PEs, after OpenSHMEM has started. `bytes_of_times`: memory of a rank for its sample times. Collective over the
/// group.
shmem::group started(invocation const& from, std::size_t heap, double bytes_of_times) {
    auto const& world = from.world;
    std::size_t chosen = 0;
    together(world, [&] { chosen = choose_heap(from.about.name, heap); });
    // The whole heap: Open MPI takes its pages at the start, and leaves them allocated if a PE is killed meanwhile.
    suite::require_memory(world, static_cast<double>(chosen) + bytes_of_times, "-m, -i, SHMEM_SYMMETRIC_SIZE");
    auto const why = suite::shared_memory_shortage(world, static_cast<double>(chosen));
    from.further.session = std::make_shared<shmem::session>();
    suite::require_shared_memory(world, why, "-m, SHMEM_SYMMETRIC_SIZE", [] {
        auto* const symmetric = shmem_malloc(1);
        auto const found = suite::is_in_shared_files(symmetric);
        shmem_free(symmetric);
        return found;
    });
    agree(world, shmem_my_pe() == world.rank() && shmem_n_pes() == world.size()
                     ? ""
                     : "PE " + std::to_string(shmem_my_pe()) + " of " + std::to_string(shmem_n_pes()) + " is rank " +
                           std::to_string(world.rank()) + " of " + std::to_string(world.size()) +
                           "; accepted: a launcher that starts OpenSHMEM and MPI in one job");
    return shmem::group{};
}

} // namespace

constinit library const openshmem_library{
    .title = "OpenSHMEM", .starts = barrier_starts, .lacks = option_name::session, .read_words = set_symmetric_data};

std::size_t heap_bytes(options const& asked, std::size_t blocks, std::size_t each, std::size_t global) {
    auto const sizes = " [-m " + std::to_string(asked.max_size) + "]; accepted: ";
    if (each > std::numeric_limits<std::size_t>::max() / 2 / blocks)
        throw refusal{"More memory than has addresses" + sizes + "smaller sizes"};
    auto const data = blocks * each;
    if (asked.data_in == symmetric_data::heap) return data;
    if (data <= global) return 0;
    throw refusal{"The global arrays have " + std::to_string(global) + " bytes, these sizes need " +
                  std::to_string(data) + sizes + "heap, and smaller sizes"};
}

openshmem_driver::openshmem_driver(invocation const& from, std::size_t heap)
    : driver{from}, pes_{started(from, heap, bytes_of_times())} {
    if (options().check.log) log_.emplace(*options().check.log, world().rank());
}

sonde::point openshmem_driver::point_of(point const& at) const {
    sonde::point found{about().name, {}};
    if (about().rows == rows::sizes) found.parameters.emplace_back("bytes", at.size);
    if (about().heap_or_global) found.parameters.emplace_back("data", name(options().data_in));
    return found;
}

sonde::record openshmem_driver::run(size_plan const& plan, sonde::pattern_ref<sonde::mpi::wtime> pattern,
                                    sonde::point at) {
    return sonde::run(pes_, plan, pattern, std::move(at));
}

symmetric_buffer openshmem_driver::allocate(std::span<std::byte> global, std::size_t bytes,
                                            std::size_t alignment) const {
    std::optional<symmetric_buffer> made;
    suite::allocate(world(), "-m, SHMEM_SYMMETRIC_SIZE",
                    [&] { made.emplace(options().data_in, global, bytes, alignment); });
    return std::move(*made);
}

std::size_t openshmem_driver::count_wrong(point const& at, std::function<void()> const& iterate,
                                          std::function<void(std::size_t)> const& write,
                                          std::function<std::vector<wrong_element>(std::size_t)> const& find_wrong) {
    return osu::count_wrong(pes_, options(), log_, at, {iterate, write, find_wrong});
}

} // namespace osu::openshmem
