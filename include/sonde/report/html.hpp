// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/html/contents.hpp>
#include <sonde/report/html/document.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

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
    void add(reported_comparison found);
    void finish() { records_.finish(); }

private:
    template <class T>
    static T& named(std::vector<T>& all, std::string const& name) {
        auto const known = std::find_if(all.begin(), all.end(), [&](T const& t) { return t.name == name; });
        return known == all.end() ? all.emplace_back(T{name}) : *known;
    }

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
    std::vector<column> columns_;
    std::string name_;                // of the table that the draft ends with
    std::vector<column_head> heads_;  // of that table
    std::vector<rank_figures> ranks_; // of the records with rank samples
    std::vector<reported_comparison> comparisons_;
    kept_records records_{[this](std::vector<record> all) { file_.replace(text(std::move(all))); }};
};

} // namespace detail

/// Reporter: records as a page for a browser, in one file without references to other files or to a network.
///
/// For each name the page has figures of latency and bandwidth over "bytes", drawn by gnuplot, and a table with
/// sortable rows. For records with rank samples it names the stragglers, and shows the times of every rank in the four
/// records in which the ranks differ most. A comparison is a section of its own, with a figure of the speed-ups and
/// their intervals and a table of the alternatives. The scopes of a probe (the result of `collect`) are a table after
/// those of the records. At the end the page has the parameters, and the environment if it is given. Without gnuplot
/// the page has a note in place of the figures. The page is written when `finish` is called, or otherwise when the last
/// copy of the reporter is destroyed. Until then the file contains a draft without figures to which each record is
/// appended, so that a program that is killed leaves its results. All records are kept in memory until the end, without
/// their rank samples.
///
/// Drawing takes gnuplot about a tenth of a second for each figure, during which the other ranks of a job wait for the
/// rank that draws in their next collective call; and compute nodes rarely have gnuplot. Therefore call `finish` after
/// the last collective call, or report by `json_lines` and make the page after the job with `sonde-report`.
///
/// Throws std::system_error if the file cannot be written. At the end only `finish` throws; without a call of `finish`
/// the error is printed to stderr.
class html {
public:
    explicit html(std::string path, std::optional<environment> const& where = {},
                  std::vector<column> columns = html_columns())
        : page_{std::make_shared<detail::html_page>(std::move(path), where, std::move(columns))} {}

    void operator()(record const& r) { page_->add(r); }
    void operator()(comparison const& found, criterion required = {}) { page_->add({found, required}); }
    void operator()(std::vector<scope_record> const& found) { page_->add(found); }
    /// Write the page, once, after the last record.
    void finish() { page_->finish(); }

private:
    std::shared_ptr<detail::html_page> page_;
};

} // namespace sonde

#if SONDE_DEFINITIONS

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string counted(std::size_t count, std::string const& thing) {
    return std::to_string(count) + ' ' + thing + (count == 1 ? "" : "s");
}

/// The hosts and their numbers of ranks.
SONDE_INLINE std::string html_hosts(environment const& e) {
    std::vector<std::string> hosts;
    for (std::size_t i = 0; i != e.hosts.size(); ++i) {
        auto& host = hosts.emplace_back(html_escaped(e.hosts[i]));
        if (i < e.ranks_per_host.size())
            host += " (" + counted(static_cast<std::size_t>(e.ranks_per_host[i]), "rank") + ')';
    }
    return joined(hosts, ", ");
}

