// SPDX-License-Identifier: BSL-1.0
#include "tools/records/log.hpp"

#include "tools/records/json_tables.hpp"
#include "tools/records/labels.hpp"
#include "tools/records/lines.hpp"
#include "tools/records/table_scanner.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace tools {

std::string table_identity::key_without_pairs() const {
    auto key = program + '\0' + title + '\0' + version + '\0' + rank + '\0' + std::to_string(header_line);
    for (auto const& [name, value] : settings) key += '\0' + name + '\0' + value;
    return key;
}

std::string table_identity::key() const { return key_without_pairs() + '\0' + std::to_string(pairs); }

std::string table_identity::text() const {
    auto all = title + (version.empty() ? "" : " v" + version);
    for (auto const& [name, value] : settings) all += ", " + (name == "memory" ? "" : name + ' ') + value;
    if (!rank.empty()) all += (whole_number_in(rank) ? ", rank " : ", ") + rank;
    return all;
}

sonde::seconds slowest(log_row const& r) { return *std::max_element(r.times.begin(), r.times.end()); }

void counted_remarks::add(std::string const& kind, std::size_t line) {
    auto const known = std::find_if(remarks_.begin(), remarks_.end(), [&](auto const& r) { return r.kind == kind; });
    constexpr std::size_t most_kinds = 100;
    if (known != remarks_.end()) ++known->count;
    else if (remarks_.size() < most_kinds) remarks_.push_back({kind, line, 1});
}

std::vector<std::string> counted_remarks::texts(std::string const& path) const {
    std::vector<std::string> all;
    for (auto const& r : remarks_) {
        auto const more = r.count == 1 ? "" : " (" + std::to_string(r.count) + " lines, of which this is the first)";
        all.push_back(path + ':' + std::to_string(r.first) + ": " + r.kind + more);
    }
    return all;
}

namespace {

/// Ranks are part of the identities only if tables have different ones.
void remove_equal_ranks(std::vector<log_table>& tables) {
    auto const same = [&](auto const& t) { return t.what.rank == tables.front().what.rank; };
    if (!std::all_of(tables.begin(), tables.end(), same)) return;
    for (auto& t : tables) t.what.rank.clear();
}

/// Tables without rows are left out, unless the user needs their reason against a fit.
void remove_empty(std::vector<log_table>& tables) {
    std::erase_if(tables, [](log_table const& t) {
        return t.rows.empty() && (t.no_model.empty() || t.no_model == "no model describes it");
    });
}

/// All lines that are not blank, in their order.
std::vector<text_line> in_order(std::vector<text_stream> const& streams) {
    std::vector<text_line> all;
    for (auto const& stream : streams)
        std::copy_if(stream.lines.begin(), stream.lines.end(), std::back_inserter(all),
                     [](auto const& line) { return !line.text.empty(); });
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.number < b.number; });
    return all;
}

/// True for a line that begins `{"type":"record"`, or another type of which `read_runs` takes lines.
bool is_of_runs(text_line const& line) {
    auto rest = line.text;
    for (std::string_view const part : {"{", "\"type\"", ":"}) {
        if (!rest.starts_with(part)) return false;
        rest = trimmed(rest.substr(part.size()));
    }
    if (!rest.starts_with('"')) return false;
    auto const type = rest.substr(1, rest.find('"', 1) - 1);
    return std::find(std::begin(run_line_types), std::end(run_line_types), type) != std::end(run_line_types);
}

[[noreturn]] void refuse(std::string const& path, counted_remarks const& remarks) {
    auto text = path + ": is neither JSON lines of Sonde nor output of the OSU Micro-Benchmarks, the Intel MPI "
                       "Benchmarks, nccl-tests or mpiGraph";
    for (auto const& r : remarks.texts(path)) text += "; " + r;
    throw std::runtime_error{text};
}

log_contents read_text_log(std::vector<text_stream> const& streams, std::vector<text_line> const& lines,
                           std::string const& path) {
    scanned found{path};
    for (auto const& stream : streams) scan(stream, found);
    if (found.tables.empty() && !lines.empty() && lines.front().text.starts_with('{'))
        return read_json_log(lines, path); // and refuse
    if (found.tables.empty()) refuse(path, found.remarks);
    auto const first = found.tables.front().place() + ": " + found.tables.front().what.text();
    remove_empty(found.tables);
    remove_equal_ranks(found.tables);
    log_contents read{path};
    read.remarks = found.remarks.texts(path);
    if (found.tables.empty()) {
        auto text = first + ": has no row that matches its header";
        for (auto const& r : read.remarks) text += "; " + r;
        throw std::runtime_error{text};
    }
    read.tables = std::move(found.tables);
    return read;
}

} // namespace

log_contents read_log(std::string text, std::string const& path) {
    text = checked_text(std::move(text), path);
    auto const streams = streams_of(text);
    auto const lines = in_order(streams);
    if (std::any_of(lines.begin(), lines.end(), is_of_runs)) return read_json_log(lines, path);
    return read_text_log(streams, lines, path);
}

log_contents read_runs(std::string const& path) {
    auto const text = read_text(path);
    return read_runs(in_order(streams_of(text)), path);
}

log_contents read_log(std::string const& path) { return read_log(read_text(path), path); }

} // namespace tools
