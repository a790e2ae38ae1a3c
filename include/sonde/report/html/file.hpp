// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/report/file.hpp>

#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace sonde::detail {

/// A file that grows, each piece whole when `append` returns, and is written anew at the end. What is no file on a disk
/// (a pipe) cannot take anything back: it gets the end only.
class rewritten_file {
public:
    explicit rewritten_file(std::string path) : path_{std::move(path)}, file_{std::fopen(path_.c_str(), "w")} {
        if (file_ == nullptr) cannot_write(path_);
        std::setvbuf(file_, nullptr, _IONBF, 0);     // one piece, one write: no signal can cut it
        on_disk_ = ftruncate(fileno(file_), 0) == 0; // nothing else has a length
    }
    rewritten_file(rewritten_file const&) = delete;
    rewritten_file& operator=(rewritten_file const&) = delete;
    ~rewritten_file() { std::fclose(file_); }

    void append(std::string_view text) {
        if (on_disk_) write(text);
    }
    void replace(std::string_view text) {
        if (on_disk_) std::rewind(file_);
        write(text);
        if (on_disk_ && ftruncate(fileno(file_), static_cast<off_t>(text.size())) != 0) cannot_write(path_);
    }

private:
    void write(std::string_view text) {
        if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) cannot_write(path_);
    }

    std::string path_;
    std::FILE* file_;
    bool on_disk_ = false;
};

} // namespace sonde::detail
