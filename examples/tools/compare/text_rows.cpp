// SPDX-License-Identifier: BSL-1.0
// Rows of a log as rows of the records in JSON that the same programs write.
#include "tools/compare/rows.hpp"

#include "tools/records/series.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace tools {

namespace {

/// Parameters of a record that no text has, or that its table has in another form.
constexpr std::string_view not_in_text[] = {"bytes",  "repetitions",  "samples", "group", "groups", "mode",     "part",
                                            "window", "window_parts", "buffers", "pairs", "start",  "processes"};

/// Settings of a table that the records of its program do not have.
constexpr std::string_view not_in_records[] = {"datatype"};

bool is_one_of(auto const& names, std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool are_equal(std::string_view a, std::string_view b) {
    auto const lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// True if a record may be of this table: every setting of the one is in the other, unless its kind never is.
bool is_of(log_table const& t, sonde::record const& r) {
    auto settings = t.what.settings;
    for (auto const& p : r.point.parameters) {
        auto const known = settings.find(p.name);
        if (known == settings.end() ? !is_one_of(not_in_text, p.name) : !are_equal(known->second, p.text)) return false;
        if (known != settings.end()) settings.erase(known);
    }
    for (auto const& [name, value] : settings)
        if (!is_one_of(not_in_records, name)) return false;
    auto const counts_pairs = t.operation != timed_operation::other && t.what.pairs != 0;
    return !counts_pairs || pairs_of(r) == t.what.pairs;
}

/// Finds the record of each row, and notes the keys of those that were found.
class record_finder {
public:
    explicit record_finder(std::vector<sonde::run_file> const& runs) {
        for (auto const& run : runs)
            for (auto const& r : run.records) records_[{r.point.name, setting(r, "bytes", 0)}].push_back(&r);
    }

    /// Record of a row; null if there is none, or if several rows of records may be this one.
    sonde::record const* record_of(log_table const& t, log_row const& row) {
        std::map<std::string, sonde::record const*> found;
        auto const known = records_.find({t.what.program, row.bytes});
        if (known == records_.end() || row.times.size() != 1) return nullptr;
        for (auto const* const r : known->second)
            if (is_of(t, *r)) found.emplace(key_of(r->point), r);
        if (found.size() != 1) return nullptr;
        found_.insert(found.begin()->first);
        return found.begin()->second;
    }
    bool was_found(sonde::record const& r) const { return found_.contains(key_of(r.point)); }

private:
    std::map<std::pair<std::string, double>, std::vector<sonde::record const*>> records_; // by name and size
    std::set<std::string> found_;
};

/// Iterations of a record that take as long as its row says of one message, one window or one hop.
double iterations_of(log_row const& row, sonde::record const& r) {
    return row.rated ? static_cast<double>(r.total.messages) / *row.rated : r.total.hops;
}

/// Mean that the program prints: over ranks by the OSU programs, of the slowest rank by those of IMB.
void keep_printed_mean(sonde::record& r) {
    r.series = {r.point.name.starts_with("osu_") ? r.over_ranks.mean : r.over_ranks.max};
    r.overflow.clear();
}

} // namespace

void text_as_records(log_contents const& log, launch_set& text, launch_set& records) {
    record_finder finder{records.runs};
    text.runs = launches_of(log, [&](log_table const& t, log_row const& row) {
        auto made = record_of(t, row);
        auto const* const known = finder.record_of(t, row);
        if (known == nullptr) return made;
        auto const iterations = iterations_of(row, *known);
        made.point = known->point;
        made.series = {made.series.front() * iterations};
        made.clock_properties.resolution *= iterations;
        return made;
    });
    std::size_t count = 0;
    for (auto& run : records.runs)
        for (auto& r : run.records)
            if (finder.was_found(r)) {
                keep_printed_mean(r);
                ++count;
            }
    if (count != 0)
        records.remarks.push_back(records.path + ": a text has means: the means of its samples are compared");
}

} // namespace tools
