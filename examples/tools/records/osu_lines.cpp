// SPDX-License-Identifier: BSL-1.0
#include "tools/records/osu_lines.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace tools {

namespace {

/// Removes the version, the last word "v7.4", from a title.
std::string version_in(std::string_view& title) {
    auto const last = title.rfind(' ');
    if (last == title.npos || last + 2 >= title.size() || title[last + 1] != 'v') return {};
    if (std::isdigit(static_cast<unsigned char>(title[last + 2])) == 0) return {};
    auto const version = printable(title.substr(last + 2));
    title = trimmed(title.substr(0, last));
    return version;
}

/// The test's name after the library and the device: "Latency Test" of "OSU MPI-CUDA Latency Test".
void set_test(std::string_view title, osu_title& to) {
    for (std::string_view const family : {"OSU ", "OMB-Py ", "OMB Python "}) {
        if (!title.starts_with(family)) continue;
        auto const rest = title.substr(family.size());
        auto const library = rest.substr(0, rest.find(' '));
        auto const name = library.substr(0, library.find('-'));
        to.is_xccl = name == "NCCL" || name == "RCCL" || name == "oneCCL";
        if (name == "MPI" || to.is_xccl) to.test = trimmed(rest.substr(library.size()));
    }
}

} // namespace

std::optional<osu_title> osu_title_of(std::string_view line) {
    osu_title t;
    t.has_hash = line.starts_with('#');
    if (t.has_hash) line = trimmed(line.substr(1));
    if (!line.starts_with("OSU ") && !line.starts_with("OMB-Py ") && !line.starts_with("OMB Python "))
        return std::nullopt;
    t.version = version_in(line);
    if (line.find(" Test") == line.npos || (!t.has_hash && !line.ends_with(" Test"))) return std::nullopt;
    t.title = printable(line);
    set_test(line, t);
    return t;
}

namespace {

/// Names in the lines "# NAME: VALUE" that the benchmarks print; lines of other names are comments of a user.
constexpr std::string_view setting_names[] = {"datatype",
                                              "partitions",
                                              "payload",
                                              "beside",
                                              "window creation",
                                              "synchronization",
                                              "number of sender threads",
                                              "number of receiver threads",
                                              "number of forked processes in sender",
                                              "number of forked processes in receiver"};

} // namespace

std::optional<std::pair<std::string, std::string>> osu_setting_of(std::string_view line) {
    if (!line.starts_with('#')) return std::nullopt;
    line = trimmed(line.substr(1));
    if (line.starts_with("Send Buffer on ") || (line.starts_with("Rank 0 Memory on ")))
        return std::pair{std::string{"memory"}, printable(line)};
    auto const colon = line.find(": ");
    if (colon == line.npos) return std::nullopt;
    std::string name{line.substr(0, colon)};
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::find(std::begin(setting_names), std::end(setting_names), name) == std::end(setting_names))
        return std::nullopt;
    auto value = trimmed(line.substr(colon + 2));
    if ((name == "datatype" || name == "partitions" || name == "beside") && value.ends_with('.'))
        value.remove_suffix(1);
    return std::pair{name, printable(value)};
}

namespace {

osu_unit unit_of(std::string_view title) {
    auto const ends = [&](std::string_view unit) { return title.ends_with(unit); };
    if (ends("(us)") || ends("[us]")) return osu_unit::us;
    if (ends("(MB/s)") || ends("[MB/s]") || title == "MB/s") return osu_unit::mb_per_s;
    if (title == "Messages/s") return osu_unit::messages_per_s;
    if (title == "Validation" || title == "Ended by" || title == "Flags") return osu_unit::words;
    return osu_unit::none;
}

/// End of the title at the beginning of a text: after the unit in parentheses, at two blanks or a tab, or before a
/// percentile, which one blank may separate.
std::size_t title_end(std::string_view text) {
    for (std::size_t i = 0; i != text.size(); ++i) {
        if (text[i] == ')' || text[i] == ']') return i + 1;
        if (text[i] == '\t' || text.substr(i).starts_with("  ")) return i;
        if (i != 0 && text[i] == ' ' && text.substr(i + 1).starts_with('P') && i + 2 < text.size() &&
            whole_number_in(text.substr(i + 2, 1)))
            return i;
    }
    return text.size();
}

/// Length of a title that has no unit in parentheses, at the beginning of a text; 0 if there is none.
std::size_t word_length(std::string_view text) {
    for (std::string_view const word :
         {"MB/s", "Messages/s", "Million ops/s", "Iterations", "Validation", "Transmit Size", "Ended by", "Flags"})
        if (text.starts_with(word)) return word.size();
    return 0;
}

void add_titles(std::string_view text, osu_columns& to) {
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        to.has_foreign_text = !to.all.empty() && text[0] == '[';
        if (to.has_foreign_text) return;
        auto end = title_end(text);
        if (auto const length = word_length(text);
            length != 0 && !std::isalnum(static_cast<unsigned char>(text.substr(length).empty() ? ' ' : text[length])))
            end = std::min(end, length);
        auto const title = trimmed(text.substr(0, end));
        to.all.push_back({printable(title), unit_of(title)});
        text.remove_prefix(end);
        to.has_foreign_text = !text.empty() && text[0] != ' ' && text[0] != '\t';
        if (to.has_foreign_text) return;
    }
}

