// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include "../../common/capacity.hpp"
#include "../say.hpp"
#include "table.hpp"
#include "work.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <optional>

namespace imb::mt {

namespace {

constexpr auto memory_options = "-count, -window_size, -thread_level";

std::vector<std::size_t> counts_of(benchmark const& test, options const& asked) {
    return test.sized ? asked.counts : std::vector<std::size_t>{0};
}

needs needs_of(benchmark const& test, options const& asked) {
    auto const counts = counts_of(test, asked);
    auto const longest = *std::max_element(counts.begin(), counts.end()) * asked.element_bytes();
    auto const places = test.window ? asked.window : test.received;
    constexpr std::size_t token = 64;
    return {stride_of(longest), places * stride_of(longest) + token};
}

plan plan_of(benchmark const& test, options const& asked) {
    auto const loop = test.timed == timing::loop;
    starting const how{asked.meet != barrier::off, test.timed == timing::calls ? std::size_t{5} : std::size_t{0}};
    return plan{}
        .synchronized(how)
        .warmup(asked.warm_ups)
        .batch(loop ? asked.repeats : 1)
        .until(sonde::samples{loop ? 1 : asked.repeats})
        .keep({.rank_means = true});
}

/// One instance's way through the sizes of a benchmark.
class sweep {
public:
    sweep(benchmark const& test, job const& on, instance const& here,
          std::function<void(sonde::record const&)> const& report)
        : test_{test}, on_{on}, here_{here}, report_{report} {}

    /// Were all contents right?
    bool operator()() {
        auto right = true, first = true;
        for (auto const count : counts_of(test_, on_.asked)) {
            auto const bytes = count * on_.asked.element_bytes();
            auto const work = test_.make(here_, bytes);
            auto found = work.measure(plan_of(test_, on_.asked), point_of(bytes));
            if (found.initiators == 0) {
                print(no_success(test_));
                return true;
            }
            if (std::exchange(first, false)) print(head(test_, found.initiators, threads(), on_.asked.window));
            print(line(test_, scale_of(bytes), on_.asked.repeats, found));
            if (on_.asked.check) found.errors = check(work);
            if (here_.me.rank() == 0) report_(found);
            right = right && found.errors.value_or(0) == 0;
        }
        return right;
    }

private:
    int threads() const { return static_cast<int>(on_.communicators.size()); }
    void print(std::string const& text) const {
        if (here_.me.rank() == 0) say(on_.world, text);
    }
    sonde::point point_of(std::size_t bytes) const {
        sonde::point at{test_.name, {{"bytes", bytes}, {"processes", on_.world.size()}, {"threads", threads()}}};
        if (test_.window) at.parameters.emplace_back("window", on_.asked.window);
        return at;
    }
    scale scale_of(std::size_t bytes) const {
        auto const window = test_.window ? static_cast<double>(on_.asked.window) : 1.0;
        return {test_.time_divisor * window, test_.bandwidth_factor, bytes, threads()};
    }
    std::size_t check(work const& of) const {
        std::vector<double> wrong(static_cast<std::size_t>(on_.world.size()));
        wrong[static_cast<std::size_t>(on_.world.rank())] = static_cast<double>(of.wrong_elements());
        here_.me.all_reduce(wrong, sonde::reduction::sum);
        print(check_failures(wrong));
        double all = 0;
        for (auto const w : wrong) all += w;
        return static_cast<std::size_t>(all);
    }

    benchmark const& test_;
    job const& on_;
    instance const& here_;
    std::function<void(sonde::record const&)> const& report_;
};

} // namespace

void require_memory(std::vector<benchmark const*> const& tests, options const& asked, int threads,
                    sonde::mpi::group const& world) {
    double most = 0; // of a thread
    for (auto const* test : tests) {
        auto const each = needs_of(*test, asked);
        most = std::max(most, static_cast<double>(each.send) + static_cast<double>(each.receive));
    }
    common::require_memory(world, threads * most, memory_options);
}

bool run(benchmark const& test, job const& on, std::function<void(sonde::record const&)> const& report) {
    auto const threads = static_cast<int>(on.communicators.size());
    std::optional<memory> buffers;
    common::allocate(on.world, memory_options, [&] { buffers.emplace(on.asked, threads, needs_of(test, on.asked)); });
    processes parent{on.world, on.asked.meet};
    std::barrier<> among_threads{threads};
    auto right = true;
    team all{parent, threads};
    all.run([&](member& me) {
        sonde::mpi::abort_on_exception(on.world.comm(), [&] {
            auto const number = static_cast<std::size_t>(me.thread());
            instance const here{me, on.communicators[number], on.asked, buffers->of(me.thread()), among_threads};
            auto const well = sweep{test, on, here, report}();
            if (me.thread() == 0) right = well;
        });
    });
    return right;
}

} // namespace imb::mt
