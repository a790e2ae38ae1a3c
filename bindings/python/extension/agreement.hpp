// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group/agreement.hpp>
#include <sonde/mpi/group.hpp>

#include <pybind11/pybind11.h>

#include <cstring>
#include <exception>
#include <string>

// Errors that all ranks raise, so that no rank waits for a rank that has raised one.

namespace binding {

namespace py = pybind11;

/// A fault of one rank as the other ranks report it: an exception of this module by its class, one of the program as
/// RuntimeError.
struct fault {
    char kind;        // 'T' TypeError, 'V' ValueError, 'O' OSError, 'R' RuntimeError
    std::string text; // of the program's exception with its class: "ZeroDivisionError: division by zero"
};

/// Describes an exception of C++ or Python.
fault fault_of(std::exception_ptr const& failure);

/// Throws on all ranks if any rank passes a failure: a rank with a failure throws it; the other ranks throw an
/// exception of the same kind (`fault`), with the text and the number of the first such rank. Collective over the
/// group.
void throw_on_all(sonde::mpi::group const& ranks, std::exception_ptr const& failure);

/// Calls f, and throws on all ranks if it throws on any rank. f must not communicate. Collective over the group.
template <class F>
void on_all_ranks(sonde::mpi::group const& ranks, F f) {
    std::exception_ptr failure;
    sonde::detail::attempt(failure, f);
    binding::throw_on_all(ranks, failure);
}

/// The handle of an mpi4py communicator. Throws TypeError for another object, ValueError for MPI.COMM_NULL, and
/// RuntimeError if mpi4py was built with another MPI library. `function` begins the message. Not collective.
MPI_Comm communicator_of(std::string const& function, py::handle comm);

/// Address of the handle in an mpi4py object of a class such as "Op". Throws TypeError, which begins with `what`, for
/// another object.
void const* handle_address(std::string const& what, py::handle object, char const* type);

/// The handle in an mpi4py object. Throws what `handle_address` throws.
template <class Handle>
Handle handle_of(std::string const& what, py::handle object, char const* type) {
    Handle handle;
    std::memcpy(&handle, binding::handle_address(what, object, type), sizeof handle);
    return handle;
}

/// A group on a duplicate of an mpi4py communicator. Collective over the communicator.
sonde::mpi::group group_of(std::string const& function, py::handle comm);

} // namespace binding
