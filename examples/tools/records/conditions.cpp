// SPDX-License-Identifier: BSL-1.0
// Tables and records of one identity that were measured under different conditions.
#include "tools/records/conditions.hpp"

#include "tools/records/headings.hpp"
#include "tools/records/lines.hpp"
#include "tools/records/log.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tools {

std::string key_of(sonde::point const& at) {
    std::vector<std::string> pairs;
    for (auto const& p : at.parameters)
        if (p.name != "repetitions") pairs.push_back(p.name + '\0' + p.text);
    std::sort(pairs.begin(), pairs.end());
    auto key = at.name;
    for (auto const& s : pairs) key += '\n' + s;
    return key;
}

std::vector<condition> conditions_of(sonde::record const& r, sonde::run_file const& run) {
    std::vector<condition> all;
    auto const add = [&](char const* name, std::string value) { all.push_back({name, name, std::move(value)}); };
    if (r.ranks > 0) add("ranks", std::to_string(r.ranks));
    if (!run.environment || run.environment->hosts.empty()) return all;
    auto const& counts = run.environment->ranks_per_host;
    auto const are_equal = !counts.empty() && std::count(counts.begin(), counts.end(), counts[0]) ==
                                                  static_cast<std::ptrdiff_t>(counts.size());
    add("hosts", std::to_string(run.environment->hosts.size()));
    add("ranks_per_host", are_equal
                              ? std::to_string(counts[0])
                              : printable(sonde::detail::joined(counts, "+", [](int n) { return std::to_string(n); })));
    return all;
}

namespace {

/// The part of texts in which they differ: words that all begin or end with are left out, unless nothing is left.
class differing_words {
public:
    void add(std::string const& text) { texts_.insert(text); }
    std::string of(std::string const& text) const {
        auto const first = words_of(*texts_.begin());
        auto const words = words_of(text);
        auto before = first.size(), after = first.size(), shortest = first.size();
        for (auto const& other : texts_) {
            auto const w = words_of(other);
            shortest = std::min(shortest, w.size());
            auto const same = std::mismatch(w.begin(), w.end(), first.begin(), first.end()).first - w.begin();
            auto const behind = std::mismatch(w.rbegin(), w.rend(), first.rbegin(), first.rend()).first - w.rbegin();
            before = std::min(before, static_cast<std::size_t>(same));
            after = std::min(after, static_cast<std::size_t>(behind));
        }
        if (before + after >= shortest) return text;
        std::vector<std::string_view> const rest(words.begin() + static_cast<std::ptrdiff_t>(before),
                                                 words.end() - static_cast<std::ptrdiff_t>(after));
        return sonde::detail::joined(rest, " ", [](auto w) { return std::string{w}; });
    }

private:
    std::set<std::string> texts_;
};

bool are_in(std::vector<std::string_view> const& lines, std::vector<std::string_view> const& others) {
    return std::all_of(lines.begin(), lines.end(),
                       [&](auto line) { return std::find(others.begin(), others.end(), line) != others.end(); });
}

/// True if each of two texts has a line that the other does not have. Otherwise one has only more words, such as those
/// that end the job before.
bool differ(std::string const& a, std::string const& b) {
    auto const lines_in = [](std::string_view text) {
        std::vector<std::string_view> lines;
        for (std::size_t end = 0; end != text.npos; text.remove_prefix(std::min(end + 1, text.size())))
            lines.push_back(text.substr(0, end = text.find('\n')));
        return lines;
    };
    return !are_in(lines_in(a), lines_in(b)) && !are_in(lines_in(b), lines_in(a));
}

/// What tells tables, or records, of one key apart: conditions that have several values in one file.
class differences {
public:
    void begin_file() {
        first_.clear();
        texts_of_file_.clear();
    }
    void note(std::string const& key, std::vector<condition> const& all) {
        for (auto const& c : all)
            if (c.of == "text") note_text(key, c.value);
            else if (auto const [known, is_new] = first_.try_emplace({key, c.of}, c.value); known->second != c.value)
                telling_.insert(known->first);
    }
    /// Names and values of the conditions that tell.
    std::map<std::string, std::string> settings_of(std::string const& key, std::vector<condition> const& all) const {
        std::map<std::string, std::string> settings;
        for (auto const& c : all) {
            if (!telling_.contains({key, c.of})) continue;
            auto& value = settings[c.setting];
            value += (value.empty() ? "" : ", ") + (c.of == "text" ? texts_.at(key).of(c.value) : c.value);
        }
        for (auto& [name, value] : settings) value = printable(value);
        return settings;
    }

private:
    void note_text(std::string const& key, std::string const& text) {
        constexpr std::size_t most = 64;
        texts_[key].add(text);
        auto& known = texts_of_file_[key];
        if (known.size() == most || !known.insert(text).second) return;
        if (std::any_of(known.begin(), known.end(), [&](auto const& other) { return differ(text, other); }))
            telling_.insert({key, "text"});
    }

    using place = std::pair<std::string, std::string>; // key, and what the condition is of
    std::map<std::string, std::set<std::string>> texts_of_file_{};
    std::map<place, std::string> first_{};
    std::set<place> telling_{};
    std::map<std::string, differing_words> texts_{};
};

/// Values of the settings that tell tables or records of one title apart, for a remark.
class told_apart {
public:
    void add(std::string const& title, std::map<std::string, std::string> const& settings) {
        for (auto const& [name, value] : settings) {
            auto& values = values_[{title, name}];
            if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
        }
    }
    std::vector<std::string> remarks(std::string const& path) const {
        constexpr std::size_t most = 8;
        std::vector<std::string> all;
        for (auto const& [what, values] : values_) {
            std::vector<std::string> const shown(
                values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(most, values.size())));
            all.push_back(path + ": " + printable(what.first) + ": its '" + what.second + "' has several values (" +
                          sonde::detail::joined(shown, "; ") + (values.size() > most ? "; .." : "") +
                          "): each is a series of its own");
        }
        return all;
    }

private:
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> values_; // of a title and a setting
};

void note(log_contents const& file, differences& tables, differences& records) {
    tables.begin_file();
    records.begin_file();
    for (auto const& t : file.tables) tables.note(t.what.key(), t.conditions);
    for (auto const& run : file.runs)
        for (auto const& r : run.records) records.note(key_of(r.point), conditions_of(r, run));
}

void apply(log_contents& file, differences const& tables, differences const& records) {
    told_apart told;
    for (auto& t : file.tables) {
        auto const settings = tables.settings_of(t.what.key(), std::exchange(t.conditions, {}));
        told.add(t.what.title, settings);
        t.what.settings.insert(settings.begin(), settings.end());
    }
    for (auto& run : file.runs)
        for (auto& r : run.records) {
            auto const settings = records.settings_of(key_of(r.point), conditions_of(r, run));
            told.add(r.point.name, settings);
            for (auto const& [name, value] : settings) r.point.parameters.emplace_back(name, value);
        }
    auto const remarks = told.remarks(file.path);
    file.remarks.insert(file.remarks.end(), remarks.begin(), remarks.end());
}

} // namespace

void tell_apart(std::span<log_contents> files) {
    differences tables, records;
    for (auto const& file : files) note(file, tables, records);
    for (auto& file : files) apply(file, tables, records);
}

} // namespace tools
