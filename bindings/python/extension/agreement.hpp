// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/group.hpp>

#include <pybind11/pybind11.h>

#include <exception>
#include <optional>
#include <string>

// Errors that all ranks raise, so that no rank waits for a rank that has raised one.

namespace binding {

namespace py = pybind11;

/// A fault of one rank as the other ranks report it.
struct fault {
    char kind;        // the exception's class: 'T' TypeError, 'V' ValueError, 'O' OSError, 'R' RuntimeError
    std::string text; // for 'R' with the name of the class: "ZeroDivisionError: division by zero"
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
    try {
        f();
    } catch (...) {
        failure = std::current_exception();
    }
    binding::throw_on_all(ranks, failure);
}

/// The handle of an mpi4py communicator. Throws TypeError for another object, ValueError for MPI.COMM_NULL, and
/// RuntimeError if mpi4py was built with another MPI library. `function` begins the message. Not collective.
MPI_Comm communicator_of(std::string const& function, py::handle comm);

/// The handle of an mpi4py object of another class of handles, such as "Op". Throws TypeError for another object.
template <class Handle>
Handle handle_of(std::string const& what, py::handle object, char const* type);

/// A group on a duplicate of an mpi4py communicator. Collective over the communicator.
sonde::mpi::group group_of(std::string const& function, py::handle comm);

} // namespace binding
