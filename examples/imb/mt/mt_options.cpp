// SPDX-License-Identifier: BSL-1.0
#include "imb/mt/mt_options.hpp"

#include "imb/driver/imb_command_line.hpp"
#include "imb/driver/imb_options.hpp"
#include "suite/refusal.hpp"
#include "suite/values.hpp"

#include <climits>
#include <cstdlib>
#include <thread>

namespace imb::mt {

namespace {

/// Alignment of buffers in bytes, a power of 2.
bool set_alignment(std::size_t& into, std::string const& text) {
    return whole(into, 1, std::size_t{1} << 30).set(text) && (into & (into - 1)) == 0;
}

std::vector<option_row> measurement_options(options& o) {
    auto const count = [](std::size_t& one) { return whole(one, 0, INT_MAX); };
    return {
        {"stride", "ranks from a partner, or a neighbor in a ring, to the next; 0: half of them ({default})",
         whole(o.stride, 0, INT_MAX)},
        {"warmup", "repetitions before the clock ({default})", whole(o.warm_ups, 0, INT_MAX)},
        {"repeat", "repetitions ({default})", whole(o.repeats, 1, INT_MAX)},
        window_size_option(o, "messages of a window: UniBandMT, BiBandMT ({default})"),
        {"barrier", "before measuring, and between collectives; special: messages ({default})",
         one_of(o.synchronization, {{"on", barrier::mpi}, {"off", barrier::off}, {"special", barrier::dissemination}})},
        {"count N,...", "elements of a message; may be repeated (1,2,4,8)",
         accepting("whole numbers from 0 to 2147483647 with commas between",
                   list_of(o.counts, repeated::appends, count))},
        {"malloc_align BYTES", "where buffers begin (64)",
         set_by(o.alignment, set_alignment, "a power of 2 from 1 to 1073741824")},
        {"malloc_algo ALGORITHM", "buffers are made by one thread, continuous: in a block; or in parallel ({default})",
         one_of(
             o.allocated,
             {{"serial", allocate::serial}, {"continuous", allocate::continuous}, {"parallel", allocate::parallel}})},
        check_option(o, "validate contents in a separate pass, which is not timed ({default})"),
        {"noheader", "no banner", assign(o.header, false)},
        {"datatype TYPE", "{words} ({default})",
         one_of(o.type, {{"int", datatype::integer}, {"char", datatype::character}})},
        report_option(o.reports),
    };
}

void require_compatible(options const& asked) {
    if (asked.check && asked.type != datatype::integer)
        throw suite::refusal{"Only int data type is supported with check option [-check -datatype]"};
    if (asked.allocated != allocate::serial && asked.level != threading::multiple)
        throw suite::refusal{"-malloc_algo continuous and parallel are for several threads: -thread_level multiple"};
}

} // namespace

int options::threads() const {
    if (level != threading::multiple) return 1;
    auto const* const asked = std::getenv("OMP_NUM_THREADS");
    auto const outermost = asked == nullptr ? std::string{} : suite::split(asked, ',').front();
    auto const processors = static_cast<int>(std::thread::hardware_concurrency());
    return suite::number<int>(outermost, 1, 1024).value_or(processors > 0 ? processors : 1);
}

std::vector<option_row> option_table(options& o) {
    std::vector<option_row> all{
        help_option(), list_option(o),
        thread_level_option(
            o, "single, funneled, serialized: one thread; multiple: OMP_NUM_THREADS, or one a processor ({default})")};
    for (auto const& some : {selection_options(o), measurement_options(o)})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

options parse(int argc, char const* const* argv) {
    options found;
    parse_in_order(found, option_table(found), argc, argv, option_style::one_dash);
    if (found.counts.empty()) found.counts = {1, 2, 4, 8};
    if (found.requested == action::measure) require_compatible(found);
    return found;
}

} // namespace imb::mt
