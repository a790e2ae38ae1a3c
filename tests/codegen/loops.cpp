// SPDX-License-Identifier: BSL-1.0

// Implementations of a ping-pong of 8 bytes, called in the order that count.py expects.

#ifdef SONDE_CUDA_FOUND
#include <sonde/cuda.hpp>
using sonde::cuda::device_memory;
#else
#include "../remote_memory.hpp"
using device_memory = remote_memory; // opaque to the host, as device memory is
#endif

#include <sonde/measure/run.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <utility>

using sonde::role;

namespace {

std::byte out[8], in[8];
sonde::allocation<device_memory> const device_out{8}, device_in{8};
constexpr int peer = 1, tag = 0;

/// A clock of constant cost, which cancels in the difference of two numbers of iterations.
struct stopped_clock {
    std::chrono::nanoseconds now() const { return {}; }
    sonde::clock_properties properties() const { return {}; }
};

template <class Adapt, class Buffer>
[[gnu::always_inline]] inline void measure(role who, int n, Buffer from, Buffer to, Adapt adapt) {
    sonde::mpi::group ranks{MPI_COMM_WORLD};
    sonde::single_rank alone; // the stubs have no second rank, which would have the other role
    auto const plan = sonde::plan<>{}.warmup(0).batch(static_cast<std::size_t>(n)).until(sonde::samples{1});
    (void)sonde::run(alone, plan.synchronized(sonde::no_sync{}).timed_by(stopped_clock{}),
                     adapt(sonde::ping_pong{sonde::mpi::link{ranks, peer, tag}, who, from, to}));
}

constexpr auto as_it_is = [](auto pattern) { return pattern; };
constexpr auto adapted = [](auto pattern) {
    return sonde::with_traffic{{.bytes = 8}, sonde::with_setup{[] {}, std::move(pattern)}};
};

} // namespace

extern "C" {

/// The loop of a textbook: it ignores return codes.
[[gnu::noinline]] void count_plain(role who, int n) {
    if (who == role::initiator) {
        for (int i = 0; i < n; ++i) {
            MPI_Send(out, 8, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
            MPI_Recv(in, 8, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        for (int i = 0; i < n; ++i) {
            MPI_Recv(in, 8, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, 8, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
        }
    }
}

/// The loop of a careful program: a failed call ends it.
[[gnu::noinline]] int count_checked(role who, int n) {
    if (who == role::initiator) {
        for (int i = 0; i < n; ++i) {
            if (MPI_Send(out, 8, MPI_BYTE, peer, tag, MPI_COMM_WORLD) != MPI_SUCCESS) return 1;
            if (MPI_Recv(in, 8, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 1;
        }
    } else {
        for (int i = 0; i < n; ++i) {
            if (MPI_Recv(in, 8, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 1;
            if (MPI_Send(out, 8, MPI_BYTE, peer, tag, MPI_COMM_WORLD) != MPI_SUCCESS) return 1;
        }
    }
    return 0;
}

/// The measurement of a user of Sonde, including all of `run`.
[[gnu::noinline]] void count_sonde(role who, int n) { measure(who, n, sonde::slice{out}, sonde::slice{in}, as_it_is); }

/// The same from and to device memory, with an MPI library that supports it.
[[gnu::noinline]] void count_device(role who, int n) {
    measure(who, n, device_out.first(8), device_in.first(8), as_it_is);
}

/// The same pattern in two adaptors.
[[gnu::noinline]] void count_adapted(role who, int n) { measure(who, n, sonde::slice{out}, sonde::slice{in}, adapted); }

} // extern "C"

int main() {
    for (auto const who : {role::initiator, role::responder}) {
        for (int const n : {1, 10000, 20000}) count_plain(who, n);
        for (int const n : {1, 10000, 20000}) count_checked(who, n);
        for (int const n : {1, 10000, 20000}) count_sonde(who, n);
        for (int const n : {1, 10000, 20000}) count_device(who, n);
        for (int const n : {1, 10000, 20000}) count_adapted(who, n);
    }
}
