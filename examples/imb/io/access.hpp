// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/setting.hpp"
#include "suite/refusal.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/io.hpp>
#include <sonde/pattern.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace imb::io {

/// File access of a benchmark.
struct access_kind {
    sonde::mpi::io::access access;
    bool file_per_process = false; // each process has its own file with its own bytes only
    bool with_overlap = false;     // beside work: non-blocking, or split-collective if the access is collective

    /// True for several ranks whose order in the file is undefined: they share a file pointer, without ordered access.
    bool is_unordered() const {
        return access.positioning == sonde::mpi::io::positioning::shared && !access.collective && !file_per_process;
    }
    bool reads() const { return access.direction == sonde::mpi::io::direction::read; }
};

struct byte_range {
    std::size_t offset;
    std::size_t length;
};

/// Bytes of one rank in each transfer. All ranks together transfer `size` bytes. Units of four bytes are distributed in
/// one piece per rank; if they do not divide, the first ranks have one more, and the end is cut to the size. A rank may
/// have none.
inline byte_range range_of(std::size_t size, int rank, int ranks) {
    auto const r = static_cast<std::size_t>(rank), p = static_cast<std::size_t>(ranks);
    auto const units = (size + 3) / 4, each = units / p, more = units % p;
    auto const begin = std::min(4 * (r * each + std::min(r, more)), size);
    return {begin, std::min(4 * (each + (r < more ? 1 : 0)), size - begin)};
}

/// First error of this rank with a file. It is kept until all ranks can be told, because they wait for each other in
/// between. A full disk ends the program with one line, and its files are removed.
class first_error {
public:
    explicit first_error(std::string file) : file_{std::move(file)} {}

    /// Call f and keep its exception.
    template <class F>
    void catch_in(F&& f) {
        try {
            f();
        } catch (std::exception const& e) {
            if (text_.empty()) text_ = file_ + ": " + e.what();
        }
    }
    /// Throws suite::refusal on all ranks if any rank has an error. Collective over the group.
    void refuse(sonde::mpi::group const& ranks) const { suite::agree(ranks, text_); }

private:
    std::string file_;
    std::string text_;
};

/// A pattern whose exceptions are kept, so that this rank continues like the others.
template <sonde::Pattern P>
class error_catching : public sonde::pattern_adaptor<error_catching<P>, P&> {
public:
    error_catching(P& pattern, first_error& error) : error_catching::pattern_adaptor{pattern}, error_{&error} {}
    void iterate(auto& pattern) { error_->catch_in(pattern); }
    void complete() {
        error_->catch_in([this] { sonde::complete(this->pattern_); });
    }

private:
    first_error* error_;
};

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

/// Transfers in a check of contents. The second one begins where the first one has left the file pointers.
constexpr std::size_t checked_transfers = 2;

/// Check of `transfer`, which synchronizes what it writes: 1 if the file has other contents than the ranks wrote, else
/// 0. Each rank's bytes have their place; of unordered ranks each piece is there once and whole. An error in reading
/// the file goes to `error`. Collective over the setting's group.
double written_defects(setting& s, test_file const& file, std::function<void()> const& transfer, first_error& error);

/// Check of `transfer`: 1 if it reads other contents than the file has, else 0. The pieces of unordered ranks may come
/// from anywhere, and together are all that is read. Collective over the setting's group.
double read_defects(setting& s, test_file const& file, std::function<void()> const& transfer);

/// An access benchmark of one size. The file is open during its lifetime. Constructor, destructor and functions are
/// collective over the setting's group.
class task {
public:
    task(setting& s, access_kind const& kind);

    /// Measure n transfers, alone and, if the benchmark has overlap, beside work.
    result measure(std::size_t n);
    /// `-check`: 1 if another access does not find the written contents, or if a read returns other contents; else 0.
    double defects();

private:
    sonde::record measure_access(std::size_t n, first_error& error);
    sonde::record measure_overlap(std::size_t n, first_error& error);
    sonde::record measure_work();
    void reopen();
    void rewind(first_error& error) const;
    sonde::mpi::io::file_sync completion() const;
    first_error no_error() const { return first_error{file_->path().string()}; }

    /// An access pattern of Sonde's (mio::blocking, ...). The transfers use one buffer, except for non-blocking reads.
    template <template <class> class Form>
    Form<sonde::opaque_rotating> access_pattern(sonde::mpi::io::file_sync when) const;

    setting& s_;
    access_kind kind_;
    std::shared_ptr<test_file> file_;
    std::unique_ptr<sonde::mpi::io::file> open_file_;
};

} // namespace imb::io
