// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/error.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::mpi {

/// An operation of which MPI has a form that gives a request.
template <class O>
concept Requestable = requires { O::call_with_request; };

/// The same operation by the call that gives a request (MPI_Rput, MPI_Rget, MPI_Raccumulate, MPI_Rget_accumulate); all
/// requests are waited for before the epoch closes. MPI has them for passive targets only.
template <Requestable O>
class requested {
public:
    static constexpr bool passive_only = true;

    explicit requested(O operation) : operation_{std::move(operation)} {}
    requested(requested&& other) noexcept
        : operation_{std::move(other.operation_)}, pending_{std::exchange(other.pending_, {})} {}
    requested& operator=(requested&&) = delete;
    /// Waits for what an exception left: MPI lets such a request be neither cancelled nor freed (MPI 3.1, 11.3), and
    /// until it ends the library reads and writes memory of the application's, which may be gone next. Where the MPI
    /// library has no thread that makes progress, that is when the target next calls MPI.
    ~requested() { MPI_Waitall(static_cast<int>(pending_.size()), pending_.data(), MPI_STATUSES_IGNORE); }

    void expect(std::size_t n) { pending_.reserve(n * operation_.targets()); }
    void operator()(std::size_t i) {
        operation_.issue(i, [this](auto... arguments) {
            O::call_with_request(arguments..., &pending_.emplace_back(MPI_REQUEST_NULL));
        });
    }
    void settle() {
        check(MPI_Waitall(static_cast<int>(pending_.size()), pending_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
        pending_.clear();
    }
    std::size_t places() const { return operation_.places(); }
    traffic moves() const { return operation_.moves(); }

private:
    O operation_;
    std::vector<MPI_Request> pending_;
};

} // namespace sonde::mpi
