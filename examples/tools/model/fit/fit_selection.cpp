// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/fit_selection.hpp"

#include "tools/model/fit/fit.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace tools::model {

namespace {

using tables = std::vector<log_table>;

std::set<std::size_t> pair_numbers(tables const& of, timed_operation operation) {
    std::set<std::size_t> numbers;
    for (auto const& t : of)
        if (t.operation == operation) numbers.insert(t.what.pairs);
    return numbers;
}

double size_of(sonde::record const& r) {
    for (auto const& p : r.point.parameters)
        if (p.name == "bytes" && p.number) return *p.number;
    return 0;
}

/// Kind of model for the measurements: LogGP for round trips; max-rate for windows and for several numbers of
/// pairs; otherwise by the number of pairs.
model_kind deduced_kind(series const& s) {
    if (s.tables.empty()) return model_kind::log_gp;
    for (auto const& t : s.tables)
        if (t.what.pairs == 0 && t.operation == timed_operation::ping_pong)
            throw std::runtime_error{t.path + ": " + t.what.program +
                                     " does not say of how many pairs; --model hockney takes it as of one"};
    auto const ping_pongs = pair_numbers(s.tables, timed_operation::ping_pong);
    if (ping_pongs.size() != 1 || *ping_pongs.begin() > 2) return model_kind::max_rate;
    return *ping_pongs.begin() == 2 ? model_kind::multi : model_kind::hockney;
}

/// True if the model can be fitted to the table. Not for a model of round trips.
bool fits(log_table const& t, model_kind k) {
    return t.no_model.empty() && t.operation != timed_operation::other && row_of(k).takes(t);
}

/// Time of n ping-pongs of both pairs: 4 x n / b, where b is the sum of both bandwidths, and a bandwidth is the size x
/// over the pair's time. x cancels out.
sonde::seconds multi_time(log_row const& r) {
    double rates = 0;
    for (auto const t : r.times) rates += 2 / static_cast<double>(r.times.size()) / t.count();
    return sonde::seconds{4 * r.repetitions / rates};
}

/// The size of a window is that of all its messages.
double fitted_size(log_row const& r) { return r.bytes * r.window; }

observation observation_of(log_table const& t, log_row const& r, model_kind k) {
    auto const messages = k == model_kind::multi ? 2 * r.repetitions : 1; // one after the other in the observed time
    auto interval = r.interval;
    if (interval) interval = sonde::confidence_interval{messages * interval->low, messages * interval->high};
    return {{fitted_size(r), static_cast<double>(std::max<std::size_t>(1, t.what.pairs)), r.repetitions},
            k == model_kind::multi ? multi_time(r) : slowest(r),
            messages * r.resolution,
            interval};
}

/// Tables of one file, name and number of pairs, in a line of the summary.
struct summary_line {
    std::string path, what; // "osu_latency, 2 pairs"
    std::string remark;
    std::size_t tables = 0, used = 0, rows = 0;

    std::string text() const {
        return path + ": " + what + ", " + std::to_string(used) + " of " + std::to_string(rows) + " sizes" +
               (tables == 1 ? "" : " in " + std::to_string(tables) + " tables") + (remark.empty() ? "" : "; " + remark);
    }
};

std::string pairs_text(std::size_t pairs) {
    return pairs == 0 ? "" : ", " + std::to_string(pairs) + (pairs == 1 ? " pair" : " pairs");
}

class summary {
public:
    void add(log_table const& t, std::size_t used) {
        auto const what = t.what.program + pairs_text(t.what.pairs);
        auto& line = line_of(t.path, what, t.remark);
        ++line.tables;
        line.used += used;
        line.rows += t.rows.size();
    }
    std::vector<std::string> texts() const {
        std::vector<std::string> all;
        for (auto const& line : lines_) all.push_back(line.text());
        return all;
    }

private:
    summary_line& line_of(std::string const& path, std::string const& what, std::string const& remark) {
        auto const [known, is_new] = indices_.try_emplace(path + '\0' + what + '\0' + remark, lines_.size());
        if (is_new) lines_.push_back({path, what, remark});
        return lines_[known->second];
    }

    std::vector<summary_line> lines_;
    std::map<std::string, std::size_t> indices_;
};

void sort(std::vector<observation>& points) {
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) {
        return a.at.pairs != b.at.pairs ? a.at.pairs < b.at.pairs : a.at.bytes < b.at.bytes;
    });
}

/// Adds the tables that the model can be fitted to, and a remark on the number of the others.
void add_tables(tables const& all, size_range const& range, selection& to) {
    summary of_tables;
    auto on_one_node = false;
    for (auto const& t : all) {
        if (!fits(t, to.kind)) {
            to.remarks.push_back(t.place() + ": " + t.what.program + pairs_text(t.what.pairs) +
                                 " is not used: the model takes " + row_of(to.kind).data);
            continue;
        }
        auto const before = to.points.size();
        for (auto const& r : t.rows)
            if (range.holds(fitted_size(r))) to.points.push_back(observation_of(t, r, to.kind));
        of_tables.add(t, to.points.size() - before);
        on_one_node = on_one_node || t.on_one_node;
    }
    to.read_from = of_tables.texts();
    std::string const warning = row_of(to.kind).one_node;
    if (!warning.empty() && on_one_node) to.remarks.push_back(warning);
}

void add_round_trips(std::vector<sonde::record> const& all, size_range const& range, selection& to) {
    for (auto const& r : all)
        if (range.holds(size_of(r))) to.round_trips.push_back(r);
    auto const count = std::to_string(to.round_trips.size()) + " of " + std::to_string(all.size());
    if (!all.empty()) to.read_from.push_back("round_trips, " + count + " records");
}

} // namespace

bool has_model(series const& of, std::optional<model_kind> requested) {
    if (of.tables.empty()) return !requested || row_of(*requested).takes == nullptr;
    return std::any_of(of.tables.begin(), of.tables.end(), [&](auto const& t) {
        return requested ? fits(t, *requested) : t.no_model.empty() && t.operation != timed_operation::other;
    });
}

selection select(series const& of, std::optional<model_kind> requested, size_range const& range) {
    selection chosen{requested ? *requested : deduced_kind(of)};
    if (row_of(chosen.kind).takes == nullptr) add_round_trips(of.round_trips, range, chosen);
    else add_tables(of.tables, range, chosen);
    if (chosen.read_from.empty())
        throw std::runtime_error{std::string{"nothing for the model "} + name(chosen.kind) + ": it takes " +
                                 row_of(chosen.kind).data};
    if (chosen.points.empty() && chosen.round_trips.empty())
        throw std::runtime_error{"no size is in the range of --from and --to"};
    sort(chosen.points);
    return chosen;
}

} // namespace tools::model
