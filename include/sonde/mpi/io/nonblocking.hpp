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
/// room for so many. Throws std::invalid_argument for collective accesses by the shared pointer, which MPI has in the
/// blocking and in the split form alone.
template <Buffer B>
class nonblocking : public detail::series<B> {
public:
    nonblocking(file const& on, access how, B buffer, offsets places = {}, assured when = assured::never)
        : detail::series<B>{on, how, std::move(buffer), places, when} {
        detail::require(this->calls().request != nullptr, "non-blocking ordered access");
        expect(1);
    }

    void expect(std::size_t n) { pending_.reserve(n); }
    void start() { check(this->calls().request(this->next(), pending_.add()), this->calls().request_name); }
    /// Are all over?
    bool test() {
        if (pending_.empty()) return true;
        bool over = false;
        check(pending_.test(over), "MPI_Test");
        if (over) see(MPI_SUCCESS);
        return over;
    }
    void finish() {
        auto const code = pending_.empty() ? MPI_SUCCESS : pending_.wait();
        this->assure_each();
        see(code);
    }
    void operator()() {
        start();
        finish();
    }

private:
    void see(int code) {
        pending_.over(code,
                      [this](int of, MPI_Status const& s) { this->check_moved(of, s, this->calls().request_name); });
    }

    detail::pending pending_;
};

} // namespace sonde::mpi::io
