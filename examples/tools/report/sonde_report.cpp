// SPDX-License-Identifier: BSL-1.0
#include "suite/report_file.hpp"
#include "tools/records/log.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <sonde/json/values.hpp>
#include <sonde/report/open.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using suite::report_file;
using runs = std::vector<sonde::run_file>;

constexpr tools::tool_usage about{
    "sonde-report", tools::operands::any,
    "Usage: sonde-report [options] FILE...\n"
    "Writes reports of the records, comparisons, scopes and lateness in JSON Lines files, as the program that measured "
    "would have written them: a table on the terminal, or the reports that are asked for.\n"
    "Exit status: 0; 2 if a file cannot be read or has no record, or if a report cannot be written.\n"};

std::vector<suite::option_row> rows_of(std::vector<report_file>& reports) {
    std::vector<suite::option_row> rows;
    for (auto const& known : sonde::report_forms) {
        if (known.form == sonde::report_form::json_lines) continue; // which the tool reads
        auto const add = [form = known.form](std::vector<report_file>& into, std::string const& path) {
            into.push_back({form, path});
            return !path.empty();
        };
        rows.emplace_back(std::string{known.name} + " FILE", std::string{known.help} + "; may be repeated",
                          suite::repeating(suite::set_by(reports, add, "the name of a file")));
    }
    return rows;
}

void warn(std::string const& text) { tools::print({text}, "sonde-report: ", stderr); }

/// The runs of all files, and their names: "a.jsonl", or "a.jsonl#3" if the file has several runs.
struct input {
    runs all;
    std::vector<std::string> names;
};

input read(std::vector<std::string> const& files) {
    input in;
    for (auto const& path : files) {
        auto contents = tools::read_runs(path);
        for (auto const& remark : contents.remarks) warn(remark);
        for (std::size_t i = 0; i != contents.runs.size(); ++i) {
            auto& run = contents.runs[i];
            auto const number = run.launch ? run.launch->number : i + 1;
            in.names.push_back(contents.runs.size() == 1 ? path : path + '#' + std::to_string(number));
            in.all.push_back(std::move(run));
        }
    }
    return in;
}

/// Calls `use` with each record of a run, those of comparisons included.
template <class Use>
void for_each_record(sonde::run_file& run, Use use) {
    for (auto& r : run.records) use(r);
    for (auto& c : run.comparisons)
        for (auto& r : c.comparison.records) use(r);
}

/// True if two runs have a record of the same point.
bool have_common_points(runs& all) {
    std::set<std::string> before;
    for (auto& run : all) {
        std::set<std::string> own;
        for_each_record(run, [&](sonde::record const& r) { own.insert(sonde::detail::title_of(r.point)); });
        for (auto const& point : own)
            if (!before.insert(point).second) return true;
    }
    return false;
}

/// Give each record the name of its run as a parameter, if the points do not tell the runs apart.
void distinguish(input& in) {
    if (!have_common_points(in.all)) return;
    for (std::size_t i = 0; i != in.all.size(); ++i)
        for_each_record(in.all[i], [&](sonde::record& r) { r.point.parameters.emplace_back("run", in.names[i]); });
}

/// The environment of a run, with the command that was launched in place of the tool's additions to it.
std::optional<sonde::environment> environment_of(sonde::run_file const& run) {
    auto found = run.environment;
    if (found && run.launch) found->command_line = run.launch->command;
    return found;
}

/// The environment of all runs: with the date of the first, the job if they were in one, and the sum of the stolen
/// times; empty, with a remark, if they differ in anything else.
std::optional<sonde::environment> common_environment(runs const& all) {
    auto const text = [](sonde::run_file const& run) {
        auto e = environment_of(run);
        if (!e) return std::string{};
        e->date.clear();
        e->job.id.clear();
        e->job.array_task.clear();
        return sonde::detail::json_line(*e);
    };
    auto const first = text(all.front());
    if (!std::all_of(all.begin(), all.end(), [&](auto const& run) { return text(run) == first; })) {
        warn("the runs have different environments; the report has none");
        return std::nullopt;
    }
    auto found = environment_of(all.front());
    for (auto run = all.begin() + 1; found && run != all.end(); ++run) {
        if (run->environment->job.id != found->job.id) {
            found->job.id.clear();
            found->job.array_task.clear();
        }
        if (found->stolen && run->environment->stolen) *found->stolen += *run->environment->stolen;
    }
    return found;
}

void write(runs const& all, sonde::any_reporter const& report) {
    for (auto const& run : all) {
        for (auto const& r : run.records) report(r);
        for (auto const& c : run.comparisons) report(c.comparison, c.criterion);
        for (auto const& found : run.scopes) report(found);
        for (auto const& found : run.lateness) report(found);
    }
    report.finish();
}

int run(std::vector<std::string> const& words) {
    std::vector<report_file> reports;
    auto const line = tools::read_options(about, rows_of(reports), words);
    if (!line.answer.empty()) return tools::print_text(line.answer);
    if (line.operands.empty()) throw std::runtime_error{"takes files of JSON Lines; see --help"};
    tools::require_own_files(line.operands, suite::paths_of(reports));
    auto in = read(line.operands);
    distinguish(in);
    if (reports.empty()) write(in.all, sonde::table{stdout});
    auto const has_environment = [](report_file const& r) { return sonde::properties_of(r.form).has_environment; };
    auto const is_needed = std::any_of(reports.begin(), reports.end(), has_environment);
    auto const where = is_needed ? common_environment(in.all) : std::nullopt;
    for (auto const& asked : reports) write(in.all, sonde::open_report(asked.form, asked.path, where));
    return 0;
}

} // namespace

int main(int argc, char** argv) { return tools::guarded("sonde-report", argc, argv, run); }
