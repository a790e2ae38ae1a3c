// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/epoch.hpp>
#include <sonde/sim/rma.hpp>

namespace epoch_concept {

// [satisfies]
struct meeting {
    void open(auto side); // of one type for each side: what a rank has nothing to do for costs nothing
    void close(auto side);
};
static_assert(sonde::Epoch<meeting>);
struct locking {
    static constexpr bool passive = true;
    template <class Side>
    void open(Side) {
        if constexpr (Side::accesses) lock();
    }
    template <class Side>
    void close(Side) {
        if constexpr (Side::accesses) unlock();
    }
    void lock();
    void unlock();
};
static_assert(sonde::PassiveEpoch<locking>);
// [/satisfies]

static_assert(!sonde::PassiveEpoch<meeting>);
static_assert(sonde::Epoch<sonde::sim::fence>);
static_assert(sonde::Epoch<sonde::sim::pscw>);
static_assert(sonde::PassiveEpoch<sonde::sim::flush>);
static_assert(!sonde::PassiveEpoch<sonde::sim::fence>);
static_assert(!sonde::PassiveEpoch<sonde::sim::pscw>);

struct by_overload {
    void open(sonde::origin_side);
    void open(sonde::target_side);
    void open(sonde::both_sides);
    void open(sonde::bystander);
    void close(auto side);
};
static_assert(sonde::Epoch<by_overload>);

// [misses]
struct no_open : meeting { void open() = delete; };
struct no_close : meeting { void close() = delete; };
struct origins_only : meeting { void open(sonde::origin_side); };
struct no_bystander { // a rank without a part would wait in no fence, and the others for it
    template <class Side>
        requires(Side::accesses || Side::exposes)
    void open(Side);
    void close(auto side);
};
struct passive_only_in_name { static constexpr bool passive = true; };
static_assert(!sonde::Epoch<no_open>);
static_assert(!sonde::Epoch<no_close>);
static_assert(!sonde::Epoch<origins_only>);
static_assert(!sonde::Epoch<no_bystander>);
static_assert(!sonde::PassiveEpoch<passive_only_in_name>);
// [/misses]

struct is_not : meeting { static constexpr bool passive = false; };
static_assert(sonde::Epoch<is_not>);
static_assert(!sonde::PassiveEpoch<is_not>);

} // namespace epoch_concept
