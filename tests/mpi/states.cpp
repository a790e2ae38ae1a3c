// SPDX-License-Identifier: BSL-1.0

// Sonde's messages before MPI_Init, after MPI_Finalize, and with a thread level too low for a team or for threads that
// measure; threads that measure by one group: the first argument selects one. Ends with 0 if the message is the
// expected one.

#include <sonde/group/threads.hpp>
#include <sonde/measure/beside.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/background_load.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<bool> broadcasts_fail{false};

/// True if f throws an E with this in its text.
template <class E = std::logic_error, class F>
bool is_refused(std::string const& why, F f) {
    try {
        f();
    } catch (E const& e) {
        if (std::string{e.what()}.find(why) != std::string::npos) return true;
        std::printf("said: %s\n", e.what());
        return false;
    }
    std::printf("not refused: %s\n", why.c_str());
    return false;
}

bool all_refused(std::string const& why) {
    auto good = is_refused(why, [] { sonde::mpi::group const ranks{MPI_COMM_WORLD}; });
    good &= is_refused(why, [] { sonde::mpi::group const ranks{MPI_COMM_SELF}; });
    // Before MPI_Init there may be an MPI-4 session, in which memory may be allocated.
    if (MPI_VERSION < 4 || why == "MPI_Finalize has been called")
        good &= is_refused(why, [] { sonde::mpi::alloc_mem{}.allocate(8); });
    return good;
}

/// A group that lives when MPI is finalized is refused by Sonde, before MPI ends the job.
bool outlives_mpi() {
    return is_refused("MPI_Finalize has been called", [] {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        MPI_Finalize();
        static_cast<void>(sonde::run(ranks, sonde::plan<>{}, [] {}));
    });
}

/// A team of two threads on rank 0 and of one on others, with this thread level of MPI on rank 0.
bool teams(int level) {
    sonde::mpi::group ranks{MPI_COMM_WORLD};
    static_cast<void>(sonde::mpi::environment_of(ranks)); // its tool interface leaves the level as it is
    auto const make = [&] {
        sonde::thread_team team{ranks, ranks.rank() == 0 ? 2 : 1};
        team.run([](auto& me) { me.barrier(); });
    };
    if (level < MPI_THREAD_SERIALIZED) return is_refused("MPI_THREAD_SERIALIZED", make);
    make();
    return true;
}

/// What `measure(i)` on threads 0 and 1 of this process ends with; "" without an exception.
std::vector<std::string> on_two_threads(auto measure) {
    std::vector<std::string> said(2);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i != 2; ++i)
        threads.emplace_back([&, i] {
            try {
                measure(i);
            } catch (std::exception const& e) {
                said[i] = e.what();
            }
        });
    for (auto& t : threads) t.join();
    return said;
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

/// A thread that MPI does not allow is refused by Sonde, before it calls MPI.
bool other_threads_are_refused(sonde::mpi::group& ranks) {
    auto const said = on_two_threads([&](std::size_t i) {
        if (i == 0) sonde::mpi::group const other{MPI_COMM_SELF};
        else
            static_cast<void>(sonde::run(
                ranks, sonde::plan<>{}, [] {}, "halo"));
    });
    for (auto const& text : said)
        if (!has(text, "a thread measures that is not the main thread, and MPI was initialized with MPI_THREAD_"))
            return std::printf("said: %s\n", text.c_str()), false;
    return true;
}

/// A thread that measures while another one does is refused by Sonde, where MPI allows calls of one thread at a time.
bool second_thread_is_refused(sonde::mpi::group const& ranks) {
    auto const held = ranks.hold();
    auto good = false;
    std::thread{[&] {
        good = is_refused("two threads measure at the same time, and MPI was initialized with MPI_THREAD_SERIALIZED",
                          [] { sonde::mpi::group const other{MPI_COMM_SELF}; });
    }}.join();
    return good;
}

