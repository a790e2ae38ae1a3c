// SPDX-License-Identifier: BSL-1.0

// IMB's benchmarks as measured by its programs, alternating with hand-written loops of their definitions.

#include "imb/driver/sweep.hpp"
#include "imb/io/io.hpp"
#include "imb/mpi1/mpi1.hpp"
#include "imb/one_sided/rma_measure.hpp"

#include "pairs.hpp"

#include <sonde/mpi.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr std::size_t runs = 15;

/// One benchmark, size and mode, ready to run repeatedly, as the driver runs it for one line of a table.
class by_suite {
public:
    by_suite(imb::component const& about, std::string const& name, imb::mode mode, std::size_t bytes, std::size_t n,
             sonde::mpi::group& world)
        : test_{*std::find_if(about.tests.begin(), about.tests.end(), [&](auto const& t) { return t.name == name; })},
          n_{n}, groups_{world, options_, about.io ? 1 : 2},
          driver_{{about, options_, none_, world, environment_, 0, nullptr, reports_},
                  data_,
                  reduced_,
                  imb::memory_of(options_)},
          memory_{imb::plan_memory(imb::memory_request_of(about, test_, options_, test_.needs(bytes, 2), n))} {
        if (!groups_.number()) return;
        size_.emplace(imb::sweep_inputs{driver_, test_, mode, groups_}, bytes, memory_, state_);
        imb::count_rules all_of_them;
        all_of_them.by = imb::policy::off;
        size_->estimate(imb::repetition_counts{all_of_them});
    }
    by_suite(by_suite&&) = delete;

    /// The slowest rank's mean of an undisturbed run; 1 s on a rank that waits.
    sonde::seconds operator()() {
        std::vector<sonde::seconds> times;
        for (std::size_t i = 0; i != runs && size_; ++i) times.push_back(size_->report(n_).pure.over_ranks.max);
        return times.empty() ? sonde::seconds{1} : undisturbed(times);
    }

private:
    imb::options options_;
    imb::element_type data_{imb::element::byte, imb::layout::base, false};
    imb::element_type reduced_{imb::element::real, imb::layout::base, true};
    imb::reports reports_;
    std::vector<imb::benchmark const*> none_;
    sonde::environment environment_;
    imb::benchmark test_;
    std::size_t n_;
    imb::process_groups groups_;
    imb::driver driver_;
    imb::memory_plan memory_;
    std::shared_ptr<imb::benchmark_state> state_;
    std::optional<imb::one_size> size_;
};

/// Memory, a window over part of it, and a neighbor for the hand-written loops.
struct setup {
    sonde::mpi::group world{MPI_COMM_WORLD};
    sonde::allocation<sonde::mpi::alloc_mem> memory{std::size_t{4} << 20};
    sonde::mpi::created_window window{world, memory.bytes().last(std::size_t{2} << 20)};
    MPI_Comm comm = world.comm();
    MPI_Win win = window.handle();
    int rank = world.rank();
    int peer = 1 - world.rank();
    std::byte* out = memory.bytes().data();
    std::byte* in = memory.bytes().subspan(std::size_t{1} << 20).data();
    std::size_t slots =
        1000; // number of slots for transfers, and their distance in bytes; the suite's are set when it runs
    std::size_t stride = 64;
};

double slowest_of(setup& s, double mine) {
    PMPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, s.comm);
    return mine;
}

/// The time of a whole loop after two barriers: `body(n)`.
sonde::seconds loop(setup& s, std::size_t n, std::function<void(std::size_t)> const& body) {
    std::vector<sonde::seconds> times;
    for (std::size_t i = 0; i != runs; ++i) {
        MPI_Barrier(s.comm);
        MPI_Barrier(s.comm);
        auto const begin = MPI_Wtime();
        body(n);
        times.emplace_back(slowest_of(s, (MPI_Wtime() - begin) / static_cast<double>(n)));
    }
    return undisturbed(times);
}

/// The times of single calls with a barrier between them: `call(comm)` is a template, so that it is inlined beside the
/// clock.
template <class Call>
sonde::seconds calls(setup& s, std::size_t n, Call call) {
    std::vector<sonde::seconds> times;
    for (std::size_t i = 0; i != runs; ++i) {
        MPI_Barrier(s.comm);
        MPI_Barrier(s.comm);
        double sum = 0;
        for (std::size_t k = 0; k != n; ++k) {
            auto const begin = MPI_Wtime();
            call();
            sum += MPI_Wtime() - begin;
            MPI_Barrier(s.comm);
        }
        times.emplace_back(slowest_of(s, sum / static_cast<double>(n)));
    }
    return undisturbed(times);
}

int compare(setup& s, char const* what, by_suite&& suite, std::function<sonde::seconds()> const& hand) {
    auto const found = ratios([&] { return suite(); }, hand);
    return s.rank == 0 ? judge(what, found, 0.03) : 0;
}

