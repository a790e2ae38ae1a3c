// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>

#include <shmem.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>

namespace sonde::inline v0_1::shmem {

/// Environment variable that sets the size of the symmetric heap. Open MPI 4.1 does not read the variable of the
/// standard.
#ifdef OSHMEM_MAJOR_VERSION
inline constexpr char const* heap_size_variable = "SHMEM_SYMMETRIC_HEAP_SIZE";
#else
inline constexpr char const* heap_size_variable = "SHMEM_SYMMETRIC_SIZE";
#endif

/// Exception for an allocation that does not fit into the symmetric heap, on all PEs.
class heap_exhausted : public std::bad_alloc {
public:
    explicit heap_exhausted(std::size_t bytes)
        : what_{"sonde::shmem: the symmetric heap has no room for " + std::to_string(bytes) + " bytes; " +
                heap_size_variable + " sets its size"} {}
    /// The message.
    char const* what() const noexcept override { return what_.c_str(); }

private:
    std::string what_;
};

/// Memory of the symmetric heap (shmem_align). Each allocation and deallocation is collective over all PEs, which
/// allocate the same sizes in the same order. Memory that is freed while an exception unwinds the stack stays
/// allocated, because the other PEs may never call shmem_free.
///
/// Global and static arrays are symmetric as well; `borrow` makes buffers of them.
class symmetric_memory : public host_memory_base {
public:
    symmetric_memory() = default;
    /// `alignment` in bytes: a power of two.
    explicit symmetric_memory(std::size_t alignment) : alignment_{alignment} {}

    /// Throws heap_exhausted.
    void* allocate(std::size_t n) const {
        auto* const start = shmem_align(alignment_, n);
        if (start == nullptr) throw heap_exhausted{n};
        return start;
    }
    void deallocate(void* p, std::size_t) const {
        if (!unwinding_.is_unwinding()) shmem_free(p);
    }

private:
    std::size_t alignment_ = static_cast<std::size_t>(host_memory::page);
    sonde::detail::exception_checker unwinding_;
};

using symmetric_allocation = allocation<symmetric_memory>;

/// Array of n elements on the symmetric heap, which all PEs initialize to `value` before any PE returns from the
/// constructor. Constructor and destructor are collective over all PEs. Throws heap_exhausted.
template <class T>
    requires std::is_trivially_copyable_v<T>
class [[nodiscard]] symmetric_array {
public:
    explicit symmetric_array(std::size_t n, T value = {})
        : memory_{bytes_of(n), symmetric_memory{std::max(alignof(T), std::size_t{64})}} {
        std::uninitialized_fill_n(first(), n, value);
        shmem_barrier_all();
    }

    /// The elements of this PE.
    std::span<T> elements() const& { return {first(), memory_.bytes().size() / sizeof(T)}; }
    void elements() const&& = delete;

private:
    static std::size_t bytes_of(std::size_t n) {
        constexpr auto most = std::numeric_limits<std::size_t>::max();
        if (n > most / sizeof(T)) throw heap_exhausted{most};
        return n * sizeof(T);
    }
    T* first() const { return reinterpret_cast<T*>(memory_.bytes().data()); }

    symmetric_allocation memory_;
};

} // namespace sonde::shmem
