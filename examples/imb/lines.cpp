// SPDX-License-Identifier: BSL-1.0
#include "lines.hpp"

#include "demands.hpp"
#include "figures.hpp"
#include "processes.hpp"

#include <algorithm>
#include <utility>

namespace imb {

namespace {

double largest_defect(std::vector<finding> const& found) {
    double most = 0;
    for (auto const& f : found) most = std::max(most, f.defects.value_or(0));
    return most;
}

} // namespace

lines::lines(stage& on, benchmark const& test, mode in, std::vector<std::vector<int>> const& groups)
    : on_{on}, test_{test}, mode_{in}, groups_{groups}, shows_{layout_of(test, on.asked)} {}

void lines::head(bool defects) {
    if (std::exchange(headed_, true)) return;
    auto const listed = transposes(on_.asked.map) && groups_.size() == 1;
    auto const row = listed ? static_cast<std::size_t>(on_.asked.map.q) : 0;
    on_.say(head_of({test_, mode_, on_.world.size(), groups_, row, by_group(), defects}, shows_));
}

void lines::line(std::string const& group, std::size_t bytes, std::vector<finding> const& found) const {
    std::vector<outcome> outcomes;
    for (auto const& f : found) outcomes.push_back(f.found);
    auto text = group + (is_sized(shows_) ? cell_of(bytes) : std::string{}) + cell_of(found.front().repetitions);
    text += figures_of(test_, shows_, {bytes, static_cast<int>(groups_.front().size()), on_.asked.window}, outcomes);
    if (is_sized(shows_) && found.front().defects) text += cell_of(largest_defect(found));
    on_.say(text + "\n");
}

void lines::show(std::size_t bytes, std::vector<finding> const& groups) {
    head(is_sized(shows_) && groups.front().defects);
    if (!by_group()) line({}, bytes, groups);
    else on_.say("\n");
    for (std::size_t g = 0; g != groups.size() && by_group(); ++g) line(cell_of(g), bytes, {groups[g]});
    on_.defects = on_.defects || largest_defect(groups) > 0;
    for (auto const& g : groups) on_.report(g, groups.size());
}

void lines::show(failure why, std::size_t bytes, std::size_t bytes_needed) {
    head(false);
    auto const text = cell_of(bytes) + failure_text(why, bytes_needed, advice_of(on_.about, test_, on_.asked)) + "\n";
    if (!by_group()) return on_.say(text);
    on_.say("\n");
    for (std::size_t g = 0; g != groups_.size(); ++g) on_.say(cell_of(g) + text);
}

} // namespace imb
