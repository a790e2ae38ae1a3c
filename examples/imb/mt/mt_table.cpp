// SPDX-License-Identifier: BSL-1.0
#include "imb/mt/mt_table.hpp"

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

} // namespace

std::string banner() {
    auto const rule = "#" + std::string(66, '-') + "\n";
    return rule + "#    Intel(R) MPI Benchmarks 2021.11, MT part    \n" + rule + "#\n";
}

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

} // namespace imb::mt
