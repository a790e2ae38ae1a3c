// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/run/replayed_communicators.hpp"

#include "tools/replay/run/replayed_calls.hpp"

#include <sonde/mpi/error.hpp>

namespace tools::replay {

using sonde::mpi::check;

void replayed_communicators::find_neighbors(std::vector<step> const& body, thread_trace const& own) {
    for (auto const& s : body) {
        find_neighbors(s.body, own);
        if (makes_topology(s)) neighbors_[own.communicators[static_cast<std::size_t>(s.what.made)].text] = s.counts;
    }
}

replayed_communicators::replayed_communicators(program const& calls, thread_trace const& own) {
    find_neighbors(calls.body, own);
    MPI_Group world = MPI_GROUP_NULL;
    check(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    std::map<std::string, communicator const*> all; // in an order that is the same on all ranks
    for (auto const& c : own.communicators) all[c.text] = &c;
    for (auto const& [text, c] : all) {
        MPI_Group group = MPI_GROUP_NULL;
        check(MPI_Group_incl(world, c->size(), c->world.data(), &group), "MPI_Group_incl");
        check(MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &made_[text]), "MPI_Comm_create_group");
        check(MPI_Group_free(&group), "MPI_Group_free");
        auto const found = neighbors_.find(text);
        if (found == neighbors_.end()) continue;
        auto const ends = found->second.begin() + 1 + found->second[0];
        auto const ranks = [c = c](auto from, auto end) {
            std::vector<int> list;
            for (; from != end; ++from)
                if (*from >= 0) list.push_back(c->partner(static_cast<distance>(*from)));
            return list;
        };
        auto const sources = ranks(found->second.begin() + 1, ends), destinations = ranks(ends, found->second.end());
        check(MPI_Dist_graph_create_adjacent(made_[text], static_cast<int>(sources.size()), sources.data(),
                                             MPI_UNWEIGHTED, static_cast<int>(destinations.size()), destinations.data(),
                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graphs_[text]),
              "MPI_Dist_graph_create_adjacent");
    }
    check(MPI_Group_free(&world), "MPI_Group_free");
}

replayed_communicators::~replayed_communicators() {
    for (auto* comms : {&graphs_, &made_})
        for (auto& [text, comm] : *comms) MPI_Comm_free(&comm);
}

} // namespace tools::replay
