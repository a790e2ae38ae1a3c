// SPDX-License-Identifier: BSL-1.0
#include "osu/upcxx/upcxx_driver.hpp"

#include "suite/hosts.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/upcxx/group.hpp>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace osu::upcxx {

namespace {

constexpr auto size_options = "-m, UPCXX_SHARED_HEAP_SIZE";

/// Sets the size of the shared segments, unless the environment has one: room for `bytes`, for what their allocations
/// are rounded up by, and for what UPC++ keeps there.
void set_segment_size(double bytes) {
    constexpr double mebibyte = 1 << 20, reserve = 32;
    auto const size = std::to_string(static_cast<long>(std::ceil(bytes / mebibyte) + reserve)) + "MB";
    setenv(sonde::upcxx::segment_size_variable, size.c_str(), 0);
}

/// The ranks, after UPC++ has started. `bytes_of_times`: memory of a rank for its sample times. Collective over the
/// group.
sonde::upcxx::group started(invocation const& from, double segment, double bytes_of_times) {
    auto const& world = from.world;
    suite::require_memory(world, segment + bytes_of_times, std::string{"-i, "} + size_options);
    set_segment_size(segment);
    from.further.finalizes_mpi = sonde::upcxx::finalizes_mpi;
    from.further.session = std::make_shared<sonde::upcxx::session>();
    require_ranks_of_mpi(world, upcxx_library, "Rank", ::upcxx::rank_me(), ::upcxx::rank_n(), "UPCXX_NETWORK=mpi");
    return sonde::upcxx::group{};
}

} // namespace

upcxx_driver::upcxx_driver(invocation const& from, double segment)
    : driver{from}, ranks_{started(from, segment, bytes_of_times())} {
    if (options().check.log) log_.emplace(*options().check.log, world().rank());
}

sonde::point upcxx_driver::point_of(point const& at) const { return {about().name, {{"bytes", at.size}}}; }

sonde::record upcxx_driver::run(size_plan const& plan, sonde::pattern_ref<sonde::mpi::wtime> pattern, point const& at) {
    return sonde::run(ranks_, plan, pattern, point_of(at));
}

sonde::upcxx::shared_allocation upcxx_driver::allocate(std::size_t bytes) const {
    std::optional<sonde::upcxx::shared_allocation> made;
    suite::allocate(world(), size_options, [&] { made.emplace(bytes); });
    return std::move(*made);
}

} // namespace osu::upcxx
