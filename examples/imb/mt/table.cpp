// SPDX-License-Identifier: BSL-1.0
#include "table.hpp"

#include <cstdio>

namespace imb::mt {

namespace {

std::string const dashes = "#" + std::string(77, '-') + "\n";

template <class... Values>
std::string formatted(char const* form, Values... values) {
    char text[200];
    std::snprintf(text, sizeof text, form, values...);
    return text;
}

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

std::string head(benchmark const& test, int instances, int threads, std::size_t window) {
    auto const processes =
        "# #processes = " + std::to_string(instances / threads) + " (threads: " + std::to_string(threads) + ")\n";
    auto const windows = test.window ? "# window_size = " + std::to_string(window) + "\n" : std::string{};
    return "\n" + dashes + "# Benchmarking " + test.name + "\n" + processes + windows + dashes + titles(test);
}

std::string no_success(benchmark const& test) {
    return "\n" + dashes + "# Benchmarking " + test.name + "\n# NO SUCCESSFUL EXECUTIONS\n" + dashes + "\n";
}

std::string line(benchmark const& test, scale const& of, std::size_t repetitions, sonde::record const& found) {
    auto const shown = times_of(found, of);
    auto text = test.sized ? cell(bytes_of(of)) : std::string{};
    text += cell(repetitions);
    if (test.shows != columns::bandwidth_rate) text += cell(shown.min) + cell(shown.max);
    text += cell(shown.avg);
    if (test.shows == columns::times_bandwidth) text += cell(megabytes_of(found, of));
    if (test.shows == columns::bandwidth_rate)
        text += cell(megabytes_of_pairs(found, of)) + cell(rate_of_pairs(found, of));
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
