// SPDX-License-Identifier: BSL-1.0
#include "tools/compare/history.hpp"

#include "tools/compare/matched_rows.hpp"
#include "tools/records/conditions.hpp"
#include "tools/records/lines.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

namespace tools {

std::string date_of(launch_set const& launches) {
    for (auto const& run : launches.runs)
        if (run.environment && run.environment->date.size() >= 10) return run.environment->date;
    return {};
}

void put_in_order(std::vector<night>& nights) {
    auto const has_date = [](night const& n) { return !n.date.empty(); };
    if (!std::all_of(nights.begin(), nights.end(), has_date)) {
        for (auto& n : nights) n.name = n.launches.path;
        return;
    }
    std::stable_sort(nights.begin(), nights.end(), [](night const& a, night const& b) { return a.date < b.date; });
    std::set<std::string> days;
    for (auto const& n : nights) days.insert(n.date.substr(0, 10));
    for (auto& n : nights) n.name = days.size() == nights.size() ? n.date.substr(0, 10) : n.date;
}

std::vector<night> read_nights(std::vector<std::string> const& paths) {
    std::vector<log_contents> logs;
    for (auto const& path : paths) logs.push_back(read_log(path));
    tell_apart(logs);
    std::vector<night> nights;
    for (auto const& log : logs) {
        nights.push_back({launch_set_of(log)});
        nights.back().date = date_of(nights.back().launches);
        auto const& first = nights.front().launches;
        if (nights.back().launches.is_text != first.is_text)
            throw std::runtime_error{log.path + " and " + first.path +
                                     ": a text and JSON Lines, of which a history takes one "
                                     "kind"};
    }
    put_in_order(nights);
    return nights;
}

namespace {

std::vector<row_history> courses_of(std::vector<night> const& nights) {
    std::vector<row_history> rows;
    std::map<std::string, std::size_t> indices;
    for (std::size_t n = 0; n != nights.size(); ++n)
        for (auto const& r : match(nights[n].launches.runs, {})) {
            auto const key = key_of(r.at) + '\n' + std::to_string(r.occurrence);
            auto const [known, is_new] = indices.try_emplace(key, rows.size());
            if (is_new) rows.push_back({r.at, r.occurrence});
            auto& row = rows[known->second];
            row.nights.push_back(n);
            row.course.push_back(summarize(r.before));
            row.resolution = std::max(row.resolution, r.before.resolution);
        }
    return rows;
}

/// Levels of a row: the medians of its nights, divided by change points.
class divided_course {
public:
    divided_course(std::vector<sonde::seconds> medians, std::vector<change_point> points)
        : medians_{std::move(medians)}, points_{std::move(points)} {}

    /// Removes the change points of levels that do not differ by the effect, the smallest difference first.
    void join_levels(sonde::seconds resolution, double effect) {
        for (;;) {
            std::optional<std::size_t> least;
            for (std::size_t i = 0; i != points_.size(); ++i)
                if (!is_relevant(median(i), median(i + 1), resolution, effect) && (!least || is_closer(i, *least)))
                    least = i;
            if (!least) return;
            points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(*least));
        }
    }

    void store(row_history& row) const {
        for (std::size_t i = 0; i != points_.size(); ++i)
            row.changes.push_back({points_[i].at, points_[i].p, median(i), median(i + 1), level(i).size(),
                                   level(i + 1).size(), ratio_interval(level(i), level(i + 1))});
        for (std::size_t i = 0; i <= points_.size(); ++i) row.levels.push_back(median(i));
    }

private:
    std::span<sonde::seconds const> level(std::size_t i) const {
        auto const first = i == 0 ? 0 : points_[i - 1].at;
        auto const last = i == points_.size() ? medians_.size() : points_[i].at;
        return std::span{medians_}.subspan(first, last - first);
    }
    sonde::seconds median(std::size_t i) const { return sonde::median(level(i)); }

    /// True if the ratio of the levels beside change point a is nearer to 1 than that of b.
    bool is_closer(std::size_t a, std::size_t b) const {
        auto const [shorter_a, longer_a] = std::minmax({median(a), median(a + 1)});
        auto const [shorter_b, longer_b] = std::minmax({median(b), median(b + 1)});
        return longer_a.count() * shorter_b.count() < longer_b.count() * shorter_a.count();
    }

    std::vector<sonde::seconds> medians_;
    std::vector<change_point> points_;
};

} // namespace

std::vector<row_history> histories(std::vector<night> const& nights, criteria const& required) {
    auto rows = courses_of(nights);
    if (std::none_of(rows.begin(), rows.end(), [](auto const& row) { return row.nights.size() > 1; }))
        throw std::runtime_error{"no row is in two of these files"};
    std::size_t values = 0;
    for (auto const& row : rows) values += row.course.size();
    for (auto& row : rows) {
        std::vector<sonde::seconds> medians;
        for (auto const& s : row.course) medians.push_back(s.median);
        divided_course divided{medians, change_points(medians, required.alpha, values)};
        divided.join_levels(row.resolution, required.effect);
        divided.store(row);
    }
    return rows;
}

bool ends_slower(row_history const& row, double effect) {
    auto const last = row.levels.back();
    return std::any_of(row.levels.begin(), row.levels.end(), [&](sonde::seconds level) {
        return last > level && is_relevant(level, last, row.resolution, effect);
    });
}

std::optional<std::size_t> nights_to_decide(std::vector<row_history> const& rows, double alpha) {
    std::size_t values = 0;
    for (auto const& row : rows) values += row.nights.size();
    for (auto const& row : rows) // a row with more nights than others is judged among fewer rows of its length
        if (row.nights.size() >= values_needed(values / row.nights.size(), alpha)) return std::nullopt;
    return values_needed(rows.size(), alpha);
}

} // namespace tools
