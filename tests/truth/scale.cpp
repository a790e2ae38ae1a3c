// SPDX-License-Identifier: BSL-1.0

// What a measurement costs beside the measured operation: a run with a barrier before each sample, which stops by
// precision and is written as JSON. Prints "NAME ROOT MOST MEAN" for each figure: its value on rank 0, its largest
// value on the other ranks, and their mean.

#include "message_group.hpp"

#include <sonde/json/lines.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>
#include <sonde/stop/precision.hpp>

#include <smpi/smpi.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

namespace {

/// Bytes of this rank's objects on the heap: SMPI gives each rank its own globals.
struct heap_bytes {
    long long live = 0;
    long long peak = 0;
};
heap_bytes heap;

} // namespace

// The requested size stands before each object: what the allocator adds depends on what it freed before.
void* operator new(std::size_t n) {
    auto* const p = static_cast<std::max_align_t*>(std::malloc(sizeof(std::max_align_t) + n));
    if (p == nullptr) throw std::bad_alloc{};
    std::memcpy(p, &n, sizeof n);
    heap.live += static_cast<long long>(n);
    if (heap.live > heap.peak) heap.peak = heap.live;
    return p + 1;
}
void operator delete(void* p) noexcept {
    if (p == nullptr) return;
    auto* const begin = static_cast<std::max_align_t*>(p) - 1;
    std::size_t n = 0;
    std::memcpy(&n, begin, sizeof n);
    heap.live -= static_cast<long long>(n);
    std::free(begin);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

namespace {

namespace mpi = sonde::mpi;

/// The simulator's time, which is exact: nothing is allocated to measure its properties.
struct simulated_time {
    sonde::seconds now() const { return sonde::seconds{MPI_Wtime()}; }
    sonde::clock_properties properties() const { return {}; }
};

/// 10 us of work, up to 2 % more by the iteration. Between two samples it finds the messages of the look between them.
struct work {
    truth::message_group* group;
    std::size_t iteration = 0;
    truth::operation_count before{}; // reductions and broadcasts before the previous iteration
    truth::message_count per_look{}; // of the latest look
    std::size_t calls_per_look = 0;
    std::size_t looks = 0; // beside the last one, which no sample follows

    void operator()() {
        auto const now = group->organized();
        if (iteration++ != 0 && now.calls != before.calls) {
            ++looks;
            calls_per_look = now.calls - before.calls;
            per_look = now - before;
        }
        before = now;
        smpi_execute_flops(1e4 * (1 + 0.02 * static_cast<double>(iteration * 7919 % 1000) / 1000));
    }
};

constexpr std::array names{
    "samples",          "looks",           "look_calls",         "look_messages",   "look_bytes",
    "barrier_messages", "reductions",      "reduction_messages", "reduction_bytes", "broadcasts",
    "gathers",          "gather_messages", "gather_bytes",       "heap_bytes",      "record_bytes"};

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        mpi::group const ranks{MPI_COMM_WORLD};
        truth::message_group group{ranks};
        std::string const file{argv[1]};
        work pattern{&group};
        auto const plan = sonde::plan<>{}
                              .timed_by(simulated_time{})
                              .synchronized(sonde::barrier_each{})
                              .until(sonde::relative_error{0.002}.within(sonde::seconds{1}));
        auto const held = heap.live;
        heap.peak = held;
        auto const environment = mpi::environment_of(ranks, argc, argv, {});
        sonde::on_root report{ranks, [&] { return sonde::json_lines{file, environment}; }};
        auto const unmeasured = heap.live;
        auto const r = sonde::run(group, plan, pattern, {"work", {}});
        auto const record_bytes = heap.live - unmeasured;
        report(r);

        auto const number = [](auto n) { return static_cast<double>(n); };
        std::array<double, names.size()> const mine{
            number(r.stop.samples),         number(pattern.looks),
            number(pattern.calls_per_look), number(pattern.per_look.messages),
            number(pattern.per_look.bytes), number(group.barriers.messages) / number(group.barriers.calls),
            number(group.reductions.calls), number(group.reductions.messages),
            number(group.reductions.bytes), number(group.broadcasts.calls),
            number(group.gathers.calls),    number(group.gathers.messages),
            number(group.gathers.bytes),    number(heap.peak - held),
            number(record_bytes),
        };
        auto const is_root = ranks.rank() == 0;
        auto most = mine, mean = mine;
        if (is_root) most.fill(0), mean.fill(0);
        ranks.all_reduce(most, sonde::reduction::max);
        ranks.all_reduce(mean, sonde::reduction::sum);
        if (!is_root) return;
        for (std::size_t i = 0; i != names.size(); ++i)
            std::printf("%s %.10g %.10g %.10g\n", names[i], mine[i], most[i], mean[i] / (ranks.size() - 1));
    });
    MPI_Finalize();
}
