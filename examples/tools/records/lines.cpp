// SPDX-License-Identifier: BSL-1.0
#include "tools/records/lines.hpp"

#include <sonde/report/text.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tools {

namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

constexpr auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };

/// Length of the ANSI sequence at the beginning of a text that sets a color, clears the rest of a line (`grep --color`)
/// or chooses the character set (`tput sgr0`); 0 for others, which move the cursor and with it figures.
std::size_t color_length(std::string_view text) {
    if (text.starts_with("\x1b(B")) return 3;
    if (!text.starts_with("\x1b[")) return 0;
    auto const end = text.find_first_not_of("0123456789;:", 2);
    if (end == text.npos) return 0;
    auto const clears = text[end] == 'K' && (end == 2 || text.substr(2, end - 2) == "0");
    return text[end] == 'm' || clears ? end + 1 : 0;
}

void remove_colors(std::string& text) {
    std::string kept;
    std::size_t from = 0;
    for (auto at = text.find('\x1b'); at != text.npos; at = text.find('\x1b', at + 1)) {
        auto const length = color_length(std::string_view{text}.substr(at));
        if (length == 0) continue;
        kept.append(text, from, at - from);
        from = at + length;
    }
    if (from != 0) text = kept.append(text, from);
}

} // namespace

std::string checked_text(std::string text, std::string const& path) {
    text.erase(0, mark_length(text));
    remove_colors(text);
    if (text.find_first_not_of(blanks) == text.npos) throw std::runtime_error{path + ": is empty"};
    if (text.find('\0') != text.npos) throw std::runtime_error{path + ": is no text"};
    return text;
}

std::string read_text(std::string const& path) {
    if (std::filesystem::is_directory(path)) throw std::runtime_error{path + ": is a folder"};
    std::ifstream file{path, std::ios::binary};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    std::string text;
    for (char part[1 << 16]; file.read(part, sizeof part), file.gcount() != 0;) {
        text.append(part, static_cast<std::size_t>(file.gcount()));
        if (text.back() == '\0') break; // a device without end, such as /dev/zero, is no text
    }
    return checked_text(std::move(text), path);
}

std::size_t mark_length(std::string_view text) { return text.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

std::string_view trimmed(std::string_view text) {
    auto const from = text.find_first_not_of(blanks);
    if (from == text.npos) return {};
    return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

word_list words_of(std::string_view line) {
    word_list words;
    words.reserve(8);
    for (auto at = line.begin(); (at = std::find_if_not(at, line.end(), is_blank)) != line.end();) {
        auto const end = std::find_if(at, line.end(), is_blank);
        words.emplace_back(at, end);
        at = end;
    }
    return words;
}

bool remove_foreign_words(word_list& header) {
    for (std::size_t i = 0; i != header.size(); ++i) {
        auto from = header[i].find('[');
        for (std::string_view const unit : {"[usec]", "[%]"}) // of IMB's titles
            if (from != header[i].npos && header[i].substr(from).starts_with(unit))
                from = header[i].find('[', from + 1);
        if (from == header[i].npos) continue;
        header[i] = header[i].substr(0, from);
        header.resize(from == 0 ? i : i + 1);
        return true;
    }
    return false;
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

sonde::seconds rounding_of(sonde::seconds time, std::string_view word) {
    return time * (half_a_digit(word) / std::fabs(number_in(word).value_or(1)));
}

std::optional<std::size_t> decimals_of(std::string_view word) {
    if (!number_in(word) || word.find_first_of("eE") != word.npos) return std::nullopt;
    auto const point = word.find('.');
    return point == word.npos ? 0 : word.size() - point - 1;
}

std::string printable(std::string_view text) {
    constexpr std::size_t most = 200, longest = 4; // characters, bytes of a character
    auto shown = sonde::detail::plain_text(text.substr(0, longest * most + 1));
    auto const kept = sonde::detail::first_characters(shown, most).size();
    return kept == shown.size() ? shown : shown.substr(0, kept) + "...";
}

} // namespace tools
