// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/sweep.hpp"

#include "imb/driver/imb_contents.hpp"
#include "imb/driver/imb_table.hpp"
#include "suite/agreement.hpp"

#include <sonde/mpi/error.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <system_error>
#include <thread>

namespace imb {

namespace {

sonde::seconds now() { return sonde::mpi::wtime{}.now(); }

setting setting_of(sweep_inputs const& in, std::size_t bytes, memory_plan const& memory, message_memory& send,
                   message_memory& receive, std::shared_ptr<benchmark_state>& state) {
    auto const& on = in.driver;
    return {.group = in.groups.mine(),
            .options = on.options,
            .test = in.test,
            .bytes = bytes,
            .send = {send.bytes(), on.memory, memory.send_layout},
            .receive = {receive.bytes(), on.memory, memory.receive_layout},
            .data = on.data.get(),
            .reduced = on.reduced.get(),
            .sum = on.reduced.sum(),
            .element_bytes = bytes_of(element_of(in.test, on.options)),
            .world_rank = on.world.rank(),
            .mode = in.mode,
            .max_repetitions = memory.repetitions,
            .group_number = in.groups.number().value(),
            .extent_factor = extent_factor_of(on.options),
            .state = &state,
            .bits = in.driver.bits ? &*in.driver.bits : nullptr,
            .members = &in.groups.members().at(static_cast<std::size_t>(in.groups.number().value()))};
}

sonde::seconds slowest(sonde::record const& r) { return r.over_ranks.max; }

/// Time of a repetition, communication alone and with overlap, by the clocks of the records.
sonde::seconds recorded_time(result const& r) {
    return slowest(r.pure) + (r.overlap ? slowest(*r.overlap) : sonde::seconds{});
}

} // namespace

one_size::one_size(sweep_inputs const& in, std::size_t bytes, memory_plan const& memory,
                   std::shared_ptr<benchmark_state>& state)
    : in_{in}, bytes_{bytes}, send_{memory.send_layout.bytes(), in.driver.memory},
      receive_{memory.receive_layout.bytes(), in.driver.memory},
      setting_{setting_of(in, bytes, memory, send_, receive_, state)} {
    write_initial(setting_.send, in.groups.mine().rank(), in.driver.about.io);
    receive_.fill(std::byte{});
}

/// Time of a repetition: that of the record; with overlap or work, the duration of all parts and the gaps between them.
sonde::seconds one_size::per_repetition(result const& r, std::size_t n) const {
    if (!r.overlap && !r.work) return slowest(r.pure);
    std::array duration{duration_.count()};
    in_.groups.mine().all_reduce(duration, sonde::reduction::max);
    return sonde::seconds{duration[0]} / static_cast<double>(n);
}

result one_size::measure(std::size_t n) {
    auto const begin = now();
    auto r = work_.measure(n);
    duration_ = now() - begin;
    return r;
}

std::size_t one_size::count_by_time(repetition_counts const& counts) {
    auto const most = setting_.max_repetitions;
    auto r = measure(1);
    auto const n = std::min(counts.estimation_run(bytes_, recorded_time(r)), most);
    if (n > 1) r = measure(n);
    return std::min(counts.within_time(bytes_, per_repetition(r, n)), most);
}

std::size_t one_size::estimate(repetition_counts const& counts) {
    work_ = in_.test.make(setting_);
    if (counts.estimates()) return count_by_time(counts);
    measure(setting_.max_repetitions);
    return setting_.max_repetitions;
}

std::size_t one_size::agreed(std::size_t n) const {
    auto const* const all = in_.groups.all();
    if (all == nullptr || !in_.driver.options.groups_together) return n;
    std::array least{static_cast<double>(n)};
    all->all_reduce(least, sonde::reduction::min);
    return static_cast<std::size_t>(least[0]);
}

void one_size::warm_up(std::size_t n) {
    if (in_.driver.about.warms_up && in_.driver.options.warm_up) work_.measure(warm_up_count(n));
}

result one_size::report(std::size_t n) {
    if (in_.driver.options.groups_together) setting_.all_groups = in_.groups.all();
    auto r = measure(n);
    setting_.all_groups = nullptr;
    r.repetitions = n;
    if ((!in_.driver.options.check && !setting_.bits) || !work_.defects) return r;
    auto const defects = work_.defects();
    if (in_.driver.options.check) r.defects = defects;
    return r;
}

namespace {

/// Send to rank 0.
void send_text(sonde::mpi::group const& world, std::string const& text) {
    sonde::mpi::check(MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, 0, world.comm()), "MPI_Send");
}

std::string receive_text(sonde::mpi::group const& world, int from) {
    using sonde::mpi::check;
    MPI_Status status;
    int length = 0;
    check(MPI_Probe(from, 0, world.comm(), &status), "MPI_Probe");
    check(MPI_Get_count(&status, MPI_CHAR, &length), "MPI_Get_count");
    std::string text(static_cast<std::size_t>(length), ' ');
    check(MPI_Recv(text.data(), length, MPI_CHAR, from, 0, world.comm(), MPI_STATUS_IGNORE), "MPI_Recv");
    return text;
}

/// Sweep over the sizes of a benchmark with one number of processes in one mode. Collective over the world; ranks that
/// wait outside the groups have no `one_size`.
class size_sweep {
public:
    explicit size_sweep(sweep_inputs const& in)
        : in_{in}, counts_{rules_of(in.driver.about, in.test, in.driver.options, in.mode, in.groups.size())},
          table_{in.driver, in.test, in.mode, in.groups.members()}, begin_{now()} {}

