// SPDX-License-Identifier: BSL-1.0
#include "imb/p2p/p2p.hpp"

#include "imb/driver/imb_driver.hpp"
#include "imb/driver/imb_table.hpp"
#include "imb/driver/setting.hpp"
#include "imb/p2p/p2p_benchmarks.hpp"
#include "imb/p2p/transport.hpp"
#include "suite/hosts.hpp"
#include "suite/values.hpp"

#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <chrono>
#include <climits>
#include <optional>
#include <thread>
#include <vector>

namespace imb::p2p {

namespace {

std::string const dashes = "#" + std::string(64, '-') + "\n";

std::string names(std::vector<benchmark const*> const& tests) {
    std::string all;
    for (auto const* test : tests) all += "# " + test->name + "\n";
    return all;
}

/// The suite's name and version.
std::string title() {
    auto const rule = "#" + std::string(60, '-') + "\n";
    return rule + "#    Intel(R) MPI Benchmarks 2021.11, IMB-P2P part\n" + rule;
}

std::string header(program_run const& on) {
    auto const [least, most] = std::minmax_element(on.options.sizes.begin(), on.options.sizes.end());
    return title() + about_system(threading::single) + "#\n# Calling sequence was:\n#\n# " +
           on.environment.command_line + "\n#\n# List of Benchmarks to run:\n#\n" + names(on.tests) +
           "#\n# Minimum message length in bytes:   " + std::to_string(*least) +
           "\n# Maximum message length in bytes:   " + std::to_string(*most) + "\n#\n";
}

} // namespace

figures figures_of(sonde::record const& r) {
    auto const sum_over_ranks = r.over_ranks.mean.count() * r.ranks;
    auto const slowest = r.over_ranks.max;
    return {1e6 * sum_over_ranks / (static_cast<double>(r.total.messages) * r.total.hops),
            sonde::bandwidth(r, slowest) / 1e6, sonde::message_rate(r, slowest)};
}

std::string head(benchmark const& test, int ranks, bool checked) {
    auto const titles =
        formatted(" %12s %12s %12s %12s %12s", "#bytes", "#repetitions", "t[usec]", "Mbytes/sec", "Msg/sec");
    return "\n" + dashes + "# Benchmarking " + test.name + (test.layout == nullptr ? "" : test.layout(ranks)) +
           "\n# #processes = " + std::to_string(ranks) + "\n" + dashes + titles +
           (checked ? formatted(" %12s", "defects") : "") + "\n";
}

std::string line(std::size_t bytes, sonde::record const& r) {
    auto const [time, megabytes, messages] = figures_of(r);
    auto const defects = r.errors ? formatted(" %12.2f", *r.errors == 0 ? 0.0 : 1.0) : "";
    return formatted(" %12zu %12zu %12.2f %12.2f %12.0f", bytes, r.batch, time, megabytes, messages) + defects + "\n";
}

namespace {

constexpr auto largest_log = 47;

std::vector<std::size_t> powers(int from, int to) {
    std::vector<std::size_t> all;
    for (auto log = from; log <= to; ++log) all.push_back(std::size_t{1} << log);
    return all;
}

/// "N": 0, 1, 2, 4 .. 2^N; "K:N": 2^K .. 2^N
std::optional<std::vector<std::size_t>> powers_of(std::string const& text) {
    auto const parts = split(text, ':');
    auto const least = parts.size() == 1 ? 0 : number<int>(parts[0], 0, largest_log);
    auto const most = number<int>(parts.back(), least.value_or(0), largest_log);
    if (parts.size() > 2 || !least || !most) return std::nullopt;
    auto all = powers(*least, *most);
    if (parts.size() == 1) all.insert(all.begin(), 0);
    return all;
}

/// "MAX[,VOL]"; without VOL an earlier one remains.
bool set_repetitions(iterations& into, std::string const& text) {
    auto const parts = split(text, ',');
    auto volume = into.volume >> 20;
    auto const accepted = parts.size() <= 2 && whole(into.messages, 1, INT_MAX).set(parts[0]) &&
                          (parts.size() == 1 || whole(volume, 1, std::size_t{1} << 33).set(parts[1]));
    into.volume = volume << 20;
    return accepted;
}

bool add_size(std::vector<std::size_t>& into, std::string const& text) {
    auto const size = imb_size_in(text);
    if (size) into.push_back(*size);
    return size.has_value();
}

std::vector<option_row> option_table(options& o, option_set) {
    return {
        help_option(),
        list_option(o),
        {"l", "the same as -list", list_option(o).value},
        {"iter MAX[,VOL]", "repetitions: as many as move VOL 2^20 bytes, MAX at most (100000,800)",
         set_by(o.iter, set_repetitions,
                "MAX[,VOL], whole: MAX from 1 to 2147483647, VOL in 2^20 bytes from 1 to 8589934592")},
        {"msglog [K:]N", "sizes 0, 1, 2, 4 .. 2^N, or 2^K .. 2^N, in place of all others (22)",
         parsed(o.sizes, powers_of, "N or K:N, from 0 to 47, K not above N")},
        {"msglen FILE", "sizes, one a line, such as 12, 4k, 1m, 1g, in place of all others", size_file(o.sizes)},
        {"msgsz S", "a size more, in bytes, or with k, m, g",
         set_by(o.sizes, add_size, "a whole number, also with k, m or g")},
        {"msgwr", "a byte of every 64 of a message is written before it is sent, inside the clock ({default})",
         on_off(o.writes, spelling::any_case)},
        {"msgrd", "a byte of every 64 of a message is read after it has arrived, inside the clock ({default})",
         on_off(o.reads, spelling::any_case)},
        {"pause USEC", "microseconds before and after a size; below 0: none ({default})",
         whole(o.pause_us, INT_MIN, INT_MAX)},
        check_option(o, "validate contents in a separate pass, which is not timed ({default})"),
        report_option(o.reports),
    };
}

void complete(options& asked) {
    if (asked.sizes.empty()) asked.sizes = powers_of("22").value();
}

constexpr auto size_options = "-msglog, -msglen, -msgsz";

std::size_t longest(options const& asked) { return *std::max_element(asked.sizes.begin(), asked.sizes.end()); }

std::size_t ranks_of(sonde::mpi::group const& world) { return static_cast<std::size_t>(world.size()); }

/// Throws suite::refusal on all ranks if a host lacks the memory for the longest size. Collective over the group.
void require_memory(options const& asked, std::vector<benchmark const*> const& tests, sonde::mpi::group& world) {
    std::size_t buffers = 0;
    for (auto const* test : tests)
        if (test->fits(world.size())) buffers = std::max(buffers, test->needs(1, ranks_of(world)).send);
    suite::require_memory(world, 2.0 * static_cast<double>(buffers) * static_cast<double>(longest(asked)),
                          size_options);
}

void pause(options const& asked) {
    if (asked.pause_us > 0) std::this_thread::sleep_for(std::chrono::microseconds{asked.pause_us});
}

/// Measure one size, with pauses before and after, and check its contents. Collective over the group.
sonde::record measure(setting& s) {
    auto const work = s.test.make(s);
    pause(s.options);
    auto record = work.measure(repetitions_of(s.options.iter, s.bytes)).pure;
    pause(s.options);
    start_barrier{}(s.group, 0);
    if (s.options.check) record.errors = static_cast<std::size_t>(work.defects());
    return record;
}

/// Send and receive buffers for all messages of a benchmark, of the longest size.
struct benchmark_memory {
    buffer_layout layout;
    message_memory send;
    message_memory receive;

