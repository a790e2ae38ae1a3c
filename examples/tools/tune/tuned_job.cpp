// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/tuned_job.hpp"

#include <sonde/json/lines.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/report/text.hpp>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <utility>

namespace tools::tune {

namespace {

std::string in_lower_case(std::string_view text) {
    std::string result;
    for (auto const c : text) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

/// "allreduce" of "osu_allreduce", and of IMB's "Allreduce".
std::string collective_named(std::string const& record) {
    constexpr std::string_view osu = "osu_";
    return in_lower_case(record.starts_with(osu) ? std::string_view{record}.substr(osu.size()) : record);
}

tuned_row row_of(sonde::record const& r) {
    tuned_row row{
        {}, collective_named(r.point.name), {}, static_cast<std::size_t>(std::max(r.ranks, 0)), {r.point.name}};
    for (auto const& p : r.point.parameters) {
        if (p.name == "repetitions") continue; // which IMB chooses by the time
        if (p.name == "bytes") row.bytes = p.number;
        row.parts.push_back(p.name + '=' + p.text);
    }
    row.name = sonde::detail::joined(row.parts, " ");
    return row;
}

std::vector<std::string> with_environment(environment_words words, std::vector<std::string> const& command) {
    if (!words.empty()) words.insert(words.begin(), "env");
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

} // namespace

void add_rows(std::vector<sonde::record> const& records, launch_result& to) {
    std::map<std::string, std::size_t> occurrences;
    for (auto const& r : records) {
        if (r.series.empty()) continue;
        auto row = row_of(r);
        if (auto const n = ++occurrences[row.name]; n != 1) {
            row.name += " #" + std::to_string(n);
            row.parts.push_back('#' + std::to_string(n));
        }
        to.rows.push_back(std::move(row));
        to.medians.push_back(sonde::median(r).count());
        to.resolutions.push_back(r.clock_properties.resolution.count() / static_cast<double>(r.batch));
    }
}

std::optional<std::vector<double>> times_of(launch_result const& launch, std::vector<tuned_row> const& rows) {
    std::vector<double> times;
    for (auto const& row : rows) {
        auto const found = std::find_if(launch.rows.begin(), launch.rows.end(),
                                        [&](auto const& other) { return other.name == row.name; });
        if (found == launch.rows.end()) return std::nullopt;
        times.push_back(launch.medians[static_cast<std::size_t>(found - launch.rows.begin())]);
        if (!(times.back() > 0)) return std::nullopt;
    }
    return times;
}

job::job(std::vector<std::string> command, std::string const& records, std::string const& beside)
    : command_{std::move(command)}, records_{records}, folder_{beside},
      launches_{records.empty() ? 0 : launches_in(records)} {}

launch_result job::launch(environment_words const& words, std::optional<sonde::seconds> limit) {
    auto const started = with_environment(words, command_);
    auto const written = temporary("records");
    std::filesystem::remove(written); // of the launch before
    captured_output const output;
    auto const ended = run_program(with_report(started, written), output.descriptor(), limit);
    launch_result result;
    result.wall = ended.wall;
    if (std::filesystem::exists(written))
        for (auto const& run : sonde::read_launches(written)) add_rows(run.records, result);
    if (!records_.empty())
        launches_ += collect({launches_ + 1, sonde::detail::joined(started, " ", sonde::detail::shell_word),
                              outcome(ended), ended.wall},
                             written, records_) != 0;
    if (ended.interrupted != 0) throw interruption{ended.interrupted};
    if (!ended.succeeded()) result.failure = outcome(ended);
    else if (result.rows.empty()) result.failure = "no record";
    if (!result.failure.empty()) result.output = output.end();
    return result;
}

library_settings job::settings(environment_words const& with, std::vector<std::string> const& names) const {
    auto const list = temporary("settings");
    auto words = launcher_of(command_);
    words.insert(words.end(), {std::filesystem::read_symlink("/proc/self/exe").string(), "settings", list});
    words.insert(words.end(), names.begin(), names.end());
    words = with_environment(with, words);
    captured_output const output;
    constexpr sonde::seconds limit{120};
    auto const ended = run_program(words, output.descriptor(), limit);
    if (ended.interrupted != 0) throw interruption{ended.interrupted};
    if (!ended.succeeded()) {
        std::fputs(output.end().c_str(), stderr); // says why, such as the launcher of another library
        throw std::runtime_error{"cannot list the control variables of the MPI library: '" +
                                 sonde::detail::joined(words, " ", sonde::detail::shell_word) + "' ended with " +
                                 outcome(ended) + "; --settings takes a list from a file"};
    }
    return read_settings(list);
}

bool is_program(std::string const& word) {
    namespace fs = std::filesystem;
    auto const is_executable = [](fs::path const& path) {
        std::error_code absent;
        return fs::is_regular_file(path, absent) && access(path.c_str(), X_OK) == 0;
    };
    if (word.find('/') != word.npos) return is_executable(word);
    auto const* const folders = std::getenv("PATH");
    std::string_view rest{folders == nullptr ? "" : folders};
    while (!rest.empty()) {
        auto const end = std::min(rest.find(':'), rest.size());
        if (is_executable(fs::path{rest.substr(0, end)} / word)) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

std::vector<std::string> launcher_of(std::vector<std::string> const& command) {
    for (std::size_t i = 1; i < command.size(); ++i)
        if (!command[i].starts_with("-") && is_program(command[i]))
            return {command.begin(), command.begin() + static_cast<std::ptrdiff_t>(i)};
    return {};
}

std::set<std::string> calls_of_trace(std::vector<std::string> const& command) {
    std::set<std::string> calls;
    for (auto const& word : command) {
        std::ifstream file{word};
        std::string line;
        if (!file || !std::getline(file, line) || line.find(R"("type":"trace")") == line.npos) continue;
        constexpr std::string_view key = R"("call":")"; // of a call; a rank's "call" is a list of times
        while (std::getline(file, line))
            for (auto at = line.find(key); at != line.npos; at = line.find(key, at)) {
                at += key.size();
                calls.insert(in_lower_case(std::string_view{line}.substr(at, line.find('"', at) - at)));
            }
    }
    return calls;
}

} // namespace tools::tune
