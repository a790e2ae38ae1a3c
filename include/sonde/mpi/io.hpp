// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/io/file.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/mpi/requests.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1::mpi::io {

/// Explicit offsets of a pattern's accesses, in etypes of the view: the first one, and the step from each to the next.
struct offsets {
    MPI_Offset first = 0; // of the first access
    MPI_Offset step = 0;  // to the next access
};

/// Exception for an access that transferred fewer bytes than requested: at the end of the file, or on a full device.
struct short_transfer : std::runtime_error {
    short_transfer(char const* routine, MPI_Count moved, MPI_Count requested)
        : std::runtime_error{std::string{routine} + ": moved " + std::to_string(moved) + " of " +
                             std::to_string(requested) + " bytes"} {}
};

namespace detail {

#if MPI_VERSION >= 4 // MPI 4.1 deprecates the function with the suffix _x
inline constexpr auto get_elements = MPI_Get_elements_c;
#else
inline constexpr auto get_elements = MPI_Get_elements_x;
#endif

/// A status of 0 bytes, for calls that may leave their status unset, as ROMIO does for an access of 0 bytes.
inline MPI_Status empty_status() {
    MPI_Status status{};
    check(MPI_Status_set_elements(&status, MPI_BYTE, 0), "MPI_Status_set_elements");
    return status;
}

/// Base class of the patterns. Each iteration accesses the file with the next region of a buffer, at the next offset.
/// The file must outlive the pattern.
template <Buffer B>
class access_pattern {
public:
    /// One message of this rank; a collective access is one message that all ranks share.
    sonde::traffic traffic() const {
        auto const ranks = static_cast<std::size_t>(how_.collective ? file_->ranks().size() : 1);
        return {.bytes = ranks * buffer_.size(), .messages = 1, .shared_by = ranks};
    }
    void complete() {
        if (sync_ == file_sync::at_end) file_->sync();
    }

protected:
    access_pattern(file const& on, access how, B buffer, offsets at, file_sync sync)
        : file_{&on}, how_{how}, routines_{&routines_of(how)}, buffer_{std::move(buffer), {}}, offsets_{at},
          sync_{sync} {}

    access_arguments next() {
        access_arguments const a{file_->handle(), offsets_.first, buffer_.next()};
        offsets_.first += offsets_.step;
        return a;
    }
    io::routines const& routines() const { return *routines_; }
    void sync_iteration() const {
        if (sync_ == file_sync::each_iteration) file_->sync();
    }

    /// Throws mpi::error for a call that failed, and short_transfer for a call that transferred less than a region.
    void check_transfer(int code, MPI_Status& status, char const* routine) const {
        check(code, routine);
        MPI_Count moved = 0;
        get_elements(&status, MPI_BYTE, &moved);
        auto const requested = static_cast<MPI_Count>(buffer_.size());
        if (moved != requested) [[unlikely]]
            throw short_transfer{routine, moved, requested};
    }

    static void require_routine(bool exists, char const* name) {
        if (!exists) throw std::invalid_argument{std::string{"sonde::mpi::io: MPI has no "} + name};
    }

private:
    file const* file_;
    access how_;
    io::routines const* routines_;
    message_buffer<B> buffer_;
    offsets offsets_;
    file_sync sync_;
};

} // namespace detail

/// Blocking access (MPI_File_write, MPI_File_read_at_all, MPI_File_write_shared, ...). Collective over the file's group
/// if the access is collective, or if writes are synchronized. Throws mpi::error and short_transfer.
template <Buffer B>
class blocking : public detail::access_pattern<B> {
public:
    blocking(file const&& temporary, access, B, offsets = {}, file_sync = file_sync::never) = delete;
    blocking(file const& on, access how, B buffer, offsets at = {}, file_sync sync = file_sync::never)
        : detail::access_pattern<B>{on, how, std::move(buffer), at, sync} {}

    void operator()() {
        auto const& routine = this->routines().blocking;
        auto const code = routine.call(this->next(), &status_);
        this->sync_iteration(); // even after an error: the other ranks do
        this->check_transfer(code, status_, routine.name);
    }

private:
    MPI_Status status_ = detail::empty_status();
};

/// Nonblocking access (MPI_File_iwrite, MPI_File_iread_at, ...) and MPI_Waitall: a sonde::NonblockingOperation.
///
/// Several `start`s, each on a different region, may precede one `wait`, which completes all; `reserve(n)` allocates
/// for `n` starts. `wait` throws the errors of `start` and of the accesses. With file_sync::each_iteration it
/// synchronizes the writes first, because the other ranks do so as well. The constructor throws std::invalid_argument
/// for collective accesses by the shared file pointer.
template <Buffer B>
class nonblocking : public detail::access_pattern<B> {
public:
    nonblocking(file const&& temporary, access, B, offsets = {}, file_sync = file_sync::never) = delete;
    nonblocking(file const& on, access how, B buffer, offsets at = {}, file_sync sync = file_sync::never)
        : detail::access_pattern<B>{on, how, std::move(buffer), at, sync} {
        this->require_routine(this->routines().nonblocking.call != nullptr, "non-blocking ordered access");
        reserve(1);
    }

