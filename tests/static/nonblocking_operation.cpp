// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/measure/overlap.hpp>

struct my_operation {
    void start();
    bool test(); // true if the operation is complete
    void wait();
    void operator()(); // start and wait
};
static_assert(sonde::NonblockingOperation<my_operation>);
// [/satisfies]

namespace nonblocking_operation_concept {

static_assert(sonde::NonblockingOperation<my_operation&>);
struct counts : my_operation { int test(); };
static_assert(sonde::NonblockingOperation<counts>);

struct no_start : my_operation { void start() = delete; };
struct test_is_void : my_operation { void test(); }; // no result
struct no_wait : my_operation { void wait() = delete; };
struct no_pattern { void start(); bool test(); void wait(); }; // no operator()
struct start_with_handle : my_operation { void start(int handle); };
static_assert(!sonde::NonblockingOperation<no_start> && !sonde::NonblockingOperation<test_is_void> &&
              !sonde::NonblockingOperation<no_wait> && !sonde::NonblockingOperation<no_pattern> &&
              !sonde::NonblockingOperation<start_with_handle>);

static_assert(!sonde::NonblockingOperation<my_operation const>); // it changes when started
static_assert(sonde::Pattern<my_operation> && !sonde::NonblockingOperation<decltype([] {})>);

// [work]
struct without_tests { void operator()(); };
using with_tests = decltype([](auto& test) { return test(); });
static_assert(sonde::Work<without_tests>);
static_assert(sonde::Work<with_tests>);
static_assert(sonde::Work<sonde::calibrated_work<>>); // also has w.set_duration(seconds)
// [/work]

static_assert(!sonde::Work<decltype([](int units) { return units; })>);
static_assert(sonde::Pattern<sonde::overlapped<my_operation, without_tests>> &&
              sonde::Pattern<sonde::overlapped<my_operation&, with_tests&, sonde::phase_timer<sonde::steady_clock>&>>);

} // namespace nonblocking_operation_concept
