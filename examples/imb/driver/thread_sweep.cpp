// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/thread_sweep.hpp"

#include "imb/driver/imb_table.hpp"
#include "suite/contents.hpp"
#include "suite/hosts.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace imb {

sonde::record run(member& self, thread_plan const& how, sonde::pattern_ref<sonde::mpi::wtime> pattern,
                  sonde::point at) {
    return sonde::run(self, how, pattern, std::move(at));
}

void require_memory(thread_program const& program, options const& asked, std::vector<benchmark const*> const& tests,
                    sonde::mpi::group& world) {
    auto const threads = threads_of(asked, world);
    double most = 0; // of a thread
    for (auto const* test : tests) {
        auto const each = program.buffers(*test, asked, world, threads);
        auto const request = suite::least_memory_of_request + 2.0 * static_cast<double>(sizeof(MPI_Request));
        auto const requests = test->kind == family::message_rate ? request * static_cast<double>(asked.window) : 0;
        most = std::max(most, static_cast<double>(each.send) + static_cast<double>(each.receive) + requests);
    }
    suite::require_memory(world, threads * most, program.memory_options);
}

namespace {

/// Sweep over the sizes of a benchmark, on one thread of a rank. Rank 0's thread 0 prints and reports.
class thread_sweep {
public:
    thread_sweep(thread_program const& program, program_run const& on, benchmark const& test, thread_place const& place,
                 sonde::mpi::group& ranks, thread_regions buffers)
        : program_{program}, on_{on}, test_{test}, place_{place}, ranks_{ranks}, buffers_{buffers} {}

    /// Returns false if contents were wrong. Collective over all threads.
    bool run() {
        auto right = true, first = true;
        for (auto const count :
             test_.kind == family::synchronization ? std::vector<std::size_t>{0} : on_.options.counts) {
            auto s = setting_of(count * bytes_of(on_.options.data));
            auto const work = test_.make(s);
            auto record = work.measure(on_.options.repeats).pure;
            if (std::exchange(first, false)) print(program_.head(s, record));
            if (record.initiators == 0) return true;
            print(program_.line(s, record));
            if (on_.options.check) record.errors = check(work);
            if (place_.self.rank() == 0) on_.report(record);
            right = right && record.errors.value_or(0) == 0;
        }
        return right;
    }

private:
    setting setting_of(std::size_t bytes) const {
        auto const of = [&](sonde::region memory) {
            return message_buffers{memory, suite::memory{memory_kind::host}, {1, stride_of(bytes)}};
        };
        return {.group = ranks_,
                .options = on_.options,
                .test = test_,
                .bytes = bytes,
                .send = of(buffers_.out),
                .receive = of(buffers_.in),
                .thread = &place_};
    }
    void print(std::string const& text) const {
        if (place_.self.rank() == 0) on_.print(text);
    }
    /// Wrong elements on all threads of all ranks; ranks that found some are printed.
    std::size_t check(work const& done) const {
        std::vector<double> wrong(static_cast<std::size_t>(ranks_.size()));
        wrong[static_cast<std::size_t>(ranks_.rank())] = done.defects();
        place_.self.all_reduce(wrong, sonde::reduction::sum);
        print(check_failures(wrong));
        double all = 0;
        for (auto const w : wrong) all += w;
        return static_cast<std::size_t>(all);
    }

    thread_program const& program_;
    program_run const& on_;
    benchmark const& test_;
    thread_place const& place_;
    sonde::mpi::group& ranks_;
    thread_regions buffers_;
};

/// A benchmark on all threads of this rank, with a communicator for each. Returns false, equal on all ranks, if
/// contents were wrong. Throws suite::refusal on all ranks if memory is not available. Collective over the world.
bool run_one(thread_program const& program, program_run const& on, benchmark const& test,
             std::vector<sonde::mpi::group>& communicators) {
    auto const threads = static_cast<int>(communicators.size());
    std::optional<thread_memory> memory;
    suite::allocate(on.world, program.memory_options,
                    [&] { memory.emplace(on.options, threads, program.buffers(test, on.options, on.world, threads)); });
    barrier_ranks parent{on.world, on.options.synchronization};
    team all{parent, threads};
    std::barrier<> process_threads{threads};
    auto right = true;
    all.run([&](member& self) {
        sonde::mpi::abort_on_exception(on.world.comm(), [&] {
            thread_place const place{self, process_threads, threads};
            auto& ranks = communicators[static_cast<std::size_t>(self.thread())];
            auto const mine = thread_sweep{program, on, test, place, ranks, memory->of(self.thread())}.run();
            if (self.thread() == 0) right = mine;
        });
    });
    return right;
}

} // namespace

bool run_threads(thread_program const& program, program_run const& on) {
    auto ranks_of_threads = communicators(threads_of(on.options, on.world));
    on.print(program.banner(on.options));
    auto right = true;
    for (auto const* test : on.tests) right = run_one(program, on, *test, ranks_of_threads) && right;
    on.print(program.end);
    return right;
}

std::string check_failures(std::vector<double> const& wrong_elements) {
    std::string text;
    for (std::size_t rank = 0; rank != wrong_elements.size(); ++rank)
        if (wrong_elements[rank] != 0)
            text += formatted("CHECK FAILURES: rank %zu: %.0f\n", rank, wrong_elements[rank]);
    return text;
}

} // namespace imb
