// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include "../../common/capacity.hpp"
#include "../say.hpp"
#include "stage.hpp"
#include "table.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace imb::p2p {

namespace {

constexpr auto size_options = "-msglog, -msglen, -msgsz";

std::size_t longest(options const& asked) { return *std::max_element(asked.sizes.begin(), asked.sizes.end()); }

void rest(options const& asked) {
    if (asked.pause_us > 0) std::this_thread::sleep_for(std::chrono::microseconds{asked.pause_us});
}

sonde::point point_of(benchmark const& test, std::size_t bytes, int ranks) {
    return {test.name, {{"bytes", bytes}, {"processes", ranks}}};
}

sonde::record measure(benchmark const& test, options const& asked, stage const& on, std::size_t bytes) {
    auto& world = on.ranks();
    auto const work = test.make(test, on, bytes);
    auto const n = asked.repeats.of(bytes);
    auto const how = plan{}
                         .synchronized(starting{})
                         .warmup(repetitions::warm_up(n))
                         .batch(n)
                         .until(sonde::samples{1})
                         .keep({.rank_means = true});
    rest(asked);
    auto found = work.measure(how, point_of(test, bytes, world.size()));
    rest(asked);
    starting{}(world, 0);
    if (asked.check) found.errors = work.wrong_bytes();
    return found;
}

} // namespace

void require_memory(std::vector<benchmark const*> const& tests, options const& asked, sonde::mpi::group const& world) {
    std::size_t slots = 0;
    for (auto const* test : tests)
        if (test->fits(world.size())) slots = std::max(slots, test->slots);
    common::require_memory(world, 2.0 * static_cast<double>(slots) * static_cast<double>(longest(asked)), size_options);
}

bool run(benchmark const& test, options const& asked, sonde::mpi::group& world,
         std::function<void(sonde::record const&)> const& report) {
    if (!test.fits(world.size())) {
        say(world, invalid(test, world.size()));
        return true;
    }
    say(world, head(test, world.size(), asked.check));
    std::optional<stage> on;
    common::allocate(world, size_options, [&] { on.emplace(world, asked.touched, test.slots, longest(asked)); });
    auto right = true;
    for (auto const bytes : asked.sizes) {
        auto const found = measure(test, asked, *on, bytes);
        say(world, line(bytes, found));
        report(found);
        right = right && found.errors.value_or(0) == 0;
    }
    return right;
}

} // namespace imb::p2p
