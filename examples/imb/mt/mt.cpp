// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/thread_options.hpp"
#include "imb/driver/thread_sweep.hpp"
#include "imb/imb.hpp"
#include "imb/mt/mt_benchmarks.hpp"
#include "imb/mt/mt_table.hpp"
#include "suite/refusal.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <string>
#include <vector>

namespace imb::mt {

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
    auto const sized = test.kind != family::synchronization;
    auto const most = sized ? *std::max_element(asked.counts.begin(), asked.counts.end()) : 0;
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
