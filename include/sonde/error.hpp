// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <concepts>
#include <exception>
#include <stdexcept>
#include <string>

namespace sonde::inline v0_1 {

/// Failure of a call of a communication library or of a device runtime: base class of mpi::error, shmem::error,
/// nccl::error, oneccl::error, cuda::error, hip::error and openacc::error, by which a program catches all of them.
class library_error : public std::runtime_error {
public:
    /// `call`: name of the library's function, a literal. `code`: its result.
    library_error(char const* call, int code, std::string const& what)
        : std::runtime_error{what}, call_{call}, code_{code} {}

    char const* call() const noexcept { return call_; }
    /// Result code of the library; 0 where the library has none.
    int code() const noexcept { return code_; }

private:
    char const* call_;
    int code_;
};

/// Thrown on the other ranks when a function of the application throws on a rank: a pattern, by plans that agree on
/// errors, or what `map`, `validate` and others call.
class other_rank_error : public std::runtime_error {
public:
    explicit other_rank_error(int rank)
        : std::runtime_error{"sonde: an exception was thrown on rank " + std::to_string(rank)}, rank_{rank} {}

    /// The first rank that threw.
    int rank() const noexcept { return rank_; }

private:
    int rank_;
};

/// Returns f(). If f throws, calls `abort(message)`, which ends all ranks and does not return. Otherwise an exception
/// on one rank would leave the other ranks waiting. `mpi::abort_on_exception` and its counterparts for other libraries
/// pass the function of their library that ends a job.
template <std::invocable<char const*> Abort, std::invocable F>
decltype(auto) abort_on_exception(Abort abort, F&& f) {
    try {
        return f();
    } catch (std::exception const& e) {
        abort(e.what());
    } catch (...) {
        abort("an exception of unknown type");
    }
    std::terminate();
}

} // namespace sonde

namespace sonde::inline v0_1::detail {

/// Tells a destructor whether stack unwinding destroys its object. It is a member of the object, and stores the number
/// of uncaught exceptions when it is constructed or copied.
class exception_checker {
public:
    exception_checker() = default;
    exception_checker(exception_checker const&) noexcept {}
    exception_checker& operator=(exception_checker const&) noexcept { return *this; }

    bool is_unwinding() const { return std::uncaught_exceptions() > before_; }

private:
    int before_ = std::uncaught_exceptions();
};

} // namespace sonde::detail
