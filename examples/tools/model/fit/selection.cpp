// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/selection.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace tools::model {

namespace {

using tables = std::vector<table>;

tables all_of(std::vector<tables_read> const& files) {
    tables all;
    for (auto const& f : files) all.insert(all.end(), f.tables.begin(), f.tables.end());
    return all;
}

std::set<std::size_t> pair_numbers(tables const& of, timed_operation operation) {
    std::set<std::size_t> numbers;
    for (auto const& t : of)
        if (t.operation == operation) numbers.insert(t.pairs);
    return numbers;
}

std::vector<sonde::record> round_trips_of(std::vector<tables_read> const& files) {
    std::vector<sonde::record> all;
    for (auto const& f : files) all.insert(all.end(), f.round_trips.begin(), f.round_trips.end());
    return all;
}

double size_of(sonde::record const& r) {
    for (auto const& p : r.point.parameters)
        if (p.name == "bytes" && p.number) return *p.number;
    return 0;
}

/// Kind of model that the measurements are of: LogGP for round trips; max-rate for windows and for several numbers of
/// pairs; otherwise by the number of pairs.
model_kind deduced_kind(tables const& all, bool has_round_trips) {
    if (has_round_trips && all.empty()) return model_kind::log_gp;
    if (has_round_trips)
        throw std::runtime_error{"both round trips and other measurements are there: --model says what to fit"};
    auto const ping_pongs = pair_numbers(all, timed_operation::ping_pong),
               windows = pair_numbers(all, timed_operation::window);
    if (!windows.empty() && !ping_pongs.empty())
        throw std::runtime_error{
            "both ping-pongs and windows of messages are there: --model hockney, multi or max-rate says "
            "what to fit"};
    for (auto const& t : all)
        if (t.pairs == 0 && t.operation == timed_operation::ping_pong)
            throw std::runtime_error{t.path + ": " + t.name +
                                     " does not say of how many pairs; --model hockney takes it as of one"};
    if (!windows.empty() || ping_pongs.size() > 1 || *ping_pongs.rbegin() > 2) return model_kind::max_rate;
    return *ping_pongs.begin() == 2 ? model_kind::multi : model_kind::hockney;
}

/// True if the model can be fitted to the table. Not for LogGP, which is fitted to round trips.
bool fits(table const& t, model_kind k, bool windows) {
    if (k == model_kind::hockney) return t.operation == timed_operation::ping_pong && t.pairs <= 1;
    if (k == model_kind::multi) return t.operation == timed_operation::ping_pong && t.pairs == 2;
    return t.pairs != 0 && (t.operation == timed_operation::window) == windows;
}

char const* needed(model_kind k) {
    if (k == model_kind::hockney) return "ping-pongs of one pair";
    if (k == model_kind::multi) return "ping-pongs of two pairs at the same time";
    if (k == model_kind::max_rate) return "ping-pongs, or windows of messages, of a known number of pairs";
    return "round trips, which `sonde-model measure` records";
}

/// Time of n ping-pongs of both pairs: 4 x n / b, where b is the sum of both bandwidths, and a bandwidth is the size x
/// over the pair's time. x cancels out.
sonde::seconds multi_time(table_row const& r) {
    double rates = 0;
    for (auto const t : r.times) rates += 2 / static_cast<double>(r.times.size()) / t.count();
    return sonde::seconds{4 * r.repetitions / rates};
}

observation observation_of(table const& t, table_row const& r, model_kind k) {
    auto const messages = k == model_kind::multi ? 2 * r.repetitions : 1; // one after the other in the observed time
    auto interval = r.interval;
    if (interval) interval = sonde::confidence_interval{messages * interval->low, messages * interval->high};
    return {{r.bytes, static_cast<double>(std::max<std::size_t>(1, t.pairs)), r.repetitions},
            k == model_kind::multi ? multi_time(r) : slowest(r),
            messages * r.resolution,
            interval};
}

/// Summary of a table: its path, name, pairs, number of sizes in use, and remark.
std::string line_of(table const& t, std::size_t used) {
    auto const pairs = t.pairs == 0 ? "" : ", " + std::to_string(t.pairs) + (t.pairs == 1 ? " pair" : " pairs");
    return t.path + ": " + t.name + pairs + ", " + std::to_string(used) + " of " + std::to_string(t.rows.size()) +
           " sizes" + (t.remark.empty() ? "" : "; " + t.remark);
}

void add(table const& t, size_range const& range, selection& to) {
    std::size_t used = 0;
    for (auto const& r : t.rows)
        if (range.holds(r.bytes)) {
            to.points.push_back(observation_of(t, r, to.kind));
            ++used;
        }
    to.read_from.push_back(line_of(t, used));
}

void sort(std::vector<observation>& points) {
    std::stable_sort(points.begin(), points.end(), [](auto const& a, auto const& b) {
        return a.at.pairs != b.at.pairs ? a.at.pairs < b.at.pairs : a.at.bytes < b.at.bytes;
    });
}

/// Adds the tables that the model can be fitted to, and a remark for each of the others.
void add_tables(tables const& all, size_range const& range, selection& to) {
    auto const windows =
        pair_numbers(all, timed_operation::window).size() >= pair_numbers(all, timed_operation::ping_pong).size();
    tables used;
    for (auto const& t : all)
        if (fits(t, to.kind, windows)) used.push_back(t);
        else to.remarks.push_back(t.path + ": " + t.name + " is not used: the model takes " + needed(to.kind));
    refuse_mixed_units(used);
    for (auto const& t : used) add(t, range, to);
    auto const one_node = [](table const& t) { return t.on_one_node; };
    auto const warning = one_node_warning(to.kind);
    if (!warning.empty() && std::any_of(used.begin(), used.end(), one_node)) to.remarks.push_back(warning);
}

void add_round_trips(std::vector<sonde::record> const& all, size_range const& range, selection& to) {
    for (auto const& r : all)
        if (range.holds(size_of(r))) to.round_trips.push_back(r);
    auto const count = std::to_string(to.round_trips.size()) + " of " + std::to_string(all.size());
    if (!all.empty()) to.read_from.push_back("round_trips, " + count + " records");
}

} // namespace

selection select(std::vector<tables_read> const& files, std::optional<model_kind> requested, size_range const& range) {
    auto const all = all_of(files);
    auto const round_trips = round_trips_of(files);
    selection chosen{requested ? *requested : deduced_kind(all, !round_trips.empty())};
    for (auto const& f : files) chosen.remarks.insert(chosen.remarks.end(), f.remarks.begin(), f.remarks.end());
    if (chosen.kind == model_kind::log_gp) add_round_trips(round_trips, range, chosen);
    else add_tables(all, range, chosen);
    if (chosen.read_from.empty())
        throw std::runtime_error{std::string{"nothing for the model "} + name(chosen.kind) + ": it takes " +
                                 needed(chosen.kind)};
    if (chosen.points.empty() && chosen.round_trips.empty())
        throw std::runtime_error{"no size is in the range of --from and --to"};
    sort(chosen.points);
    return chosen;
}

} // namespace tools::model