    bool run();

private:
    struct size_plan {
        std::size_t bytes;
        lengths one; // buffers of one repetition
        memory_plan memory;
    };
    using local_size = std::optional<one_size>;

    size_plan plan_of(std::size_t bytes) const;
    bool run_size(size_plan const& planned);
    failure allocate(size_plan const& planned, local_size& into);
    failure agree(failure mine) const;
    failure check_time() const;
    void report(std::size_t bytes, local_size& size, std::size_t repetitions);
    void together(local_size& size, std::function<void(one_size&)> const& step) const;
    void pause(local_size const& size) const;
    std::vector<result> gather(result const& mine) const;

    sweep_inputs in_;
    repetition_counts counts_;
    table table_;
    std::shared_ptr<benchmark_state> state_;
    sonde::seconds begin_;
};

bool size_sweep::run() {
    auto const& on = in_.driver;
    for (auto const bytes : sizes_of(in_.test.kind, on.options, unit_of(on.about, in_.test, on.options)))
        if (!run_size(plan_of(bytes))) return false;
    return true;
}

size_sweep::size_plan size_sweep::plan_of(std::size_t bytes) const {
    auto const& on = in_.driver;
    auto const rank = in_.groups.number() ? in_.groups.mine().rank() : 0; // ranks that wait allocate nothing
    auto const one = lengths_of(in_.test, on.options, bytes, in_.groups.size(), rank);
    return {bytes, one, plan_memory(memory_request_of(on.about, in_.test, on.options, one, counts_.maximum(bytes)))};
}

bool size_sweep::run_size(size_plan const& planned) {
    local_size size;
    auto why = agree(allocate(planned, size));
    std::size_t repetitions = 0;
    if (why == failure::none) {
        together(size, [&](one_size& s) { repetitions = s.estimate(counts_); });
        why = agree(check_time());
    }
    if (why != failure::none) {
        table_.add(why, planned.bytes, planned.memory.bytes());
        return false;
    }
    report(planned.bytes, size, repetitions);
    return true;
}

/// Allocate the memory of a size on ranks of a group.
failure size_sweep::allocate(size_plan const& planned, local_size& into) {
    auto const& options = in_.driver.options;
    auto const why =
        failure_of(planned.one, bytes_of(element_of(in_.test, options)), planned.memory, memory_limit(options));
    if (why != failure::none || !in_.groups.number()) return why;
    try {
        into.emplace(in_, planned.bytes, planned.memory, state_);
    } catch (sonde::mpi::error const&) { // from MPI_Alloc_mem
        return failure::memory;
    } catch (suite::refusal const&) { // from memory of a device
        return failure::memory;
    }
    return failure::none;
}

/// The failure of the highest precedence on any rank.
failure size_sweep::agree(failure mine) const {
    std::array worst{static_cast<double>(mine)};
    in_.driver.world.all_reduce(worst, sonde::reduction::max);
    return static_cast<failure>(worst[0]);
}

failure size_sweep::check_time() const {
    return now() - begin_ > time_out(in_.driver.options) ? failure::time_out : failure::none;
}

/// Warm-up and the reported run; a refusal to write a report ends all ranks.
void size_sweep::report(std::size_t bytes, local_size& size, std::size_t repetitions) {
    result mine;
    if (size) repetitions = size->agreed(repetitions);
    counts_.add(bytes, repetitions);
    together(size, [&](one_size& s) { s.warm_up(repetitions); });
    together(size, [&](one_size& s) { mine = s.report(repetitions); });
    pause(size);
    auto const results = gather(mine);
    suite::together(in_.driver.world, [&] {
        try {
            if (in_.driver.world.rank() == 0) table_.add(bytes, results);
        } catch (std::system_error const& e) {
            throw suite::refusal{e.what()};
        }
    });
    if (!in_.driver.bits) return;
    for (auto const& text : in_.driver.bits->texts(in_.driver.world)) in_.driver.print("# " + text + '\n');
}

/// Run a step on the ranks that measure. A refusal, such as a full disk, is thrown on all ranks of the world.
void size_sweep::together(local_size& size, std::function<void(one_size&)> const& step) const {
    suite::together(in_.driver.world, [&] {
        if (size) step(*size);
    });
}

/// `-msg_pause`: at least 0.1 s, and a tenth of the reported run.
void size_sweep::pause(local_size const& size) const {
    if (!in_.driver.options.pause) return;
    auto const duration = size ? size->duration() : sonde::seconds{};
    std::this_thread::sleep_for(std::max(sonde::seconds{0.1}, duration / 10));
}

/// Results of all groups, on world rank 0, which is in group 0.
std::vector<result> size_sweep::gather(result const& mine) const {
    auto const& world = in_.driver.world;
    std::vector<result> all{mine};
    for (std::size_t g = 1; g != in_.groups.members().size(); ++g) {
        auto const leader = in_.groups.members()[g].front();
        if (leader == world.rank()) send_text(world, text_of(mine));
        if (world.rank() == 0) all.push_back(result_of(receive_text(world, leader)));
    }
    return all;
}

} // namespace

bool run_sizes(sweep_inputs const& in) { return size_sweep{in}.run(); }

} // namespace imb
