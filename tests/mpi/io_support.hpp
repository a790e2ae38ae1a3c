// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "application.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/mpi/io.hpp>

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

/// What tests of files share: a name that nobody else has, and ranks of which each has a part of its own length.
namespace files {

inline std::size_t part_of(int rank) { return rank == 1 ? 0 : 8 + 4 * static_cast<std::size_t>(rank); }
inline std::size_t start_of(int rank) {
    std::size_t sum = 0;
    for (int r = 0; r != rank; ++r) sum += part_of(r);
    return sum;
}
constexpr std::size_t transfers = 3;

/// Byte i of transfer j of a rank: the first of a part says whose it is.
inline std::byte content(int rank, std::size_t j, std::size_t i) {
    return static_cast<std::byte>(1 + 60 * static_cast<std::size_t>(rank) + 20 * j + i % 20);
}

/// A path where no file is, known to all ranks; what is there at the end goes.
class fresh_path {
public:
    explicit fresh_path(sonde::mpi::group const& ranks) : ranks_{ranks} {
        double pid = ::getpid();
        sonde::broadcast(ranks, {&pid, 1});
        path_ = std::filesystem::temp_directory_path() / ("sonde_io_" + std::to_string(static_cast<long>(pid)));
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

/// What the shim in io_calls.cpp counts, and the faults that it makes.
struct noted {
    int opened = 0, closed = 0, synced = 0;
    std::string hint;         // the value of "cb_nodes" in the last open
    bool open_fails = false;  // on this rank, where the library opens it
    bool sync_fails = false;  // on this rank
    bool begin_fails = false; // on this rank: of a request by offset, or of a split collective write
};
noted& shim();

} // namespace files
