// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/group.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/version.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sonde {

/// A reporter: a callable that takes records one at a time, in the order of their measurement. Its destructor closes
/// the files that it opened.
///
///     r(record)
template <class R>
concept Reporter = requires(R& r, record const& found) { r(found); };

namespace detail {

template <class F>
concept ReporterFactory = !Reporter<F> && requires(F& make) {
    { make() } -> Reporter;
};

} // namespace detail

/// A reporter that passes every record to each of several reporters, in order.
template <Reporter... R>
[[nodiscard]] auto tee(R... reporters) {
    return [... reporters = std::move(reporters)](record const& found) mutable { (reporters(found), ...); };
}

/// A reporter that passes records to another reporter, on rank 0 only.
///
/// With a factory `make() -> reporter`, the other reporter is constructed on rank 0 only, so that a file is opened
/// once: `on_root{ranks, [&] { return csv{path}; }}`. The constructor is then collective over the group. If `make`
/// throws, rank 0 throws its exception and the other ranks std::runtime_error, so that no rank waits for rank 0.
template <Reporter R>
class on_root {
public:
    template <Group G, class Other>
        requires(!Reporter<Other> && !detail::ReporterFactory<Other>)
    SONDE_REFUSE_CONSTRUCTOR("sonde::on_root takes a reporter, r(record) with a constant record, or a function without "
                             "arguments that returns one; static_assert(sonde::Reporter<my_reporter>) shows the fault",
                             on_root, G&, Other);
    template <Group G, class ReporterOrFactory>
        requires(Reporter<ReporterOrFactory> || detail::ReporterFactory<ReporterOrFactory>)
    on_root(G& group, ReporterOrFactory source) {
        if constexpr (detail::ReporterFactory<ReporterOrFactory>) {
            std::exception_ptr failure;
            try {
                if (group.rank() == 0) reporter_.emplace(source());
            } catch (...) {
                failure = std::current_exception();
            }
            std::array<double, 1> failed{failure ? 1.0 : 0.0};
            group.all_reduce(failed, reduction::max);
            if (failure) std::rethrow_exception(failure);
            if (failed[0] != 0) throw std::runtime_error{"sonde::on_root: rank 0 could not make its reporter"};
        } else {
            if (group.rank() == 0) reporter_.emplace(std::move(source));
        }
    }
    void operator()(record const& found) {
        if (reporter_) (*reporter_)(found);
    }

private:
    std::optional<R> reporter_;
};
template <class G, class Other>
on_root(G&, Other) -> on_root<void (*)(record const&)>; // refused by the constructor
template <class G, Reporter R>
on_root(G&, R) -> on_root<R>;
template <class G, detail::ReporterFactory F>
on_root(G&, F) -> on_root<std::decay_t<std::invoke_result_t<F&>>>;

} // namespace sonde

namespace sonde::detail {

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

/// Scientific notation with `decimals` digits after the decimal point.
inline std::string scientific(double value, int decimals) {
    return number_text(value, std::chars_format::scientific, decimals);
}

/// The number of characters (code points) of a UTF-8 text.
inline std::size_t character_count(std::string_view text) {
    std::size_t count = 0;
    for (char const c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return count;
}

/// The length in bytes of the first character of a text that is not empty; 0 if it is not valid UTF-8 (an overlong
/// form, a surrogate, a code point above U+10FFFF), not allowed in XML (U+FFFE, U+FFFF), or a control character other
/// than tab and line feed.
inline std::size_t first_character(std::string_view text) {
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    auto const lead = byte(0);
    if (lead < 0x80) return lead == '\t' || lead == '\n' || (lead >= 0x20 && lead != 0x7f) ? 1 : 0;
    std::size_t const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc0 || lead >= 0xf8 || length > text.size()) return 0;
    unsigned code = lead & (0x7fu >> length);
    for (std::size_t i = 1; i != length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3fu);
    }
    auto const overlong_or_control = code < (length == 2 ? 0xa0u : length == 3 ? 0x800u : 0x10000u);
    auto const refused = (code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff || code > 0x10ffff;
    return overlong_or_control || refused ? 0 : length;
}

/// Valid UTF-8: each byte that `first_character` rejects is replaced by U+FFFD.
inline std::string as_utf8(std::string_view bytes) {
    std::string text;
    while (!bytes.empty()) {
        auto const length = first_character(bytes);
        text += length == 0 ? std::string_view{"\xef\xbf\xbd"} : bytes.substr(0, length);
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return text;
}

/// Makes a text of an application, of an environment or of a file fit for one line of a file or terminal: valid UTF-8
/// without control characters. ASCII control characters, among them line breaks and the escape of terminals, become
/// blanks. Other bytes that are refused become U+FFFD. All reporters write names by this function.
inline std::string plain_text(std::string_view bytes) {
    std::string line{bytes};
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return as_utf8(line);
}

/// The first `max` characters of a UTF-8 text.
inline std::string_view first_characters(std::string_view text, std::size_t max) {
    std::size_t end = 0;
    for (std::size_t count = 0; end != text.size(); ++end)
        if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && count++ == max) break;
    return text.substr(0, end);
}

/// The text, filled with blanks up to `width` characters and aligned on the left or on the right.
inline std::string padded(std::string_view text, std::size_t width, bool left) {
    auto const used = character_count(text);
    std::string const blanks(used < width ? width - used : 0, ' ');
    return left ? std::string{text} + blanks : blanks + std::string{text};
}

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

} // namespace sonde::detail
