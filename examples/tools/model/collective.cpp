// SPDX-License-Identifier: BSL-1.0
#include "collective.hpp"

#include <sonde/model/collectives.hpp>

#include <stdexcept>

namespace tools::model {

sonde::seconds collective_time(std::string const& name, int processes, any_model const& of, double bytes,
                               sonde::seconds gamma) {
    namespace costs = sonde::model::collectives;
    if (processes < 1) throw std::runtime_error{"--processes takes a number, 1 or more"};
    sonde::model::bytes const m{bytes};
    auto const& h = std::get<sonde::model::piecewise_hockney>(of).at(m).model;
    if (name == "barrier") return costs::barrier(h, processes);
    if (name == "broadcast") return costs::broadcast(h, processes, m);
    if (name == "allgather") return costs::allgather(h, processes, m);
    if (name == "alltoall") return costs::alltoall(h, processes, m);
    if (name == "allreduce") return costs::allreduce(h, processes, m, gamma);
    throw std::runtime_error{"--collective '" + name +
                             "' is none of barrier, broadcast, allgather, alltoall, allreduce"};
}

} // namespace tools::model
