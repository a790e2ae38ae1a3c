// SPDX-License-Identifier: BSL-1.0
#include "surroundings.hpp"

#include "../../common/refusal.hpp"
#include "../exploit.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace imb::io {

namespace {

namespace fs = std::filesystem;

std::string complaint_about(std::string const& directory) {
    if (!fs::is_directory(directory)) return "Invalid -dir " + directory + "; accepted: a directory that is there";
    for (auto const& entry : fs::directory_iterator{directory}) {
        auto const name = entry.path().filename().string();
        if (name.rfind("IMB_out", 0) == 0 || name.rfind(".IMB_out", 0) == 0)
            return entry.path().string() + " is there already and stays; remove it, or choose another -dir";
    }
    return {};
}

std::string complaint_about(std::pair<std::string, std::string> const& hint) {
    auto const fits = [](std::string const& text, int limit) {
        return !text.empty() && text.size() < static_cast<std::size_t>(limit);
    };
    if (fits(hint.first, MPI_MAX_INFO_KEY) && fits(hint.second, MPI_MAX_INFO_VAL)) return {};
    return "Invalid -hint " + hint.first + "=" + hint.second + "; accepted: KEY of 1 to " +
           std::to_string(MPI_MAX_INFO_KEY - 1) + " characters, VALUE of 1 to " + std::to_string(MPI_MAX_INFO_VAL - 1);
}

std::string complaint_about(options const& asked) {
    for (auto const& hint : asked.hints)
        if (auto const text = complaint_about(hint); !text.empty()) return text;
    try {
        return complaint_about(asked.directory);
    } catch (fs::filesystem_error const& e) {
        return "Invalid -dir " + asked.directory + " (" + e.code().message() + "); accepted: a directory";
    }
}

/// By making one: rights do not say it of a file system that is read-only.
std::string trial_in(std::string const& directory, int rank) {
    auto const path = fs::path{directory} / ("IMB_out_" + std::to_string(rank));
    auto const file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR, 0644);
    if (file < 0)
        return "Invalid -dir " + directory + " (" + std::strerror(errno) + "); accepted: one to make files in";
    ::close(file);
    ::unlink(path.c_str());
    return {};
}

} // namespace

std::string prepare(options const& asked, bool overlaps, sonde::mpi::group const& world) {
    common::agree(world, complaint_about(asked));
    common::agree(world, trial_in(asked.directory, world.rank()));
    if (!overlaps) return {};
    world.barrier();
    char rate[32]{};
    std::snprintf(rate, sizeof rate, "%7.2f", mflops());
    return std::string{"\n\n# For nonblocking benchmarks:\n\n# Function CPU_Exploit obtains an undisturbed\n"} +
           "# performance of " + rate + " MFlops\n";
}

} // namespace imb::io
