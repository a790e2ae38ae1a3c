// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/pattern/one_sided.hpp>

struct my_epoch { // active target: all ranks take part
    void open(auto side);
    void close(auto side);
};
static_assert(sonde::Epoch<my_epoch>);

struct my_passive_epoch { // only ranks that access the windows of others make calls
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
static_assert(sonde::PassiveEpoch<my_passive_epoch>);
// [/satisfies]

namespace epoch_concept {

static_assert(!sonde::PassiveEpoch<my_epoch>);

struct by_overload {
    void open(sonde::origin_side);
    void open(sonde::target_side);
    void open(sonde::both_sides);
    void open(sonde::neither_side);
    void close(auto side);
};
static_assert(sonde::Epoch<by_overload>);

struct no_open : my_epoch { void open() = delete; };
struct no_close : my_epoch { void close() = delete; };
struct origins_only : my_epoch { void open(sonde::origin_side); };
struct without_idle_ranks { // a rank on neither side would miss a collective call, such as a fence
    template <class Side>
        requires(Side::accesses || Side::exposes)
    void open(Side);
    void close(auto side);
};
struct only_the_constant { static constexpr bool passive = true; };
static_assert(!sonde::Epoch<no_open> && !sonde::Epoch<no_close> && !sonde::Epoch<origins_only> &&
              !sonde::Epoch<without_idle_ranks>);
static_assert(!sonde::PassiveEpoch<only_the_constant>);

struct is_not : my_epoch { static constexpr bool passive = false; };
static_assert(sonde::Epoch<is_not>);
static_assert(!sonde::PassiveEpoch<is_not>);

} // namespace epoch_concept
