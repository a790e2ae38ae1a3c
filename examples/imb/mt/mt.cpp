// SPDX-License-Identifier: BSL-1.0
#include "imb/mt/mt.hpp"

#include "imb/driver/thread_options.hpp"
#include "imb/driver/thread_sweep.hpp"
#include "imb/mt/mt_benchmarks.hpp"
#include "suite/refusal.hpp"

#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

namespace imb::mt {

times times_of(sonde::record const& r, line_inputs const& in) {
    auto const microseconds = [&](sonde::seconds t) { return 1e6 * t.count() / in.time_divisor; };
    return {microseconds(r.over_ranks.min), microseconds(r.over_ranks.max), microseconds(r.over_ranks.mean)};
}

double megabytes_of(sonde::record const& r, line_inputs const& in) {
    return static_cast<double>(in.bytes()) * in.bandwidth_factor / times_of(r, in).max;
}

double megabytes_of_pairs(sonde::record const& r, line_inputs const& in) {
    return static_cast<double>(in.message) * (r.initiators / 2) / times_of(r, in).max;
}

long long rate_of_pairs(sonde::record const& r, line_inputs const& in) {
    return static_cast<long long>((r.initiators / 2) * in.time_divisor / r.over_ranks.mean.count());
}

namespace {

std::string const dashes = "#" + std::string(77, '-') + "\n";

// Cells of 13 characters; numbers have a blank before them however long they are.
std::string cell(char const* title) { return formatted("%13s", title); }
std::string cell(long long n) { return formatted("% 13lld", n); }
std::string cell(std::size_t n) { return cell(static_cast<long long>(n)); }
std::string cell(double value) { return formatted("% 13.2f", value); }

bool is_sized(benchmark const& test) { return test.kind != family::synchronization; }

std::string titles(benchmark const& test) {
    auto text = is_sized(test) ? cell("#bytes") : std::string{};
    text += cell("#repetitions");
    if (test.shows != columns::rate) text += cell("t_min[usec]") + cell("t_max[usec]");
    text += cell("t_avg[usec]");
    if (test.shows != columns::range) text += cell("Mbytes/sec");
    if (test.shows == columns::rate) text += cell("Msg/sec");
    return text + "\n";
}

std::string banner() {
    auto const rule = "#" + std::string(66, '-') + "\n";
    return rule + "#    Intel(R) MPI Benchmarks 2021.11, MT part    \n" + rule + "#\n";
}

} // namespace

std::string head(benchmark const& test, int initiators, int threads, std::size_t window) {
    auto const processes =
        "# #processes = " + std::to_string(initiators / threads) + " (threads: " + std::to_string(threads) + ")\n";
    auto const windows =
        test.kind == family::message_rate ? "# window_size = " + std::to_string(window) + "\n" : std::string{};
    return "\n" + dashes + "# Benchmarking " + test.name + "\n" + processes + windows + dashes + titles(test);
}

std::string no_success(benchmark const& test) {
    return "\n" + dashes + "# Benchmarking " + test.name + "\n# NO SUCCESSFUL EXECUTIONS\n" + dashes + "\n";
}

std::string line(benchmark const& test, line_inputs const& in, std::size_t repetitions, sonde::record const& r) {
    auto const shown = times_of(r, in);
    auto text = is_sized(test) ? cell(in.bytes()) : std::string{};
    text += cell(repetitions);
    if (test.shows != columns::rate) text += cell(shown.min) + cell(shown.max);
    text += cell(shown.avg);
    if (test.shows == columns::range_bandwidth) text += cell(megabytes_of(r, in));
    if (test.shows == columns::rate) text += cell(megabytes_of_pairs(r, in)) + cell(rate_of_pairs(r, in));
    return text + "\n";
}

namespace {

void require_compatible(options const& asked) {
    if (asked.check && asked.data != element::integer)
        throw suite::refusal{"Only int data type is supported with check option [-check -datatype]"};
    if (asked.allocation != thread_allocation::serial && asked.level != threading::multiple)
        throw suite::refusal{"-malloc_algo continuous and parallel are for several threads: -thread_level multiple"};
}

std::vector<option_row> option_table(options& o, option_set lacks) {
    return thread_option_table(
        o, lacks,
        {"stride", "ranks from a partner, or a neighbor in a ring, to the next; 0: half of them ({default})",
         whole(o.stride, 0, INT_MAX)});
}

void complete(options& asked) {
    complete_counts(asked);
    if (asked.requested == action::measure) require_compatible(asked);
}

lengths buffers_of(benchmark const& test, options const& asked, sonde::mpi::group const& world, int) {
    auto const most = is_sized(test) ? *std::max_element(asked.counts.begin(), asked.counts.end()) : 0;
    auto const [send, receive] =
        test.needs(stride_of(most * bytes_of(asked.data)), static_cast<std::size_t>(world.size()));
    constexpr std::size_t token = 64;
    return {send, (test.kind == family::message_rate ? asked.window : 1) * receive + token};
}

line_inputs inputs_of(setting const& s) {
    auto const window = s.test.kind == family::message_rate ? static_cast<double>(s.options.window) : 1.0;
    return {window / s.test.time_factor, s.test.bandwidth_factor, s.bytes, s.thread->threads};
}

thread_program const own{
    .memory_options = "-count, -window_size, -thread_level",
    .buffers = buffers_of,
    .banner = [](options const& asked) { return asked.header ? banner() : std::string{}; },
    .head =
        [](setting const& s, sonde::record const& r) {
            if (r.initiators == 0) return no_success(s.test);
            return head(s.test, r.initiators, s.thread->threads, s.options.window);
        },
    .line = [](setting const& s, sonde::record const& r) { return line(s.test, inputs_of(s), s.options.repeats, r); },
    .end = "\n"};

} // namespace

} // namespace imb::mt

imb::component imb::mt_component() {
    component about{.part = "MT part", .tests = mt::rows()};
    about.defaults.window = 64;
    about.defaults.data = element::integer;
    about.syntax = {.rows = mt::option_table, .in_given_order = true, .complete = mt::complete};
    about.require = [](auto const& asked, auto const& tests, auto& world) {
        require_memory(mt::own, asked, tests, world);
    };
    about.run = [](program_run const& on) { return run_threads(mt::own, on); };
    about.where_wrong = "the lines CHECK FAILURES";
    return about;
}
