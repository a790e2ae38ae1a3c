// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

/// The GPU layer: templates over the description R of a runtime, which <sonde/cuda/cuda.hpp> and <sonde/hip/hip.hpp>
/// have; they name everything here without the parameter.
namespace sonde::gpu {

/// Failure of a call of a runtime: "cudaMalloc: out of memory".
template <class R>
class error : public std::runtime_error {
public:
    error(char const* call, typename R::error_type code, std::string const& why)
        : std::runtime_error{std::string{call} + ": " + why}, call_{call}, code_{code} {}

    char const* call() const { return call_; }
    typename R::error_type code() const { return code_; }

private:
    char const* call_;
    typename R::error_type code_;
};

namespace detail {

/// Throw gpu::error. The runtime also stores the error and would return it from a later call, so it is cleared.
template <class R>
[[noreturn]] void fail(char const* call, typename R::error_type code, std::string const& why) {
    static_cast<void>(R::last_error());
    throw error<R>{call, code, why};
}

} // namespace detail

/// Throws gpu::error unless the call succeeded.
template <class R>
void check(typename R::error_type code, char const* call) {
    if (code != R::success) detail::fail<R>(call, code, R::error_text(code));
}

/// A function of a runtime, with its name for messages. A call throws gpu::error unless it succeeds.
template <class R, class Error, class... Args>
struct function {
    char const* name;
    Error (*address)(Args...);

    void operator()(Args... args) const { check<R>(address(args...), name); }
};

/// The value that a function of a runtime writes to its first argument. Throws gpu::error.
template <class R, class Error, class T, class... Args>
T value_of(function<R, Error, T*, Args...> const& f, std::type_identity_t<Args>... args) {
    T value{};
    f(&value, args...);
    return value;
}

} // namespace sonde::gpu

/// A function and its name.
#define SONDE_GPU_NAMED(f)                                                                                             \
    { #f, f }

/// The members of a description that differ only by the prefix of the runtime, `cuda` or `hip`.
#define SONDE_GPU_RUNTIME(prefix)                                                                                      \
    using error_type = prefix##Error_t;                                                                                \
    using stream_type = prefix##Stream_t;                                                                              \
    using event_type = prefix##Event_t;                                                                                \
    template <class... Args>                                                                                           \
    using function = gpu::function<runtime, error_type, Args...>;                                                      \
    static constexpr auto scope = "sonde::" #prefix;                                                                   \
    static constexpr auto success = prefix##Success, not_ready = prefix##ErrorNotReady,                                \
                          no_device = prefix##ErrorNoDevice, old_driver = prefix##ErrorInsufficientDriver,             \
                          out_of_memory = prefix##ErrorMemoryAllocation;                                               \
    static constexpr auto to_device = prefix##MemcpyHostToDevice, to_host = prefix##MemcpyDeviceToHost;                \
    static constexpr int host = prefix##CpuDeviceId;                                                                   \
    static constexpr auto error_text = prefix##GetErrorString;                                                         \
    static constexpr auto last_error = prefix##GetLastError, peek_at_last_error = prefix##PeekAtLastError;             \
    static constexpr function<int*> driver_version SONDE_GPU_NAMED(prefix##DriverGetVersion);                          \
    static constexpr function<int*> runtime_version SONDE_GPU_NAMED(prefix##RuntimeGetVersion);                        \
    static constexpr function<int*> device_count SONDE_GPU_NAMED(prefix##GetDeviceCount);                              \
    static constexpr function<int*> current_device SONDE_GPU_NAMED(prefix##GetDevice);                                 \
    static constexpr function<int> set_device SONDE_GPU_NAMED(prefix##SetDevice);                                      \
    static constexpr function<properties_type*, int> properties SONDE_GPU_NAMED(prefix##GetDeviceProperties);          \
    static constexpr function<int*, attribute_type, int> attribute SONDE_GPU_NAMED(prefix##DeviceGetAttribute);        \
    static constexpr function<std::size_t*, std::size_t*> memory_info SONDE_GPU_NAMED(prefix##MemGetInfo);             \
    static constexpr function<void**, std::size_t> allocate SONDE_GPU_NAMED(prefix##Malloc);                           \
    static constexpr function<void**, std::size_t, unsigned> allocate_managed SONDE_GPU_NAMED(prefix##MallocManaged);  \
    static constexpr function<void*> free SONDE_GPU_NAMED(prefix##Free);                                               \
    static constexpr function<void*, int, std::size_t> set SONDE_GPU_NAMED(prefix##Memset);                            \
    static constexpr function<void*, void const*, std::size_t, prefix##MemcpyKind> copy SONDE_GPU_NAMED(               \
        prefix##Memcpy);                                                                                               \
    static constexpr function<pointer_type*, void const*> pointer SONDE_GPU_NAMED(prefix##PointerGetAttributes);       \
    static constexpr function<stream_type*, unsigned> create_stream SONDE_GPU_NAMED(prefix##StreamCreateWithFlags);    \
    static constexpr function<stream_type> destroy_stream SONDE_GPU_NAMED(prefix##StreamDestroy);                      \
    static constexpr function<stream_type> query_stream SONDE_GPU_NAMED(prefix##StreamQuery);                          \
    static constexpr function<stream_type> synchronize_stream SONDE_GPU_NAMED(prefix##StreamSynchronize);              \
    static constexpr function<event_type*, unsigned> create_event SONDE_GPU_NAMED(prefix##EventCreateWithFlags);       \
    static constexpr function<event_type> destroy_event SONDE_GPU_NAMED(prefix##EventDestroy);                         \
    static constexpr function<event_type> query_event SONDE_GPU_NAMED(prefix##EventQuery);                             \
    static constexpr function<event_type> synchronize_event SONDE_GPU_NAMED(prefix##EventSynchronize);                 \
    static constexpr function<event_type, stream_type> record_event SONDE_GPU_NAMED(prefix##EventRecord);              \
    static constexpr function<float*, event_type, event_type> elapsed_time SONDE_GPU_NAMED(prefix##EventElapsedTime);  \
    static constexpr unsigned stream_flags = prefix##StreamNonBlocking, event_flags = prefix##EventDefault,            \
                              managed_flags = prefix##MemAttachGlobal
