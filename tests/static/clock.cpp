// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/sim/manual_clock.hpp>
#include <sonde/sim/skewed_clock.hpp>
#include <sonde/time.hpp>

#include <chrono>
#include <cstdint>

namespace clock_concept {

// [satisfies]
struct ticking {
    std::chrono::microseconds now();
};
static_assert(sonde::Clock<ticking>);
// [/satisfies]

static_assert(sonde::Clock<sonde::steady_clock>);
static_assert(sonde::Clock<std::chrono::system_clock>);
static_assert(sonde::Clock<std::chrono::high_resolution_clock>);
static_assert(sonde::Clock<std::chrono::file_clock>);
#if __cpp_lib_chrono >= 201907L
static_assert(sonde::Clock<std::chrono::utc_clock>);
static_assert(sonde::Clock<std::chrono::tai_clock>);
static_assert(sonde::Clock<std::chrono::gps_clock>);
#endif
static_assert(sonde::Clock<sonde::sim::manual_clock>);
static_assert(sonde::Clock<sonde::sim::manual_clock const>);
static_assert(sonde::Clock<sonde::sim::skewed_clock const>);

struct counting_seconds {
    sonde::seconds now();
};
static_assert(sonde::Clock<counting_seconds>);

// [misses]
struct stopped : ticking { void now() = delete; };     // does not tell time
struct bare_number { double now(); };                  // seconds or microseconds? A number does not say
struct cycle_counter { std::uint64_t now(); };         // the same
struct instant {};
struct point_only { instant now(); };                  // instants have no difference
static_assert(!sonde::Clock<stopped>);
static_assert(!sonde::Clock<bare_number>);
static_assert(!sonde::Clock<cycle_counter>);
static_assert(!sonde::Clock<point_only>);
// [/misses]

static_assert(!sonde::Clock<ticking const>); // its `now` is for a clock that may change
static_assert(!sonde::Clock<int>);

} // namespace clock_concept
