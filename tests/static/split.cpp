// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/patterns/overlapped.hpp>
#include <sonde/sim/transfer.hpp>
#include <sonde/spin.hpp>

namespace split_concept {

// [satisfies]
struct exchange {
    void start();
    bool test(); // a library that makes no progress in calls may say false for ever
    void finish();
    void operator()(); // start and finish
};
static_assert(sonde::Split<exchange>);
// [/satisfies]

static_assert(sonde::Split<sonde::sim::transfer>);
static_assert(sonde::Split<exchange&>);
struct counts : exchange { int test(); };
static_assert(sonde::Split<counts>);

// [misses]
struct no_start : exchange { void start() = delete; };
struct no_test : exchange { void test(); };          // does not say whether it is over
struct no_finish : exchange { void finish() = delete; };
struct no_iteration { void start(); bool test(); void finish(); };
struct starts_one_of_many : exchange { void start(int handle); };
static_assert(!sonde::Split<no_start>);
static_assert(!sonde::Split<no_test>);
static_assert(!sonde::Split<no_finish>);
static_assert(!sonde::Split<no_iteration>);
static_assert(!sonde::Split<starts_one_of_many>);
// [/misses]

static_assert(!sonde::Split<exchange const>); // it changes when started
static_assert(sonde::Pattern<exchange> && !sonde::Split<decltype([] {})>);

// [work]
struct silent { void operator()(); };
using testing = decltype([](auto& test) { return test(); });
static_assert(sonde::Work<silent>);
static_assert(sonde::Work<testing>);
static_assert(sonde::Work<sonde::spin<>>); // and w.last(seconds)
// [/work]

static_assert(!sonde::Work<decltype([](int units) { return units; })>);
static_assert(sonde::Pattern<sonde::overlapped<exchange, silent>>);
static_assert(sonde::Pattern<sonde::overlapped<exchange&, testing&, sonde::phases<sonde::steady_clock>&>>);

} // namespace split_concept
