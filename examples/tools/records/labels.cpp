// SPDX-License-Identifier: BSL-1.0
// Labels that launchers and loggers print before each line: ranks, hosts, time stamps.
#include "tools/records/labels.hpp"

#include "tools/records/lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace tools {

namespace {

enum class label_kind : unsigned char { none, tag, number, bracket, host, time, quote, step, process, pipe, stream };
constexpr std::size_t label_kinds = 11;

/// Label at the beginning of a line.
struct label {
    label_kind kind = label_kind::none;
    std::string_view key{}; // job, rank and stream, host, or form of the time: lines of one key are of one process
    std::string_view rank{};
    std::size_t length = 0;
};

/// Length of a label with the blank that separates it from the line; 0 if the line goes on without a blank.
std::size_t length_with_blank(std::string_view line, std::size_t length) {
    if (length >= line.size()) return line.size();
    return line[length] == ' ' || line[length] == '\t' ? length + 1 : 0;
}

/// "[1,0]<stdout>:", "Tue Mar  4 10:11:12 2025[1,0]<stdout>:", "[prterun-host-7@1,0]<stderr>: "
label tag_of(std::string_view line) {
    constexpr std::size_t longest = 160;
    auto const end = line.substr(0, longest).find(">:");
    if (end == line.npos) return {};
    auto const open = line.rfind('<', end);
    if (open == line.npos) return {};
    auto const stream = line.substr(open + 1, end - open - 1);
    if (stream != "stdout" && stream != "stderr" && stream != "stddiag") return {};
    auto const bracket = line.substr(0, open).rfind('[');
    auto const key = line.substr(std::min(bracket, open), end - std::min(bracket, open));
    auto const comma = key.rfind(',');
    auto const rank = comma == key.npos ? std::string_view{} : key.substr(comma + 1, key.find(']') - comma - 1);
    auto const blank = end + 2 < line.size() && line[end + 2] == ' ' ? 1U : 0U;
    return {label_kind::tag, key, rank, end + 2 + blank};
}

/// "2025-03-04T10:11:12.123Z ", "[10:11:12] ", "Mar 04 10:11:12 ": '0' is a digit and 'A' a letter. A fraction of the
/// second and a zone may follow.
label time_of(std::string_view line) {
    auto const bracket = line.starts_with('[') ? 1U : 0U;
    auto const text = line.substr(bracket);
    auto const is_like = [](char form, char c) {
        if (form == 'A') return std::isalpha(static_cast<unsigned char>(c)) != 0;
        return form == '0' ? is_digit(c) : c == form;
    };
    for (std::string_view const form : {"0000-00-00T00:00:00", "0000-00-00 00:00:00", "0000/00/00 00:00:00",
                                        "AAA 00 00:00:00", "AAA  0 00:00:00", "00:00:00"}) {
        if (text.size() < form.size() || !std::equal(form.begin(), form.end(), text.begin(), is_like)) continue;
        auto end = std::min(text.find_first_not_of("0123456789.,:+-Z", form.size()), text.size()) + bracket;
        if (bracket != 0 && (end == line.size() || line[end++] != ']')) return {};
        auto const length = length_with_blank(line, end);
        return length == 0 ? label{} : label{label_kind::time, form, {}, length};
    }
    return {};
}

bool is_of_a_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
}

bool has_letter(std::string_view name) {
    return std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// The name at the beginning of a line: of a host, a service or a program.
std::string_view name_in(std::string_view line) {
    return line.substr(
        0, static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_of_a_name) - line.begin()));
}

/// "0: " of `srun -l`, "[0] " of `mpiexec -l`, "node1: " of `pdsh`, "[node1:0] ", "[pod/a-0/b] " of `kubectl --prefix`
label word_of(std::string_view line) {
    auto const first = line.find_first_not_of(' ');
    if (first == line.npos) return {};
    auto const bracket = line[first] == '[';
    auto const from = first + (bracket ? 1 : 0);
    auto at = from;
    while (at != line.size() && (is_of_a_name(line[at]) || (bracket && (line[at] == ':' || line[at] == '/')))) ++at;
    if (at == from || at == line.size() || line[at] != (bracket ? ']' : ':')) return {};
    auto const name = line.substr(from, at - from);
    auto const length = length_with_blank(line, at + 1);
    if (length == 0) return {};
    if (std::all_of(name.begin(), name.end(), is_digit))
        return {bracket ? label_kind::bracket : label_kind::number, name, name, length};
    return has_letter(name) && first == 0 ? label{label_kind::host, name, name, length} : label{};
}

