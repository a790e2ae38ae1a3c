// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/clocks/courier.hpp>
#include <sonde/sim/courier.hpp>

#include <span>

namespace courier_concept {

// [satisfies]
struct postman {
    void send(int to, std::span<double const> v);
    void receive(int from, std::span<double> v);
};
static_assert(sonde::Courier<postman>);
// [/satisfies]

static_assert(sonde::Courier<sonde::sim::courier>);

// [misses]
struct only_sends { void send(int to, std::span<double const> v); };
struct only_receives { void receive(int from, std::span<double> v); };
struct single_number { void send(int to, double v); double receive(int from); };
struct changes_what_it_sends : only_receives { void send(int to, std::span<double> v); };
struct of_one_way : only_receives { void send(std::span<double const> v); };
static_assert(!sonde::Courier<only_sends>);
static_assert(!sonde::Courier<only_receives>);
static_assert(!sonde::Courier<single_number>);
static_assert(!sonde::Courier<changes_what_it_sends>);
static_assert(!sonde::Courier<of_one_way>);
// [/misses]

static_assert(!sonde::Courier<int>);

} // namespace courier_concept