    void reserve(std::size_t n) {
        requests_.reserve(n);
        statuses_.reserve(n);
    }
    void start() {
        auto const code = this->routines().nonblocking.call(this->next(), requests_.add());
        if (code == MPI_SUCCESS) [[likely]]
            return;
        requests_.pop_back();
        start_code_ = code;
    }
    /// True if all accesses are complete. Tests one request after the other: MPI_Testall on requests of files fails an
    /// assertion in MPICH 4.0.
    bool test() {
        statuses_.resize(requests_.size(), empty_);
        for (; complete_ < requests_.size(); ++complete_) {
            int complete = 0;
            auto const code = MPI_Test(requests_[complete_], &complete, &statuses_[complete_]);
            if (code == MPI_SUCCESS && complete == 0) return false;
            statuses_[complete_].MPI_ERROR = code;
        }
        return true;
    }
    void wait() {
        complete_requests();
        requests_.clear();
        complete_ = 0;
        auto const start_code = std::exchange(start_code_, MPI_SUCCESS);
        this->sync_iteration();
        auto const* const name = this->routines().nonblocking.name;
        for (auto& status : statuses_) this->check_transfer(status.MPI_ERROR, status, name);
        check(start_code, name);
    }
    void operator()() {
        start();
        wait();
    }

private:
    /// Waits for the requests that no `test` has completed, whose statuses a second wait would lose. If one request
    /// fails, MPI_Waitall may leave others active.
    void complete_requests() {
        statuses_.resize(requests_.size(), empty_);
        auto const left = static_cast<int>(requests_.size() - complete_);
        if (left == 0) return;
        auto const code = MPI_Waitall(left, requests_[complete_], &statuses_[complete_]);
        for (auto i = complete_; i != statuses_.size(); ++i) {
            auto& status = statuses_[i];
            if (code != MPI_ERR_IN_STATUS) status.MPI_ERROR = code;
            else if (status.MPI_ERROR == MPI_ERR_PENDING) status.MPI_ERROR = MPI_Wait(requests_[i], &status);
        }
    }

    requests<active_request_policy::wait> requests_;
    MPI_Status empty_ = detail::empty_status();
    std::vector<MPI_Status> statuses_; // of the requests, each with its code
    std::size_t complete_ = 0;         // the first `complete_` requests are complete
    int start_code_ = MPI_SUCCESS;     // of the last start that failed
};

/// Split collective access (MPI_File_write_all_begin and MPI_File_write_all_end, ...): a sonde::NonblockingOperation. A
/// file has at most one in progress.
///
/// MPI has no test for such an access: `test` is false while the access is in progress, and makes no progress. `wait`
/// throws the same errors as `nonblocking::wait`; without a `start` it does nothing. The constructor throws
/// std::invalid_argument for an access that is not collective.
template <Buffer B>
class split_collective : public detail::access_pattern<B> {
public:
    split_collective(file const&& temporary, access, B, offsets = {}, file_sync = file_sync::never) = delete;
    split_collective(file const& on, access how, B buffer, offsets at = {}, file_sync sync = file_sync::never)
        : detail::access_pattern<B>{on, how, std::move(buffer), at, sync} {
        this->require_routine(this->routines().begin.call != nullptr, "split form of an access that is not collective");
    }
    split_collective(split_collective&& other) noexcept
        : detail::access_pattern<B>{std::move(other)}, arguments_{other.arguments_}, status_{other.status_},
          begin_code_{std::exchange(other.begin_code_, std::nullopt)} {}
    split_collective& operator=(split_collective&&) = delete;
    /// Ends an access that an exception left in progress, because the library still uses its memory, and the file
    /// allows no other split access.
    ~split_collective() {
        MPI_Status status;
        if (begin_code_ == MPI_SUCCESS) this->routines().end.call(arguments_, &status);
    }

    void start() {
        arguments_ = this->next();
        begin_code_ = this->routines().begin.call(arguments_);
    }
    bool test() const { return begin_code_ != MPI_SUCCESS; }
    void wait() {
        auto const begin_code = std::exchange(begin_code_, std::nullopt);
        if (!begin_code) [[unlikely]]
            return;
        auto const code = begin_code == MPI_SUCCESS ? this->routines().end.call(arguments_, &status_) : MPI_SUCCESS;
        this->sync_iteration();
        check(*begin_code, this->routines().begin.name);
        this->check_transfer(code, status_, this->routines().end.name);
    }
    void operator()() {
        start();
        wait();
    }

private:
    access_arguments arguments_{};
    MPI_Status status_ = detail::empty_status();
    std::optional<int> begin_code_; // between start and wait
};

} // namespace sonde::mpi::io
