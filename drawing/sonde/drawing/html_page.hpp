// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/drawing/html_contents.hpp>
#include <sonde/drawing/html_document.hpp>
#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::detail {

/// A file that grows by `append`. At the end `replace` writes new contents in place of the old. The contents of a pipe
/// cannot be replaced, so `append` writes nothing to a pipe.
class draft_file {
public:
    explicit draft_file(std::string path)
        : path_{std::move(path)}, file_{open_file(path_, "w")}, on_disk_{ftruncate(fileno(file_.get()), 0) == 0} {}

    void append(std::string_view text) {
        if (on_disk_) write_to(file_.get(), text, path_);
    }
    void replace(std::string_view text);

private:
    std::string path_;
    unique_file file_;
    bool on_disk_; // only a file on a disk has a length
};

/// "1 record", "2 records".
std::string counted(std::size_t count, std::string const& thing);

/// The distinct values of a parameter, in the order given.
struct parameter_values {
    std::string name;
    std::vector<parameter> values{};

    void add(parameter const& p) {
        if (std::none_of(values.begin(), values.end(), [&](parameter const& known) { return known.text == p.text; }))
            values.push_back(p);
    }

    /// The first six values, or the range of more than six numbers.
    std::string text() const {
        constexpr std::size_t max = 6;
        auto const begin = values.begin(), end = values.end();
        auto const count = values.size();
        if (count > max && std::all_of(begin, end, [](auto const& p) { return p.number.has_value(); })) {
            auto const [least, largest] =
                std::minmax_element(begin, end, [](auto const& a, auto const& b) { return *a.number < *b.number; });
            return least->text + " to " + largest->text + ", " + std::to_string(count) + " values";
        }
        auto const list = joined(std::vector(begin, count > max ? begin + max : end), ", ", &parameter::text);
        return count > max ? list + ", and " + std::to_string(count - max) + " more" : list;
    }
};

/// The section of a page with an environment.
std::string html_environment(environment e);

/// A page and its file. Until the page is finished, the file contains a draft that grows by a row for each record:
/// browsers close the elements that are open at its end.
class html_page {
public:
    html_page(std::string path, std::optional<environment> const& where, std::vector<column> columns);

    void add(record const& r);
    void add(std::vector<scope_record> const& found);
    void add(lateness_record const& found);
    void add(reported_comparison found);
    void finish() { records_.finish(); }

private:
    template <class T>
    static T& named(std::vector<T>& all, std::string const& name) {
        auto const known = std::find_if(all.begin(), all.end(), [&](T const& t) { return t.name == name; });
        return known == all.end() ? all.emplace_back(T{name}) : *known;
    }

    /// Adds a section to the draft.
    void add_to_draft(std::string const& section);

    /// The row of the next record. It begins a new table if it does not fit the table of the previous record.
    std::string draft_of(html_row const& row);

    /// The complete page: a section for each comparison, then one for each name, in the order in which the names first
    /// occur, with figures if gnuplot can be started.
    std::string text(std::vector<record> records) const;

    /// "2 records of 1 benchmark, 1 comparison".
    std::string summary(std::size_t records, std::size_t benchmarks) const;

    /// The sections of the comparisons.
    std::string comparisons_text(figure_writer& writer) const;

    /// The stragglers of the records of a name, and the figures of the four records in which the ranks differ most.
    std::string ranks_text(std::string const& name, figure_writer& writer) const;

    static std::string parameters_text(std::vector<record const*> const& records);

    draft_file file_;
    std::string begin_;
    std::optional<environment> environment_;
    std::string scopes_; // the sections of all lists of scopes
    std::vector<lateness_record> lateness_;
    std::vector<column> columns_;
    std::string name_;                // of the table that the draft ends with
    std::vector<column_head> heads_;  // of that table
    std::vector<rank_figures> ranks_; // of the records with rank samples
    std::vector<reported_comparison> comparisons_;
    kept_records records_{[this](std::vector<record> all) { file_.replace(text(std::move(all))); }};
};

} // namespace sonde
