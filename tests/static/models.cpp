// SPDX-License-Identifier: BSL-1.0

// Compiling is passing: types of the library satisfy its concepts.

#include <sonde/sync/synchronized_start.hpp>
#include <sonde/sync.hpp>
#include <sonde/link.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/pages.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/sim/clock.hpp>
#include <sonde/sim.hpp>
#include <sonde/sim/rma.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/stop/precision.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace models {

using namespace sonde;

// Group, ControlChannel, Clock
static_assert(Group<sim::group> && Group<sim::group const> && !Group<sim::process>);
static_assert(ControlChannel<sim::control_channel>);
static_assert(Clock<sim::manual_clock> && Clock<sim::manual_clock const>);

// Link, AsyncLink: the links of the simulator dereference their messages, so they take no opaque region.
static_assert(Link<sim::link> && AsyncLink<sim::link> && !Link<single_rank>);
template <class L, class Region>
constexpr bool sends = requires(L l, Region r) { l.send(r); };
template <class L, class Region>
constexpr bool receives = requires(L l, Region r) { l.recv(r); };
static_assert(sends<sim::link, region> && !sends<sim::link, opaque_region>);
static_assert(receives<sim::link, region> && !receives<sim::link, opaque_region>);

// Pattern
using sim_link = sim::link;
static_assert(Pattern<ping_pong<sim_link, slice, slice>> &&
              Pattern<stream<sim_link, slice, slice, sim_link, slice, slice>> &&
              Pattern<bidirectional<sim_link, slice, slice>>);
static_assert(NonblockingOperation<sim::nonblocking_operation>);

// Memory: memories of memories. The host touches no memory that it must not dereference.
static_assert(Memory<huge_pages> && Memory<first_touch_memory<>>);
static_assert(Memory<first_touch_memory<first_touch_memory<huge_pages>>>);
struct device_memory : host_memory {
    static constexpr bool host_accessible = false;
    void fill(opaque_region, std::byte) const {}
    void write(opaque_region, std::span<std::byte const>) const {}
    void read(region, opaque_region) const {}
};
static_assert(Memory<device_memory>);
template <class M>
constexpr bool is_touched_first = requires { typename first_touch_memory<M>; };
static_assert(is_touched_first<host_memory> && !is_touched_first<device_memory>);
template <class M, class Region>
constexpr bool fills = requires(M m, Region r) { m.fill(r, std::byte{}); };
static_assert(fills<huge_pages, region> && !fills<huge_pages, opaque_region>);

// Epoch, Transfer
static_assert(Epoch<sim::fence> && Epoch<sim::pscw> && PassiveEpoch<sim::flush>);
static_assert(!PassiveEpoch<sim::fence> && !PassiveEpoch<sim::pscw>);
static_assert(Transfer<sim::put>);
static_assert(Pattern<rma<sim::fence, sim::put>> && Pattern<rma_ping_pong<sim::fence, sim::put>> &&
              Pattern<rma_exchange<sim::fence, sim::put>>);

// StoppingRule
static_assert(StoppingRule<relative_error> && StoppingRule<relative_error_within> && StoppingRule<noise_converged>);
static_assert(StoppingRule<any_rule>);
static_assert(!detail::rule_hook::has_uniform<relative_error>); // so is_uniform is false

// Synchronizer: a synchronizer is for any group, or for groups of one type.
static_assert(Synchronizer<no_sync const, sim::group> && Synchronizer<barrier_once const, sim::group> &&
              Synchronizer<barrier_each const, sim::group> && Synchronizer<dissemination_barrier, sim::group> &&
              Synchronizer<decltype([](auto& group, std::size_t) { group.barrier(); }), sim::group>);
struct for_one_rank { void operator()(single_rank& group, std::size_t i); };
static_assert(!Synchronizer<for_one_rank, sim::group> && !Synchronizer<flushed_sync<for_one_rank>, sim::group>);

// A synchronized start is its own global clock; flushing the caches keeps it.
using detail::global_clock_of;
using by_clock = synchronized_start<sim::manual_clock, sim::control_channel>;
static_assert(Synchronizer<by_clock, sim::group>);
static_assert(std::same_as<decltype(global_clock_of(std::declval<by_clock&>())), by_clock*>);
static_assert(Synchronizer<flushed_sync<by_clock>, sim::group>);
static_assert(std::same_as<decltype(global_clock_of(std::declval<flushed_sync<by_clock>&>())), by_clock*>);

} // namespace models
