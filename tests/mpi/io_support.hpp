// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "application.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/io.hpp>

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

/// Common parts of file tests: a unique path, and parts of different lengths for each rank.
namespace files {

inline std::size_t part_of(int rank) { return rank == 1 ? 0 : 8 + 4 * static_cast<std::size_t>(rank); }
inline std::size_t start_of(int rank) {
    std::size_t sum = 0;
    for (int r = 0; r != rank; ++r) sum += part_of(r);
    return sum;
}
constexpr std::size_t transfers = 3;

/// Byte i of transfer j of a rank; the first byte of a part identifies the rank.
inline std::byte content(int rank, std::size_t j, std::size_t i) {
    return static_cast<std::byte>(1 + 60 * static_cast<std::size_t>(rank) + 20 * j + i % 20);
}

/// A unique path of no existing file, known to all ranks; its file is removed at the end.
class fresh_path {
public:
    explicit fresh_path(sonde::mpi::group const& ranks) : ranks_{ranks} {
        auto pid = ::getpid();
        sonde::broadcast(ranks, pid);
        path_ = std::filesystem::temp_directory_path() / ("sonde_io_" + std::to_string(pid));
        remove();
    }
    ~fresh_path() { remove(); }
    std::string str() const { return path_.string(); }

private:
    void remove() const {
        ranks_.barrier();
        if (ranks_.rank() == 0) std::filesystem::remove(path_);
        ranks_.barrier();
    }

    sonde::mpi::group const& ranks_;
    std::filesystem::path path_;
};

/// The group of all ranks, and a fresh path.
struct path_fixture {
    sonde::mpi::group const ranks{application::comm()};
    fresh_path const path{ranks};
};

/// An open file there, and memory for an access to it.
struct file_fixture : path_fixture {
    sonde::mpi::io::file const file{ranks, path.str()};
    std::vector<std::byte> four = std::vector<std::byte>(4);
    sonde::slice buffer{four};
};

/// Counts and faults of the shim in io_calls.cpp.
struct file_calls {
    int opened = 0, closed = 0, synced = 0;
    std::string hint;         // the value of "cb_nodes" in the last open
    bool open_fails = false;  // on this rank, where the library opens it
    bool sync_fails = false;  // on this rank
    bool begin_fails = false; // on this rank: of a request by offset, or of a split collective write
};
file_calls& shim();

} // namespace files
