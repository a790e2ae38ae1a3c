// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/collective.hpp>
#include <sonde/collective/operations.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/mpi/requests.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

// Persistent collectives are part of MPI-4; Open MPI 4.x has the same functions as an extension, with other names than
// Open MPI 5, with which a program that was built for Open MPI 4 runs, too.
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define SONDE_MPI_PERSISTENT_COLLECTIVES 1
#elif defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define SONDE_MPI_PERSISTENT_COLLECTIVES 1
#endif
#endif
#ifndef SONDE_MPI_PERSISTENT_COLLECTIVES
#define SONDE_MPI_PERSISTENT_COLLECTIVES 0
#endif

namespace sonde::inline v0_1::mpi {

/// The MPI library's functions for one collective, and their names. `init` is called as a function; it is null where
/// the library has no persistent collectives.
template <class Blocking, class Nonblocking, class Init>
struct collective_functions {
    char const* name;             // of the blocking function
    Blocking blocking;            // MPI_Bcast
    Nonblocking nonblocking;      // MPI_Ibcast
    char const* nonblocking_name; // "MPI_Ibcast"
    Init init;
    char const* init_name; // "MPI_Bcast_init"
};
template <class Blocking, class Nonblocking, class Init>
collective_functions(char const*, Blocking, Nonblocking, char const*, Init, char const*)
    -> collective_functions<Blocking, Nonblocking, Init>;

namespace detail {

/// A collective operation of MPI. It has `Op::functions`, and `op.invoke(arguments, f, more...)` returns the int that
/// f(the arguments of the MPI function, more...) returns. With `Op::large_functions`, the functions with large counts,
/// it also has `op.is_large()`: whether a count or a displacement exceeds an int.
template <class Op>
concept MpiOperation = requires {
    Op::functions.blocking;
    requires InvocableOperation<Op, decltype(Op::functions.blocking)>;
};

/// This rank in its group, on the group's communicator.
struct member : group_member {
    MPI_Comm comm;

    explicit member(group const& ranks) : group_member{ranks.rank(), ranks.size(), "sonde::mpi"}, comm{ranks.comm()} {}
};

inline void const* sendbuf_or_in_place(call_arguments const& a, bool is_in_place) {
    return is_in_place ? MPI_IN_PLACE : a.sendbuf;
}

/// Base class of the call modes. Throws device_memory_unsupported for memory that the MPI library does not take.
template <class Op, class Out, class In>
struct bound_mpi_operation : bound_operation<Op, Out, In, MpiOperation<Op>> {
protected:
    bound_mpi_operation(Op operation, Out out, In in)
        : bound_mpi_operation::bound_operation{"sonde::mpi", std::move(operation), require_supported(std::move(out)),
                                               require_supported(std::move(in))} {}

    /// f(the functions of the operation), of those with large counts where a number exceeds an int.
    void with_functions(auto f) {
        if constexpr (requires { Op::large_functions; })
            if (is_large_) [[unlikely]]
                return f(Op::large_functions);
        f(Op::functions);
    }

private:
    static bool is_large(Op const& operation) {
        if constexpr (requires { Op::large_functions; }) return operation.is_large();
        else return false;
    }

    bool is_large_ = is_large(this->operation_);
};

} // namespace detail

/// One blocking call in each iteration: `blocking{allreduce{world, {MPI_DOUBLE, n}, MPI_SUM}, out, in}`.
///
/// The operation sends from `out` and receives into `in`. A broadcast takes one buffer, and so does an operation in
/// place without a root. A barrier takes no buffer.
template <class Op, class Out = slice, class In = slice>
class blocking : public detail::bound_mpi_operation<Op, Out, In> {
public:
    blocking(Op operation, Out out, In in)
        : detail::bound_mpi_operation<Op, Out, In>{std::move(operation), std::move(out), std::move(in)} {}
    explicit blocking(Op operation, In both = {}) : blocking{std::move(operation), Out{}, std::move(both)} {}

    void operator()() {
        this->with_functions(
            [this](auto const& f) { check(this->operation_.invoke(this->next(), f.blocking), f.name); });
    }
};

/// A nonblocking call and MPI_Wait in each iteration. `start`, `test` and `wait` make it a sonde::NonblockingOperation;
/// one operation is pending at a time.
template <class Op, class Out = slice, class In = slice>
class nonblocking : public detail::bound_mpi_operation<Op, Out, In> {
public:
    nonblocking(Op operation, Out out, In in)
        : detail::bound_mpi_operation<Op, Out, In>{std::move(operation), std::move(out), std::move(in)} {}
    explicit nonblocking(Op operation, In both = {}) : nonblocking{std::move(operation), Out{}, std::move(both)} {}

    void start() {
        this->with_functions([this](auto const& f) {
            check(this->operation_.invoke(this->next(), f.nonblocking, request_.address()), f.nonblocking_name);
        });
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
/// The constructor makes a request for each combination of regions and root, and the destructor frees the requests.
/// Both are collective over the group.
template <class Op, class Out = slice, class In = slice>
class persistent : public detail::bound_mpi_operation<Op, Out, In> {
public:
    persistent(Op operation, Out out, In in) : persistent{without_requests{}, operation, out, in} {
        requests_.resize(this->period(), MPI_REQUEST_NULL);
        current_ = requests_.size() - 1;
        this->with_functions([this](auto const& f) {
            for (auto& r : requests_)
                check(this->operation_.invoke(this->next(), f.init, MPI_INFO_NULL, &r), f.init_name);
        });
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

    // The public constructors delegate to this constructor, so that the destructor runs if the call for a request
    // fails.
    persistent(without_requests, Op& operation, Out& out, In& in)
        : detail::bound_mpi_operation<Op, Out, In>{std::move(operation), std::move(out), std::move(in)} {}

    // The class `requests` is not used, because in MPICH 4.0 a test of a request that was never started is never true.
    std::vector<MPI_Request> requests_;
    std::size_t current_ = 0;
    bool active_ = false; // kept here, because MPI_Test does not recognize a request that was never started
};

#endif

} // namespace sonde::mpi
