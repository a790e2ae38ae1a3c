// SPDX-License-Identifier: BSL-1.0
#include <sonde/sim.hpp>

#include <doctest/doctest.h>

#include <vector>

#include "../../support.hpp"

using namespace unit;
using sonde::sim::nonblocking_operation;
using sonde::sim::operation_profile;
using sonde::sim::progress_mode;

namespace {

/// The result of f(process&, nonblocking_operation&) on one rank whose operation has this profile.
template <class F>
auto alone_with(operation_profile c, F f) {
    return on_ranks(1, {},
                    [&](process& self) {
                        nonblocking_operation t{self, c};
                        return f(self, t);
                    })
        .front();
}

/// Nanoseconds from start to the end of wait, with work between.
long long lasts(operation_profile c, std::chrono::nanoseconds work) {
    return alone_with(c, [&](process& self, nonblocking_operation& t) {
        t.start();
        self.work(work);
        t.wait();
        return ns(self.now());
    });
}

constexpr operation_profile offloaded{progress_mode::offloaded, 4, 10us};
constexpr operation_profile in_calls{progress_mode::in_calls, 4, 10us};
constexpr operation_profile in_wait{progress_mode::in_wait, 4, 10us};

/// Results of tests at these times (ns).
std::vector<bool> test_results(operation_profile c, std::vector<long long> const& at) {
    return alone_with(c, [&](process& self, nonblocking_operation& t) {
        std::vector<bool> results;
        t.start();
        for (auto const when : at) {
            self.wait_until(std::chrono::nanoseconds{when});
            results.push_back(t.test());
        }
        return results;
    });
}

} // namespace

TEST_CASE("sim::nonblocking_operation: without work all progress modes take the time of all stages") {
    for (auto const& c : {offloaded, in_calls, in_wait}) CHECK(lasts(c, 0us) == 40'000);
}

TEST_CASE("sim::nonblocking_operation: offloaded, all stages pass during the work") {
    CHECK(lasts(offloaded, 39us) == 40'000);
    CHECK(lasts(offloaded, 41us) == 41'000);
}

TEST_CASE("sim::nonblocking_operation: with progress in calls, the stage that start began passes during the work") {
    CHECK(lasts(in_calls, 9us) == 40'000);
    CHECK(lasts(in_calls, 11us) == 41'000);
    CHECK(lasts(in_calls, 100us) == 130'000);
}

TEST_CASE("sim::nonblocking_operation: with progress in the wait, no stage passes during the work") {
    CHECK(lasts(in_wait, 100us) == 140'000);
    CHECK(test_results(in_wait, {100'000, 200'000}) == std::vector<bool>{false, false});
}

TEST_CASE("sim::nonblocking_operation: a test is true after all stages, and begins the next with progress in calls") {
    CHECK(test_results(offloaded, {39'999, 40'000}) == std::vector<bool>{false, true});
    CHECK(test_results(in_calls, {10'000, 20'000, 30'000, 40'000}) == std::vector<bool>{false, false, false, true});
    CHECK(test_results(in_calls, {1000, 2000, 3000, 40'000}) ==
          std::vector<bool>(4, false)); // no stage begins too early
    CHECK(test_results(in_calls, {15'000, 24'000, 25'000, 34'999}) == std::vector<bool>(4, false));
    CHECK(test_results(in_calls, {10'000, 100'000, 110'000, 119'000}) == std::vector<bool>(4, false));
}

TEST_CASE("sim::nonblocking_operation: start and each test take processor time") {
    CHECK(lasts({progress_mode::offloaded, 1, 7us, 3us}, 7us) == 10'000);
    auto const after_two =
        alone_with({progress_mode::offloaded, 1, 7us, 3us, 1us}, [](process& self, nonblocking_operation& t) {
            t.start();
            t.test();
            t.test();
            return ns(self.now());
        });
    CHECK(after_two == 5000);
}

TEST_CASE("sim::nonblocking_operation: a second start takes the same time") {
    CHECK(alone_with(in_calls, [](process& self, nonblocking_operation& t) {
              for (int i = 0; i != 3; ++i) t();
              return ns(self.now());
          }) == 120'000);
}
