// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/thread_options.hpp"

#include "suite/values.hpp"

#include <climits>
#include <cstddef>
#include <string>
#include <utility>

namespace imb {

namespace {

/// Alignment of buffers in bytes, a power of 2.
bool set_alignment(std::size_t& into, std::string const& text) {
    return whole(into, 1, std::size_t{1} << 30).set(text) && (into & (into - 1)) == 0;
}

std::vector<option_row> measurement_options(options& o, option_set lacks, option_row stride) {
    using enum option_name;
    auto const count = [](std::size_t& one) { return whole(one, 0, INT_MAX); };
    return {
        std::move(stride),
        {"warmup", "repetitions before the clock ({default})", whole(o.warm_ups, 0, INT_MAX)},
        {"repeat", "repetitions ({default})", whole(o.repeats, 1, INT_MAX)},
        unless_lacking(lacks, window_size,
                       window_size_option(o, "messages of a window: UniBandMT, BiBandMT ({default})")),
        unless_lacking(lacks, barrier,
                       {"barrier", "before measuring, and between collectives; special: messages ({default})",
                        one_of(o.synchronization, {{"on", thread_barrier::mpi},
                                                   {"off", thread_barrier::off},
                                                   {"special", thread_barrier::dissemination}})}),
        {"count N,...", "elements of a message; may be repeated (1,2,4,8)",
         accepting("whole numbers from 0 to 2147483647 with commas between",
                   list_of(o.counts, repeated::appends, count))},
        {"malloc_align BYTES", "where buffers begin (64)",
         set_by(o.alignment, set_alignment, "a power of 2 from 1 to 1073741824")},
        unless_lacking(lacks, malloc_algo,
                       {"malloc_algo ALGORITHM",
                        "buffers are made by one thread, continuous: in a block; or in parallel ({default})",
                        one_of(o.allocation, {{"serial", thread_allocation::serial},
                                              {"continuous", thread_allocation::continuous},
                                              {"parallel", thread_allocation::parallel}})}),
        unless_lacking(lacks, check,
                       check_option(o, "validate contents in a separate pass, which is not timed ({default})")),
        unless_lacking(lacks, noheader, {"noheader", "no banner", assign(o.header, false)}),
        {"datatype TYPE", "{words} ({default})",
         one_of(o.data, {{"int", element::integer}, {"char", element::character}})},
        report_option(o.reports),
    };
}

} // namespace

std::vector<option_row> thread_option_table(options& into, option_set lacks, option_row stride) {
    std::vector<option_row> all{
        help_option(), list_option(into),
        thread_level_option(
            into,
            "single, funneled, serialized: one thread; multiple: OMP_NUM_THREADS, or one a processor ({default})")};
    for (auto const& some : {selection_options(into), measurement_options(into, lacks, std::move(stride))})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

void complete_counts(options& asked) {
    if (asked.counts.empty()) asked.counts = {1, 2, 4, 8};
}

} // namespace imb
