// SPDX-License-Identifier: BSL-1.0
#include "asked_sync.hpp"

namespace osu {

void asked_sync::operator()(sonde::mpi::group& group, std::size_t i) {
    switch (how_) {
    case start::none:
        return;
    case start::one_barrier:
        return sonde::barrier_once{}(group, i);
    case start::barrier:
        return sonde::barrier_each{}(group, i);
    case start::dissemination:
        return sonde::mpi::dissemination_barrier(group)(group, i);
    case start::window:
        return (*clock_)(group, i);
    }
}

} // namespace osu
