// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/lateness_page.hpp>

#include <sonde/drawing/gnuplot.hpp>
#include <sonde/drawing/rank_pages.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sonde::inline v0_1 {

std::string lateness_page(std::string const& title, lateness_record const& found) {
    if (!(seconds{} < found.observed)) throw std::invalid_argument{"sonde::lateness_page: the record has no steps"};
    constexpr std::size_t max = 32;
    std::vector<double> sums;
    for (auto const& r : found.ranks) sums.push_back((r.waiting + r.caused_by_work + r.caused_by_transfer).count());
    std::string rows;
    for (auto const i : detail::indices_of_largest(sums, max)) {
        auto const& r = found.ranks[i];
        auto const share = [&](seconds time) { return ' ' + detail::shortest(100 * (time / found.observed)); };
        rows += std::to_string(i) + share(r.waiting) + share(r.caused_by_work + r.caused_by_transfer) + '\n';
    }
    auto const label = found.ranks.size() <= max
                           ? std::string{"rank"}
                           : "rank: " + std::to_string(max) + " of " + std::to_string(found.ranks.size());
    return "reset\n$ranks << end_of_ranks\n" + rows + "end_of_ranks\nset title " + detail::gnuplot_lines(title, 85) +
           "\nset style data histograms\nset style histogram clustered gap 1\nset style fill solid noborder\n"
           "set xlabel " +
           gnuplot_quoted(label) +
           "\nset ylabel \"share of all ranks' time (%)\"\n"
           "set yrange [0:*]\nset grid ytics\nset tics nomirror out\nset key above\n"
           "plot $ranks using 2:xtic(1) linecolor '#56B4E9' title 'waited', "
           "$ranks using 3 linecolor '#D55E00' title 'made others wait'\n";
}

} // namespace sonde