int point_to_point(setup& s) {
    auto const about = imb::mpi1();
    constexpr std::size_t n = 500;
    constexpr int bytes = 1024;
    auto const suite = [&](char const* name) { return by_suite{about, name, imb::mode::only, bytes, n, s.world}; };
    auto const ping_pong = [&](std::size_t times) {
        for (std::size_t i = 0; i != times; ++i)
            if (s.rank == 0) {
                MPI_Send(s.out, bytes, MPI_BYTE, 1, 1, s.comm);
                MPI_Recv(s.in, bytes, MPI_BYTE, 1, MPI_ANY_TAG, s.comm, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(s.in, bytes, MPI_BYTE, 0, MPI_ANY_TAG, s.comm, MPI_STATUS_IGNORE);
                MPI_Send(s.out, bytes, MPI_BYTE, 0, 1, s.comm);
            }
    };
    auto const sendrecv = [&](std::size_t times) {
        for (std::size_t i = 0; i != times; ++i)
            MPI_Sendrecv(s.out, bytes, MPI_BYTE, s.peer, 1, s.in, bytes, MPI_BYTE, s.peer, MPI_ANY_TAG, s.comm,
                         MPI_STATUS_IGNORE);
    };
    auto const exchange = [&](std::size_t times) {
        for (std::size_t i = 0; i != times; ++i) {
            MPI_Request sent[2];
            MPI_Isend(s.out, bytes, MPI_BYTE, s.peer, 1, s.comm, &sent[0]);
            MPI_Isend(s.out + bytes, bytes, MPI_BYTE, s.peer, 1, s.comm, &sent[1]);
            MPI_Recv(s.in, bytes, MPI_BYTE, s.peer, MPI_ANY_TAG, s.comm, MPI_STATUS_IGNORE);
            MPI_Recv(s.in, bytes, MPI_BYTE, s.peer, MPI_ANY_TAG, s.comm, MPI_STATUS_IGNORE);
            MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
        }
    };
    return compare(s, "PingPong", suite("PingPong"), [&] { return loop(s, n, ping_pong); }) +
           compare(s, "Sendrecv", suite("Sendrecv"), [&] { return loop(s, n, sendrecv); }) +
           compare(s, "Exchange", suite("Exchange"), [&] { return loop(s, n, exchange); });
}

int collectives(setup& s) {
    auto const about = imb::mpi1();
    constexpr std::size_t n = 500;
    constexpr int bytes = 1024;
    auto const suite = [&](char const* name) { return by_suite{about, name, imb::mode::only, bytes, n, s.world}; };
    auto const allreduce = [&] { MPI_Allreduce(s.out, s.in, bytes / 4, MPI_FLOAT, MPI_SUM, s.comm); };
    auto const bcast = [&] { MPI_Bcast(s.rank == 0 ? s.out : s.in, bytes, MPI_BYTE, 0, s.comm); };
    return compare(s, "Allreduce", suite("Allreduce"), [&] { return calls(s, n, allreduce); }) +
           compare(s, "Bcast", suite("Bcast"), [&] { return calls(s, n, bcast); });
}

int puts(setup& s) {
    auto const about = imb::ext();
    constexpr std::size_t n = 1000; // fewer would take no longer than ranks need to leave a barrier
    constexpr int bytes = 64;       // all slots fit a cache, so that the placement of pages does not matter
    auto const put = [&](std::size_t i) {
        auto const slot = i % s.slots * s.stride;
        if (s.rank == 0) MPI_Put(s.out + slot, bytes, MPI_BYTE, 1, static_cast<MPI_Aint>(slot), bytes, MPI_BYTE, s.win);
    };
    auto const aggregate = [&](std::size_t times) {
        for (std::size_t i = 0; i != times; ++i) put(i);
        MPI_Win_fence(0, s.win);
    };
    auto const one_by_one = [&](std::size_t times) {
        for (std::size_t i = 0; i != times; ++i) {
            put(i);
            MPI_Win_fence(0, s.win);
        }
    };
    MPI_Win_fence(0, s.win);
    auto const suite = [&](imb::mode mode) { return by_suite{about, "Unidir_Put", mode, bytes, n, s.world}; };
    return compare(s, "Unidir_Put, aggregate", suite(imb::mode::aggregate), [&] { return loop(s, n, aggregate); }) +
           compare(s, "Unidir_Put, non-aggregate", suite(imb::mode::non_aggregate),
                   [&] { return loop(s, n, one_by_one); });
}

/// Rank 0 alone writes into a file of its own.
int writes(setup& s) {
    auto const about = imb::io_component();
    constexpr std::size_t n = 500;
    constexpr int bytes = 4096;
    MPI_File file = MPI_FILE_NULL;
    if (s.rank == 0)
        MPI_File_open(MPI_COMM_SELF, "written_by_hand",
                      MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file);
    auto const write = [&](std::size_t times) {
        if (s.rank != 0) return;
        MPI_File_seek(file, 0, MPI_SEEK_SET); // outside of the clock, as in the program
        for (std::size_t i = 0; i != times; ++i) MPI_File_write(file, s.out, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_sync(file);
        MPI_Barrier(MPI_COMM_SELF);
        MPI_File_sync(file);
    };
    auto const status =
        compare(s, "S_Write_Indv, aggregate", by_suite{about, "S_Write_Indv", imb::mode::aggregate, bytes, n, s.world},
                [&] { return loop(s, n, write); });
    if (s.rank == 0) MPI_File_close(&file);
    return status;
}

} // namespace

int main(int argc, char** argv) {
    return run_benchmark(argc, argv, [] {
        setup s;
        return point_to_point(s) + collectives(s) + puts(s) + writes(s);
    });
}
