// SPDX-License-Identifier: BSL-1.0

// One message of more than 2^31 bytes is delivered completely by every kind of link.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

constexpr std::size_t bytes = (std::size_t{1} << 31) + 13;
constexpr std::size_t needed = std::size_t{6} << 30; // a message on two ranks, and the memory of MPI libraries
constexpr int skipped = 77;

/// Memory available from the system, in bytes; 0 if unknown.
std::size_t available() {
    std::size_t kilobytes = 0;
    char line[256];
    if (auto* const file = std::fopen("/proc/meminfo", "r")) {
        while (std::fgets(line, sizeof line, file) != nullptr)
            if (std::sscanf(line, "MemAvailable: %zu", &kilobytes) == 1) break;
        std::fclose(file);
    }
    return kilobytes * 1024;
}

/// Eight bytes that are unique to their index.
std::uint64_t word(std::size_t i, std::uint64_t seed) { return (i + seed) * 0x9e3779b97f4a7c15u; }

void write(sonde::region into, std::uint64_t seed) {
    for (std::size_t at = 0; at < into.size(); at += 8) {
        auto const w = word(at / 8, seed);
        std::memcpy(into.data() + at, &w, into.size() - at < 8 ? into.size() - at : 8);
    }
}

std::size_t wrong(sonde::region found, std::uint64_t seed) {
    std::size_t errors = 0;
    for (std::size_t at = 0; at < found.size(); at += 8) {
        auto const w = word(at / 8, seed);
        errors += std::memcmp(found.data() + at, &w, found.size() - at < 8 ? found.size() - at : 8) != 0;
    }
    return errors;
}

/// Rank 0 sends the message by `send`, rank 1 receives it by `receive`: the number of wrong words. Collective.
template <class Send, class Receive>
std::size_t errors_of(sonde::mpi::group& ranks, sonde::host_allocation& memory, std::uint64_t seed, Send send,
                      Receive receive) {
    auto const prepare = [&](std::size_t) {
        if (ranks.rank() == 0) write(memory.bytes(), seed);
        else memory.fill(std::byte{0});
    };
    auto const verify = [&](std::size_t) { return ranks.rank() == 1 ? wrong(memory.bytes(), seed) : std::size_t{0}; };
    auto pattern = [&] {
        if (ranks.rank() == 0) send();
        if (ranks.rank() == 1) receive();
    };
    return sonde::validate(ranks, pattern, prepare, verify);
}

/// The same for a link of blocking calls, or of nonblocking calls and a wait.
template <class L>
std::size_t errors_by(sonde::mpi::group& ranks, sonde::host_allocation& memory, std::uint64_t seed) {
    L link{ranks, ranks.rank() == 0 ? 1 : 0};
    auto out = sonde::send_buffer(link, memory.first(bytes));
    auto in = sonde::recv_buffer(link, memory.first(bytes));
    if constexpr (sonde::AsyncLink<L, decltype(out.next())>)
        return errors_of(
            ranks, memory, seed, [&] { link.isend(out.next()), link.wait_all(); },
            [&] { link.irecv(in.next()), link.wait_all(); });
    else
        return errors_of(
            ranks, memory, seed, [&] { link.send(out.next()); }, [&] { link.recv(in.next()); });
}

int run() {
    sonde::mpi::group ranks{MPI_COMM_WORLD};
    double enough[] = {available() >= needed ? 1.0 : 0.0};
    ranks.all_reduce(enough, sonde::reduction::min);
    if (enough[0] == 0) {
        if (ranks.rank() == 0) std::puts("skipped: less than 6 GiB of memory available");
        return skipped;
    }
    sonde::host_allocation memory{ranks.rank() < 2 ? bytes : 0};
    auto const say = [&](char const* link, std::size_t errors) {
        if (ranks.rank() == 0) std::printf("%zu bytes by %s: %zu wrong words\n", bytes, link, errors);
        return errors == 0;
    };
    auto const blocking = say("link", errors_by<sonde::mpi::link>(ranks, memory, 1));
    auto const async = say("async_link", errors_by<sonde::mpi::async_link>(ranks, memory, 2));
    auto const persistent = say("persistent_link", errors_by<sonde::mpi::persistent_link>(ranks, memory, 3));
    return blocking && async && persistent ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const status = sonde::mpi::abort_on_exception(MPI_COMM_WORLD, run);
    MPI_Finalize();
    return status;
}
