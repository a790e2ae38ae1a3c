// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/html_page.hpp>

#include <sonde/lateness/sentences.hpp>
#include <sonde/report/lateness_table.hpp>

#include <array>
#include <cerrno>
#include <system_error>

namespace sonde::inline v0_1::detail {

void draft_file::replace(std::string_view text) {
    if (on_disk_) std::rewind(file_.get());
    write_to(file_.get(), text, path_);
    if (on_disk_ && ftruncate(fileno(file_.get()), static_cast<off_t>(text.size())) != 0)
        throw std::system_error{errno, std::generic_category(), "cannot write '" + path_ + "'"};
}

std::string counted(std::size_t count, std::string const& thing) {
    return std::to_string(count) + ' ' + thing + (count == 1 ? "" : "s");
}

/// The hosts and their numbers of ranks.
std::string html_hosts(environment const& e) {
    std::vector<std::string> hosts;
    for (std::size_t i = 0; i != e.hosts.size(); ++i) {
        auto& host = hosts.emplace_back(html_escaped(e.hosts[i]));
        if (i < e.ranks_per_host.size())
            host += " (" + counted(static_cast<std::size_t>(e.ranks_per_host[i]), "rank") + ')';
    }
    return joined(hosts, ", ");
}

/// One text for each rank as a list, in which consecutive ranks with the same text are one item.
std::string html_of_ranks(std::vector<std::string> const& all) {
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
std::string html_list(std::vector<parameter> const& all) {
    std::string list;
    for (auto const& p : all) list += "<li>" + html_escaped(p.name) + " = " + html_escaped(p.text) + "</li>";
    return list.empty() ? list : "<ul>" + list + "</ul>";
}

/// Parts of a text that are known, joined by commas.
std::string html_parts(std::vector<std::string> parts) {
    std::erase(parts, "");
    return html_escaped(joined(parts, ", "));
}

std::string html_processors(system_info const& s) {
    auto const some = [](std::optional<int> n, char const* thing) {
        return n ? counted(static_cast<std::size_t>(*n), thing) : "";
    };
    auto const boost = !s.boost ? "" : *s.boost ? "boost on" : "boost off";
    return html_parts({s.processor, some(s.sockets, "socket"), some(s.cores, "core"),
                       some(s.hardware_threads, "hardware thread"), some(s.numa_nodes, "NUMA node"),
                       s.governor.empty() ? "" : "governor " + s.governor, boost});
}

std::string html_memory(system_info const& s) {
    auto const gigabytes = [](std::optional<std::uint64_t> bytes, std::string const& name) {
        return bytes ? name + fixed(static_cast<double>(*bytes) / 0x1p30, 1) + " GiB" : "";
    };
    return html_parts({gigabytes(s.memory_bytes, ""), gigabytes(s.memory_limit_bytes, "limited to ")});
}

std::string html_environment(environment e) {
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

html_page::html_page(std::string path, std::optional<environment> const& where, std::vector<column> columns)
    : file_{std::move(path)}, begin_{html_begin(where ? where->command_line : "")}, environment_{where},
      columns_{std::move(columns)} {
    file_.append(begin_ +
                 "<p class=\"note\">Unfinished: the program is running, or was broken off. What it measured so far "
                 "is here; figures, and tables that can be sorted, come at its end.</p>\n" +
                 (where ? html_environment(*where) : ""));
}

void html_page::add(record const& r) {
    auto brief = r;
    brief.rank_samples.reset();
    if (rank_figures::possible(r)) ranks_.emplace_back(r);
    records_.add(std::move(brief));
    file_.append(draft_of({r.point.name, cells_of(r, columns_), failed(r)}));
}

/// A table of the rows, the titles first, whose first cells are indented by their depths; columns without a value are
/// left out.
std::string html_rows(std::string const& name, std::string const& caption,
                      std::vector<std::vector<std::string>> const& rows, std::vector<std::size_t> const& depths) {
    auto const shown = columns_with_values(rows);
    auto const row = [&](std::size_t i, std::string const& begin, std::string const& end) {
        std::string text = "<tr>";
        for (auto const c : shown) {
            auto const cell = rows[i][c] == "-" ? "\u2013" : html_escaped(rows[i][c]);
            text += begin + (c == 0 ? ">" : " class=\"number\">");
            for (auto depth = c == 0 && i != 0 && !depths.empty() ? depths[i - 1] : 0; depth != 0; --depth)
                text += "\u2003";
            text += cell + end;
        }
        return text + "</tr>";
    };
    std::string text = "<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"Table: " + name +
                       "\">\n<table class=\"results\">\n<caption>" + caption + "</caption>\n<thead>" +
                       row(0, "<th scope=\"col\"", "</th>") + "</thead>\n<tbody>\n";
    for (std::size_t i = 1; i != rows.size(); ++i) text += row(i, "<td", "</td>") + '\n';
    return text + html_table_end;
}

/// The scopes as a section with a table, in which nested scopes are indented.
std::string html_scopes(std::vector<scope_record> const& found) {
    auto rows = table_rows(found);
    std::copy_n(std::array{"median", "P99", "max"}.begin(), 3, rows.front().begin() + 3);
    for (std::size_t i = 0; i != found.size(); ++i) { // times of passes, which may be of any length, with their units
        auto const& r = found[i];
        auto at = rows[i + 1].begin() + 3;
        for (auto const& t : {median(r), percentile(r, 0.99), std::optional{r.times.max()}}) {
            if (t && r.ranks != 0) *at = time_text(*t);
            ++at;
        }
    }
    std::vector<std::size_t> depths;
    for (auto const& r : found) depths.push_back(r.depth);
    return "<section>\n<h2>Scopes</h2>\n" +
           html_rows("Scopes", "Times of passes, of all ranks; shares of the enclosing scope", rows, depths) +
           "</section>\n";
}

/// Who made ranks wait, as a section with sentences, figures and tables.
std::string html_lateness(lateness_record const& found, std::string const& figures) {
    std::string text = "<section>\n<h2>Waiting</h2>\n";
    for (auto const& sentence : sentences(found)) text += "<p>" + html_escaped(sentence) + "</p>\n";
    text += figures;
    if (found.steps >= 2) {
        text += html_rows("Exchanges", "Shares of the ranks' time", exchange_rows(found), {});
        text += html_rows("Ranks", "waited: share of the rank's time; caused: share of all waiting",
                          rank_rows(found, 16), {});
    }
    return text + "</section>\n";
}

void html_page::add(std::vector<scope_record> const& found) {
    auto const section = html_scopes(found);
    scopes_ += section;
    add_to_draft(section);
}

void html_page::add(lateness_record const& found) {
    lateness_.push_back(found);
    add_to_draft(html_lateness(found, {}));
}

void html_page::add_to_draft(std::string const& section) {
    file_.append((heads_.empty() ? "" : html_table_end) + section);
    heads_.clear();
}

void html_page::add(reported_comparison found) {
    std::string draft;
    for (auto const& row : rows_of(found, columns_)) draft += draft_of(row);
    for (auto& r : found.comparison.records) r.rank_samples.reset();
    comparisons_.push_back(std::move(found));
    file_.append(draft);
}

std::string html_page::draft_of(html_row const& row) {
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

/// The records of a sweep of sizes, which have the parameter "bytes", or the others, which are a table of their own.
std::vector<record const*> html_part(std::vector<record> const& records, bool sized) {
    std::vector<record const*> part;
    for (auto const& r : records)
        if (bytes_of(r).has_value() == sized) part.push_back(&r);
    return part;
}

/// A table of rows with common columns.
std::string html_table(std::vector<html_row> const& rows) {
    auto const heads = heads_of(rows);
    auto text = html_table_begin(rows.front(), heads);
    for (auto const& row : rows) text += html_table_row(row, heads.columns);
    return text + html_table_end;
}

/// The conclusions in a list, above all figures and tables.
std::string conclusions_text(std::vector<std::string> all) {
    std::erase(all, "");
    if (all.empty()) return {};
    return "<ul class=\"conclusions\">\n<li>" + joined(all, "</li>\n<li>", html_escaped) + "</li>\n</ul>\n";
}

/// A line if there are records with wrong data.
std::string html_alarm(std::vector<record const*> const& records) {
    auto const failures = std::count_if(records.begin(), records.end(), [](record const* r) { return failed(*r); });
    if (failures == 0) return {};
    return "<p class=\"alarm\">\u2717 Wrong data in " + std::to_string(failures) + " of " +
           counted(records.size(), "record") + ": see the rows with this mark.</p>\n";
}

std::string html_page::text(std::vector<record> records) const {
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
    auto const number_of_records = records.size();
    for (auto& r : records) named(sections, r.point.name).records.push_back(std::move(r));
    std::vector<std::string> conclusions;
    for (auto const& c : comparisons_)
        if (!c.comparison.records.empty()) conclusions.push_back(conclusion(c));
    for (auto const& s : sections)
        for (auto const sized : {true, false}) conclusions.push_back(conclusion(html_part(s.records, sized)));
    figure_writer writer;
    auto page = begin_ + summary(number_of_records, sections.size()) + alarm + conclusions_text(conclusions) +
                comparisons_text(writer);
    for (auto const& s : sections) {
        page += "<section>\n<h2>" + html_escaped(s.name) + "</h2>\n" + writer.figures(s.records);
        for (auto const sized : {true, false}) {
            std::vector<html_row> rows;
            for (auto const* r : html_part(s.records, sized))
                rows.push_back({s.name, cells_of(*r, columns_), failed(*r)});
            if (!rows.empty()) page += html_table(rows);
        }
        page += ranks_text(s.name, writer) + "</section>\n";
    }
    page += scopes_;
    for (auto const& found : lateness_) page += html_lateness(found, writer.figures(found));
    if (!writer.error().empty())
        page += "<p class=\"note\">Without figures: " + html_escaped(writer.error()) + ".</p>\n";
    return page + parameters + (environment_ ? html_environment(*environment_) : "") + html_end();
}

std::string html_page::summary(std::size_t records, std::size_t benchmarks) const {
    std::vector<std::string> counts;
    if (records != 0 || (comparisons_.empty() && scopes_.empty() && lateness_.empty()))
        counts.push_back(counted(records, "record") + " of " + counted(benchmarks, "benchmark"));
    if (!comparisons_.empty()) counts.push_back(counted(comparisons_.size(), "comparison"));
    return counts.empty() ? "" : "<p class=\"summary\">" + joined(counts, ", ") + "</p>\n";
}

std::string html_page::comparisons_text(figure_writer& writer) const {
    std::string text;
    for (auto const& c : comparisons_) {
        auto const rows = rows_of(c, columns_);
        if (rows.empty()) continue;
        text += "<section>\n<h2>" + html_escaped(rows.front().name) + "</h2>\n<p class=\"note\">" + comparison_note(c) +
                "</p>\n" + writer.figures(c) + html_table(rows) + "</section>\n";
    }
    return text;
}

std::string html_page::ranks_text(std::string const& name, figure_writer& writer) const {
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
    text += "</ul>\n<p class=\"note\">" + std::string{straggler_note} + "</p>\n";
    for (auto const i : drawn)
        if (auto const pictures = writer.figures(*of_name[i]); !pictures.empty())
            figures += "<h4>" + html_escaped(of_name[i]->title) + "</h4>\n" + pictures;
    if (drawn.size() < of_name.size() && !figures.empty())
        text += "<p class=\"note\">Figures of the " + std::to_string(max) + " of " + counted(of_name.size(), "record") +
                " in which the ranks differ most:</p>\n";
    return text + figures;
}

std::string html_page::parameters_text(std::vector<record const*> const& records) {
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
