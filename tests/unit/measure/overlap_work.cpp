// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

using namespace unit;
using sonde::sim::picoseconds;

namespace {

picoseconds times(std::size_t n, picoseconds each) { return static_cast<std::int64_t>(n) * each; }

/// Units of a known cost with a clock of a known tick and cost of a reading.
struct simulated_units {
    picoseconds unit_cost{1ns};
    picoseconds step{1};
    picoseconds read_cost{};
    sonde::sim::virtual_time time{};

    struct clock_type {
        simulated_units* of;
        picoseconds now() const {
            ++of->time.reads;
            of->time.now += of->read_cost;
            return of->time.now / of->step * of->step;
        }
        sonde::clock_properties properties() const {
            return {{}, of->step == picoseconds{1} ? sonde::seconds{} : of->step, {}};
        }
    };
    auto unit() {
        return [this](std::size_t n) { time.now += times(n, unit_cost); };
    }
    auto calibrated(std::size_t tests = 0) { return sonde::calibrated_work{tests, unit(), clock_type{this}}; }
    /// The true duration of f.
    template <class F>
    picoseconds duration(F&& f) {
        auto const begin = time.now;
        f();
        return time.now - begin;
    }
};

constexpr picoseconds targets[] = {1ns, 999ns, 1us, 20us, 123'456'789ns};
constexpr picoseconds unit_costs[] = {picoseconds{137}, 1ns, picoseconds{7919}, 300us};

} // namespace

TEST_CASE("calibrated_work: never longer than requested, and less than two units shorter, for any cost of a unit") {
    for (auto const cost : unit_costs)
        for (auto const target : targets) {
            simulated_units b{cost};
            auto work = b.calibrated();
            work.set_duration(target);
            auto const found = b.duration(work);
            CAPTURE(cost.count());
            CAPTURE(target.count());
            CHECK(found <= target);
            CHECK(found > target - 2 * cost);
        }
}

TEST_CASE(
    "calibrated_work: a coarse clock does not make it longer than requested; it loses three parts in a thousand") {
    for (auto const step : {picoseconds{10ns}, picoseconds{1us}})
        for (auto const cost : unit_costs)
            for (auto const target : targets) {
                simulated_units b{cost, step};
                auto work = b.calibrated();
                work.set_duration(target);
                auto const found = b.duration(work);
                CAPTURE(step.count());
                CAPTURE(cost.count());
                CAPTURE(target.count());
                CHECK(found <= target);
                CHECK(found > target - target * 3 / 1000 - 2 * cost);
            }
}

TEST_CASE_FIXTURE(
    simulated_units,
    "calibrated_work: a clock with costly readings shows no more than requested, including the readings") {
    read_cost = 25ns;
    for (auto const target : {picoseconds{40ns}, picoseconds{100ns}, picoseconds{10us}}) {
        auto work = calibrated();
        work.set_duration(target);
        auto const shown = duration([&] {
            static_cast<void>(clock_type{this}.now());
            work();
        });
        CHECK(shown <= target);
        CHECK(shown > target - 30ns);
    }
}

TEST_CASE_FIXTURE(simulated_units,
                  "calibrated_work: a duration shorter than the clock's readings gives no unit and no calibration") {
    read_cost = 25ns;
    auto work = calibrated();
    CHECK(duration([&] { work.set_duration(10ns); }) < 1us);
    CHECK(work.units() == 0);
}

TEST_CASE_FIXTURE(simulated_units, "calibrated_work: the clock is not read during the work") {
    auto work = calibrated(5);
    work.set_duration(20us);
    auto const reads = time.reads;
    work([] { return false; });
    work();
    CHECK(time.reads == reads);
}

TEST_CASE_FIXTURE(simulated_units, "calibrated_work: there is no unit before set_duration, nor for a duration of 0") {
    auto work = calibrated();
    CHECK(duration(work) == 0s);
    work.set_duration(20us);
    CHECK(duration(work) > 0s);
    work.set_duration(0s);
    CHECK(duration(work) == 0s);
}

TEST_CASE("calibrated_work: disturbed batches do not count, even if they are most") {
    for (auto const quiet_ones : {1, 2}) { // of three
        CAPTURE(quiet_ones);
        simulated_units quiet, noisy;
        int calls = 0;
        auto const disturbed = [&](std::size_t n) {
            noisy.time.now += times(n, 1ns) + (++calls % 3 < quiet_ones ? 0us : 700us);
        };
        sonde::calibrated_work work{0, disturbed, simulated_units::clock_type{&noisy}};
        auto undisturbed = quiet.calibrated();
        work.set_duration(1ms);
        undisturbed.set_duration(1ms);
        CHECK(work.units() == undisturbed.units());
    }
}

TEST_CASE_FIXTURE(simulated_units, "calibrated_work: work longer than calibrated is shortened to fit") {
    step = 10ns;
    auto const slowing = [&](std::size_t n) { time.now += times(n, n < 100'000 ? unit_cost : unit_cost * 17 / 10); };
    sonde::calibrated_work work{0, slowing, clock_type{this}};
    work.set_duration(1ms);
    auto const found = duration(work);
    CHECK(found <= 1ms);
    CHECK(found > 996us);
}

TEST_CASE("calibrated_work: a clock that stands still is refused after a limited wait") {
    struct stopped {
        picoseconds now() const { return {}; }
        sonde::clock_properties properties() const { return {}; }
    };
    std::size_t most = 0;
    auto const unit = [&](std::size_t n) { most = std::max(most, n); };
    CHECK_THROWS_AS((sonde::calibrated_work{0, unit, stopped{}}.set_duration(1us)), std::runtime_error);
    CHECK(most < 10'000'000'000); // a few seconds of real time
}

namespace {

/// Units done before each of the tests, and at the end.
std::vector<std::int64_t> units_at_tests(std::size_t tests, std::int64_t units, std::size_t over_after = 1000) {
    simulated_units b;
    auto work = b.calibrated(tests);
    work.set_duration(units * 1ns + picoseconds{500});
    auto const begin = b.time.now;
    std::vector<std::int64_t> seen;
    auto const record_units = [&] {
        seen.push_back((b.time.now - begin) / 1ns);
        return seen.size() == over_after;
    };
    work(record_units);
    record_units();
    return seen;
}

} // namespace

TEST_CASE("calibrated_work: a test follows each of k equal parts, the last at the end") {
    CHECK(units_at_tests(0, 100) == std::vector<std::int64_t>{100});
    CHECK(units_at_tests(1, 100) == std::vector<std::int64_t>{100, 100});
    CHECK(units_at_tests(4, 100) == std::vector<std::int64_t>{25, 50, 75, 100, 100});
    CHECK(units_at_tests(3, 100) == std::vector<std::int64_t>{33, 66, 100, 100}); // parts differ by one unit
}

TEST_CASE("calibrated_work: more tests than units, or no unit at all, make the requested number of tests") {
    CHECK(units_at_tests(5, 2) == std::vector<std::int64_t>{0, 0, 0, 1, 2, 2});
    CHECK(units_at_tests(3, 0) == std::vector<std::int64_t>{0, 0, 0, 0});
}

TEST_CASE("calibrated_work: after a true test there are no more tests, but all of the work") {
    CHECK(units_at_tests(4, 100, 1) == std::vector<std::int64_t>{25, 100});
    CHECK(units_at_tests(4, 100, 3) == std::vector<std::int64_t>{25, 50, 75, 100});
}

TEST_CASE("calibrated_work: the default unit takes time") {
    sonde::calibrated_work work;
    work.set_duration(1ms);
    CHECK(work.units() > 0);
    work();
}
