// SPDX-License-Identifier: BSL-1.0
// IMB's work beside communications, in virtual time.
#include "imb/driver/imb_work.hpp"

#include <sonde/measure/overlap.hpp>
#include <sonde/sim/clock.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace std::chrono_literals;
using sonde::sim::manual_clock;

namespace {

/// Takes a microsecond for each unit of work, and a disturbance once, the first time.
struct unit {
    manual_clock clock;
    std::vector<std::size_t>* done;
    sonde::sim::picoseconds disturbed{};

    void operator()(std::size_t repetitions) {
        done->push_back(repetitions);
        clock.advance(repetitions * 1us + disturbed);
        disturbed = {};
    }
};

struct virtual_work {
    sonde::sim::virtual_time time;
    manual_clock clock{time};
    std::vector<std::size_t> done;

    double rate(sonde::sim::picoseconds disturbed = {}) { return imb::rate_of(unit{clock, &done, disturbed}, clock); }
    imb::imb_work<unit> at(double rate) { return imb::imb_work{rate, unit{clock, &done}}; }
};

} // namespace

static_assert(sonde::Work<imb::imb_work<>>);

TEST_CASE_FIXTURE(virtual_work,
                  "work lasts whole repetitions up to the target, at least one, and none for a target of 0") {
    auto work = at(1 << 20);
    struct row {
        double target;
        std::size_t repetitions;
    };
    for (auto const& [target, repetitions] :
         {row{0x1p-10, 1024}, {0x1.8p-19, 3}, {0x1.fp-20, 1}, {0x1p-30, 1}, {0, 0}, {-1, 0}}) {
        work.set_duration(sonde::seconds{target});
        work();
        CHECK(work.units() == repetitions);
        CHECK(done.back() == repetitions);
    }
}

TEST_CASE_FIXTURE(virtual_work, "batches grow to a millisecond, and the rate is that of the best of seven") {
    CHECK(static_cast<long>(rate() + 0.5) == 1'000'000);
    CHECK(done == std::vector<std::size_t>{64, 128, 256, 512, 1024, 1024, 1024, 1024, 1024, 1024, 1024});
}

TEST_CASE_FIXTURE(virtual_work, "a disturbed batch lowers no rate, and does not end the growth of batches") {
    CHECK(static_cast<long>(rate(5ms) + 0.5) == 1'000'000);
    CHECK(done == std::vector<std::size_t>{64, 64, 128, 256, 512, 1024, 1024, 1024, 1024, 1024, 1024, 1024});
}

TEST_CASE_FIXTURE(virtual_work, "a calibration ends if a repetition takes no measurable time") {
    auto const still = [this](std::size_t n) { done.push_back(n); };
    CHECK(imb::rate_of(still, clock) == 0);
    CHECK(done.back() == 250'001);
    CHECK(done.size() == 13 + 6);
}

TEST_CASE_FIXTURE(virtual_work, "a batch in which the clock steps back does not count") {
    auto const stepping = [this](std::size_t n) {
        done.push_back(n);
        clock.advance(n * 1us - (done.size() == 8 ? 1s : 0s)); // among the seven batches of 1024 units
    };
    CHECK(static_cast<long>(imb::rate_of(stepping, clock) + 0.5) == 1'000'000);
}