/// "x1000c0s0b0n0 3: " of PALS, and "node1 osu.sh[1234]: " of syslog and journald.
label host_and_process_of(std::string_view line) {
    auto const host = name_in(line);
    if (!has_letter(host) || host.size() == line.size() || line[host.size()] != ' ') return {};
    auto const rest = line.substr(host.size() + 1);
    auto const process = name_in(rest);
    auto end = process.size();
    if (process.empty() || end == rest.size()) return {};
    auto const is_number = std::all_of(process.begin(), process.end(), is_digit);
    if (rest[end] == '[') {
        auto const close = rest.find(']', end);
        if (close == rest.npos || !std::all_of(rest.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                                               rest.begin() + static_cast<std::ptrdiff_t>(close), is_digit))
            return {};
        end = close + 1;
    } else if (!is_number) return {};
    if (end == rest.size() || rest[end] != ':') return {};
    auto const length = length_with_blank(line, host.size() + 1 + end + 1);
    if (length == 0) return {};
    return {label_kind::process, line.substr(0, host.size() + 1 + end), is_number ? process : host, length};
}

/// "osu-1  | " of `docker compose`.
label pipe_of(std::string_view line) {
    auto const name = name_in(line);
    auto const bar = line.find_first_not_of(' ', name.size());
    if (!has_letter(name) || bar == line.npos || bar == name.size() || line[bar] != '|') return {};
    auto const length = length_with_blank(line, bar + 1);
    return length == 0 ? label{} : label{label_kind::pipe, name, name, length};
}

/// "> " of a quoted mail, also several.
label quote_of(std::string_view line) {
    auto const end = std::min(line.find_first_not_of("> "), line.size());
    return line.starts_with('>') ? label{label_kind::quote, {}, {}, end} : label{};
}

/// "build<tab>Run osu_latency<tab>" of `gh run view --log`; a time stamp follows.
label step_of(std::string_view line) {
    auto const first = line.find('\t');
    if (first == line.npos || first == 0 || is_digit(line[0]) || line[0] == '#') return {};
    auto const second = line.find('\t', first + 1);
    if (second == line.npos || time_of(line.substr(second + 1)).kind == label_kind::none) return {};
    return {label_kind::step, line.substr(0, second), line.substr(0, first), second + 1};
}

/// "00O " of GitLab's runner, behind a time stamp.
label stream_of(std::string_view line) {
    auto const is_hexadecimal = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
    auto const is_one = line.size() > 3 && is_hexadecimal(line[0]) && is_hexadecimal(line[1]) &&
                        (line[2] == 'O' || line[2] == 'E') && (line[3] == ' ' || line[3] == '+');
    return is_one ? label{label_kind::stream, line.substr(0, 3), {}, 4} : label{};
}

/// A form of label, and the function that finds it. Labels that are also in the messages of programs, such as words
/// before a colon and times, are labels only if a title follows one.
struct form_of_label {
    label_form form;
    label (*find)(std::string_view);
};

constexpr std::array forms{
    form_of_label{{"mpirun --tag-output", "[1,0]<stdout>:"}, tag_of},
    form_of_label{{"mpirun --timestamp-output", "Tue Mar  4 10:11:12 2025<stdout>:"}, tag_of},
    form_of_label{{"prterun --output tag", "[prterun-a-7@1,0]<stdout>: "}, tag_of},
    form_of_label{{"gh run view --log", "build (ubuntu-22.04)\tRun osu\t2026-02-16T10:00:00.0000000Z "}, step_of},
    form_of_label{{"time stamp", "2025-03-04T10:11:12.123Z "}, time_of},
    form_of_label{{"time stamp", "[10:11:12] "}, time_of},
    form_of_label{{"syslog", "Mar  4 10:11:12 node1 osu.sh[1234]: "}, time_of},
    form_of_label{{"GitLab", "2025-03-04T10:11:12.123456Z 00O "}, stream_of},
    form_of_label{{"PALS mpiexec -l", "x1000c0s0b0n0.site.example 3: "}, host_and_process_of},
    form_of_label{{"srun -l", " 0: "}, word_of},
    form_of_label{{"mpiexec -l", "[0] "}, word_of},
    form_of_label{{"pdsh, clush", "node-1.site: "}, word_of},
    form_of_label{{"kubectl logs --prefix", "[pod/osu-launcher-x7/osu] "}, word_of},
    form_of_label{{"docker compose", "osu-1  | "}, pipe_of},
    form_of_label{{"mail", "> > "}, quote_of},
};

