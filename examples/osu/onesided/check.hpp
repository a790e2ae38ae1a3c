// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "stage.hpp"

#include <sonde/pattern.hpp>
#include <sonde/run.hpp>

#include <cstddef>
#include <vector>

namespace osu {

/// Contents of one round on this rank: written before an iteration of an operation, compared after it.
class round_contents {
public:
    round_contents(one_sided_stage& on, one_sided_stage::place& here, spot const& at)
        : on_{on}, here_{here}, at_{at}, n_{on.transfers() * on.of(at, here).each.count} {}

    /// What is sent, what is compared with and what the window holds; what comes back is cleared.
    void write(std::size_t round);
    /// Elements that are wrong in what came back, and in the window.
    std::size_t count_wrong(std::size_t round);

private:
    bool is_fetched() const { return on_.what().fetches && on_.accesses(on_.world().rank()); }
    template <class T>
    std::vector<wrong_element> find_wrong(std::size_t round) const;

    one_sided_stage& on_;
    one_sided_stage::place& here_;
    spot const& at_;
    std::size_t n_;
};

/// Check what transfers leave, after the measurement: rounds of one iteration by a pattern of its own, `make()`, whose
/// end gives back the locks, so that MPI_Win_flush_local's transfers are complete, too. Wrong elements, summed over
/// ranks. Collective.
template <class Make>
std::size_t check_contents(one_sided_stage& on, one_sided_stage::place& here, spot const& at, Make const& make) {
    round_contents contents{on, here, at};
    auto const once = [&] {
        {
            auto pattern = make();
            pattern();
            sonde::complete(pattern);
        }
        on.world().barrier();
    };
    return sonde::validate(
        on.world(), once, [&](std::size_t round) { contents.write(round); },
        [&](std::size_t round) { return contents.count_wrong(round); }, check_rounds(on.asked()));
}

} // namespace osu