/// Two threads that measure by one group measure one after the other: with one name both are right, and with a name
/// each the ranks agree or all refuse.
bool threads_take_turns(sonde::mpi::group& ranks) {
    auto good = true;
    for (bool const named : {false, true})
        for (int repeat = 0; repeat != 20; ++repeat) {
            auto const said = on_two_threads([&](std::size_t i) {
                auto const exchange = [&] { MPI_Barrier(ranks.comm()); };
                auto const found = sonde::run(ranks, sonde::plan<>{}.until(sonde::samples{20}), exchange,
                                              named && i == 1 ? "other" : "halo");
                if (found.series.size() != 20) throw std::runtime_error{"the record is wrong"};
            });
            for (auto const& text : said)
                good = good && (text.empty() || (named && has(text, "the name must be equal on all ranks")));
            good = good && said[0].empty() == said[1].empty();
        }
    return good;
}

/// A load on a thread of each rank needs MPI_THREAD_MULTIPLE; then it runs in each sample beside it, and not after it.
bool loads_run_in_background(sonde::mpi::group& ranks, int level) {
    using sonde::mpi::background_load, sonde::mpi::congestion;
    if (level < MPI_THREAD_MULTIPLE)
        return is_refused("without MPI_THREAD_MULTIPLE", [&] { background_load{ranks, congestion::incast}.stop(); });
    background_load load{ranks, congestion::alltoall, 10'000};
    auto const exchange = [&] { MPI_Barrier(ranks.comm()); };
    auto const plan = sonde::plan<>{}.warmup(2).until(sonde::samples{4});
    auto const found = sonde::compare_beside(ranks, plan, load, exchange, "barrier");
    // A round or more, of a message to each other rank, in the warm-up and in each of the 4 samples.
    auto const least = 5.0 * (ranks.size() - 1) * 10'000, sent = load.bytes();
    broadcasts_fail = true;
    load.start();
    if (!is_refused<sonde::mpi::error>("MPI_Ibcast", [&] { load.stop(); })) return false;
    broadcasts_fail = false;
    load.start();
    load.stop(); // throws nothing of the start before
    { background_load const unused{ranks, congestion::incast, 1}; }
    return found.records.at(1).series.size() == 4 && sent >= least && load.bytes() > sent;
}

bool with_level(int wanted) {
    int level = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, wanted, &level);
    auto good = teams(level);
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        if (level < MPI_THREAD_SERIALIZED) good = other_threads_are_refused(ranks) && good;
        if (level == MPI_THREAD_SERIALIZED) good = second_thread_is_refused(ranks) && good;
        if (level == MPI_THREAD_MULTIPLE) good = threads_take_turns(ranks) && good;
        if (ranks.size() > 1) good = loads_run_in_background(ranks, level) && good;
    }
    MPI_Finalize();
    return good;
}

} // namespace

/// Fails on request; otherwise the library's.
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
    return broadcasts_fail ? MPI_ERR_OTHER : PMPI_Ibcast(data, count, type, root, comm, request);
}

int main(int argc, char** argv) {
    std::string const when = argc > 1 ? argv[1] : "";
    auto good = false;
    if (when == "before") {
        good = all_refused("MPI_Init has not been called");
        MPI_Init(&argc, &argv); // MPI still initializes
        MPI_Finalize();
    } else if (when == "guarded") {
        sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [] { sonde::mpi::group const ranks{MPI_COMM_WORLD}; });
    } else if (when == "after") {
        MPI_Init(&argc, &argv);
        good = outlives_mpi() && all_refused("MPI_Finalize has been called");
    } else if (when == "funneled") {
        good = with_level(MPI_THREAD_FUNNELED);
    } else if (when == "single") {
        good = with_level(MPI_THREAD_SINGLE);
    } else if (when == "multiple") {
        good = with_level(MPI_THREAD_MULTIPLE);
    } else if (when == "serialized") {
        good = with_level(MPI_THREAD_SERIALIZED);
    }
    return good ? 0 : 1;
}
