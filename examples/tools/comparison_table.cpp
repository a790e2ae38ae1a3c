// SPDX-License-Identifier: BSL-1.0
#include "comparison_table.hpp"

#include "time_text.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tools {

namespace {

using cells = std::vector<std::string>;

/// What tells a row from others, by name: its own name and the parameters.
using settings = std::vector<std::pair<std::string, std::string>>;

settings settings_of(row const& r) {
    settings all{{"name", r.at.name}};
    for (auto const& p : r.at.parameters) all.emplace_back(p.name, p.text);
    if (r.occurrence != 1) all.emplace_back("again", '#' + std::to_string(r.occurrence));
    return all;
}

std::string setting(settings const& of, std::string const& name) {
    auto const found = std::find_if(of.begin(), of.end(), [&](auto const& s) { return s.first == name; });
    return found == of.end() ? "-" : found->second;
}

/// The names of settings, those that are the same in all rows apart from the others.
struct split_settings {
    cells common, varying;

    explicit split_settings(std::vector<settings> const& rows) {
        for (auto const& r : rows)
            for (auto const& [name, value] : r) add(name, value, rows);
    }

private:
    void add(std::string const& name, std::string const& value, std::vector<settings> const& rows) {
        auto const differs = [&](settings const& r) { return setting(r, name) != value; };
        auto& names = std::any_of(rows.begin(), rows.end(), differs) ? varying : common;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
};

std::string interval_text(time_scale const& scale, std::optional<sonde::confidence_interval> const& i) {
    return i ? '[' + scale.number(i->low) + ", " + scale.number(i->high) + ']' : "-";
}

void add_side(cells& line, summary const& s, time_scale const& scale) {
    line.push_back(scale.number(s.median) + ' ' + scale.unit);
    line.push_back(interval_text(scale, s.confident));
    line.push_back(percent(s.within));
    line.push_back(s.between ? percent(*s.between) : "-");
}

std::string probability(std::optional<double> p) {
    if (!p) return "-";
    return *p < 0.0001 ? "<0.0001" : sonde::detail::fixed(*p, 4);
}

cells line_of(judged const& r, cells const& varying) {
    cells line;
    auto const own = settings_of(r.of);
    for (auto const& name : varying) line.push_back(setting(own, name));
    add_side(line, r.before, time_scale{r.before.median});
    add_side(line, r.after, time_scale{r.after.median});
    line.push_back(sonde::detail::fixed(r.ratio(), 3));
    line.push_back(probability(r.p));
    line.push_back(name(r.outcome));
    return line;
}

cells titles(cells varying) {
    for (auto const* const side : {"old", "new"})
        for (auto const* const title : {side, "[95 %]", "within", "between"}) varying.emplace_back(title);
    for (auto const* const title : {"new/old", "p", "verdict"}) varying.emplace_back(title);
    return varying;
}

std::vector<std::string> aligned(std::vector<cells> const& table) {
    std::vector<std::size_t> widths(table.front().size());
    for (auto const& line : table)
        for (std::size_t i = 0; i != line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    std::vector<std::string> lines;
    for (auto const& line : table) {
        auto& text = lines.emplace_back();
        for (std::size_t i = 0; i != line.size(); ++i)
            text += (i == 0 ? "" : "  ") + sonde::detail::padded(line[i], i + 1 == line.size() ? 0 : widths[i], i == 0);
    }
    return lines;
}

std::string common_line(settings const& row, cells const& common) {
    std::string line = "#";
    for (auto const& name : common) line += ' ' + (name == "name" ? "" : name + '=') + setting(row, name);
    return line;
}

} // namespace

std::vector<std::string> comparison_table(std::vector<judged> const& rows) {
    std::vector<settings> all;
    for (auto const& r : rows) all.push_back(settings_of(r.of));
    split_settings const split{all};
    std::vector<cells> table{titles(split.varying)};
    for (auto const& r : rows) table.push_back(line_of(r, split.varying));
    auto lines = aligned(table);
    if (!split.common.empty()) lines.insert(lines.begin(), common_line(all.front(), split.common));
    return lines;
}

} // namespace tools
