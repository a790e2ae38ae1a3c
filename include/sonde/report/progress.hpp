// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/record.hpp>
#include <sonde/report.hpp>
#include <sonde/report/status_line.hpp>
#include <sonde/report/text.hpp>
#include <sonde/time.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

namespace sonde {

/// Where progress is shown, and whether somebody can see it there.
struct screen {
    std::FILE* stream = stderr;
    bool is_terminal = isatty(STDERR_FILENO) == 1;
};

/// A reporter that does nothing.
struct silent {
    void operator()(record const&) const {}
};

/// Says on a terminal how far a long sweep is, around another reporter, whose lines it does not get into:
/// `[ 5/23] ping_pong bytes=4096  12 s`, after the record it names.
///
/// Shows nothing in the first two seconds, nor where the screen is no terminal; leaves nothing behind.
template <Reporter R = silent, Clock C = steady_clock>
class progress {
public:
    explicit progress(std::size_t points, R reporter = {}, screen where = {}, C clock = {})
        : points_{points}, reporter_{std::move(reporter)}, visible_{where.is_terminal}, line_{where.stream},
          clock_{std::move(clock)}, begin_{clock_.now()} {}

    void operator()(record const& r) {
        ++done_;
        line_.erase();
        reporter_(r);
        seconds const elapsed = clock_.now() - begin_;
        if (visible_ && elapsed >= patience) line_.show(text(r.at, elapsed));
    }

private:
    static constexpr seconds patience{2};

    std::string text(point const& at, seconds elapsed) const {
        auto const total = std::to_string(points_);
        auto line = '[' + detail::padded(std::to_string(done_), total.size(), false) + '/' + total + "] " + at.name;
        for (auto const& p : at.parameters) line += ' ' + p.name + '=' + p.text;
        return line + "  " + detail::fixed(elapsed.count(), 0) + " s";
    }

    std::size_t points_;
    std::size_t done_ = 0;
    R reporter_;
    bool visible_;
    status_line line_;
    C clock_;
    decltype(clock_.now()) begin_;
};

} // namespace sonde
