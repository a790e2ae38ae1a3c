// SPDX-License-Identifier: BSL-1.0
#include "imb/io/test_file.hpp"

#include "suite/hosts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace imb::io {

namespace {

namespace fs = std::filesystem;

/// True for the names of lock files and of shared file pointers that MPI libraries keep: IMB_out.lock,
/// .IMB_out.shfp.17
bool is_beside(std::string const& name, std::string const& file) {
    return name.rfind(file + '.', 0) == 0 || name.rfind('.' + file + '.', 0) == 0;
}

void remove_with_files_beside(fs::path const& path) {
    std::error_code ignored;
    fs::remove(path, ignored);
    for (auto const& entry : fs::directory_iterator{path.parent_path(), ignored})
        if (is_beside(entry.path().filename(), path.filename())) fs::remove(entry.path(), ignored);
}

std::string message(fs::path const& path, int number) { return path.string() + ": " + std::strerror(number); }

void fill(std::ofstream& out, std::size_t from, std::size_t to) {
    std::vector<char> block(std::size_t{1} << 20);
    for (auto at = from; at < to && out; at += block.size()) {
        auto const n = std::min(block.size(), to - at);
        for (std::size_t i = 0; i != n; ++i) block[i] = static_cast<char>(pattern_byte(0, at + i));
        out.write(block.data(), static_cast<std::streamsize>(n));
    }
}

/// Allocate disk blocks, so that writes have space even if others fill the disk during the measurement. Without blocks,
/// an MPI library may take the bytes for written. Returns 0 or an error number.
int extend(fs::path const& path, std::size_t length) {
    auto const file = ::open(path.c_str(), O_RDWR);
    if (file < 0) return errno;
    auto const failed = ::posix_fallocate(file, 0, static_cast<off_t>(length));
    ::close(file);
    return failed;
}

} // namespace

std::byte pattern_byte(int rank, std::size_t at) {
    auto const number = 10'000'000 * (1 + static_cast<std::uint64_t>(rank)) + at / 4 % 10'000'000;
    return static_cast<std::byte>(number >> 8 * (at % 4));
}

temporary_file::~temporary_file() {
    auto const by_exception = std::uncaught_exceptions() > exceptions_;
    if (created_ || (self_ == owner::other && by_exception)) remove_with_files_beside(path_);
}

std::string temporary_file::create() {
    if (self_ == owner::other) return {};
    auto const file = ::open(path_.c_str(), O_CREAT | O_EXCL | O_RDWR, 0644);
    if (file < 0) return message(path_, errno);
    ::close(file);
    created_ = true;
    return {};
}

std::size_t temporary_file::missing(std::size_t bytes) const {
    return self_ == owner::other || bytes <= bytes_ ? 0 : bytes - bytes_;
}

std::string temporary_file::reserve(std::size_t bytes, std::size_t missing_on_host, bool filled) {
    if (missing(bytes) == 0) return {};
    std::error_code unknown;
    auto const available = fs::space(path_.parent_path(), unknown).available;
    if (unknown) return message(path_, unknown.value());
    if (missing_on_host > available)
        return path_.string() + ": " + std::to_string(missing_on_host) + " bytes are needed, there is room for " +
               std::to_string(available);
    if (filled) {
        std::ofstream out{path_, std::ios::binary | std::ios::app};
        fill(out, bytes_, bytes);
        if (!out.flush()) return message(path_, errno);
    } else if (auto const failed = extend(path_, bytes); failed != 0) {
        return message(path_, failed);
    }
    bytes_ = bytes;
    return {};
}

namespace {

std::optional<sonde::mpi::group> self_group(bool file_per_process) {
    if (file_per_process) return std::optional<sonde::mpi::group>{std::in_place, MPI_COMM_SELF};
    return std::nullopt;
}

/// IMB's length of a file of all processes.
std::size_t default_length(options const& options) {
    auto const largest = options.sizes.empty() ? std::size_t{1} << options.max_log
                                               : *std::max_element(options.sizes.begin(), options.sizes.end());
    auto const volume = options.iter.volume;
    return volume / std::max<std::size_t>(largest, 1) > 50 ? 50 * largest : std::max(largest, volume);
}

/// The name has the number of the group with `-multi`, and the rank if each process has a file.
fs::path path_of(setting const& s, bool file_per_process) {
    std::string name = "IMB_out";
    if (s.options.multi.value_or(-1) >= 0) name += "_g" + std::to_string(s.group_number);
    if (file_per_process) name += '_' + std::to_string(s.world_rank);
    return fs::path{s.options.directory} / name;
}

} // namespace

test_file::test_file(setting const& s, access_kind const& kind)
    : kind_{kind}, group_{&s.group}, host_{suite::ranks_of_host(s.group)}, self_{self_group(kind.file_per_process)},
      file_{path_of(s, kind.file_per_process),
            ranks().rank() == 0 ? temporary_file::owner::creator : temporary_file::owner::other} {
    suite::agree(s.group, file_.create());
}

std::shared_ptr<test_file> test_file::of(setting const& s, access_kind const& kind) {
    if (!*s.state) *s.state = std::make_shared<test_file>(s, kind);
    return std::static_pointer_cast<test_file>(*s.state); // only this benchmark sets it
}

void test_file::reserve(setting const& s, std::size_t transfers) {
    auto const sharing = kind_.file_per_process ? static_cast<std::size_t>(s.group.size()) : 1;
    auto const bytes = std::max(default_length(s.options) / sharing, transfers * stride(s));
    std::array missing{static_cast<double>(file_.missing(bytes))};
    host_.all_reduce(missing, sonde::reduction::sum);
    suite::agree(s.group, file_.reserve(bytes, static_cast<std::size_t>(missing[0]), kind_.reads()));
}

/// Individual file pointers of a shared file see the bytes of their rank only.
void test_file::set_view(setting const& s, sonde::mpi::io::file const& file) const {
    auto const [offset, length] = range(s);
    auto const individual = kind_.access.positioning == sonde::mpi::io::positioning::individual;
    if (individual && !kind_.file_per_process) sonde::mpi::io::set_strided_view(file, {offset, length, s.bytes});
    else sonde::mpi::io::set_byte_view(file);
}

/// If setting the view fails on one rank, all ranks close the file, because an open one would outlive the failure.
std::unique_ptr<sonde::mpi::io::file> test_file::open(setting const& s) const {
    auto const mode = MPI_MODE_CREATE | MPI_MODE_RDWR | (kind_.file_per_process ? MPI_MODE_UNIQUE_OPEN : 0);
    std::unique_ptr<sonde::mpi::io::file> opened;
    first_error error{path().string()};
    error.catch_in([&] {
        opened = std::make_unique<sonde::mpi::io::file>(ranks(), path().string(), mode, s.options.hints);
        set_view(s, *opened);
    });
    error.refuse(s.group);
    return opened;
}

sonde::mpi::io::offsets test_file::offsets(setting const& s) const {
    auto const first = kind_.file_per_process ? 0 : range(s).offset;
    return {static_cast<MPI_Offset>(first), static_cast<MPI_Offset>(stride(s))};
}

} // namespace imb::io
