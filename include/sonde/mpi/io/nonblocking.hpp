// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/io/pending.hpp>
#include <sonde/mpi/io/series.hpp>

#include <cstddef>
#include <utility>

namespace sonde::mpi::io {

/// The same access by the call that answers a request (MPI_File_iwrite, _iread_at, _iwrite_all ...), and a wait for it:
/// sonde::Split, so that work fits between.
///
/// `start` may come several times, each with memory of its own, before one `finish` waits for all; `expect(n)` makes
/// room for so many. What fails on the way is thrown by `finish`, when writes that are assured in each iteration have
/// been: the other ranks are there. Throws std::invalid_argument for collective accesses by the shared pointer, which
/// MPI has in the blocking and in the split form alone.
template <Buffer B>
class nonblocking : public detail::series<B> {
public:
    nonblocking(file const&& temporary, access, B, offsets = {}, assured = assured::never) = delete;
    nonblocking(file const& on, access how, B buffer, offsets places = {}, assured when = assured::never)
        : detail::series<B>{on, how, std::move(buffer), places, when} {
        detail::require(this->calls().request != nullptr, "non-blocking ordered access");
        expect(1);
    }

    void expect(std::size_t n) { pending_.reserve(n); }
    void start() {
        auto const code = pending_.begin([&](MPI_Request* made) { return this->calls().request(this->next(), made); });
        if (code != MPI_SUCCESS) [[unlikely]]
            begun_ = code;
    }
    /// Are all over?
    bool test() { return pending_.test(); }
    void finish() {
        pending_.wait();
        auto const begun = std::exchange(begun_, MPI_SUCCESS);
        this->assure_each();
        pending_.over(
            [this](int code, MPI_Status const& s) { this->check_moved(code, s, this->calls().request_name); });
        check(begun, this->calls().request_name);
    }
    void operator()() {
        start();
        finish();
    }

private:
    detail::pending pending_;
    int begun_ = MPI_SUCCESS; // or what a start has said
};

} // namespace sonde::mpi::io
