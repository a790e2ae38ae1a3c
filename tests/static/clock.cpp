// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/clock.hpp>

#include <chrono>

struct my_clock {
    std::chrono::microseconds now();
};
static_assert(sonde::Clock<my_clock>);
// [/satisfies]

#include <cstdint>

namespace clock_concept {

static_assert(sonde::Clock<sonde::steady_clock> && sonde::Clock<std::chrono::system_clock> &&
              sonde::Clock<std::chrono::high_resolution_clock> && sonde::Clock<std::chrono::file_clock>);
#if __cpp_lib_chrono >= 201907L
static_assert(sonde::Clock<std::chrono::utc_clock> && sonde::Clock<std::chrono::tai_clock> &&
              sonde::Clock<std::chrono::gps_clock>);
#endif

struct counting_seconds {
    sonde::seconds now();
};
static_assert(sonde::Clock<counting_seconds>);

struct no_now : my_clock { void now() = delete; };
struct bare_number { double now(); };          // seconds or microseconds? A number has no unit
struct cycle_counter { std::uint64_t now(); }; // a count of cycles has no unit either
struct instant {};
struct no_difference { instant now(); };       // instants that cannot be subtracted
static_assert(!sonde::Clock<no_now> && !sonde::Clock<bare_number> && !sonde::Clock<cycle_counter> &&
              !sonde::Clock<no_difference>);

static_assert(!sonde::Clock<my_clock const>); // its `now` is not const
static_assert(!sonde::Clock<int>);

} // namespace clock_concept
