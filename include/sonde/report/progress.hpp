// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report.hpp>
#include <sonde/report/text.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

namespace sonde::inline v0_1 {

/// A line on a terminal that is rewritten in place and erased at the end.
class status_line {
public:
    explicit status_line(std::FILE* terminal) : terminal_{terminal} {}
    status_line(status_line&& other) noexcept : terminal_{other.terminal_}, shown_{std::exchange(other.shown_, 0)} {}
    status_line& operator=(status_line&&) = delete;
    ~status_line() { erase(); }

    /// Replace the line by the first 79 characters of `text`, as valid UTF-8 without control characters. The text is
    /// cut because a line that wraps cannot be rewritten.
    void show(std::string const& text) {
        auto const plain = detail::plain_text(text);
        auto const line = std::string{detail::first_characters(plain, 79)};
        erase();
        shown_ = detail::character_count(line);
        write('\r' + line);
    }

    /// Clears the line.
    void erase() {
        if (auto const width = std::exchange(shown_, 0); width != 0) write('\r' + std::string(width, ' ') + '\r');
    }

private:
    void write(std::string const& text) const {
        std::fwrite(text.data(), 1, text.size(), terminal_);
        std::fflush(terminal_);
    }

    std::FILE* terminal_;
    std::size_t shown_ = 0;
};

/// The stream on which progress is shown; nothing is shown if it is not a terminal.
struct progress_stream {
    std::FILE* stream = stderr;                    // where it is shown
    bool is_terminal = isatty(STDERR_FILENO) == 1; // otherwise nothing is shown
};

/// A reporter that does nothing.
struct null_reporter {
    void operator()(record const&) const {}
};

/// Reporter: gives each record to another reporter and shows the progress of a sweep of `points` records on a terminal,
/// as `[ 5/23] ping_pong bytes=4096  12 s`.
///
/// The line is erased while the other reporter writes, and at the end. Nothing is shown in the first two seconds.
template <Reporter R = null_reporter, Clock C = steady_clock>
class progress_line {
public:
    explicit progress_line(std::size_t points, R reporter = {}, progress_stream to = {}, C clock = {})
        : points_{points}, reporter_{std::move(reporter)}, visible_{to.is_terminal}, line_{to.stream},
          clock_{std::move(clock)}, begin_{clock_.now()} {}

    void operator()(record const& r) {
        ++done_;
        line_.erase();
        reporter_(r);
        seconds const elapsed = clock_.now() - begin_;
        if (!visible_ || elapsed < seconds{2}) return;
        auto const total = std::to_string(points_);
        auto text =
            '[' + detail::padded(std::to_string(done_), total.size(), false) + '/' + total + "] " + r.point.name;
        for (auto const& p : r.point.parameters) text += ' ' + p.name + '=' + p.text;
        line_.show(text + "  " + detail::fixed(elapsed.count(), 0) + " s");
    }

private:
    std::size_t points_;
    std::size_t done_ = 0;
    R reporter_;
    bool visible_;
    status_line line_;
    C clock_;
    decltype(clock_.now()) begin_;
};

} // namespace sonde
