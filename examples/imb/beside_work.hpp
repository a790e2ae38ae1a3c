// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "exploit.hpp"
#include "setting.hpp"

#include <sonde/overlap.hpp>
#include <sonde/run.hpp>

#include <cstddef>
#include <vector>

namespace imb {

/// The mean time of each rank's work between begin and end, as a record beside that of both. Collective.
sonde::record work_record(setting& s, sonde::record const& both, sonde::seconds mine);

/// IMB's overlap: alone; work that lasts as long as this rank's mean, and both, the clock read before and after the
/// work. All records keep the ranks' means. Collective over the group.
template <sonde::NonblockingOperation S>
outcome measure_beside_work(setting& s, plan const& how, S& split) {
    outcome found{sonde::run(s.group, how, split, s.point("pure")), {}, {}};
    exploit<> work;
    work.set_duration(found.pure.rank_means[static_cast<std::size_t>(s.group.rank())]);
    sonde::phase_timer parts{how.clock};
    found.overlap = sonde::run(s.group, how, sonde::overlapped<S&, exploit<>&, decltype(parts)&>{split, work, parts},
                               s.point("overlap"));
    found.work = work_record(s, *found.overlap, parts.means().work);
    return found;
}

} // namespace imb
