// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/recorder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tools::replay {

namespace {

/// The memory of a window on this rank. The ranks are not known here.
window_about memory_of(MPI_Win win) {
    window_about found{.ranks = {}, .flavor = "create"};
    auto const read = [&](int key, auto use) {
        void* value = nullptr;
        int is_set = 0;
        PMPI_Win_get_attr(win, key, static_cast<void*>(&value), &is_set);
        if (is_set != 0) use(value);
    };
    read(MPI_WIN_SIZE, [&](void const* size) { found.bytes = *static_cast<MPI_Aint const*>(size); });
    read(MPI_WIN_DISP_UNIT, [&](void const* unit) { found.unit = *static_cast<int const*>(unit); });
    read(MPI_WIN_CREATE_FLAVOR, [&](void const* flavor) {
        auto const f = *static_cast<int const*>(flavor);
        if (f == MPI_WIN_FLAVOR_ALLOCATE) found.flavor = "allocate";
        if (f == MPI_WIN_FLAVOR_SHARED) found.flavor = "shared";
        if (f == MPI_WIN_FLAVOR_DYNAMIC) found.flavor = "dynamic";
    });
    found.unit = std::max<std::int64_t>(found.unit, 1);
    return found;
}

void append(std::string& text, std::vector<int> const& numbers) {
    for (auto const n : numbers) text += ' ' + std::to_string(n);
}

/// What is equal on all ranks of a topology: two with the same text have the same neighbors.
std::string description_of(MPI_Comm comm, int kind) {
    std::string text;
    if (kind == MPI_CART) {
        int n = 0;
        PMPI_Cartdim_get(comm, &n);
        std::vector<int> dimensions(static_cast<std::size_t>(n)), periods(dimensions), own(dimensions);
        PMPI_Cart_get(comm, n, dimensions.data(), periods.data(), own.data());
        text = "cart";
        append(text, dimensions);
        append(text, periods);
    } else if (kind == MPI_GRAPH) {
        int nodes = 0, edges = 0;
        PMPI_Graphdims_get(comm, &nodes, &edges);
        std::vector<int> ends(static_cast<std::size_t>(nodes)), neighbors(static_cast<std::size_t>(edges));
        PMPI_Graph_get(comm, nodes, edges, ends.data(), neighbors.data());
        text = "graph";
        append(text, ends);
        append(text, neighbors);
    }
    return text;
}

} // namespace

std::int32_t recorder::add(std::uint64_t key, recorded_communicator made, recorded_objects& to) {
    if (!takes(2 * sizeof made + 2 * (made.ranks.size() + made.kind.size()))) return -1;
    auto const id = to.add(key, std::move(made));
    if (page_ != nullptr) show_object(id, key, &to == &windows_);
    return id;
}

void recorder::show_object(std::int32_t id, std::uint64_t key, bool is_window) {
    auto const& shown = (is_window ? windows_ : communicators_)[id];
    page_->add_object(id, key, is_window, shown.rank, shown.name());
}

/// The ranks of a group among all ranks, as a text.
std::string recorder::ranks_of(MPI_Group group) const {
    int n = 0;
    PMPI_Group_size(group, &n);
    std::vector<int> ranks(static_cast<std::size_t>(n)), world(ranks);
    std::iota(ranks.begin(), ranks.end(), 0);
    MPI_Group all = MPI_GROUP_NULL;
    PMPI_Comm_group(comm_, &all);
    PMPI_Group_translate_ranks(group, n, ranks.data(), all, world.data());
    PMPI_Group_free(&all);
    auto const is_of_world = std::find(world.begin(), world.end(), MPI_UNDEFINED) == world.end();
    return is_of_world ? ranks_text(world) : "ranks of several worlds";
}