    benchmark_memory(benchmark const& test, program_run const& on)
        : layout{test.needs(1, ranks_of(on.world)).send, (longest(on.options) + 63) / 64 * 64},
          send{layout.bytes(), memory_of(on.options)}, receive{layout.bytes(), memory_of(on.options)} {
        for (auto* const memory : {&send, &receive}) memory->fill(mark_of(on.world.rank()));
    }
    message_buffers buffers(message_memory const& all) const { return {all.bytes(), all.memory(), layout}; }
};

/// Run a benchmark over all sizes, print its table, and report the records. Returns false if contents were wrong.
/// Throws suite::refusal on all ranks if memory is not available. Collective over the group.
bool run(benchmark const& test, program_run const& on) {
    auto& world = on.world;
    if (!test.fits(world.size())) {
        on.print(invalid_line(test, world.size()) + "\n");
        return true;
    }
    on.print(head(test, world.size(), on.options.check));
    std::optional<benchmark_memory> memory;
    suite::allocate(world, size_options, [&] { memory.emplace(test, on); });
    auto right = true;
    for (auto const bytes : on.options.sizes) {
        setting s{.group = world,
                  .options = on.options,
                  .test = test,
                  .bytes = bytes,
                  .send = memory->buffers(memory->send),
                  .receive = memory->buffers(memory->receive)};
        auto const record = measure(s);
        on.print(line(bytes, record));
        on.report(record);
        right = right && record.errors.value_or(0) == 0;
    }
    return right;
}

bool run_all(program_run const& on) {
    on.print(header(on));
    auto right = true;
    for (auto const* test : on.tests) right = run(*test, on) && right;
    on.print(closing());
    return right;
}

} // namespace

} // namespace imb::p2p

imb::component imb::p2p_component() {
    component about{.part = "IMB-P2P part", .tests = p2p::rows()};
    about.defaults.iter = {.messages = 100'000, .volume = std::size_t{800} << 20};
    about.syntax = {.rows = p2p::option_table,
                    .style = option_style::one_dash_any_case,
                    .in_given_order = true,
                    .complete = p2p::complete};
    about.list = p2p::title() + "# List of Benchmarks to run:\n#\n" + p2p::names(selected(about.tests, {})) + "#\n";
    about.require = p2p::require_memory;
    about.run = p2p::run_all;
    return about;
}