/// One text for each rank as a list, in which consecutive ranks with the same text are one item.
SONDE_INLINE std::string html_of_ranks(std::vector<std::string> const& all) {
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

/// "name = value" of each parameter, in a list.
SONDE_INLINE std::string html_list(std::vector<parameter> const& all) {
    std::string list;
    for (auto const& p : all) list += "<li>" + html_escaped(p.name) + " = " + html_escaped(p.text) + "</li>";
    return list.empty() ? list : "<ul>" + list + "</ul>";
}

/// Parts of a text that are known, joined by commas.
SONDE_INLINE std::string html_parts(std::vector<std::string> parts) {
    std::erase(parts, "");
    return html_escaped(joined(parts, ", "));
}

SONDE_INLINE std::string html_processors(system_info const& s) {
    auto const some = [](std::optional<int> n, char const* thing) {
        return n ? counted(static_cast<std::size_t>(*n), thing) : "";
    };
    auto const boost = !s.boost ? "" : *s.boost ? "boost on" : "boost off";
    return html_parts({s.processor, some(s.sockets, "socket"), some(s.cores, "core"),
                       some(s.hardware_threads, "hardware thread"), some(s.numa_nodes, "NUMA node"),
                       s.governor.empty() ? "" : "governor " + s.governor, boost});
}

SONDE_INLINE std::string html_memory(system_info const& s) {
    auto const gigabytes = [](std::optional<std::uint64_t> bytes, std::string const& name) {
        return bytes ? name + fixed(static_cast<double>(*bytes) / 0x1p30, 1) + " GiB" : "";
    };
    return html_parts({gigabytes(s.memory_bytes, ""), gigabytes(s.memory_limit_bytes, "limited to ")});
}

SONDE_INLINE std::string html_environment(environment e) {
    if (e.stolen_before) e.stolen = stolen_since(e.stolen_before);
    auto const command = html_escaped(e.command_line);
    auto const id = e.job.id.empty() ? "" : e.job.resource_manager + ' ' + e.job.id;
    return html_definitions("Environment", {{"Date", html_escaped(e.date)},
                                            {"Command", command.empty() ? command : "<code>" + command + "</code>"},
                                            {"Job", html_parts({id, e.job.launcher})},
                                            {"Hosts", html_hosts(e)},
                                            {"Host of rank 0", html_processors(e.system)},
                                            {"Memory", html_memory(e.system)},
                                            {"Networks", html_escaped(joined(e.system.fabric, ", ", text_of_port))},
                                            {"GPU driver", html_escaped(e.system.gpu_driver)},
                                            {"Kernel", html_escaped(e.system.kernel)},
                                            {"Container", html_escaped(e.system.container)},
                                            {"Hosts of another kind", html_parts(e.unlike_hosts)},
                                            {"Stolen CPU time", e.stolen ? fixed(e.stolen->count(), 2) + " s" : ""},
                                            {"Processors", html_of_ranks(e.bindings)},
                                            {"Devices", html_of_ranks(e.devices)},
                                            {"Communication library", html_escaped(e.communication_library)},
                                            {"Its transport", html_list(e.transport)},
                                            {"Its control variables", html_list(e.control_variables)},
                                            {"Compiler", html_escaped(e.compiler)},
                                            {"Build", html_escaped(e.build)},
                                            {"Sonde", html_escaped(e.sonde_version)}});
}

SONDE_INLINE html_page::html_page(std::string path, std::optional<environment> const& where,
                                  std::vector<column> columns)
    : file_{std::move(path)}, begin_{html_begin(where ? where->command_line : "")}, environment_{where},
      columns_{std::move(columns)} {
    file_.append(begin_ +
                 "<p class=\"note\">Unfinished: the program is running, or was broken off. What it measured so far "
                 "is here; figures, and tables that can be sorted, come at its end.</p>\n" +
                 (where ? html_environment(*where) : ""));
}

SONDE_INLINE void html_page::add(record const& r) {
    auto brief = r;
    brief.rank_samples.clear();
    if (rank_figures::possible(r)) ranks_.emplace_back(r);
    records_.add(std::move(brief));
    file_.append(draft_of({r.point.name, cells_of(r, columns_), failed(r)}));
}

/// The scopes as a section with a table, in which nested scopes are indented.
SONDE_INLINE std::string html_scopes(std::vector<scope_record> const& found) {
    std::vector<std::vector<std::string>> rows{{"scope", "passes", "ranks", "median (\u00b5s)", "P99 (\u00b5s)",
                                                "max (\u00b5s)", "s per rank", "share", "max/mean", "slowest",
                                                "mean bytes", "MB/s", "efficiency"}};
    for (auto const& r : found) rows.push_back(cells_of(r));
    auto const shown = columns_with_values(rows);
    auto const row = [&](std::size_t i, std::string const& begin, std::string const& end) {
        std::string text = "<tr>";
        for (auto const c : shown) {
            auto const cell = rows[i][c] == "-" ? "\u2013" : html_escaped(rows[i][c]);
            text += begin + (c == 0 ? ">" : " class=\"number\">");
            for (auto depth = c == 0 && i != 0 ? found[i - 1].depth : 0; depth != 0; --depth) text += "\u2003";
            text += cell + end;
        }
        return text + "</tr>";
    };
    std::string text = "<section>\n<h2>Scopes</h2>\n<div class=\"box\" role=\"region\" tabindex=\"0\" "
                       "aria-label=\"Table: Scopes\">\n<table class=\"results\">\n<caption>Times of passes, of all "
                       "ranks; shares of the enclosing scope</caption>\n<thead>" +
                       row(0, "<th scope=\"col\"", "</th>") + "</thead>\n<tbody>\n";
    for (std::size_t i = 1; i != rows.size(); ++i) text += row(i, "<td", "</td>") + '\n';
    return text + html_table_end + "</section>\n";
}

SONDE_INLINE void html_page::add(std::vector<scope_record> const& found) {
    auto const section = html_scopes(found);
    scopes_ += section;
    file_.append((heads_.empty() ? "" : html_table_end) + section);
    heads_.clear();
}

SONDE_INLINE void html_page::add(reported_comparison found) {
    std::string draft;
    for (auto const& row : rows_of(found, columns_)) draft += draft_of(row);
    for (auto& r : found.comparison.records) r.rank_samples.clear();
    comparisons_.push_back(std::move(found));
    file_.append(draft);
}

SONDE_INLINE std::string html_page::draft_of(html_row const& row) {
    auto heads = heads_of({row});
    std::string text;
    if (name_ != row.name || heads_ != heads.columns) {
        if (!heads_.empty()) text += html_table_end;
        if (heads_.empty() || name_ != row.name) text += "<h2>" + html_escaped(row.name) + "</h2>\n";
        text += html_table_begin(row, heads);
        name_ = row.name;
        heads_ = std::move(heads.columns);
    }
    return text + html_table_row(row, heads_);
}

/// A table of rows with common columns.
SONDE_INLINE std::string html_table(std::vector<html_row> const& rows) {
    auto const heads = heads_of(rows);
    auto text = html_table_begin(rows.front(), heads);
    for (auto const& row : rows) text += html_table_row(row, heads.columns);
    return text + html_table_end;
}

/// A line if there are records with wrong data.
SONDE_INLINE std::string html_alarm(std::vector<record const*> const& records) {
    auto const failures = std::count_if(records.begin(), records.end(), [](record const* r) { return failed(*r); });
    if (failures == 0) return {};
    return "<p class=\"alarm\">\u2717 Wrong data in " + std::to_string(failures) + " of " +
           counted(records.size(), "record") + ": see the rows with this mark.</p>\n";
}

SONDE_INLINE std::string html_page::text(std::vector<record> records) const {
    std::vector<record const*> all;
    for (auto const& r : records) all.push_back(&r);
    for (auto const& c : comparisons_)
        for (auto const& r : c.comparison.records) all.push_back(&r);
    auto const alarm = html_alarm(all), parameters = parameters_text(all);
    struct section {
        std::string name;
        std::vector<record> records{};
    };
    std::vector<section> sections;
    for (auto& r : records) named(sections, r.point.name).records.push_back(std::move(r));
    figure_writer writer;
    auto page = begin_ + summary(records.size(), sections.size()) + alarm + comparisons_text(writer);
    for (auto const& s : sections) {
        std::vector<html_row> rows;
        for (auto const& r : s.records) rows.push_back({s.name, cells_of(r, columns_), failed(r)});
        page += "<section>\n<h2>" + html_escaped(s.name) + "</h2>\n" + writer.figures(s.records) + html_table(rows) +
                ranks_text(s.name, writer) + "</section>\n";
    }
    page += scopes_;
    if (!writer.error().empty())
        page += "<p class=\"note\">Without figures: " + html_escaped(writer.error()) + ".</p>\n";
    return page + parameters + (environment_ ? html_environment(*environment_) : "") + html_end();
}

SONDE_INLINE std::string html_page::summary(std::size_t records, std::size_t benchmarks) const {
    std::vector<std::string> counts;
    if (records != 0 || (comparisons_.empty() && scopes_.empty()))
        counts.push_back(counted(records, "record") + " of " + counted(benchmarks, "benchmark"));
    if (!comparisons_.empty()) counts.push_back(counted(comparisons_.size(), "comparison"));
    return counts.empty() ? "" : "<p class=\"summary\">" + joined(counts, ", ") + "</p>\n";
}

SONDE_INLINE std::string html_page::comparisons_text(figure_writer& writer) const {
    std::string text;
    for (auto const& c : comparisons_) {
        auto const rows = rows_of(c, columns_);
        if (rows.empty()) continue;
        text += "<section>\n<h2>" + html_escaped(rows.front().name) + "</h2>\n<p class=\"note\">" + comparison_note(c) +
                "</p>\n" + writer.figures(c) + html_table(rows) + "</section>\n";
    }
    return text;
}

SONDE_INLINE std::string html_page::ranks_text(std::string const& name, figure_writer& writer) const {
    constexpr std::size_t max = 4;
    std::vector<rank_figures const*> of_name;
    std::vector<double> spreads;
    for (auto const& f : ranks_)
        if (f.name == name) {
            of_name.push_back(&f);
            spreads.push_back(f.spread);
        }
    if (of_name.empty()) return {};
    auto const drawn = indices_of_largest(spreads, max);
    std::string text = "<h3>Ranks</h3>\n<ul>\n", figures;
    for (auto const* f : of_name) text += "<li>" + html_escaped(f->title) + ": " + html_escaped(f->summary) + "</li>\n";
    text += "</ul>\n";
    for (auto const i : drawn)
        if (auto const pictures = writer.figures(*of_name[i]); !pictures.empty())
            figures += "<h4>" + html_escaped(of_name[i]->title) + "</h4>\n" + pictures;
    if (drawn.size() < of_name.size() && !figures.empty())
        text += "<p class=\"note\">Figures of the " + std::to_string(max) + " of " + counted(of_name.size(), "record") +
                " in which the ranks differ most:</p>\n";
    return text + figures;
}

SONDE_INLINE std::string html_page::parameters_text(std::vector<record const*> const& records) {
    std::vector<parameter_values> all;
    parameter_values ranks{"ranks"}, initiators{"ranks that are timed"};
    for (auto const* r : records) {
        for (auto const& p : r->point.parameters) named(all, p.name).add(p);
        ranks.add({"", r->ranks});
        initiators.add({"", r->initiators});
    }
    all.insert(all.end(), {ranks, initiators});
    std::vector<std::pair<std::string, std::string>> texts;
    for (auto const& p : all) texts.emplace_back(html_escaped(p.name), html_escaped(p.text()));
    return html_definitions("Parameters", texts);
}

} // namespace sonde::detail

#endif
