// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_options.hpp"
#include "imb/driver/imb_program.hpp"
#include "imb/imb.hpp"
#include "imb/mt/mt_setting.hpp"
#include "imb/mt/mt_team.hpp"
#include "suite/hosts.hpp"
#include "suite/refusal.hpp"
#include "suite/values.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/mpi/group.hpp>

#include <algorithm>
#include <barrier>
#include <climits>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

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

namespace {

/// State that all benchmarks share.
struct shared_state {
    sonde::mpi::group& world;
    std::vector<sonde::mpi::group> const& communicators; // one for each thread
    mt::options const& options;
    reports const& report; // rank 0's

    int threads() const { return static_cast<int>(communicators.size()); }
};

constexpr auto memory_options = "-count, -window_size, -thread_level";

/// Throws suite::refusal on all ranks if a host lacks the memory for the longest size. Collective over the world.
void require_memory(options const& asked, std::vector<benchmark const*> const& tests, sonde::mpi::group& world) {
    double most = 0; // of a thread
    for (auto const* test : tests) {
        auto const each = lengths_of(*test, asked);
        auto const request = suite::least_memory_of_request + 2.0 * static_cast<double>(sizeof(MPI_Request));
        auto const requests = test->window ? request * static_cast<double>(asked.window) : 0;
        most = std::max(most, static_cast<double>(each.send) + static_cast<double>(each.receive) + requests);
    }
    suite::require_memory(world, threads_of(asked, world) * most, memory_options);
}

/// Sweep over the sizes of a benchmark, on one thread of a rank. Rank 0's thread 0 prints and reports.
class size_sweep {
public:
    size_sweep(shared_state const& on, benchmark const& test, member& self, regions buffers,
               std::barrier<>& process_threads)
        : on_{on}, test_{test}, self_{self}, buffers_{buffers}, process_threads_{process_threads} {}

    /// Returns false if contents were wrong. Collective over all threads.
    bool run() {
        auto right = true, first = true;
        for (auto const count : test_.sized ? on_.options.counts : std::vector<std::size_t>{0}) {
            auto const s = setting_of(count * on_.options.element_bytes());
            auto const work = test_.make(s);
            auto record = work.measure(on_.options.repeats).pure;
            if (record.initiators == 0) {
                print(no_success(test_));
                return true;
            }
            if (std::exchange(first, false)) print(head(test_, record.initiators, on_.threads(), on_.options.window));
            print(line(test_, inputs_of(s.bytes), on_.options.repeats, record));
            if (on_.options.check) record.errors = check(work);
            if (self_.rank() == 0) on_.report(record);
            right = right && record.errors.value_or(0) == 0;
        }
        return right;
    }

private:
    setting setting_of(std::size_t bytes) const {
        auto const& ranks = on_.communicators[static_cast<std::size_t>(self_.thread())];
        return {self_, ranks, process_threads_, on_.options, test_, buffers_, bytes};
    }
    line_inputs inputs_of(std::size_t bytes) const {
        auto const window = test_.window ? static_cast<double>(on_.options.window) : 1.0;
        return {test_.time_divisor * window, test_.bandwidth_factor, bytes, on_.threads()};
    }
    void print(std::string const& text) const {
        if (self_.rank() == 0) suite::print(on_.world, text);
    }
    /// Wrong elements on all threads of all ranks; ranks that found some are printed.
    std::size_t check(work const& done) const {
        std::vector<double> wrong(static_cast<std::size_t>(on_.world.size()));
        wrong[static_cast<std::size_t>(on_.world.rank())] = done.defects();
        self_.all_reduce(wrong, sonde::reduction::sum);
        print(check_failures(wrong));
        double all = 0;
        for (auto const w : wrong) all += w;
        return static_cast<std::size_t>(all);
    }

    shared_state const& on_;
    benchmark const& test_;
    member& self_;
    regions buffers_;
    std::barrier<>& process_threads_;
};

/// Run a benchmark on all threads of all ranks, print its table, and report the records. Returns false, equal on all
/// ranks, if contents were wrong. Throws suite::refusal on all ranks if memory is not available. Collective over the
/// world.
bool run(benchmark const& test, shared_state const& on) {
    std::barrier<> process_threads{on.threads()};
    auto right = true;
    run_threads({on.world, on.options, on.threads(), lengths_of(test, on.options), memory_options},
                [&](member& self, regions buffers) {
                    auto const mine = size_sweep{on, test, self, buffers, process_threads}.run();
                    if (self.thread() == 0) right = mine;
                });
    return right;
}

bool run_all(program_run<options, benchmark> const& on) {
    auto const ranks_of_threads = communicators(threads_of(on.options, on.world));
    if (on.options.header) on.print(banner());
    auto right = true;
    for (auto const* test : on.tests) right = run(*test, {on.world, ranks_of_threads, on.options, on.report}) && right;
    on.print("\n");
    return right;
}

} // namespace

} // namespace imb::mt

int imb::launch_mt(std::string const& name, int argc, char** argv) {
    return launch(argc, argv,
                  program<mt::options, mt::benchmark>{.name = name,
                                                      .rows = mt::rows(),
                                                      .options = mt::option_table,
                                                      .parse = mt::parse,
                                                      .require = mt::require_memory,
                                                      .run = mt::run_all,
                                                      .where_wrong = "the lines CHECK FAILURES"});
}

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

std::string titles(benchmark const& test) {
    auto text = test.sized ? cell("#bytes") : std::string{};
    text += cell("#repetitions");
    if (test.shows != columns::bandwidth_rate) text += cell("t_min[usec]") + cell("t_max[usec]");
    text += cell("t_avg[usec]");
    if (test.shows != columns::times) text += cell("Mbytes/sec");
    if (test.shows == columns::bandwidth_rate) text += cell("Msg/sec");
    return text + "\n";
}

} // namespace

std::string banner() {
    auto const rule = "#" + std::string(66, '-') + "\n";
    return rule + "#    Intel(R) MPI Benchmarks 2021.11, MT part    \n" + rule + "#\n";
}

std::string head(benchmark const& test, int initiators, int threads, std::size_t window) {
    auto const processes =
        "# #processes = " + std::to_string(initiators / threads) + " (threads: " + std::to_string(threads) + ")\n";
    auto const windows = test.window ? "# window_size = " + std::to_string(window) + "\n" : std::string{};
    return "\n" + dashes + "# Benchmarking " + test.name + "\n" + processes + windows + dashes + titles(test);
}

std::string no_success(benchmark const& test) {
    return "\n" + dashes + "# Benchmarking " + test.name + "\n# NO SUCCESSFUL EXECUTIONS\n" + dashes + "\n";
}

std::string line(benchmark const& test, line_inputs const& in, std::size_t repetitions, sonde::record const& r) {
    auto const shown = times_of(r, in);
    auto text = test.sized ? cell(in.bytes()) : std::string{};
    text += cell(repetitions);
    if (test.shows != columns::bandwidth_rate) text += cell(shown.min) + cell(shown.max);
    text += cell(shown.avg);
    if (test.shows == columns::times_bandwidth) text += cell(megabytes_of(r, in));
    if (test.shows == columns::bandwidth_rate) text += cell(megabytes_of_pairs(r, in)) + cell(rate_of_pairs(r, in));
    return text + "\n";
}

std::string check_failures(std::vector<double> const& wrong_elements) {
    std::string text;
    for (std::size_t rank = 0; rank != wrong_elements.size(); ++rank)
        if (wrong_elements[rank] != 0)
            text += formatted("CHECK FAILURES: rank %zu: %.0f\n", rank, wrong_elements[rank]);
    return text;
}

} // namespace imb::mt