label label_of(std::string_view line) {
    for (auto const& f : forms)
        if (auto const found = f.find(line); found.kind != label_kind::none) return found;
    return {};
}

/// Line of a text after its labels.
struct labeled_line {
    std::string_view rest;
    std::size_t number = 0;
    bool is_complete = true;
    std::string key{}, rank{};
};

std::vector<labeled_line> lines_of(std::string_view text) {
    std::vector<labeled_line> all;
    for (std::size_t number = 1; !text.empty(); ++number) {
        auto const end = text.find('\n');
        auto line = text.substr(0, end);
        line.remove_prefix(mark_length(line)); // of a file that was appended to another one
        if (line.ends_with('\r')) line.remove_suffix(1);
        all.push_back({line, number, end != text.npos});
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return all;
}

constexpr int most_labels = 4; // a quote, the time, the host and the rank

/// True for a comment, a record or mpiGraph's title, after labels.
bool is_title(std::string_view line) {
    line = without_labels(line);
    return line.starts_with('#') || line.starts_with('{') || line.starts_with("START ");
}

/// Kind of label that most lines have, except blank lines. Words before a colon and times are also in the messages of
/// programs: they are labels if a title follows one.
label_kind kind_of_labels(std::vector<labeled_line> const& lines) {
    std::size_t filled = 0, counts[label_kinds]{};
    bool has_title[label_kinds]{false, true, true, true};
    for (auto const& line : lines) {
        if (trimmed(line.rest).empty()) continue;
        ++filled;
        auto const kind = static_cast<std::size_t>(label_of(line.rest).kind);
        ++counts[kind];
        has_title[kind] = has_title[kind] || is_title(line.rest);
    }
    for (std::size_t kind = 1; kind != label_kinds; ++kind)
        if (2 * counts[kind] > filled && has_title[kind]) return static_cast<label_kind>(kind);
    return label_kind::none;
}

void remove_labels(std::vector<labeled_line>& lines, label_kind kind) {
    for (auto& line : lines) {
        auto const found = label_of(line.rest);
        if (found.kind != kind) continue;
        line.rest.remove_prefix(found.length);
        (line.key += found.key) += '\n';
        if (!found.rank.empty()) (line.rank += line.rank.empty() ? "" : " ") += found.rank;
    }
}

} // namespace

std::vector<label_form> label_forms() {
    std::vector<label_form> all;
    for (auto const& f : forms) all.push_back(f.form);
    return all;
}

std::string_view without_labels(std::string_view line) {
    for (int i = 0; i != most_labels; ++i) line = trimmed(line.substr(label_of(line).length));
    return line;
}

std::string_view unknown_label(std::string_view line) {
    for (std::string_view const title :
         {"# OSU MPI", "# OSU NCCL", "# Benchmarking ", "# nThread ", "START mpiGraph", R"({"type":"record")"})
        if (auto const at = line.find(title); at != line.npos) return line.substr(0, at);
    return {};
}

std::vector<text_stream> streams_of(std::string_view text) {
    auto lines = lines_of(text);
    for (int i = 0; i != most_labels; ++i)
        if (auto const kind = kind_of_labels(lines); kind != label_kind::none) remove_labels(lines, kind);
        else break;
    std::vector<text_stream> streams;
    std::map<std::string, std::size_t> indices;
    for (auto const& line : lines) {
        auto const [known, is_new] = indices.try_emplace(line.key, streams.size());
        if (is_new) streams.push_back({line.rank, {}});
        streams[known->second].lines.push_back({trimmed(line.rest), line.number, line.rest.size(), line.is_complete});
    }
    return streams;
}

} // namespace tools
