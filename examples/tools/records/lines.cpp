// SPDX-License-Identifier: BSL-1.0
#include "tools/records/lines.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tools {

namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

constexpr auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Without a byte order mark, which editors and PowerShell write.
void remove_mark(std::string& text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
}

} // namespace

std::string checked_text(std::string text, std::string const& path) {
    remove_mark(text);
    if (text.find_first_not_of(blanks) == text.npos) throw std::runtime_error{path + ": is empty"};
    if (text.find('\0') != text.npos) throw std::runtime_error{path + ": is no text"};
    return text;
}

std::string read_text(std::string const& path) {
    if (std::filesystem::is_directory(path)) throw std::runtime_error{path + ": is a folder"};
    std::ifstream file{path, std::ios::binary};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    std::string text;
    for (char part[1 << 16]; file.read(part, sizeof part), file.gcount() != 0;)
        text.append(part, static_cast<std::size_t>(file.gcount()));
    return checked_text(std::move(text), path);
}

std::string_view trimmed(std::string_view text) {
    auto const from = text.find_first_not_of(blanks);
    if (from == text.npos) return {};
    return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    words.reserve(8);
    for (auto at = line.begin(); (at = std::find_if_not(at, line.end(), is_blank)) != line.end();) {
        auto const end = std::find_if(at, line.end(), is_blank);
        words.emplace_back(at, end);
        at = end;
    }
    return words;
}

std::optional<double> number_in(std::string_view word) {
    // The words "inf" and "nan" are numbers of from_chars: a comparison would not tell them apart under -ffast-math.
    auto const first = word.starts_with('-') ? 1U : 0U;
    if (word.size() == first || (!is_digit(word[first]) && word[first] != '.')) return std::nullopt;
    double value = 0;
    auto const end = word.data() + word.size();
    auto const [stopped, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stopped != end) return std::nullopt;
    constexpr double least = 1e-15, most = 1e15; // times and rates beyond would be 0 or infinite in another unit
    auto const magnitude = std::fabs(value);
    if (magnitude > most || (magnitude > 0 && magnitude < least)) return std::nullopt;
    return value;
}

std::optional<double> whole_number_in(std::string_view word) {
    constexpr std::size_t most_digits = 15;
    if (word.empty() || word.size() > most_digits || !std::all_of(word.begin(), word.end(), is_digit))
        return std::nullopt;
    return number_in(word);
}

std::optional<std::size_t> count_in(std::string_view word) {
    auto const n = whole_number_in(word);
    return n && *n <= 1e6 ? std::optional{static_cast<std::size_t>(*n)} : std::nullopt;
}

double half_a_digit(std::string_view word) {
    auto const end = std::min(word.find_first_of("eE"), word.size()), point = std::min(word.find('.'), end);
    int power = 0;
    if (end != word.size()) {
        auto from = end + 1;
        if (from != word.size() && word[from] == '+') ++from;
        std::from_chars(word.data() + from, word.data() + word.size(), power);
    }
    auto const decimals = point == end ? 0 : static_cast<double>(end - point - 1);
    return 0.5 * std::pow(10, power - decimals);
}

std::string printable(std::string_view text) {
    constexpr std::size_t most = 200, longest = 4; // characters, bytes of a character
    auto shown = sonde::detail::plain_text(text.substr(0, longest * most + 1));
    auto const kept = sonde::detail::first_characters(shown, most).size();
    return kept == shown.size() ? shown : shown.substr(0, kept) + "...";
}

namespace {

enum class label_kind : unsigned char { none, tag, number, bracket };

/// Launcher's label at the beginning of a line.
struct label {
    label_kind kind = label_kind::none;
    std::string_view key{}; // job, rank and stream: lines of one key are of one process
    std::string_view rank{};
    std::size_t length = 0;
};

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

/// "0: " of `srun -l`, "[0] " of `mpiexec -l`.
label number_of(std::string_view line) {
    auto const first = line.find_first_not_of(' ');
    if (first == line.npos) return {};
    auto const bracket = line[first] == '[';
    auto const from = first + (bracket ? 1 : 0);
    auto at = from;
    while (at != line.size() && is_digit(line[at])) ++at;
    if (at == from || at == line.size() || line[at] != (bracket ? ']' : ':')) return {};
    auto const rank = line.substr(from, at - from);
    ++at;
    if (at != line.size() && line[at] != ' ' && line[at] != '\r') return {};
    if (at != line.size() && line[at] == ' ') ++at;
    return {bracket ? label_kind::bracket : label_kind::number, rank, rank, at};
}

label label_of(std::string_view line) {
    auto const tag = tag_of(line);
    return tag.kind != label_kind::none ? tag : number_of(line);
}

template <class Use>
void for_each_line(std::string_view text, Use use) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        auto const end = std::min(text.find('\n'), text.size());
        use(text.substr(0, end), number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Kind of label that most lines have, blank ones aside.
label_kind kind_of_labels(std::string_view text) {
    std::size_t lines = 0;
    std::size_t counts[4]{};
    for_each_line(text, [&](std::string_view line, std::size_t) {
        if (trimmed(line).empty()) return;
        ++lines;
        ++counts[static_cast<std::size_t>(label_of(line).kind)];
    });
    for (auto const kind : {label_kind::tag, label_kind::number, label_kind::bracket})
        if (2 * counts[static_cast<std::size_t>(kind)] > lines) return kind;
    return label_kind::none;
}

} // namespace

std::vector<text_stream> streams_of(std::string_view text) {
    auto const kind = kind_of_labels(text);
    std::vector<text_stream> streams;
    std::map<std::string_view, std::size_t> indices;
    for_each_line(text, [&](std::string_view line, std::size_t number) {
        auto found = kind == label_kind::none ? label{} : label_of(line);
        if (found.kind != kind) found = {};
        auto const [known, is_new] = indices.try_emplace(found.key, streams.size());
        if (is_new) streams.push_back({std::string{found.rank}, {}});
        auto rest = line.substr(found.length);
        if (rest.ends_with('\r')) rest.remove_suffix(1);
        auto const is_complete = line.data() + line.size() != text.data() + text.size();
        streams[known->second].lines.push_back({trimmed(rest), number, rest.size(), is_complete});
    });
    return streams;
}

} // namespace tools
