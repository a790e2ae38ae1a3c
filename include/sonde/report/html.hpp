// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/record.hpp>
#include <sonde/report/file.hpp>
#include <sonde/report/html/document.hpp>
#include <sonde/report/html/figures.hpp>
#include <sonde/report/html/table.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde {

namespace detail {

/// "1 record", "2 records".
inline std::string counted(std::size_t count, std::string const& thing) {
    return std::to_string(count) + ' ' + thing + (count == 1 ? "" : "s");
}

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

/// The hosts and their numbers of ranks.
inline std::string html_hosts(environment const& e) {
    std::vector<std::string> hosts;
    for (std::size_t i = 0; i != e.hosts.size(); ++i) {
        auto& host = hosts.emplace_back(html_escaped(e.hosts[i]));
        if (i < e.ranks_per_host.size())
            host += " (" + counted(static_cast<std::size_t>(e.ranks_per_host[i]), "rank") + ')';
    }
    return joined(hosts, ", ");
}

/// One text for each rank as a list, in which consecutive ranks with the same text are one item.
inline std::string html_of_ranks(std::vector<std::string> const& all) {
    std::string list;
    for (std::size_t first = 0; first < all.size();) {
        auto last = first;
        while (last + 1 < all.size() && all[last + 1] == all[first]) ++last;
        list += "<li>" + (first == last ? "rank " : "ranks " + std::to_string(first) + "\u2013") +
                std::to_string(last) + ": " + html_escaped(all[first]) + "</li>";
        first = last + 1;
    }
    return list.empty() ? list : "<ul>" + list + "</ul>";
}

inline std::string html_environment(environment const& e) {
    auto const command = html_escaped(e.command_line);
    auto const all =
        html_definition("Command", command.empty() ? command : "<code>" + command + "</code>") +
        html_definition("Hosts", html_hosts(e)) + html_definition("Processors", html_of_ranks(e.bindings)) +
        html_definition("Devices", html_of_ranks(e.devices)) +
        html_definition("Communication library", html_escaped(e.communication_library)) +
        html_definition("Compiler", html_escaped(e.compiler)) + html_definition("Build", html_escaped(e.build)) +
        html_definition("Sonde", html_escaped(e.sonde_version));
    return html_definitions("Environment", all);
}

/// The results of one benchmark.
struct html_section {
    std::string name;
    std::vector<record> records{};
    std::vector<html_row> rows{};
};

/// The contents of a page: a section for each name, in the order in which these begin.
class html_page {
public:
    html_page(std::optional<environment> where, std::vector<column> columns)
        : where_{std::move(where)}, columns_{std::move(columns)} {}

    html_row const& add(record const& r) {
        for (auto const& p : r.point.parameters) named(parameters_, p.name).add(p);
        ranks_.add({"", r.ranks});
        initiators_.add({"", r.initiators});
        auto& section = named(sections_, r.point.name);
        section.records.push_back(r);
        return section.rows.emplace_back(html_row_of(r, columns_));
    }

    /// The complete page, with figures if gnuplot can be started.
    std::string text() const {
        figure_writer writer;
        auto const results = joined(sections_, "", [&](html_section const& s) { return section_text(s, writer); });
        auto const& error = writer.error();
        return begin() + summary() + results +
               (error.empty() ? error : "<p class=\"note\">Without figures: " + html_escaped(error) + ".</p>\n") +
               parameters() + environment_text() + html_end();
    }

    std::string begin() const { return html_begin(where_ ? where_->command_line : std::string{}); }
    std::string environment_text() const { return where_ ? html_environment(*where_) : std::string{}; }

private:
    template <class T>
    static T& named(std::vector<T>& all, std::string const& name) {
        auto const known = std::find_if(all.begin(), all.end(), [&](T const& t) { return t.name == name; });
        return known == all.end() ? all.emplace_back(T{name}) : *known;
    }

