// SPDX-License-Identifier: BSL-1.0
#include "osu/upc/upc_driver.hpp"

#include "suite/hosts.hpp"
#include "suite/values.hpp"

#include <sonde/measure/run.hpp>

#include <bupc_extern.h>

#include <string>
#include <utility>

namespace osu::upc {

namespace {

constexpr auto heap_variable = "UPC_SHARED_HEAP_SIZE";

/// The size of the shared heap of each thread: of the environment or, by the build, of the program. Berkeley UPC counts
/// in MB, unless the text ends with another unit, such as GB. Throws refusal for a text that is no size.
std::size_t heap_size(std::string const& text) {
    auto size = text;
    if (!size.empty() && lower(size).back() == 'b') size.pop_back();
    else if (number<double>(size, 0, 1e18)) size += 'M';
    if (auto const bytes = size_in<double>(size)) return *bytes;
    throw refusal{std::string{"Invalid size of the shared heap ["} + heap_variable + "=" + text +
                  "]; accepted: a number of MB, or with KB, MB, GB or TB"};
}

/// Throws refusal, on this rank, if the shared heap has no room for `bytes`, and for what its allocations are rounded
/// up by and UPC has there.
void require_heap(std::string const& program, std::size_t bytes) {
    constexpr std::size_t reserve = std::size_t{4} << 20;
    auto const* const given = bupc_extern_getenv(heap_variable);
    std::string const text = given == nullptr ? OSU_UPC_SHARED_HEAP : given;
    if (heap_size(text) < bytes + reserve)
        throw refusal{std::string{"The shared heap is too small ["} + heap_variable + "=" + text + "]: " + program +
                      " needs " + std::to_string(bytes + reserve) +
                      " bytes for these sizes; accepted: at least that, smaller sizes [-m]"};
}

/// Calls of UPC between those of MPI. Collective over the group.
template <class F>
auto between_barriers(sonde::mpi::group& world, F calls) {
    world.barrier();
    auto found = calls();
    osu_upc_barrier();
    return found;
}

} // namespace

upc_driver::upc_driver(invocation const& from, std::size_t block) : driver{from} {
    require_ranks_of_mpi(world(), upc_library, "Thread", osu_upc_thread(), osu_upc_threads(), "upcc -network=mpi");
    auto const ranks = static_cast<std::size_t>(world().size());
    suite::require_memory(world(), 2.0 * static_cast<double>(block) + bytes_of_times(), "-i, -m");
    together(world(), [&] { require_heap(about().name, 2 * block + group::heap_bytes(ranks)); });
    suite::allocate(world(), std::string{"-m, "} + heap_variable, [&] {
        shared_ = between_barriers(world(), [block] { return std::optional<shared_memory>{block}; });
    });
    if (options().check.log) log_.emplace(*options().check.log, world().rank());
}

sonde::record upc_driver::run(size_plan const& plan, sonde::pattern_ref<sonde::mpi::wtime> pattern, point const& at) {
    sonde::point where{about().name, {}};
    if (about().rows == rows::sizes) where.parameters.emplace_back("bytes", at.size);
    return between_barriers(world(), [&] { return sonde::run(threads(), plan, pattern, std::move(where)); });
}

std::size_t upc_driver::count_wrong(point const& at, contents_functions const& of) {
    return between_barriers(world(), [&] { return osu::count_wrong(threads(), options(), log_, at, of); });
}

} // namespace osu::upc
