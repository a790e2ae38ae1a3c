// SPDX-License-Identifier: BSL-1.0
#include "tools/model/fit/fit_command.hpp"

#include "tools/model/fit/fit.hpp"
#include "tools/model/fit/fit_selection.hpp"
#include "tools/model/output/model_json.hpp"
#include "tools/model/output/model_plot.hpp"
#include "tools/model/output/model_text.hpp"
#include "tools/records/conditions.hpp"
#include "tools/records/log.hpp"
#include "tools/records/series.hpp"
#include "tools/records/units.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <utility>

namespace tools::model {

namespace {

using sonde::model::latency_form;

constexpr tool_usage fit_about{
    "sonde-model", operands::any,
    "Usage: sonde-model fit [options] FILE...\n"
    "Fits models to JSON lines of Sonde, or to tables of the OSU Micro-Benchmarks or the Intel MPI Benchmarks in\n"
    "logs of jobs. Tables of the same test, library, datatype and settings are fitted together, other tables "
    "separately.\n"
    "Exit status: 0; 1 if the data do not determine a parameter or the model does not describe them; 2 if a fit\n"
    "or a file cannot be made.\n"};

struct fit_options {
    std::vector<std::string> files{};
    std::optional<model_kind> model{};
    latency_form form = latency_form::time_line;
    size_range range{};
    std::optional<std::string> json{};
    std::optional<std::size_t> table{};
    plot_options plot{};
    bool list = false;
};

std::vector<suite::option_row> rows_of(fit_options& o) {
    using namespace suite;
    auto const size = [](auto& into, char const* option) {
        auto const set = [option](auto& to, std::string const& text) {
            to = static_cast<double>(read_size(text, option));
            return true;
        };
        return set_by(into, set, "a size");
    };
    std::vector<option_row> rows{
        {"model,m MODEL",
         "hockney (ping-pongs of one pair), multi (of two pairs), max-rate (of several numbers of pairs) or loggp "
         "(round trips); by default chosen by the files",
         one_of(o.model, model_choices())},
        {"form FORM", "multi: form of the model, {words}", one_of(o.form, form_choices())},
        {"from SIZE", "smallest size of the fit: 64K, 1M; units of 1024", size(o.range.from, "--from")},
        {"to SIZE", "largest size of the fit", size(o.range.to, "--to")},
        {"list", "list the tables of the files, with their numbers", flag(o.list)},
        {"table", "fit only table N of the list", whole(o.table, 1, 1'000'000'000)},
        {"json", "file for the fits, one line each; predict reads it", file_name(o.json)}};
    o.plot.add_to(rows);
    return rows;
}

/// Result for a series: a fit, or the reason for its absence.
struct outcome {
    series const* of;
    selection data;
    std::optional<fit_result> fit;
    std::string failure{};
};

outcome outcome_of(series const& s, fit_options const& o) {
    outcome result{&s, {}, {}};
    try {
        result.data = select(s, o.model, o.range);
        result.fit = fit(result.data, o.form);
    } catch (std::exception const& e) {
        result.failure = e.what();
    }
    return result;
}

/// Names of series, with the reason why no model is fitted to them: one line for each reason.
std::vector<std::string> left_out(std::vector<series> const& all, std::optional<model_kind> requested) {
    constexpr std::size_t most_names = 12;
    std::map<std::string, std::vector<std::string>> names;
    for (auto const& s : all)
        if (!has_model(s, requested))
            names[s.no_model().empty() ? "the model takes " + std::string{row_of(*requested).data} : s.no_model()]
                .push_back(s.name());
    std::vector<std::string> lines;
    for (auto& [reason, of] : names) {
        auto const more = of.size() > most_names ? ", and " + std::to_string(of.size() - most_names) + " more" : "";
        of.resize(std::min(of.size(), most_names));
        lines.push_back("not fitted: " + sonde::detail::joined(of, "; ") + more + ": " + reason);
    }
    return lines;
}

/// Remarks on series that are fitted apart or not at all.
std::vector<std::string> remarks_on(std::vector<series> const& all, std::optional<model_kind> requested) {
    std::vector<std::string> lines;
    for (auto const& s : all)
        if (s.disagrees && has_model(s, requested))
            lines.push_back("table " + std::to_string(s.number) + ", " + s.name() +
                            ", has a title and settings that another has, and other times: it is fitted apart");
    auto const others = left_out(all, requested);
    lines.insert(lines.end(), others.begin(), others.end());
    return lines;
}

/// Throws std::runtime_error, in one line with all remarks.
[[noreturn]] void refuse_input(std::string text, std::vector<std::string> const& remarks) {
    for (auto const& r : remarks) text += "; " + r;
    throw std::runtime_error{text};
}

/// Throws std::runtime_error that says why there is no series to fit.
[[noreturn]] void refuse_all(std::vector<series> const& all, fit_options const& o,
                             std::vector<std::string> const& remarks) {
    if (o.table && (*o.table < 1 || *o.table > all.size()))
        throw std::runtime_error{"--table " + std::to_string(*o.table) + ": there are tables 1 to " +
                                 std::to_string(all.size()) + "; fit --list names them"};
    if (o.table) {
        auto const& s = all[*o.table - 1];
        throw std::runtime_error{
            s.name() + ": " +
            (s.no_model().empty() ? "the model takes " + std::string{row_of(*o.model).data} : s.no_model())};
    }
    auto const fits_another = std::any_of(all.begin(), all.end(), [](auto const& s) { return has_model(s, {}); });
    if (o.model && fits_another)
        throw std::runtime_error{"nothing for the model " + name(*o.model) + ": it takes " + row_of(*o.model).data};
    refuse_input(o.files.front() + (o.files.size() == 1 ? "" : " and others") +
                     ": nothing here that a model is fitted to",
                 remarks);
}

/// The series to fit. Throws std::runtime_error if there is none.
std::vector<series> chosen_of(std::vector<series> all, fit_options const& o, std::vector<std::string> const& remarks) {
    auto const is_chosen = [&](series const& s) { return has_model(s, o.model) && (!o.table || *o.table == s.number); };
    if (std::none_of(all.begin(), all.end(), is_chosen)) refuse_all(all, o, remarks);
    std::erase_if(all, [&](series const& s) { return !is_chosen(s); });
    return all;
}

std::string prefix_of(outcome const& r, bool several) {
    return several ? "table " + std::to_string(r.of->number) + ": " : "";
}

/// Print a fit and, if it is the only one, the remarks on the files.
void print_result(outcome const& r, fit_options const& o, std::vector<std::string> const& remarks, bool several) {
    print({prefix_of(r, several) + r.of->name()}, "# ");
    print(r.data.read_from, "# ");
    if (!several) print(remarks, "# ");
    print(r.data.remarks, "# ");
    print(fit_text(*r.fit, o.form));
}

/// Print all fits; returns the exit status of the worst.
int print_all(std::vector<outcome> const& results, fit_options const& o, std::vector<std::string> const& remarks) {
    auto const several = results.size() > 1;
    if (several) print(remarks, "# ");
    auto status = 0;
    auto separator = "";
    for (auto const& r : results) {
        std::vector<std::string> warnings{r.failure};
        if (r.fit) {
            std::fputs(std::exchange(separator, "\n"), stdout);
            print_result(r, o, remarks, several);
            flush_output();
            warnings = fit_warnings(*r.fit);
        }
        print(warnings, ("sonde-model: " + prefix_of(r, several)).c_str(), stderr);
        status = std::max(status, !r.fit ? 2 : warnings.empty() ? 0 : 1);
    }
    return status;
}

/// File of a picture: with the table's number if there are several.
std::string target_of(std::string const& target, outcome const& r, bool several) {
    return several ? numbered(target, r.of->number) : target;
}

std::vector<std::string> output_files(std::vector<outcome> const& results, fit_options const& o) {
    std::vector<std::string> files{o.json.value_or("")};
    for (auto const& target : o.plot.targets())
        for (auto const& r : results) files.push_back(target_of(target, r, results.size() > 1));
    return files;
}

void write_all(std::vector<outcome> const& results, fit_options const& o) {
    std::optional<sonde::output_file> json;
    if (o.json) json.emplace(*o.json);
    for (auto const& r : results)
        if (r.fit && json) json->line(fit_json(*r.fit, o.form, {o.files, r.of->number, r.of->name()}));
    for (auto const& target : o.plot.targets())
        for (auto const& r : results) {
            if (!r.fit) continue;
            auto figure = figure_of(*r.fit);
            if (results.size() > 1) figure.title += ", table " + std::to_string(r.of->number) + ": " + r.of->name();
            draw(figure, target_of(target, r, results.size() > 1));
        }
}

int fit_files(fit_options const& o) {
    std::vector<log_contents> files;
    std::vector<std::string> remarks;
    auto const add_remarks = [&](std::vector<std::string> const& lines) {
        remarks.insert(remarks.end(), lines.begin(), lines.end());
    };
    for (auto const& path : o.files) files.push_back(read_log(path));
    tell_apart(files);
    for (auto const& read : files) {
        add_remarks(read.remarks);
        add_remarks(read.notes);
    }
    auto all = series_of(std::move(files));
    if (o.list) {
        print(series_list(all));
        print(other_units(all), "# ");
        return 0;
    }
    if (!o.table) add_remarks(remarks_on(all, o.model));
    auto const chosen = chosen_of(std::move(all), o, remarks);
    auto const units = other_units(chosen);
    if (!o.table && !units.empty()) throw std::runtime_error{units.front()};
    add_remarks(units);
    std::vector<outcome> results;
    for (auto const& s : chosen) results.push_back(outcome_of(s, o));
    if (std::none_of(results.begin(), results.end(), [](auto const& r) { return r.fit.has_value(); }))
        refuse_input(results.front().failure, remarks);
    require_own_files(o.files, output_files(results, o));
    auto const status = print_all(results, o, remarks);
    write_all(results, o);
    return status;
}

} // namespace

int fit_command(int argc, char** argv) {
    fit_options o;
    auto const line = read_options(fit_about, rows_of(o), {argv + 2, argv + argc});
    if (!line.answer.empty()) return print_text(line.answer);
    o.files = line.operands;
    if (o.files.empty()) throw std::runtime_error{"fit takes files; see fit --help"};
    if (o.range.to && *o.range.to < o.range.from) throw std::runtime_error{"--to is below --from"};
    return fit_files(o);
}

} // namespace tools::model
