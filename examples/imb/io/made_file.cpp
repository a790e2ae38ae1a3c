// SPDX-License-Identifier: BSL-1.0
#include "made_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

namespace imb::io {

namespace {

namespace fs = std::filesystem;

/// Locks and shared pointers of MPI libraries have the file's name and more: IMB_out.lock, .IMB_out.shfp.17
bool is_beside(std::string const& name, std::string const& file) {
    return name.rfind(file + '.', 0) == 0 || name.rfind('.' + file + '.', 0) == 0;
}

void remove_with_all_beside(fs::path const& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
    for (auto const& entry : fs::directory_iterator{path.parent_path(), ignored})
        if (is_beside(entry.path().filename(), path.filename())) fs::remove(entry.path(), ignored);
}

std::string complaint(fs::path const& path, int number) { return path.string() + ": " + std::strerror(number); }

void fill(std::ofstream& out, std::size_t from, std::size_t to) {
    std::vector<char> block(std::size_t{1} << 20);
    for (auto at = from; at < to && out; at += block.size()) {
        auto const n = std::min(block.size(), to - at);
        for (std::size_t i = 0; i != n; ++i) block[i] = static_cast<char>(pattern_byte(0, at + i));
        out.write(block.data(), static_cast<std::streamsize>(n));
    }
}

/// With blocks of its own: when others fill the disk while this is measured, writes have their room. An MPI library may
/// take one without for written. Zero, or the number of an error.
int extend(fs::path const& path, std::size_t bytes) {
    auto const file = ::open(path.c_str(), O_RDWR);
    if (file < 0) return errno;
    auto const failed = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
    ::close(file);
    return failed;
}

} // namespace

std::byte pattern_byte(int rank, std::size_t at) {
    auto const number = 10'000'000 * (1 + static_cast<std::uint64_t>(rank)) + at / 4 % 10'000'000;
    return static_cast<std::byte>(number >> 8 * (at % 4));
}

made_file::~made_file() {
    if (made_ || (part_ == part::knows && std::uncaught_exceptions() > exceptions_)) remove_with_all_beside(path_);
}

std::string made_file::make() {
    if (part_ == part::knows) return {};
    auto const file = ::open(path_.c_str(), O_CREAT | O_EXCL | O_RDWR, 0644);
    if (file < 0) return complaint(path_, errno);
    ::close(file);
    made_ = true;
    return {};
}

std::size_t made_file::lacks(std::size_t bytes) const {
    return part_ == part::knows || bytes <= bytes_ ? 0 : bytes - bytes_;
}

std::string made_file::reserve(std::size_t bytes, std::size_t lacked_together, bool filled) {
    if (lacks(bytes) == 0) return {};
    std::error_code unknown;
    auto const there = fs::space(path_.parent_path(), unknown).available;
    if (unknown) return complaint(path_, unknown.value());
    if (lacked_together > there)
        return path_.string() + ": " + std::to_string(lacked_together) + " bytes are needed, there is room for " +
               std::to_string(there);
    if (filled) {
        std::ofstream out{path_, std::ios::binary | std::ios::app};
        fill(out, bytes_, bytes);
        if (!out.flush()) return complaint(path_, errno);
    } else if (auto const failed = extend(path_, bytes); failed != 0) {
        return complaint(path_, failed);
    }
    bytes_ = bytes;
    return {};
}

} // namespace imb::io
