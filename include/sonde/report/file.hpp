// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>

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
#include <vector>

namespace sonde {

namespace detail {

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using unique_file = std::unique_ptr<std::FILE, close_file>;

[[noreturn]] inline void throw_cannot_write(std::string const& path) {
    throw std::system_error{errno, std::generic_category(), "cannot write '" + path + "'"};
}

/// An unbuffered file. `write_to` writes a text by one system call, which a signal cannot split.
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

/// A file that grows by `append`. At the end `replace` writes new contents in place of the old. The contents of a pipe
/// cannot be replaced, so `append` writes nothing to a pipe.
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

/// The records of a reporter that writes at the end: when `finish` is called, or otherwise in the destructor. The
/// destructor prints the message of an exception to stderr. It catches all types, because metrics of the application
/// may throw any type.
class kept_records {
public:
    explicit kept_records(std::function<void(std::vector<record>)> write) : write_{std::move(write)} {}
    kept_records(kept_records const&) = delete;
    kept_records& operator=(kept_records const&) = delete;
    ~kept_records() {
        try {
            finish();
        } catch (std::exception const& e) {
            std::fprintf(stderr, "%s\n", e.what());
        } catch (...) {
            std::fputs("a reporter could not write its records: an exception of another type than std::exception\n",
                       stderr);
        }
    }

    void add(record r) { records_.push_back(std::move(r)); }
    void finish() {
        if (auto const write = std::exchange(write_, nullptr)) write(std::move(records_));
    }

private:
    std::function<void(std::vector<record>)> write_; // empty when finished
    std::vector<record> records_;
};

} // namespace detail

/// Throws std::system_error, with the path and the reason, if the file cannot be written. Contents of an existing file
/// stay; a file that does not exist is created, empty.
inline void require_writable(std::string const& path) { detail::open_file(path, "a"); }

/// The output of a reporter: a file that it opens, or an open file of the caller (stdout), which stays open.
///
/// A line is written completely when `line` returns, so a signal that ends the job later cannot truncate it. Copies
/// write to the same file, so that a reporter can be stored in a std::function. Throws std::system_error, with the path
/// and the reason, if the file cannot be opened or a line cannot be written.
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

} // namespace sonde
