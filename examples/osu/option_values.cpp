// SPDX-License-Identifier: BSL-1.0
#include "option_values.hpp"

#include "common.hpp"

#include <climits>
#include <cstdint>

namespace osu {

namespace {

template <class N>
N number_or(std::string const& text, N least, N most, char const* wrong) {
    if (auto const value = number<N>(text, least, most)) return *value;
    throw bad_value{wrong, "a whole number from " + std::to_string(least) + " to " + std::to_string(most)};
}

constexpr std::size_t most_counts = INT_MAX; // MPI counts messages under way with an int
constexpr std::size_t most_bytes = PTRDIFF_MAX;

std::size_t size_or(std::string const& text) {
    if (auto const value = number<std::size_t>(text, 0, most_bytes)) return *value;
    throw bad_value{"Invalid Message Size", "MAX, MIN:MAX, MIN: or :MAX in bytes, without suffix"};
}

} // namespace

void set_sizes(options& into, program const&, std::string const& text) {
    constexpr auto wrong = "Invalid Message Size";
    auto const parts = split(text, ':');
    if (parts.size() > 2 || text == ":") throw bad_value{wrong, "MAX, MIN:MAX, MIN: or :MAX in bytes"};
    if (auto const& last = parts.back(); !last.empty()) into.max_size = size_or(last);
    if (parts.size() == 2 && !parts.front().empty()) {
        auto const first = size_or(parts.front());
        if (first == 0 && parts.back().empty()) throw bad_value{wrong, "a MIN of at least 1 in MIN:"};
        if (first != 0) into.min_size = first; // MIN 0 leaves the program's own
    }
    if (into.min_size > into.max_size)
        throw bad_value{wrong, "a MAX that is not below MIN (" + std::to_string(into.min_size) + ")"};
}

void set_warmup(options& into, program const&, std::string const& text) {
    into.warmup = number_or<std::size_t>(text, 0, most_counts, "Invalid Number of Warmup Iterations");
}

void set_iterations(options& into, program const&, std::string const& text) {
    into.iterations = number_or<std::size_t>(text, 1, most_counts, "Invalid Number of Iterations");
}

void set_until(options& into, program const&, std::string const& text) {
    auto const digits = text.ends_with('%') ? text.substr(0, text.size() - 1) : text; // 5 and 5%
    auto const percent = number<double>(digits, 0.001, 100);
    if (!percent) throw bad_value{"Invalid precision", "PERCENT from 0.001 to 100"};
    into.until = *percent / 100;
}

void set_budget(options& into, program const&, std::string const& text) {
    auto const seconds = number<double>(text, 1e-6, 1e6);
    if (!seconds) throw bad_value{"Invalid budget", "SECONDS from 1e-6 to 1e6"};
    into.budget = sonde::seconds{*seconds};
}

void set_t(options& into, program const& about, std::string const& text) {
    if (about.t_means == probes::ignored || about.t_means == probes::tests) {
        into.tests = number_or<std::size_t>(text, 0, most_counts, "Invalid Number of Probes");
        return;
    }
    auto const* const wrong =
        about.t_means == probes::threads ? "Invalid Number of Threads" : "Invalid Number of Processes";
    auto const parts = split(text, ':');
    if (parts.size() > 2) throw bad_value{wrong, "RECEIVERS or SENDERS:RECEIVERS, each from 1 to 127"};
    sides found{std::nullopt, number_or<int>(parts.back(), 1, 127, wrong)};
    if (parts.size() == 2) found.senders = number_or<int>(parts.front(), 1, 127, wrong);
    into.several = found;
}

void set_memory_limit(options& into, program const&, std::string const& text) {
    into.memory_limit = number_or<std::size_t>(text, 1, most_bytes, "Invalid Memory Limit");
}

void set_array_size(options&, program const&, std::string const& text) {
    number_or<int>(text, 1, INT_MAX, "Invalid Device Array Size");
}

void set_window(options& into, program const&, std::string const& text) {
    into.window = number_or<std::size_t>(text, 1, most_counts / 2, "Invalid Window Size");
}

void set_buffers(options& into, program const&, std::string const& text) {
    if (text != "single" && text != "multiple") throw bad_value{"Invalid Buffer Type", "'single' or 'multiple'"};
    into.buffers_apart = text == "multiple";
}

void set_pairs(options&, program const&, std::string const& text) {
    number_or<int>(text, 1, INT_MAX, "Invalid Number of Pairs");
}

void set_print_rate(options& into, program const&, std::string const& text) {
    into.print_rate = number_or<int>(text, 0, 1, "Invalid Print Rate") == 1;
}

void set_vary_window(options& into, program const&, std::string const& text) {
    if (!text.empty()) number_or<int>(text, 1, INT_MAX, "Invalid Vary Window Argument");
    into.vary_window = true;
}

void set_validation(options& into, program const&, std::string const& text) {
    auto const colon = text.find(':');
    auto const word = text.substr(0, colon), directory = colon == text.npos ? "" : text.substr(colon + 1);
    if (!text.empty() && word != "log") throw bad_value{"Invalid Validation Argument", "-c, -clog or -clog:DIR"};
    if (colon != text.npos && directory.empty())
        throw bad_value{"Invalid Validation Argument", "a directory in -clog:DIR"};
    into.check.on = true;
    if (word == "log") into.check.log = directory.empty() ? "validation_output" : directory;
}

void set_check_warmup(options& into, program const&, std::string const& text) {
    into.check.warmup = number_or<std::size_t>(text, 0, 10, "Invalid Number of Validation Warmup Iterations");
}

void set_papi(options&, program const&, std::string const&) {
    throw bad_value{"Invalid option: PAPI is not built in", "every option but -P"};
}

void set_percentiles(options& into, program const&, std::string const& text) {
    into.percentiles.clear();
    for (auto const& part : split(text.empty() ? "50,90,99" : text, ','))
        into.percentiles.push_back(number_or<int>(part, 0, 100, "Percentile range must be in between 0 and 100"));
}

} // namespace osu
