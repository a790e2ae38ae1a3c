// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/hang_command.hpp"

#include "tools/replay/hang/diagnosis.hpp"
#include "tools/replay/hang/node_states.hpp"
#include "tools/replay/hang/rank_page.hpp"
#include "tools/replay/hang/state_lines.hpp"
#include "tools/replay/hang/state_text.hpp"
#include "tools/text.hpp"
#include "tools/tool_options.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace tools::replay {

namespace {

constexpr tool_usage hang_about{
    "sonde-replay", operands::any,
    "Usage: sonde-replay hang [options] [FILE...]\n"
    "Where the ranks of a job are that runs with libsonde-trace on this node: in which call of MPI, since when, and "
    "who\n"
    "does not come. No rank takes part in this. FILE: what --states printed on several nodes; - is the standard "
    "input.\n"
    "Exit status: 0 if all ranks go on, 1 if a rank stands still, 2 if there is nothing to read.\n"};

struct hang_options {
    double interval = 1;
    std::string job;
    std::string folder = default_page_folder;
    bool prints_states = false;
};

std::vector<rank_state> states_in_files(std::vector<std::string> const& names) {
    std::vector<rank_state> found;
    for (auto const& name : names) {
        std::ifstream file;
        if (name != "-") {
            file.open(name);
            if (!file) throw std::runtime_error{"cannot read '" + name + "'"};
        }
        auto const read = read_states(name == "-" ? std::cin : file, name == "-" ? "standard input" : name);
        found.insert(found.end(), read.begin(), read.end());
    }
    if (found.empty()) throw std::runtime_error{"no state of a rank: sonde-replay hang --states prints them"};
    return found;
}

std::vector<rank_state> states_here(hang_options const& o) {
    auto files = pages_of_running_jobs(page_files(o.folder));
    if (!o.job.empty()) std::erase_if(files, [&](page_file const& f) { return f.job != o.job; });
    auto found = node_states(files, sonde::seconds{o.interval});
    if (found.empty() && !o.prints_states)
        throw std::runtime_error{"no rank of " + (o.job.empty() ? "a job of yours" : "job " + o.job) +
                                 " runs with libsonde-trace on this node: there is no page in " + o.folder};
    return found;
}

/// The states of the only job, or of that which an option names; a rank that was read twice is there once.
std::vector<rank_state> of_one_job(std::vector<rank_state> all, std::string const& job) {
    if (!job.empty()) std::erase_if(all, [&](rank_state const& s) { return s.job != job; });
    std::set<std::string> jobs;
    for (auto const& s : all) jobs.insert(s.job);
    if (jobs.empty()) throw std::runtime_error{"no rank of job " + job};
    if (jobs.size() > 1) {
        std::string names;
        for (auto const& name : jobs) names += (names.empty() ? "" : ", ") + name;
        throw std::runtime_error{"several jobs run, " + names + ": choose one by --job"};
    }
    auto const by_rank = [](rank_state const& a, rank_state const& b) { return a.rank < b.rank; };
    std::stable_sort(all.begin(), all.end(), by_rank);
    auto const is_same = [](rank_state const& a, rank_state const& b) { return a.rank == b.rank; };
    all.erase(std::unique(all.begin(), all.end(), is_same), all.end());
    return all;
}

std::string head_of(std::vector<rank_state> const& states) {
    std::set<std::string> hosts;
    for (auto const& s : states) hosts.insert(s.host);
    return "Job " + states.front().job + ": " + std::to_string(states.size()) + " of " +
           count_text(static_cast<std::size_t>(states.front().size), "rank") + " on " +
           count_text(hosts.size(), "host");
}

int print_diagnosis(std::vector<rank_state> const& states) {
    auto const findings = diagnosis_of(states);
    std::vector<std::string> lines{head_of(states)};
    for (auto const& one : findings) {
        lines.push_back(one.text);
        auto& first = lines.back()[0];
        if (first >= 'a' && first <= 'z') first = static_cast<char>(first - 'a' + 'A');
    }
    if (findings.empty()) {
        auto const [least, most] = std::minmax_element(states.begin(), states.end(),
                                                       [](auto const& a, auto const& b) { return a.calls < b.calls; });
        lines.push_back("All of them go on: " + grouped_number(least->calls) + " to " + grouped_number(most->calls) +
                        " calls of MPI between the two readings");
    }
    print(lines);
    return findings.empty() ? 0 : 1;
}

} // namespace

int hang(int argc, char** argv) {
    hang_options o;
    auto const line = read_options(
        hang_about,
        {{"interval,i SECONDS",
          "time between the two readings that tell what stands still from what passes by (default {default})",
          suite::real(o.interval, "seconds", "0.01", "3600")},
         {"job,j NAME", "the job, if several run: the first line names it", suite::text(o.job, "a name")},
         {"folder FOLDER", "of the pages, as SONDE_TRACE_PAGE names it (default {default})",
          suite::text(o.folder, "a folder")},
         {"states", "print what was read, a line for each rank, to be judged with that of other nodes",
          suite::flag(o.prints_states)}},
        {argv + 2, argv + argc});
    if (!line.answer.empty()) return print_text(line.answer);
    auto const states = line.operands.empty() ? states_here(o) : states_in_files(line.operands);
    if (!o.prints_states) return print_diagnosis(of_one_job(states, o.job));
    for (auto const& s : states) print_text(state_line(s));
    return 0;
}

} // namespace tools::replay