/// Removes the unit of the size, "(B)" or "[KB]", from the beginning of a text.
std::string size_unit_in(std::string_view& text) {
    auto const close = text.starts_with('(') ? text.find(')') : text.starts_with('[') ? text.find(']') : text.npos;
    if (close == text.npos) return {};
    auto const unit = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    return unit == "B" || unit == "bytes" || unit == "Bytes" ? "" : printable(unit);
}

bool is_extra(osu_column const& c) {
    return c.title == "Validation" || c.title == "Transmit Size" || c.title.find(" Tail ") != c.title.npos;
}

/// "-" is a value that is missing.
bool fits(osu_column const& c, std::string_view word) {
    return c.unit == osu_unit::words || word == "-" || number_in(word).has_value();
}

/// True for a mean, a minimum and a maximum around it, and a number of iterations.
bool is_full_row(word_list const& words, std::size_t first) {
    auto const mean = number_in(words[first]), least = number_in(words[first + 1]), most = number_in(words[first + 2]);
    return mean && least && most && *least <= *mean && *mean <= *most && whole_number_in(words[first + 3]);
}

} // namespace

bool osu_columns::matches(word_list const& words, bool without_extras) const {
    auto const first = has_size ? 1U : 0U;
    if (words.size() <= first || (has_size && !whole_number_in(words[0]))) return false;
    auto const extras = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_extra));
    auto const values = words.size() - first;
    // The flags of a record are several words.
    auto const flags = !all.empty() && all.back().title == "Flags" && values > all.size();
    // OMB's programs on devices print the minimum, the maximum and the iterations of -f without titles.
    auto const is_full =
        all.size() == 1 && all[0].title == "Avg Latency(us)" && values == 4 && is_full_row(words, first);
    if (values != all.size() && !flags && !is_full && !(without_extras && values == all.size() - extras)) return false;
    if (!number_in(words[first])) return false;
    if (values < all.size()) return std::all_of(words.begin(), words.end(), [](auto w) { return number_in(w); });
    for (std::size_t i = 0; i != all.size(); ++i)
        if (!fits(all[i], words[first + i])) return false;
    return true;
}

std::optional<osu_columns> osu_columns_of(std::string_view line) {
    osu_columns c;
    c.has_hash = line.starts_with('#');
    if (c.has_hash) line = trimmed(line.substr(1));
    c.has_size = line.starts_with("Size");
    if (c.has_size) line.remove_prefix(4);
    auto const ends_size = [&] { return line.find_first_of(" \t([") == 0; };
    if (c.has_size ? !ends_size() : !c.has_hash) return std::nullopt;
    line = trimmed(line);
    if (c.has_size) c.size_unit = size_unit_in(line);
    add_titles(line, c);
    auto const with_unit = [](auto const& col) { return col.title.ends_with(')') || col.unit != osu_unit::none; };
    if (c.all.empty()) return std::nullopt;
    if (!with_unit(c.all[0]) && c.all[0].title.find('/') == std::string::npos) return std::nullopt;
    // Without a size, the header of a barrier: its title is known.
    if (!c.has_size && c.all[0].title != "Avg Latency(us)" && c.all[0].title != "Overall(us)" &&
        c.all[0].title != "Latency (us)")
        return std::nullopt;
    return c;
}

} // namespace tools
