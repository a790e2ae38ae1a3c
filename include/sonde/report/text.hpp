// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>
#include <sonde/version.hpp>

#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::detail {

/// `value` as formatted by std::to_chars, which ignores the locale and so keeps an application's decimal comma out of
/// files.
template <class... Format>
std::string number_text(double value, Format... format) {
    char text[400]; // the largest double has 309 digits before the decimal point
    return {text, std::to_chars(text, text + sizeof text, value, format...).ptr};
}

/// The shortest text that reads back as the same number.
inline std::string shortest(double value) { return number_text(value); }

/// Fixed notation with `decimals` digits after the decimal point.
inline std::string fixed(double value, int decimals) { return number_text(value, std::chars_format::fixed, decimals); }

/// A time in microseconds, with more than `decimals` digits if fewer than three significant ones would be left.
std::string cell_text(seconds time, int decimals);

/// Scientific notation with `decimals` digits after the decimal point.
inline std::string scientific(double value, int decimals) {
    return number_text(value, std::chars_format::scientific, decimals);
}

/// The number of characters (code points) of a UTF-8 text.
std::size_t character_count(std::string_view text);

/// The length in bytes of the first character of a text that is not empty; 0 if it is not valid UTF-8 (an overlong
/// form, a surrogate, a code point above U+10FFFF).
std::size_t utf8_length(std::string_view text);

/// The same; 0 also if the character is not allowed in XML (U+FFFE, U+FFFF) or is a control character other than tab
/// and line feed.
std::size_t first_character(std::string_view text);

/// Valid UTF-8: each byte that `first_character` rejects is replaced by U+FFFD.
std::string as_utf8(std::string_view bytes);

/// Makes a text of an application, of an environment or of a file fit for one line of a file or terminal: valid UTF-8
/// without control characters. ASCII control characters, among them line breaks and the escape of terminals, become
/// blanks. Other bytes that are refused become U+FFFD. All reporters write names by this function.
std::string plain_text(std::string_view bytes);

/// The first `max` characters of a UTF-8 text.
std::string_view first_characters(std::string_view text, std::size_t max);

/// The text, filled with blanks up to `width` characters and aligned on the left or on the right.
std::string padded(std::string_view text, std::size_t width, bool left);

/// Append column `c` of the rows to the lines, line by line, padded to its widest text.
void append_column(std::vector<std::string>& lines, std::vector<std::vector<std::string>> const& rows, std::size_t c,
                   bool left);

/// The texts of all items, separated by `separator`; `text` makes a text of an item.
template <class Items, class Text = std::identity>
std::string joined(Items const& items, std::string_view separator, Text text = {}) {
    std::string line;
    auto first = true;
    for (auto const& item : items) {
        if (!std::exchange(first, false)) line += separator;
        line += std::invoke(text, item);
    }
    return line;
}

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using unique_file = std::unique_ptr<std::FILE, close_file>;

/// An unbuffered file. `write_to` writes a text by one call, so that texts of several processes rarely mix.
unique_file open_file(std::string const& path, char const* mode);

void write_to(std::FILE* file, std::string_view text, std::string const& path);

/// Throws std::logic_error for a reporter that was moved from.
[[noreturn]] inline void refuse_moved_from() {
    throw std::logic_error{"sonde: a reporter was moved from, and reports no more"};
}

/// The records of a reporter that writes at the end: when `finish` is called, or otherwise in the destructor. The
/// destructor prints the message of an exception to stderr. It catches all types, because metrics of the application
/// may throw any type.
class kept_records {
public:
    explicit kept_records(std::function<void(std::vector<record>)> write) : write_{std::move(write)} {}
    kept_records(kept_records const&) = delete;
    kept_records& operator=(kept_records const&) = delete;
    ~kept_records();

    void add(record r) { records_.push_back(std::move(r)); }
    void finish() {
        if (auto const write = std::exchange(write_, nullptr)) write(std::move(records_));
    }

private:
    std::function<void(std::vector<record>)> write_; // empty when finished
    std::vector<record> records_;
};

} // namespace sonde::detail

namespace sonde::inline v0_1 {

/// Throws std::system_error, with the path and the reason, if the file cannot be written. Contents of an existing file
/// stay; a file that does not exist is created, empty.
inline void require_writable(std::string const& path) { detail::open_file(path, "a"); }

/// The output of a reporter: a file that it opens, or an open file of the caller (stdout), which stays open.
///
/// A line is written completely when `line` returns, so a signal that ends the job later cannot truncate it. Copies
/// write to the same file, so that a reporter can be stored in a std::function. Throws std::system_error, with the path
/// and the reason, if the file cannot be opened or a line cannot be written; std::invalid_argument for a null file, and
/// std::logic_error for a line of a reporter that was moved from.
class output_file {
public:
    output_file(std::string path) : path_{std::move(path)}, owned_{true}, file_{detail::open_file(path_, "w")} {}
    output_file(char const* path) : output_file{std::string{path}} {}
    output_file(std::FILE* borrowed) : path_{"output"}, file_{borrowed, [](std::FILE*) {}} {
        if (borrowed == nullptr) throw std::invalid_argument{"sonde: the file of a reporter is null: was it opened?"};
    }

