// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/exception_checker.hpp>
#include <sonde/error.hpp>

#include <shmem.h>

#include <concepts>
#include <string>

namespace sonde::shmem {

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
    shmem_ctx_t handle() const { return static_cast<shmem_ctx_t>(handle_); }

private:
    void* handle_;
};

/// Context policy of transfers and epochs.
template <class C>
concept Context = std::same_as<C, default_context> || std::same_as<C, context_ref>;

} // namespace sonde::shmem
