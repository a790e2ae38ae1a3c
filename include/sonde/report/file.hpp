// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace sonde {

namespace detail {

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using unique_file = std::unique_ptr<std::FILE, close_file>;

[[noreturn]] inline void throw_cannot_write(std::string const& path) {
    throw std::system_error{errno, std::generic_category(), "cannot write '" + path + "'"};
}

/// An unbuffered file: a text given to `write_to` is one system call, which no signal cuts in two.
inline unique_file open_file(std::string const& path, char const* mode) {
    unique_file file{std::fopen(path.c_str(), mode)};
    if (!file) throw_cannot_write(path);
    std::setvbuf(file.get(), nullptr, _IONBF, 0);
    return file;
}

inline void write_to(std::FILE* file, std::string_view text, std::string const& path) {
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0)
        throw_cannot_write(path);
}

} // namespace detail

/// Throws std::system_error, with the path and the reason, if the file cannot be written. Contents of an existing file
/// stay; a file that does not exist is created, empty.
inline void require_writable(std::string const& path) { detail::open_file(path, "a"); }

/// The output of a reporter: a file that it opens, or an open file of the caller (stdout), which stays open.
///
/// A line is written completely when `line` returns: no signal that ends the job later can truncate it. Copies write to
/// the same file, so that a reporter can be stored in a std::function. Throws std::system_error, with the path and the
/// reason, if the file cannot be opened or a line cannot be written.
class output_file {
public:
    output_file(std::string path) : path_{std::move(path)}, file_{detail::open_file(path_, "w")} {}
    output_file(char const* path) : output_file{std::string{path}} {}
    output_file(std::FILE* borrowed) : path_{"output"}, file_{borrowed, [](std::FILE*) {}} {}

    /// Write the text and a line feed.
    void line(std::string text) { write(text += '\n'); }
    /// Write the text alone.
    void write(std::string_view text) { detail::write_to(file_.get(), text, path_); }

private:
    std::string path_;
    std::shared_ptr<std::FILE> file_;
};

namespace detail {

/// A file that grows by `append` and whose contents `replace` exchanges at the end. A pipe cannot take back what was
/// written: only the replacement is written to it.
class draft_file {
public:
    explicit draft_file(std::string path)
        : path_{std::move(path)}, file_{open_file(path_, "w")}, on_disk_{ftruncate(fileno(file_.get()), 0) == 0} {}

    void append(std::string_view text) {
        if (on_disk_) write_to(file_.get(), text, path_);
    }
    void replace(std::string_view text) {
        if (on_disk_) std::rewind(file_.get());
        write_to(file_.get(), text, path_);
        if (on_disk_ && ftruncate(fileno(file_.get()), static_cast<off_t>(text.size())) != 0) throw_cannot_write(path_);
    }

private:
    std::string path_;
    unique_file file_;
    bool on_disk_; // only a file on a disk has a length
};

/// Runs a function once: when called, and then exceptions reach the caller; otherwise in the destructor, which prints
/// the message of an exception to stderr.
class finish_guard {
public:
    explicit finish_guard(std::function<void()> work) : work_{std::move(work)} {}
    finish_guard(finish_guard const&) = delete;
    finish_guard& operator=(finish_guard const&) = delete;
    ~finish_guard() {
        try {
            (*this)();
        } catch (std::exception const& e) {
            std::fprintf(stderr, "%s\n", e.what());
        }
    }

    void operator()() {
        if (auto const work = std::exchange(work_, nullptr)) work();
    }

private:
    std::function<void()> work_;
};

} // namespace detail

} // namespace sonde
