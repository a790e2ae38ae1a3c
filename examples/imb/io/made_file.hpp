// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <string>

namespace imb::io {

/// A file that this program made, and what MPI libraries put beside it. One process makes it, which removes it at the
/// end; others know it, and remove it, too, where an exception ends them, since who made it may be ended without a
/// word.
class made_file {
public:
    enum class part : unsigned char { makes, knows };

    made_file(std::filesystem::path path, part mine) : path_{std::move(path)}, part_{mine} {}
    made_file(made_file&&) = delete;
    ~made_file();

    /// Where it is not there; empty, or a complaint. What was there before is nobody's here: it stays.
    std::string make();
    /// What is to be added where it is to be so many bytes long; nothing where others make it.
    std::size_t lacks(std::size_t bytes) const;
    /// At least so many bytes long, read as zeros or, filled, with rank 0's pattern. Empty, or a complaint, also where
    /// the disk has no room for what all files here lack together.
    std::string reserve(std::size_t bytes, std::size_t lacked_together, bool filled);
    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
    part part_;
    bool made_ = false;
    std::size_t bytes_ = 0;
    int exceptions_ = std::uncaught_exceptions();
};

/// What ranks write: integers of four bytes that tell rank and place. A file to be read is as rank 0 would write it.
std::byte pattern_byte(int rank, std::size_t at);

} // namespace imb::io
