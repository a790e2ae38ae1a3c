// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/history_text.hpp"

#include "tools/compare/history.hpp"
#include "tools/compare/row_text.hpp"
#include "tools/records/environments.hpp"

#include <algorithm>
#include <utility>

namespace tools {

namespace {

using sonde::detail::fixed;

std::vector<settings> settings_of_all(std::vector<row_history> const& rows) {
    std::vector<settings> all;
    for (auto const& row : rows) all.push_back(settings_of(row.at, row.occurrence));
    return all;
}

std::string ratio_text(std::optional<double> ratio) { return ratio ? fixed(*ratio, 3) : "-"; }

std::string time_text(sonde::seconds t) { return time_scale{t}.number_and_unit(t); }

std::string const& first_night(std::vector<night> const& nights, row_history const& row, level_change const& c) {
    return nights[row.nights[c.at]].name;
}

/// Change of a row.
struct row_change {
    row_history const* row;
    level_change const* change;

    std::size_t night() const { return row->nights[change->at]; }
    std::size_t night_before() const { return row->nights[change->at - 1]; }
};

/// The changes of all rows, in the order of the nights.
std::vector<row_change> changes_of(std::vector<row_history> const& rows) {
    std::vector<row_change> all;
    for (auto const& row : rows)
        for (auto const& c : row.changes) all.push_back({&row, &c});
    std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.night() < b.night(); });
    return all;
}

} // namespace

std::string common_settings(std::vector<row_history> const& rows) {
    auto const all = settings_of_all(rows);
    return setting_names{all}.common_line(all.front());
}

std::vector<cells> history_cells(std::vector<night> const& nights, std::vector<row_history> const& rows) {
    auto const all = settings_of_all(rows);
    setting_names const names{all};
    auto titles = names.varying;
    titles.insert(titles.end(), {"nights", "first", "last", "last/first", "changes"});
    std::vector<cells> table{titles};
    for (std::size_t i = 0; i != rows.size(); ++i) {
        auto const& row = rows[i];
        auto line = names.values_in(all[i]);
        auto const changes = sonde::detail::joined(row.changes, ", ",
                                                   [&](level_change const& c) { return first_night(nights, row, c); });
        line.insert(line.end(),
                    {std::to_string(row.nights.size()), time_text(row.levels.front()), time_text(row.levels.back()),
                     ratio_text(row.ratio()), changes.empty() ? "-" : changes});
        table.push_back(line);
    }
    return table;
}

std::vector<cells> change_cells(std::vector<night> const& nights, std::vector<row_history> const& rows) {
    setting_names const names{settings_of_all(rows)};
    cells titles{"since"};
    titles.insert(titles.end(), names.varying.begin(), names.varying.end());
    titles.insert(titles.end(), {"before", "nights", "after", "nights", "after/before", "[95 %]", "p", "outcome"});
    std::vector<cells> table{titles};
    for (auto const& [row, c] : changes_of(rows)) {
        cells line{first_night(nights, *row, *c)};
        for (auto& value : names.values_in(settings_of(row->at, row->occurrence))) line.push_back(std::move(value));
        auto const interval = interval_text(c->interval, [](double ratio) { return fixed(ratio, 3); });
        line.insert(line.end(), {time_text(c->before), std::to_string(c->nights_before), time_text(c->after),
                                 std::to_string(c->nights_after), ratio_text(c->ratio()), interval, probability(c->p),
                                 to_string(c->outcome())});
        table.push_back(line);
    }
    return table;
}

std::vector<std::string> night_lines(std::vector<night> const& nights, std::vector<row_history> const& rows) {
    std::vector<std::string> lines;
    auto const all = changes_of(rows);
    for (auto first = all.begin(); first != all.end();) {
        auto const end = std::find_if(first, all.end(), [&](auto const& c) { return c.night() != first->night(); });
        auto const slower =
            std::count_if(first, end, [](auto const& c) { return c.change->outcome() == sonde::outcome::slower; });
        auto const& night = nights[first->night()];
        auto const file = night.name == night.launches.path ? "" : " (" + night.launches.path + ')';
        lines.push_back("since " + night.name + file + ": " + std::to_string(slower) + " slower, " +
                        std::to_string(end - first - slower) + " faster");
        for (auto const& d : environment_differences(nights[first->night_before()].launches.runs, night.launches.runs))
            if (d.matters) lines.push_back("  " + d.property + " differs: old " + d.before + ", new " + d.after);
        first = end;
    }
    return lines;
}

} // namespace tools
