// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/io/series.hpp>

#include <mpi.h>

#include <utility>

namespace sonde::mpi::io {

/// A collective access whose begin and end are two calls (MPI_File_write_all_begin and _end ...): sonde::Split. One is
/// under way at a time in a file.
///
/// MPI has no test for it: `test` says that it is not over, and lets nothing make progress. What fails on the way is
/// thrown by `finish`, when writes that are assured in each iteration have been: the other ranks are there. `finish`
/// without a `start` does nothing, as in the other forms. Throws std::invalid_argument for an access that is not
/// collective.
template <Buffer B>
class split_collective : public detail::series<B> {
public:
    split_collective(file const&& temporary, access, B, offsets = {}, assured = assured::never) = delete;
    split_collective(file const& on, access how, B buffer, offsets places = {}, assured when = assured::never)
        : detail::series<B>{on, how, std::move(buffer), places, when} {
        detail::require(this->calls().begin != nullptr, "split form of an access that is not collective");
    }
    split_collective(split_collective&& other) noexcept
        : detail::series<B>{std::move(other)}, now_{other.now_}, begun_{other.begun_},
          under_way_{std::exchange(other.under_way_, false)} {}
    split_collective& operator=(split_collective&&) = delete;
    /// What an exception left is ended: until then the library has the memory, and the file takes no other.
    ~split_collective() {
        MPI_Status status;
        if (under_way_) this->calls().end(now_, &status);
    }

    void start() {
        now_ = this->next();
        begun_ = this->calls().begin(now_);
        under_way_ = begun_ == MPI_SUCCESS;
    }
    bool test() const { return !under_way_; }
    void finish() {
        auto const begun = std::exchange(begun_, MPI_SUCCESS);
        if (!under_way_ && begun == MPI_SUCCESS) [[unlikely]]
            return;
        MPI_Status status;
        auto const code = under_way_ ? this->calls().end(now_, &status) : MPI_SUCCESS;
        under_way_ = false;
        this->assure_each();
        check(begun, this->calls().begin_name);
        this->check_moved(code, status, this->calls().end_name);
    }
    void operator()() {
        start();
        finish();
    }

private:
    transfer now_{};
    int begun_ = MPI_SUCCESS; // what the start has said
    bool under_way_ = false;
};

} // namespace sonde::mpi::io
