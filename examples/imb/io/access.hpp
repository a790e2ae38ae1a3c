// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/agreement.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/mpi/io.hpp>
#include <sonde/pattern.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
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

} // namespace imb::io
