// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/race_launches.hpp"

#include "tools/text.hpp"
#include "tools/tune/tuning.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace tools::tune {

namespace {

using sonde::detail::fixed;

void say_progress(std::string const& line) { tools::print({line}, "sonde-tune: ", stderr); }

std::string in_seconds(sonde::seconds t) { return fixed(t.count(), t < sonde::seconds{10} ? 1 : 0) + " s"; }

std::size_t racing(std::vector<racer> const& all) {
    return static_cast<std::size_t>(
        std::count_if(all.begin() + 1, all.end(), [](auto const& r) { return r.is_racing; }));
}

void say_round(std::size_t round, series const& launches, std::vector<racer> const& all, std::size_t planned) {
    auto const in_round = static_cast<double>(racing(all) + 1);
    auto text = "round " + std::to_string(round) + " of " + std::to_string(planned) + ": " +
                count_text(racing(all), "candidate") + " left, " + in_seconds(launches.elapsed());
    if (round != planned && racing(all) != 0)
        text += "; at most " + in_seconds(launches.launch_time() * in_round * static_cast<double>(planned - round)) +
                " to the end of the race";
    say_progress(text);
}

/// Time of a confirmation: both sides.
sonde::seconds confirmation_time(series const& launches, tune_options const& o) {
    auto const n = launches_to_confirm(launches.rows().size(), o.criteria.rounds, o.criteria.alpha);
    return launches.launch_time() * (2.0 * static_cast<double>(n));
}

/// True if the budget has the time for one more round and a confirmation.
bool has_time(series const& launches, std::vector<racer> const& all, tune_options const& o) {
    auto const left = launches.left();
    auto const round = launches.launch_time() * static_cast<double>(racing(all) + 1);
    return !left || *left > round + confirmation_time(launches, o);
}

void drop(std::vector<racer>& all, std::vector<candidate> const& candidates, race_criteria const& criteria) {
    for (auto const& [index, ratio] : surely_slower(all, criteria)) {
        all[index].is_racing = false;
        all[index].reason = fixed(ratio, 2) + " times the fastest";
        say_progress("dropped " + candidates[index - 1].text() + ": surely slower, " + all[index].reason);
    }
}

} // namespace

race_result race(series& launches, std::vector<candidate> candidates, tune_options const& options) {
    race_result r{std::move(candidates), {}, 0};
    r.racers.resize(r.candidates.size() + 1);
    std::vector<environment_words> environments{{}};
    for (auto const& c : r.candidates) environments.push_back(environment_of(c.settings));
    while (r.rounds != options.criteria.rounds && racing(r.racers) != 0 && has_time(launches, r.racers, options)) {
        auto const before = r.racers;
        launches.round(r.racers, environments);
        ++r.rounds;
        for (std::size_t i = 1; i != r.racers.size(); ++i)
            if (before[i].is_racing && !r.racers[i].is_racing)
                say_progress("dropped " + r.candidates[i - 1].text() + ": " + r.racers[i].reason);
        drop(r.racers, r.candidates, options.criteria);
        say_round(r.rounds, launches, r.racers, options.criteria.rounds);
    }
    if (r.rounds != options.criteria.rounds && racing(r.racers) != 0)
        say_progress("the budget ends the race after " + count_text(r.rounds, "round"));
    return r;
}

std::vector<confirmed_row> confirmation(series& launches, environment_words const& settings,
                                        tune_options const& options) {
    auto const n = launches_to_confirm(launches.rows().size(), options.criteria.rounds, options.criteria.alpha);
    std::vector<racer> both(2);
    for (std::size_t i = 0; i != n; ++i) {
        launches.round(both, {{}, settings});
        if (!both[1].is_racing)
            throw std::runtime_error{"the program " + both[1].reason + " with the settings together"};
        say_progress("confirmation " + std::to_string(i + 1) + " of " + std::to_string(n));
    }
    return confirm(both[0], both[1], options.criteria);
}

} // namespace tools::tune