    static std::string section_text(html_section const& s, figure_writer& writer) {
        html_rows rows;
        for (auto const& row : s.rows) rows.push_back(&row);
        return "<section>\n<h2>" + html_escaped(s.name) + "</h2>\n" + writer.figures(s.records) + html_table(rows) +
               "</section>\n";
    }

    std::string parameters() const {
        auto all = parameters_;
        all.insert(all.end(), {ranks_, initiators_});
        return html_definitions("Parameters", joined(all, "", [](parameter_values const& p) {
                                    return html_definition(html_escaped(p.name), html_escaped(p.text()));
                                }));
    }

    std::string summary() const {
        std::size_t count = 0, failures = 0;
        for (auto const& s : sections_)
            for (auto const& row : s.rows) {
                ++count;
                failures += row.failed;
            }
        auto const text = "<p class=\"summary\">" + counted(count, "record") + " of " +
                          counted(sections_.size(), "benchmark") + "</p>\n";
        if (failures == 0) return text;
        return text + "<p class=\"alarm\">\u2717 Wrong data in " + std::to_string(failures) + " of " +
               counted(count, "record") + ": see the rows with this mark.</p>\n";
    }

    std::optional<environment> where_;
    std::vector<column> columns_;
    std::vector<html_section> sections_;
    std::vector<parameter_values> parameters_;
    parameter_values ranks_{"ranks"}, initiators_{"ranks that are timed"};
};

/// A page and its file. Until the page is finished, the file contains a draft that grows by a row for each record:
/// browsers close the elements that are open at its end.
class html_writer {
public:
    html_writer(std::string path, std::optional<environment> where, std::vector<column> columns)
        : file_{std::move(path)}, page_{std::move(where), std::move(columns)} {
        file_.append(page_.begin() +
                     "<p class=\"note\">Unfinished: the program is running, or was broken off. What it measured so far "
                     "is here; figures, and tables that can be sorted, come at its end.</p>\n" +
                     page_.environment_text());
        end_.emplace([this] { file_.replace(page_.text()); });
    }

    void add(record const& r) { file_.append(draft_of(page_.add(r))); }
    void finish() { (*end_)(); }

private:
    /// The row of the next record; if it does not fit the table of the record before, in a new table.
    std::string draft_of(html_row const& row) {
        auto heads = heads_of({&row});
        std::string text;
        if (name_ != row.name || columns_ != heads.columns) {
            if (!columns_.empty()) text += html_table_end;
            if (columns_.empty() || name_ != row.name) text += "<h2>" + html_escaped(row.name) + "</h2>\n";
            text += html_table_begin(row, heads);
            name_ = row.name;
            columns_ = std::move(heads.columns);
        }
        return text + html_table_row(row, columns_);
    }

    draft_file file_;
    html_page page_;
    std::string name_;                 // of the table that the draft ends with
    std::vector<column_head> columns_; // of that table
    std::optional<finish_guard> end_;  // destroyed first; empty if the constructor throws: there is no page then
};

} // namespace detail

/// Reporter: records as a page for a browser, in one file without references to other files or to a network.
///
/// A page has, for each name, latency and bandwidth over "bytes", drawn by gnuplot, and a table with sortable rows;
/// then the parameters, and the environment if it is given. Without gnuplot it has a note in place of the figures. The
/// page is written when `finish` is called, or otherwise when the last copy of the reporter is destroyed. Until then
/// the file contains a draft without figures to which each record is appended, so that a program that is killed leaves
/// its results. All records are kept in memory until the end.
///
/// Throws std::system_error if the file cannot be written; at the end only from `finish`: without it the error is
/// printed to stderr.
class html {
public:
    explicit html(std::string path, std::optional<environment> where = {}, std::vector<column> columns = html_columns())
        : writer_{std::make_shared<detail::html_writer>(std::move(path), std::move(where), std::move(columns))} {}

    void operator()(record const& r) { writer_->add(r); }
    /// Write the page, once, after the last record.
    void finish() { writer_->finish(); }

private:
    std::shared_ptr<detail::html_writer> writer_;
};

} // namespace sonde
