// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/version.hpp>

#include <shmem.h>

#include <concepts>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

namespace sonde::inline v0_1::shmem {

/// Exception for an OpenSHMEM call that failed.
struct error : library_error {
    error(char const* call, int code)
        : library_error{call, code, std::string{"sonde::shmem: "} + call + " has failed"} {}
};

/// Throws shmem::error unless `code`, returned by `call`, is 0.
inline void check(int code, char const* call) {
    if (code != 0) throw error{call, code};
}

/// Context policy: calls without a context argument, which use SHMEM_CTX_DEFAULT. It takes no memory.
struct default_context {};

/// An owned context (shmem_ctx_create). Its transfers are ordered and completed independently of other contexts. Not
/// collective. Throws shmem::error if the library has no context left.
class [[nodiscard]] context {
public:
    /// `options`: SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, SHMEM_CTX_NOSTORE, combined by |.
    explicit context(long options = 0) {
        shmem_ctx_t handle{};
        check(shmem_ctx_create(options, &handle), "shmem_ctx_create");
        handle_ = handle;
    }
    context(context&&) = delete;
    ~context() {
        if (!unwinding_.is_unwinding()) shmem_ctx_destroy(handle()); // it waits for the transfers
    }
    /// The context.
    shmem_ctx_t handle() const { return static_cast<shmem_ctx_t>(handle_); }

private:
    void* handle_ = nullptr; // shmem_ctx_t, whose type has no linkage in Open MPI
    sonde::detail::exception_checker unwinding_;
};

/// Context policy: calls on a context (shmem_ctx_...). The context must outlive all objects made with the reference.
class context_ref {
public:
    explicit context_ref(context const& c) : handle_{c.handle()} {}
    explicit context_ref(context const&& temporary) = delete;
    explicit context_ref(shmem_ctx_t handle) : handle_{handle} {}
    /// The context.
    shmem_ctx_t handle() const { return static_cast<shmem_ctx_t>(handle_); }

private:
    void* handle_;
};

/// Context policy of transfers and epochs.
template <class C>
concept Context = std::same_as<C, default_context> || std::same_as<C, context_ref>;

/// OpenSHMEM between shmem_init_thread and shmem_finalize. Constructor and destructor are collective over all PEs. Make
/// it before other threads read the environment, which the constructor changes for Open MPI.
///
/// A process has at most one session, because the library cannot be initialized again. An application that calls
/// shmem_init and shmem_finalize itself needs no session. If an exception destroys the session, it does not call
/// shmem_finalize, because the other PEs may never call it; the launcher then ends the job when the process exits.
///
/// MPI may be initialized before. Open MPI's shmem_finalize also finalizes MPI, so check MPI_Finalized before a call of
/// MPI_Finalize.
class [[nodiscard]] session {
public:
    /// `threads`: the thread level to request, SHMEM_THREAD_SINGLE to SHMEM_THREAD_MULTIPLE. Throws shmem::error if
    /// the library cannot be initialized.
    explicit session(int threads = SHMEM_THREAD_SINGLE) {
#ifdef OSHMEM_MAJOR_VERSION
        // Open MPI 4.1: the component spml/ucx unloads without removing its memory hook. The next munmap calls the
        // hook, so shmem_finalize crashes. UCX's own hooks, selected here, do not crash. The user's choice takes
        // precedence.
        ::setenv("OMPI_MCA_spml_ucx_opal_mem_hooks", "0", 0);
#endif
        check(shmem_init_thread(threads, &provided_), "shmem_init_thread");
    }
    session(session&&) = delete;
    ~session() {
        if (!unwinding_.is_unwinding()) shmem_finalize();
    }

    /// The thread level that the library provides.
    int threads() const { return provided_; }

private:
    int provided_ = SHMEM_THREAD_SINGLE;
    sonde::detail::exception_checker unwinding_;
};

namespace detail {

/// Prints `message` with the PE on stderr and ends all PEs with status 1.
[[noreturn]] inline void print_and_exit(char const* message) {
    std::fprintf(stderr, "sonde: PE %d: %s\n", shmem_my_pe(), message);
    std::fflush(nullptr);
    shmem_global_exit(1);
    std::terminate(); // shmem_global_exit does not return
}

} // namespace detail

/// Returns f(). If f throws, prints the exception's message on stderr and ends all PEs with shmem_global_exit: an
/// exception that left the function on one PE would leave the other PEs waiting. Not collective; the library must be
/// initialized.
template <std::invocable F>
decltype(auto) abort_on_exception(F&& f) {
    return sonde::abort_on_exception(detail::print_and_exit, std::forward<F>(f));
}

} // namespace sonde::shmem
