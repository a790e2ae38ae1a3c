// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

namespace sonde {

/// A line on a terminal that is rewritten in place, and gone at the end.
class status_line {
public:
    explicit status_line(std::FILE* terminal) : terminal_{terminal} {}
    status_line(status_line&& other) noexcept : terminal_{other.terminal_}, shown_{std::exchange(other.shown_, 0)} {}
    status_line& operator=(status_line&&) = delete;
    ~status_line() { erase(); }

    /// At most 79 characters: what wraps cannot be rewritten.
    void show(std::string text) {
        text.resize(text.size() < 79 ? text.size() : 79);
        erase();
        shown_ = text.size();
        write('\r' + text);
    }

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

} // namespace sonde