std::int32_t recorder::communicator(MPI_Comm comm) {
    if (auto const known = communicators_.find(key_of(comm))) return *known;
    recorded_communicator made;
    int is_intercommunicator = 0;
    PMPI_Comm_test_inter(comm, &is_intercommunicator);
    made.is_intercommunicator = is_intercommunicator != 0;
    PMPI_Comm_rank(comm, &made.rank);
    PMPI_Comm_size(comm, &made.own_size);
    made.size = made.own_size;
    if (made.is_intercommunicator) {
        made.ranks = "intercommunicator";
        PMPI_Comm_remote_size(comm, &made.size);
    } else {
        MPI_Group group = MPI_GROUP_NULL;
        PMPI_Comm_group(comm, &group);
        made.ranks = ranks_of(group);
        PMPI_Group_free(&group);
        find_neighbors(comm, made);
    }
    return add(key_of(comm), std::move(made), communicators_);
}

std::int32_t recorder::becomes(MPI_Comm like, MPI_Comm comm) {
    auto const id = communicator(like);
    return id < 0 ? id : add(key_of(comm), communicators_[id], communicators_);
}

void recorder::open(MPI_File file, std::int32_t communicator) {
    if (communicator >= 0) files_.add(key_of(file), communicator);
}

std::int32_t recorder::communicator_of(MPI_File file) const {
    return static_cast<std::int32_t>(files_.find(key_of(file)).value_or(absent));
}

std::int32_t recorder::close(MPI_File file) {
    return static_cast<std::int32_t>(files_.take(key_of(file)).value_or(absent));
}

std::int32_t recorder::window(MPI_Win win) {
    if (auto const known = windows_.find(key_of(win))) return *known;
    recorded_communicator made;
    PMPI_Win_get_group(win, &made.group);
    PMPI_Group_rank(made.group, &made.rank);
    PMPI_Group_size(made.group, &made.size);
    made.own_size = made.size;
    made.ranks = ranks_of(made.group);
    made.memory = memory_of(win);
    made.kind = made.memory.flavor;
    return add(key_of(win), std::move(made), windows_);
}

void recorder::forget_window(MPI_Win win) {
    auto group = windows_.forget(key_of(win));
    if (group != MPI_GROUP_NULL) PMPI_Group_free(&group);
}

/// The neighbors of a topology as a list: the number of sources, the sources, the destinations, each as a distance.
void recorder::find_neighbors(MPI_Comm comm, recorded_communicator& found) {
    auto const kind = topology_of(comm);
    found.kind = description_of(comm, kind);
    found.is_reusable = kind != MPI_DIST_GRAPH; // a rank knows its own neighbors only
    std::vector<int> sources, destinations;
    if (kind == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(comm, &dimensions);
        for (int d = 0; d != dimensions; ++d) {
            int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
            PMPI_Cart_shift(comm, d, 1, &below, &above);
            sources.insert(sources.end(), {below, above});
        }
        destinations = sources;
    } else if (kind == MPI_GRAPH) {
        int n = 0;
        PMPI_Graph_neighbors_count(comm, found.rank, &n);
        sources.resize(static_cast<std::size_t>(n));
        PMPI_Graph_neighbors(comm, found.rank, n, sources.data());
        destinations = sources;
    } else if (kind == MPI_DIST_GRAPH) {
        int in = 0, out = 0, is_weighted = 0;
        PMPI_Dist_graph_neighbors_count(comm, &in, &out, &is_weighted);
        sources.resize(static_cast<std::size_t>(in));
        destinations.resize(static_cast<std::size_t>(out));
        std::vector<int> in_weights(sources), out_weights(destinations);
        PMPI_Dist_graph_neighbors(comm, in, sources.data(), is_weighted != 0 ? in_weights.data() : MPI_UNWEIGHTED, out,
                                  destinations.data(), is_weighted != 0 ? out_weights.data() : MPI_UNWEIGHTED);
    } else {
        return;
    }
    found.in_degree = sources.size();
    found.out_degree = destinations.size();
    std::vector<std::int64_t> all{static_cast<std::int64_t>(sources.size())};
    for (auto const* ranks : {&sources, &destinations})
        for (auto const rank : *ranks)
            all.push_back(rank == MPI_PROC_NULL ? null_partner : (rank - found.rank + found.size) % found.size);
    found.neighbors = list(all);
}

} // namespace tools::replay
