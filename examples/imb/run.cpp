// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include "course.hpp"
#include "processes.hpp"

namespace imb {

namespace {

bool wanted(mode m, benchmark const& test, modes asked) {
    if (test.modes.size() == 1 || asked == modes::both) return true;
    return (m == mode::aggregate) == (asked == modes::aggregate);
}

bool run_with(stage& on, benchmark const& test, int processes) {
    teams ranks{on.world, on.asked, processes, on.about.windows};
    for (auto const m : test.modes)
        if (wanted(m, test, on.asked.aggregate) && !course{on, test, m, ranks}.run()) return false;
    return true;
}

void run_one(stage& on, benchmark const& test) {
    auto const npmin = on.asked.npmin.value_or(on.about.npmin);
    for (auto const processes : process_series(test.kind, on.about.io, on.world.size(), npmin)) {
        if (processes < least_processes(test.kind, on.about.io)) on.say(invalid_line(test, processes));
        else if (!run_with(on, test, processes)) return;
    }
}

} // namespace

void run(stage& on, std::vector<benchmark const*> const& tests) {
    for (auto const* test : tests) run_one(on, *test);
}

} // namespace imb
