// SPDX-License-Identifier: BSL-1.0
#include "tools/records/headings.hpp"

#include "tools/records/lines.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace tools {

namespace {

constexpr std::string_view digit_characters = "0123456789";

bool is_word_of(auto const& words, std::string_view word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string in_lower_case(std::string_view word) {
    std::string lower{word};
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

/// The word without brackets, commas and colons around it.
std::string_view bare(std::string_view word) {
    constexpr std::string_view around = "()[]{}<>,;:.=#'\"";
    auto const from = word.find_first_not_of(around);
    if (from == word.npos) return {};
    return word.substr(from, word.find_last_not_of(around) - from + 1);
}

bool has_digit(std::string_view word) { return word.find_first_of(digit_characters) != word.npos; }

/// "10:11:12.5", "2025-03-04T10:11:12Z", "2025/03/04", "3/10"
bool is_time_or_part(std::string_view word) {
    auto const is_of_one = word.find_first_not_of("0123456789:./-+TZ,") == word.npos;
    if (!is_of_one || !is_digit(word[0])) return false;
    auto const count = [&](char c) { return std::count(word.begin(), word.end(), c); };
    auto const is_address = count('.') > 1;
    return !is_address && (count(':') > 0 || count('/') > 0 || count('-') > 1);
}

/// "Mon", "March"
bool is_of_a_date(std::string_view word) {
    constexpr std::string_view names[] = {
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",  "sunday",  "january",  "february", "march",
        "april",  "may",     "june",      "july",     "august", "september", "october", "november", "december", "sept"};
    auto const lower = in_lower_case(word);
    return lower.size() >= 3 && std::any_of(std::begin(names), std::end(names),
                                            [&](auto name) { return name == lower || name.substr(0, 3) == lower; });
}

constexpr std::string_view counted_things[] = {"run",   "step", "launch", "iteration", "iter",  "repetition", "rep",
                                               "trial", "pass", "round",  "attempt",   "loop",  "sample",     "job",
                                               "jobid", "pid",  "seed",   "time",      "repeat"};

/// "run3", "run_3", "job=12", "slurm-1234567.out"
bool is_counted(std::string_view word) {
    auto const number = word.find_first_of(digit_characters);
    if (number == word.npos || number == 0) return false;
    auto const name = bare(word.substr(0, word.find_last_not_of("_-=#:", number - 1) + 1));
    auto const end = std::min(word.find_first_not_of(digit_characters, number), word.size());
    constexpr std::size_t of_a_job = 6; // digits
    return (is_word_of(counted_things, in_lower_case(name)) && end == word.size()) || end - number >= of_a_job;
}

constexpr std::string_view units_of_results[] = {"s",      "sec",    "secs",    "seconds", "ms",    "us",     "ns",
                                                 "min",    "mins",   "minutes", "h",       "hours", "mb/s",   "gb/s",
                                                 "gb/sec", "mb/sec", "gib/s",   "mib/s",   "%",     "gflops", "flops"};

/// "12s", "0m1.25s", "11.9GB/s"
bool is_measured(std::string_view word) {
    if (!is_digit(word[0])) return false;
    auto const last = word.find_last_of(digit_characters);
    return is_word_of(units_of_results, in_lower_case(word.substr(last + 1)));
}

bool is_decimal(std::string_view word) { return decimals_of(word).value_or(0) > 0; }

/// A number behind its name (`ranks 4`), before its unit (`4 us`), or in a date.
bool belongs_to_neighbor(std::vector<std::string_view> const& words, std::size_t i) {
    auto const name = i == 0 ? std::string{} : in_lower_case(words[i - 1]);
    auto const unit = i + 1 == words.size() ? std::string{} : in_lower_case(words[i + 1]);
    if (is_word_of(counted_things, name) || is_word_of(units_of_results, unit)) return true;
    if (name == "of" && i > 2 && number_in(words[i - 2]))
        return is_word_of(counted_things, in_lower_case(words[i - 3]));
    return is_of_a_date(name) || is_of_a_date(unit);
}

bool differs_between_repetitions(std::vector<std::string_view> const& words, std::size_t i, bool has_time) {
    constexpr std::size_t of_seconds_since_1970 = 10; // digits
    auto const word = words[i];
    if (word.empty()) return false;
    if (is_time_or_part(word) || is_counted(word) || is_measured(word)) return true;
    if (has_time && (is_of_a_date(word) || (word.size() == 4 && word.starts_with("20")))) return true;
    if (!number_in(word)) return false;
    return word.size() >= of_seconds_since_1970 || belongs_to_neighbor(words, i);
}

} // namespace

std::vector<std::string> lasting_words(std::string_view line) {
    constexpr std::size_t most_words = 40;
    auto all = words_of(line);
    all.resize(std::min(all.size(), most_words));
    std::vector<std::string_view> words;
    for (auto const word : all) words.push_back(bare(word));
    auto const has_time =
        std::any_of(words.begin(), words.end(), [](auto w) { return !w.empty() && is_time_or_part(w); });
    auto const has_decimals = std::count_if(words.begin(), words.end(), is_decimal) > 1;
    std::vector<std::string> lasting;
    for (std::size_t i = 0; i != all.size(); ++i) {
        auto const leaves = differs_between_repetitions(words, i, has_time) || (has_decimals && is_decimal(words[i]));
        lasting.push_back(leaves ? "~" : printable(all[i]));
    }
    return lasting;
}

namespace {

/// True for a message of a launcher or of a process, which may be in the output of some launches only.
bool is_message(std::string_view line) {
    for (std::string_view const program : {"srun:", "salloc:", "slurmstepd:", "mpirun:", "mpiexec:", "prterun:"})
        if (line.starts_with(program)) return true;
    auto const close = line.starts_with('[') ? line.find(']') : line.npos;
    if (close != line.npos && line.substr(0, close).find(':') != line.npos) return true; // "[node1:1234] "
    auto const lower = in_lower_case(line);
    return lower.find("warning") != lower.npos || lower.find("error") != lower.npos;
}

std::string without_numbers(std::string_view word) {
    std::string text;
    for (auto const c : word)
        if (!is_digit(c)) text += c;
        else if (!text.ends_with('#')) text += '#';
    return text;
}

} // namespace

void headings::add(std::string_view text) {
    constexpr std::size_t most_lines = 5;
    auto const has_letter = std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    if (!has_letter || is_message(text)) return;
    auto const words = lasting_words(text);
    line added{};
    std::vector<std::pair<std::size_t, std::string>> numbers; // places of words and their texts
    for (std::size_t i = 0; i != words.size(); ++i) {
        added.form += (i == 0 ? "" : " ") + without_numbers(words[i]);
        if (!has_digit(words[i])) continue;
        // A number has the name of the word before it: "-n 4", "GPU 1", or of the word after it.
        auto const is_alone = std::all_of(words[i].begin(), words[i].end(), is_digit);
        auto const is_name = [&](std::size_t k) {
            return k < words.size() && !has_digit(words[k]) && !bare(words[k]).empty();
        };
        auto const shown = !is_alone        ? std::string{bare(words[i])}
                           : is_name(i - 1) ? std::string{bare(words[i - 1])} + ' ' + words[i]
                           : is_name(i + 1) ? words[i] + ' ' + std::string{bare(words[i + 1])}
                                            : words[i];
        numbers.emplace_back(i, shown);
    }
    for (auto& [place, shown] : numbers)
        added.numbers.push_back({added.form + '\n' + std::to_string(place), "heading", std::move(shown)});
    if (std::exchange(text_ended_, false)) text_.clear();
    text_.push_back(added.form);
    if (text_.size() > most_lines) text_.pop_front();
    keep(std::move(added));
}

void headings::keep(line added) {
    constexpr std::size_t most_forms = 16;
    std::erase_if(lines_, [&](line const& l) { return l.form == added.form; });
    lines_.push_back(std::move(added));
    if (lines_.size() > most_forms) lines_.pop_front();
}

std::vector<condition> headings::conditions() const {
    std::vector<condition> all;
    for (auto const& l : lines_) all.insert(all.end(), l.numbers.begin(), l.numbers.end());
    std::string text;
    for (auto const& form : text_) text += (text.empty() ? "" : "\n") + form;
    if (!text.empty()) all.push_back({"text", "heading", std::move(text)});
    return all;
}

} // namespace tools
