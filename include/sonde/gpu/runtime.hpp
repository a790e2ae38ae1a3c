// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

/// The GPU layer: templates over the description R of a runtime. <sonde/cuda.hpp> and <sonde/hip.hpp> have such
/// descriptions, and names for everything here without the parameter.
namespace sonde::gpu {

/// Failure of a call of a runtime: "cudaMalloc: out of memory".
template <class R>
struct error : library_error {
    error(char const* call, typename R::error_type code, std::string const& why)
        : library_error{call, static_cast<int>(code), std::string{call} + ": " + why} {}

    typename R::error_type code() const noexcept { return static_cast<typename R::error_type>(library_error::code()); }
};

/// Throw gpu::error. The runtime also stores the error and would return it from a later call, so it is cleared.
template <class R>
[[noreturn]] void fail(char const* call, typename R::error_type code, std::string const& why) {
    static_cast<void>(R::last_error());
    throw error<R>{call, code, why};
}

/// Throws gpu::error unless the call succeeded.
template <class R>
void check(typename R::error_type code, char const* call) {
    if (code != R::success) fail<R>(call, code, R::error_text(code));
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

/// Names the GPU layer in the namespace of a runtime. The namespace must contain the description `runtime`.
#define SONDE_GPU_NAMES                                                                                                \
    using error = gpu::error<runtime>;                                                                                 \
    using stream = gpu::stream<runtime>;                                                                               \
    using event = gpu::event<runtime>;                                                                                 \
    using time_point = gpu::time_point<runtime>;                                                                       \
    using event_clock = gpu::event_clock<runtime>;                                                                     \
    using device_memory = gpu::device_memory<runtime>;                                                                 \
    using managed_memory = gpu::managed_memory<runtime>;                                                               \
    using pinned_memory = gpu::pinned_memory<runtime>;                                                                 \
    using prefetcher = gpu::prefetcher<runtime>;                                                                       \
    using gpu::device_choice, gpu::device_properties, gpu::elapsed, gpu::location, gpu::prefetch_range;                \
    using sonde::without_completion;                                                                                   \
    inline void check(runtime::error_type code, char const* call) { gpu::check<runtime>(code, call); }                 \
    inline void synchronize(runtime::stream_type in) { runtime::synchronize_stream(in); }                              \
    [[nodiscard]] inline bool is_complete(runtime::stream_type in) {                                                   \
        return gpu::detail::is_complete(runtime::query_stream, in);                                                    \
    }                                                                                                                  \
    inline void prefetch(opaque_region r, location to, runtime::stream_type in) { gpu::prefetch<runtime>(r, to, in); } \
    [[nodiscard]] inline std::string version_text(int version) { return runtime::version_text(version); }              \
    [[nodiscard]] inline int driver_version() { return gpu::value_of(runtime::driver_version); }                       \
    [[nodiscard]] inline int runtime_version() { return gpu::value_of(runtime::runtime_version); }                     \
    [[nodiscard]] inline int current_device() { return gpu::value_of(runtime::current_device); }                       \
    [[nodiscard]] inline std::size_t free_memory() { return gpu::free_memory<runtime>(); }                             \
    [[nodiscard]] inline bool can_prefetch() { return gpu::can_prefetch<runtime>(); }                                  \
    [[nodiscard]] inline device_properties properties_of(int device) { return gpu::properties_of<runtime>(device); }   \
    inline int device_count() { return gpu::device_count<runtime>(); }                                                 \
    device_choice choose_device(Group auto& ranks, int local) { return gpu::choose_device<runtime>(ranks, local); }    \
    template <Pattern P>                                                                                               \
    struct iteration_events : gpu::iteration_events<runtime, P> {                                                      \
        iteration_events(std::size_t count, runtime::stream_type in, P&& pattern)                                      \
            : gpu::iteration_events<runtime, P>{count, in, std::forward<P>(pattern)} {}                                \
    };                                                                                                                 \
    template <class P>                                                                                                 \
    iteration_events(std::size_t, runtime::stream_type, P&&)->iteration_events<P>
