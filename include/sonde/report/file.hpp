// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace sonde {

namespace detail {

[[noreturn]] inline void cannot_write(std::string const& path) {
    throw std::system_error{errno, std::generic_category(), "cannot write '" + path + "'"};
}

} // namespace detail

/// Throws std::system_error, with the path and the reason, where a file cannot be written. What is in it stays; what is
/// not there is made, empty.
inline void require_writable(std::string const& path) {
    auto* const file = std::fopen(path.c_str(), "a");
    if (file == nullptr) detail::cannot_write(path);
    std::fclose(file);
}

/// Where a reporter writes its lines: a file it opens, or one of the caller's, which stays open (stdout).
///
/// A line is there, whole, when `line` returns: no signal that ends the job afterwards can cut it. Copies write to the
/// same file, so that reporters can be kept in a std::function. Throws std::system_error, with the path and the
/// reason, where the file cannot be opened or the line not be written.
class output_file {
public:
    output_file(std::string path) : path_{std::move(path)}, file_{std::fopen(path_.c_str(), "w"), &close} {
        if (file_ == nullptr) detail::cannot_write(path_);
        std::setvbuf(file_.get(), nullptr, _IONBF, 0); // one line, one write: nothing waits for a second one
    }
    output_file(char const* path) : output_file{std::string{path}} {}
    output_file(std::FILE* borrowed) : path_{"output"}, file_{borrowed, [](std::FILE*) {}} {}

    /// The text and the end of the line.
    void line(std::string text) { write(text += '\n'); }
    /// The text alone.
    void write(std::string_view text) {
        if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
            detail::cannot_write(path_);
    }

private:
    static void close(std::FILE* file) {
        if (file != nullptr) std::fclose(file);
    }

    std::string path_;
    std::shared_ptr<std::FILE> file_;
};

} // namespace sonde
