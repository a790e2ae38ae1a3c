// SPDX-License-Identifier: BSL-1.0
#include "imb/halo/imb_halo.hpp"

#include "imb/driver/imb_command_line.hpp"
#include "imb/driver/imb_table.hpp"
#include "suite/refusal.hpp"
#include "suite/values.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <numeric>
#include <optional>

namespace imb::halo {

namespace {

/// The product; none above `most`.
std::optional<int> product(std::vector<int> const& factors, int most) {
    auto all = 1;
    for (auto const f : factors) {
        if (f > most / all) return std::nullopt;
        all *= f;
    }
    return all;
}

/// "A.B.C"
std::optional<std::vector<int>> topology_of(std::string const& text) {
    std::vector<int> all;
    for (auto const& part : split(text, '.')) {
        auto const extent = number<int>(part, 1, INT_MAX);
        if (!extent) return std::nullopt;
        all.push_back(*extent);
    }
    return all;
}

/// True if n to this power is at most `limit`.
bool power_fits(int n, std::size_t power, int limit) { return product(std::vector<int>(power, n), limit).has_value(); }

} // namespace

std::vector<option_row> option_table(options& o) {
    constexpr std::array unsupported{"window_size", "barrier", "malloc_algo", "check", "noheader"};
    auto all = mt::option_table(o);
    for (auto& row : all) {
        row.taken = std::find(unsupported.begin(), unsupported.end(), row.name) == unsupported.end();
        if (row.name == "stride") row = {"stride", "no effect, as in IMB", suite::unused_number(0, INT_MAX)};
    }
    all.push_back({"topo A.B.C", "relative extents of the grid of ranks, one for each dimension (1)",
                   parsed(o.topology, topology_of, "whole numbers from 1 to 2147483647 with dots between")});
    return all;
}

options parse(int argc, char const* const* argv) {
    options found;
    parse_in_order(found, option_table(found), argc, argv, option_style::one_dash);
    if (found.counts.empty()) found.counts = {1, 2, 4, 8};
    return found;
}

int whole_root(int n, std::size_t power) {
    auto root = 1;
    for (auto bit = 1 << 30; bit != 0; bit /= 2)
        if (root <= INT_MAX - bit && power_fits(root + bit, power, n)) root += bit;
    return root;
}

std::vector<int> extents_of(std::vector<int> const& topology, int ranks) {
    auto all = topology;
    auto const divisor = std::accumulate(all.begin(), all.end(), 0, [](int a, int b) { return std::gcd(a, b); });
    for (auto& extent : all) extent /= divisor;
    auto const least = product(all, INT_MAX);
    if (!least || *least > ranks)
        throw suite::refusal{"Not enough processes for -topo: " + std::to_string(ranks) +
                             "; accepted: " + (least ? "at least " + std::to_string(*least) : "more than 2147483647")};
    auto const factor = whole_root(ranks / *least, all.size());
    for (auto& extent : all) extent *= factor;
    return all;
}

int ranks_of(std::vector<int> const& extents) { return product(extents, INT_MAX).value(); }

std::vector<neighbors> neighbors_of(std::vector<int> const& extents, int rank) {
    std::vector<neighbors> all;
    auto below = ranks_of(extents); // ranks per step of the dimension before
    if (rank >= below) return all;
    for (auto const extent : extents) {
        auto const step = below / extent, here = rank % below / step;
        auto const at = [&](int subscript) { return rank + (subscript - here) * step; };
        if (extent > 1) all.push_back({at((here + 1) % extent), at((here + extent - 1) % extent)});
        below = step;
    }
    return all;
}

int threads_of(std::size_t elements, int threads) {
    return static_cast<int>(std::clamp(elements, std::size_t{1}, static_cast<std::size_t>(threads)));
}

std::size_t elements_of_thread(std::size_t elements, int threads, int thread) {
    auto const parts = static_cast<std::size_t>(threads_of(elements, threads)), t = static_cast<std::size_t>(thread);
    return t >= parts ? 0 : elements / parts + (t < elements % parts ? 1 : 0);
}

std::size_t messages_of(std::vector<int> const& extents) { return 4 * neighbors_of(extents, 0).size(); }

std::string head(std::string const& benchmark, std::vector<int> const& extents, int threads) {
    return "\n# Benchmarking " + benchmark + " (processes: " + std::to_string(ranks_of(extents)) +
           "; threads: " + std::to_string(threads) + "; dimensions: " + std::to_string(extents.size()) + ")\n";
}

std::string line(std::size_t bytes, std::size_t messages, sonde::record const& r) {
    auto const microseconds = 1e6 * r.over_ranks.mean.count();
    auto const moved = static_cast<double>(bytes) * static_cast<double>(messages);
    return formatted("%zu(x%zu)(bytes) %g(usec) %g(Mb/s)\n", bytes, messages, microseconds, moved / microseconds);
}

} // namespace imb::halo