    /// Write the text and a line feed.
    void line(std::string text) { write(text += '\n'); }
    /// Write the text alone.
    void write(std::string_view text) {
        if (file_ == nullptr) detail::refuse_moved_from();
        detail::write_to(file_.get(), text, path_);
    }
    /// The path of a file on a disk with a number before its extension: "run.2.csv"; empty for a stream or a device.
    std::string numbered_path(std::size_t number) const;

private:
    std::string path_;
    bool owned_ = false; // opened by this path
    std::shared_ptr<std::FILE> file_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <exception>
#include <system_error>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string cell_text(seconds time, int decimals) {
    auto const us = 1e6 * time.count();
    if (!is_finite(us)) return "-";
    auto const needed = us == 0 ? 0 : 2 - static_cast<int>(std::floor(std::log10(std::fabs(us))));
    return fixed(us, std::max(needed, decimals));
}

SONDE_INLINE std::size_t character_count(std::string_view text) {
    std::size_t count = 0;
    for (char const c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return count;
}

SONDE_INLINE std::size_t utf8_length(std::string_view text) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    auto const lead = byte(0);
    if (lead < 0x80) return 1;
    std::size_t const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc2 || lead >= 0xf5 || length > text.size()) return 0;
    for (std::size_t i = 1; i != length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    auto const second = byte(1); // no overlong forms, no surrogates, nothing beyond U+10FFFF
    auto const out_of_range = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) ||
                              (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second >= 0x90);
    return out_of_range ? 0 : length;
}

SONDE_INLINE std::size_t first_character(std::string_view text) {
    auto const first = text.substr(0, utf8_length(text));
    auto const lead = static_cast<unsigned char>(text[0]);
    auto const is_control = first.size() == 1
                                ? (lead < 0x20 && lead != '\t' && lead != '\n') || lead == 0x7f
                                : first.size() == 2 && lead == 0xc2 && static_cast<unsigned char>(first[1]) < 0xa0;
    return is_control || first == "\xef\xbf\xbe" || first == "\xef\xbf\xbf" ? 0 : first.size();
}

SONDE_INLINE std::string as_utf8(std::string_view bytes) {
    std::string text;
    while (!bytes.empty()) {
        auto const length = first_character(bytes);
        text += length == 0 ? std::string_view{"\xef\xbf\xbd"} : bytes.substr(0, length);
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return text;
}

SONDE_INLINE std::string plain_text(std::string_view bytes) {
    std::string line{bytes};
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return as_utf8(line);
}

SONDE_INLINE std::string_view first_characters(std::string_view text, std::size_t max) {
    std::size_t end = 0;
    for (std::size_t count = 0; end != text.size(); ++end)
        if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && count++ == max) break;
    return text.substr(0, end);
}

SONDE_INLINE std::string padded(std::string_view text, std::size_t width, bool left) {
    auto const used = character_count(text);
    std::string const blanks(used < width ? width - used : 0, ' ');
    return left ? std::string{text} + blanks : blanks + std::string{text};
}

SONDE_INLINE void append_column(std::vector<std::string>& lines, std::vector<std::vector<std::string>> const& rows,
                                std::size_t c, bool left) {
    std::size_t width = 0;
    for (auto const& row : rows)
        if (auto const used = character_count(row[c]); used > width) width = used;
    for (std::size_t i = 0; i != rows.size(); ++i) lines[i] += (c == 0 ? "" : "  ") + padded(rows[i][c], width, left);
}

SONDE_INLINE void throw_cannot_write(std::string const& path) {
    throw std::system_error{errno, std::generic_category(), "cannot write '" + path + "'"};
}

SONDE_INLINE unique_file open_file(std::string const& path, char const* mode) {
    unique_file file{std::fopen(path.c_str(), mode)};
    if (!file) throw_cannot_write(path);
    std::setvbuf(file.get(), nullptr, _IONBF, 0);
    return file;
}

SONDE_INLINE void write_to(std::FILE* file, std::string_view text, std::string const& path) {
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0)
        throw_cannot_write(path);
}

SONDE_INLINE kept_records::~kept_records() {
    try {
        finish();
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
    } catch (...) {
        std::fputs("a reporter could not write its records: an exception of another type than std::exception\n",
                   stderr);
    }
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::string output_file::numbered_path(std::size_t number) const {
    if (!owned_ || file_ == nullptr) return "";
    auto const file = fileno(file_.get());
    auto const length = lseek(file, 0, SEEK_CUR);
    if (length < 0 || ftruncate(file, length) != 0) return ""; // only a file on a disk has a length
    auto const name = path_.rfind('/') + 1;                    // 0 without a folder
    auto const dot = path_.rfind('.');
    auto const end = dot == std::string::npos || dot <= name ? path_.size() : dot;
    return path_.substr(0, end) + '.' + std::to_string(number) + path_.substr(end);
}

} // namespace sonde

#endif
