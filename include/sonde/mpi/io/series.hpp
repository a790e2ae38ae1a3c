// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/io/access.hpp>
#include <sonde/mpi/io/calls.hpp>
#include <sonde/mpi/io/file.hpp>
#include <sonde/mpi/message.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::mpi::io {

/// Where transfers by explicit offset go: the first to `first`, each next one `step` further, in units of the view.
struct offsets {
    MPI_Offset first = 0;
    MPI_Offset step = 0;
};

/// Fewer bytes moved than asked for: the end of the file, or no more room for it.
struct short_transfer : std::runtime_error {
    short_transfer(char const* routine, MPI_Count moved, MPI_Count asked)
        : std::runtime_error{std::string{routine} + ": moved " + std::to_string(moved) + " of " +
                             std::to_string(asked) + " bytes"} {}
};

namespace detail {

/// Transfers between regions of memory and a file, as one rank makes them: what all forms have in common. The file must
/// outlive it.
template <Buffer B>
class series {
public:
    /// Each access is a message of this rank; a collective one is one message of all.
    traffic moves() const {
        auto const shared_by = static_cast<std::size_t>(how_.collective ? file_->ranks().size() : 1);
        return {.bytes = shared_by * buffer_.size(), .messages = 1, .shared_by = shared_by};
    }
    void complete() {
        if (when_ == assured::at_end) file_->assure();
    }

protected:
    series(file const& on, access how, B buffer, offsets places, assured when)
        : file_{&on}, how_{how}, calls_{&calls_of(how)}, buffer_{std::move(buffer), {}}, places_{places}, when_{when} {}

    transfer next() {
        transfer const t{file_->handle(), places_.first, buffer_.next()};
        places_.first += places_.step;
        return t;
    }
    void assure_each() const {
        if (when_ == assured::each) file_->assure();
    }
    io::calls const& calls() const { return *calls_; }
    access how() const { return how_; }

    /// Throws mpi::error for a call that failed, short_transfer for one that moved less.
    void check_moved(int code, MPI_Status const& status, char const* routine) const {
        check(code, routine);
        MPI_Count moved = 0;
        MPI_Get_elements_x(&status, MPI_BYTE, &moved);
        auto const asked = static_cast<MPI_Count>(buffer_.size());
        if (moved != asked) [[unlikely]]
            throw short_transfer{routine, moved, asked};
    }

private:
    file const* file_;
    access how_;
    io::calls const* calls_;
    messages<B> buffer_;
    offsets places_;
    assured when_;
};

/// Throws std::invalid_argument where MPI has no such form of an access.
inline void require(bool there, char const* what) {
    if (!there) throw std::invalid_argument{std::string{"sonde::mpi::io: MPI has no "} + what};
}

} // namespace detail

} // namespace sonde::mpi::io
