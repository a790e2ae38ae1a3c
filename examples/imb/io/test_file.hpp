// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/setting.hpp"
#include "imb/io/access.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/mpi/io.hpp>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace imb::io {

/// A file that this program creates and removes, with the files that MPI libraries put beside it. One process is its
/// creator. The other processes remove it, too, if an exception ends them, because the creator may be killed.
class temporary_file {
public:
    enum class owner : unsigned char { creator, other };

    temporary_file(std::filesystem::path path, owner self) : path_{std::move(path)}, self_{self} {}
    temporary_file(temporary_file&&) = delete;
    ~temporary_file();

    /// Create the file. Returns an error message or "". A file that exists before is not touched.
    std::string create();
    /// Bytes by which the file is shorter than `bytes`; 0 unless this process is the creator.
    std::size_t missing(std::size_t bytes) const;
    /// Extend the file to `bytes` bytes, of zeros or, `filled`, of rank 0's pattern. Returns an error message or "".
    /// `missing_on_host`: bytes that all files of this host miss; it is an error if the disk has less space.
    std::string reserve(std::size_t bytes, std::size_t missing_on_host, bool filled);
    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
    owner self_;
    bool created_ = false;
    std::size_t bytes_ = 0;
    int exceptions_ = std::uncaught_exceptions();
};

/// Byte `at` of the data that a rank writes: integers of four bytes that encode rank and index. A file to be read has
/// the data of rank 0.
std::byte pattern_byte(int rank, std::size_t at);

/// The file of a benchmark: one of the group, or one of each process. The driver keeps it over the sizes of a sweep.
class test_file : public benchmark_state {
public:
    /// Creates the file. Throws suite::refusal on all ranks if it exists or cannot be created. Collective over the
    /// setting's group.
    test_file(setting const& s, access_kind const& kind);

    /// The test file of the setting's sweep, which is created for the first size. Collective over the setting's group.
    static std::shared_ptr<test_file> of(setting const& s, access_kind const& kind);

    /// Reserve space for some transfers of the setting's size, also on disk. Throws suite::refusal on all ranks.
    /// Collective over the setting's group.
    void reserve(setting const& s, std::size_t transfers);
    /// Open the file with the view of the benchmark. Throws suite::refusal on all ranks. Collective over the setting's
    /// group.
    std::unique_ptr<sonde::mpi::io::file> open(setting const& s) const;

    /// This rank's bytes of each transfer.
    byte_range range(setting const& s) const { return range_of(s.bytes, s.group.rank(), s.group.size()); }
    /// Bytes of the file from one transfer to the next.
    std::size_t stride(setting const& s) const { return kind_.file_per_process ? range(s).length : s.bytes; }
    /// Explicit offsets of this rank.
    sonde::mpi::io::offsets offsets(setting const& s) const;

    /// The ranks that have the file open.
    sonde::mpi::group const& ranks() const { return self_ ? *self_ : *group_; }
    std::filesystem::path const& path() const { return file_.path(); }
    access_kind const& kind() const { return kind_; }

private:
    void set_view(setting const& s, sonde::mpi::io::file const& file) const;

    access_kind kind_;
    sonde::mpi::group const* group_;
    sonde::mpi::group host_; // ranks of the group on this host
    std::optional<sonde::mpi::group> self_;
    temporary_file file_;
};

} // namespace imb::io
