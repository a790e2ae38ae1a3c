// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/collective.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace sonde::mpi {

namespace detail {

/// Base class of the call modes: an operation bound to its buffers. Throws std::length_error for a region that is
/// smaller than the operation's send or receive buffer on this rank, device_memory_unsupported for one that the MPI
/// library does not take.
template <CollectiveOperation Op, Buffer Out, Buffer In>
class bound_operation {
public:
    Op const& operation() const { return operation_; }
    sonde::traffic traffic() const { return operation_.traffic(); }

protected:
    bound_operation(Op operation, Out out, In in)
        : operation_{std::move(operation)}, out_{mpi::detail::require_supported(std::move(out))},
          in_{mpi::detail::require_supported(std::move(in))} {
        auto const name = std::string{"sonde::mpi: "} + Op::functions.blocking_name;
        sonde::detail::require_bytes(name, "sends from", operation_.send_bytes(), out_.size());
        sonde::detail::require_bytes(name, "receives into", operation_.recv_bytes(), in_.size());
        if constexpr (RootedOperation<Op>) root_ = operation_.root();
    }

    /// The next regions, and the next root.
    call_arguments next() {
        auto const root = root_.rank;
        if constexpr (RootedOperation<Op>)
            if (root_.rotates) root_.rank = root + 1 == operation_.group_size() ? 0 : root + 1;
        return {out_.next().data(), in_.next().data(), root};
    }
    /// Number of iterations after which regions and root repeat: the least common multiple of their numbers. (std::lcm
    /// needs <numeric>, which takes a hundredth of the compile time of all of Sonde.)
    std::size_t period() const {
        std::size_t roots = 1;
        if constexpr (RootedOperation<Op>)
            if (root_.rotates) roots = static_cast<std::size_t>(operation_.group_size());
        auto period = roots;
        while (period % sonde::regions(out_) != 0 || period % sonde::regions(in_) != 0) period += roots;
        return period;
    }

    Op operation_;

private:
    Out out_;
    In in_;
    root_rank root_{};
};

} // namespace detail

/// One blocking call in each iteration: `blocking{allreduce{world, {MPI_DOUBLE, n}, MPI_SUM}, out, in}`.
///
/// The operation sends from `out` and receives into `in`. A broadcast, and an operation in place without a root, has
/// one buffer; a barrier has none.
template <CollectiveOperation Op, Buffer Out = slice, Buffer In = slice>
class blocking : public detail::bound_operation<Op, Out, In> {
public:
    blocking(Op operation, Out out, In in)
        : detail::bound_operation<Op, Out, In>{std::move(operation), std::move(out), std::move(in)} {}
    explicit blocking(Op operation, In both = {}) : blocking{std::move(operation), Out{}, std::move(both)} {}

    void operator()() {
        check(this->operation_.invoke(Op::functions.blocking, this->next()), Op::functions.blocking_name);
    }
};

/// A nonblocking call and MPI_Wait in each iteration. `start`, `test` and `wait` make it a sonde::NonblockingOperation;
/// one operation is pending at a time.
template <CollectiveOperation Op, Buffer Out = slice, Buffer In = slice>
class nonblocking : public detail::bound_operation<Op, Out, In> {
public:
    nonblocking(Op operation, Out out, In in)
        : detail::bound_operation<Op, Out, In>{std::move(operation), std::move(out), std::move(in)} {}
    explicit nonblocking(Op operation, In both = {}) : nonblocking{std::move(operation), Out{}, std::move(both)} {}

    void start() {
        check(this->operation_.invoke(Op::functions.nonblocking, this->next(), request_.address()),
              Op::functions.nonblocking_name);
    }
    bool test() {
        int complete = 0;
        check(MPI_Test(request_.address(), &complete, MPI_STATUS_IGNORE), "MPI_Test");
        return complete != 0;
    }
    void wait() { check(MPI_Wait(request_.address(), MPI_STATUS_IGNORE), "MPI_Wait"); }
    void operator()() {
        start();
        wait();
    }

private:
    detail::owned_handle<MPI_Request, void (*)(MPI_Request*)> request_{MPI_REQUEST_NULL,
                                                                       detail::release<active_request_policy::leak>};
};

#if SONDE_MPI_PERSISTENT_COLLECTIVES

/// MPI_Start and MPI_Wait on a persistent request in each iteration. `start`, `test` and `wait` make it a
/// sonde::NonblockingOperation; one operation is pending at a time.
///
/// The constructor makes a request for each combination of regions and root, the destructor frees them: both are
/// collective over the group.
template <CollectiveOperation Op, Buffer Out = slice, Buffer In = slice>
class persistent : public detail::bound_operation<Op, Out, In> {
public:
    persistent(Op operation, Out out, In in) : persistent{without_requests{}, operation, out, in} {
        requests_.resize(this->period(), MPI_REQUEST_NULL);
        current_ = requests_.size() - 1;
        for (auto& r : requests_)
            check(this->operation_.invoke(Op::functions.init, this->next(), MPI_INFO_NULL, &r),
                  Op::functions.init_name);
    }
    explicit persistent(Op operation, In both = {}) : persistent{std::move(operation), Out{}, std::move(both)} {}
    persistent(persistent&&) noexcept = default; // leaves the other one without requests
    persistent& operator=(persistent&&) = delete;
    ~persistent() {
        for (std::size_t i = 0; i != requests_.size(); ++i)
            if (requests_[i] != MPI_REQUEST_NULL &&
                (i != current_ || !active_ || detail::completes_soon(&requests_[i])))
                MPI_Request_free(&requests_[i]);
    }

    void start() {
        current_ = current_ + 1 == requests_.size() ? 0 : current_ + 1;
        check(MPI_Start(&requests_[current_]), "MPI_Start");
        active_ = true;
    }
    bool test() {
        int complete = 0;
        check(MPI_Test(&requests_[current_], &complete, MPI_STATUS_IGNORE), "MPI_Test");
        active_ = complete == 0;
        return complete != 0;
    }
    void wait() {
        check(MPI_Wait(&requests_[current_], MPI_STATUS_IGNORE), "MPI_Wait");
        active_ = false;
    }
    void operator()() {
        start();
        wait();
    }

private:
    struct without_requests {};

    // The public constructors delegate to this one, so that the destructor runs if the call for a request fails.
    persistent(without_requests, Op& operation, Out& out, In& in)
        : detail::bound_operation<Op, Out, In>{std::move(operation), std::move(out), std::move(in)} {}

    // Not `requests`: in MPICH 4.0 a test of a request that was never started is never true.
    std::vector<MPI_Request> requests_;
    std::size_t current_ = 0;
    bool active_ = false; // as far as known here: MPI_Test does not tell a request that was never started
};

#endif

} // namespace sonde::mpi
