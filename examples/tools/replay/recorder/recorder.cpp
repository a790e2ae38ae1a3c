// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/recorder.hpp"

#include "tools/replay/predefined_operations.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace tools::replay {

namespace {

/// The ranks of a group in MPI_COMM_WORLD, as a text.
std::string ranks_of(MPI_Group group) {
    int n = 0;
    PMPI_Group_size(group, &n);
    std::vector<int> ranks(static_cast<std::size_t>(n)), world(ranks);
    std::iota(ranks.begin(), ranks.end(), 0);
    MPI_Group all = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, n, ranks.data(), all, world.data());
    PMPI_Group_free(&all);
    return ranks_text(world);
}

/// The name of the file that an address is in.
std::string file_of(Dl_info const& place) {
    std::string const path = place.dli_fname;
    auto const name = path.substr(path.rfind('/') + 1);
    if constexpr (is_simulated) {
        Dl_info program{};
        dladdr(reinterpret_cast<void*>(&next_function), &program);
        if (program.dli_fbase == place.dli_fbase) return program_of_copy(name);
    }
    return name;
}

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

} // namespace

void* next_function(char const* name) {
    auto* const found = dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        std::fprintf(stderr, "libsonde-trace: no library after it has %s\n", name);
        std::abort();
    }
    return found;
}

recorder::recorder(trace_settings settings, int thread_level, std::string command)
    : settings_{std::move(settings)}, command_{std::move(command)}, is_shared_{thread_level == MPI_THREAD_MULTIPLE},
      is_marked_{!settings_.between_marks} {
    SONDE_LIBRARY_CALL(Comm_dup)(MPI_COMM_WORLD, &comm_);
    PMPI_Comm_rank(comm_, &rank_);
    PMPI_Comm_size(comm_, &size_);
    tables_.calls = call_names();
    communicator(MPI_COMM_WORLD);
    origin_ = record_clock::now();
    next_checkpoint_ =
        settings_.checkpoint.count() == 0 ? record_clock::time_point::max() : origin_ + settings_.checkpoint;
}

recorded_thread& recorder::new_thread() {
    std::lock_guard const held{mutex_};
    auto const number = static_cast<int>(threads_.size());
    threads_.push_back(std::make_unique<recorded_thread>(number, settings_.memory, record_clock::now()));
    return *threads_.back();
}

std::int32_t recorder::site(void const* address) {
    auto const key = reinterpret_cast<std::uintptr_t>(address);
    if (auto const known = sites_.find(key)) return static_cast<std::int32_t>(*known);
    auto const id = static_cast<std::int32_t>(tables_.sites.size());
    sites_.add(key, id);
    Dl_info place{};
    std::string text = "?";
    if (dladdr(address, &place) != 0 && place.dli_fname != nullptr) {
        char offset[32]; // in the call, which the return address follows
        std::snprintf(offset, sizeof offset, "+0x%zx",
                      static_cast<std::size_t>(key - reinterpret_cast<std::uintptr_t>(place.dli_fbase)) - 1);
        text = file_of(place) + offset;
    }
    tables_.sites.push_back(std::move(text));
    return id;
}

std::int32_t recorder::communicator(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) return any_tag;
    if (auto const known = communicator_ids_.find(key_of(comm))) return static_cast<std::int32_t>(*known);
    recorded_communicator made{.key = key_of(comm)};
    int is_intercommunicator = 0;
    PMPI_Comm_test_inter(comm, &is_intercommunicator);
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    made.ranks = ranks_of(group);
    PMPI_Group_free(&group);
    PMPI_Comm_rank(comm, &made.rank);
    PMPI_Comm_size(comm, &made.size);
    if (is_intercommunicator != 0) {
        made.ranks = "intercommunicator";
        PMPI_Comm_remote_size(comm, &made.size);
    }
    made.neighbors = neighbors_of(comm, made);
    return add(std::move(made), communicators_, communicator_ids_);
}

std::int32_t recorder::window(MPI_Win win) {
    if (auto const known = window_ids_.find(key_of(win))) return static_cast<std::int32_t>(*known);
    recorded_communicator made{.key = key_of(win)};
    PMPI_Win_get_group(win, &made.group);
    PMPI_Group_rank(made.group, &made.rank);
    PMPI_Group_size(made.group, &made.size);
    made.ranks = ranks_of(made.group);
    made.memory = memory_of(win);
    return add(std::move(made), windows_, window_ids_);
}

/// Returns the number that an object of the same ranks had before it was freed, so that loops that make an object in
/// each pass are folded; or a new number.
std::int32_t recorder::add(recorded_communicator made, std::vector<recorded_communicator>& to, handle_map& ids) {
    std::size_t id = to.size();
    for (std::size_t i = 0; i != to.size(); ++i) {
        auto const& other = to[i];
        if (other.ranks != made.ranks) continue;
        if (other.is_freed && other.neighbors == made.neighbors && other.memory.flavor == made.memory.flavor)
            id = std::min(id, i);
        else made.ordinal = std::max(made.ordinal, other.ordinal + 1);
    }
    ids.add(made.key, static_cast<std::int64_t>(id));
    if (id == to.size()) {
        to.push_back(std::move(made));
    } else {
        made.ordinal = to[id].ordinal;
        made.memory.bytes = std::max(made.memory.bytes, to[id].memory.bytes);
        to[id] = std::move(made);
    }
    return static_cast<std::int32_t>(id);
}

/// The neighbors of a topology as a list: the number of sources, the sources, the destinations, each as a distance.
std::int32_t recorder::neighbors_of(MPI_Comm comm, recorded_communicator& found) {
    auto const kind = topology_of(comm);
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
        return absent;
    }
    found.in_degree = sources.size();
    found.out_degree = destinations.size();
    std::vector<std::int64_t> all{static_cast<std::int64_t>(sources.size())};
    for (auto const* ranks : {&sources, &destinations})
        for (auto const rank : *ranks)
            all.push_back(rank == MPI_PROC_NULL ? null_partner : (rank - found.rank + found.size) % found.size);
    return list(all);
}

void recorder::forget_communicator(MPI_Comm comm) {
    if (auto const id = communicator_ids_.take(key_of(comm)))
        communicators_[static_cast<std::size_t>(*id)].is_freed = true;
}

void recorder::forget_window(MPI_Win win) {
    auto const id = window_ids_.take(key_of(win));
    if (!id) return;
    auto& freed = windows_[static_cast<std::size_t>(*id)];
    freed.is_freed = true;
    PMPI_Group_free(&freed.group);
}

std::int32_t recorder::type(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) return absent;
    if (auto const known = types_.find(key_of(type))) return static_cast<std::int32_t>(*known);
    datatype found{.name = construction_of(type)};
    MPI_Count size = 0, begin = 0, extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_extent_x(type, &begin, &extent);
    found.size = size;
    found.extent = extent;
    auto const equal = std::find_if(tables_.types.begin(), tables_.types.end(), [&](datatype const& other) {
        return other.name == found.name && other.size == found.size && other.extent == found.extent;
    });
    auto const id = static_cast<std::int32_t>(equal - tables_.types.begin());
    if (equal == tables_.types.end()) tables_.types.push_back(std::move(found));
    types_.add(key_of(type), id);
    return id;
}

std::int32_t recorder::operation(MPI_Op op) {
    if (auto const known = operations_.find(key_of(op))) return static_cast<std::int32_t>(*known);
    auto const names = predefined_operations();
    auto const known = std::find_if(names.begin(), names.end(), [&](auto& n) { return n.op == op; });
    auto const* const name = known == names.end() ? "user-defined" : known->name;
    auto& all = tables_.operations;
    auto const id = static_cast<std::int32_t>(std::find(all.begin(), all.end(), name) - all.begin());
    if (static_cast<std::size_t>(id) == all.size()) all.emplace_back(name);
    if (known != names.end()) operations_.add(key_of(op), id); // the handle of another one may be used again
    return id;
}

std::int32_t recorder::list(std::vector<std::int64_t> const& numbers) {
    auto hash = mixed(0, numbers.size());
    for (auto const n : numbers) hash = mixed(hash, static_cast<std::uint64_t>(n));
    for (;; ++hash) {
        auto const known = lists_.find(hash);
        if (!known) break;
        if (tables_.lists[static_cast<std::size_t>(*known)] == numbers) return static_cast<std::int32_t>(*known);
    }
    auto const id = static_cast<std::int32_t>(tables_.lists.size());
    tables_.lists.push_back(numbers);
    lists_.add(hash, id);
    return id;
}

constexpr std::int64_t thread_unit = std::int64_t{1} << 48; // a request's number, and above it that of its thread

void recorder::start(recorded_thread& by, MPI_Request request) {
    auto const number = by.started++;
    if (request != MPI_REQUEST_NULL) requests_.add(key_of(request), by.number * thread_unit + number);
}

std::int64_t recorder::keep(MPI_Request request) {
    auto const free = std::find(kept_.begin(), kept_.end(), false);
    auto const number = free - kept_.begin();
    if (free == kept_.end()) kept_.push_back(true);
    else *free = true;
    requests_.add(key_of(request), -1 - number);
    return -1 - number;
}

std::int64_t recorder::age(recorded_thread const& by, MPI_Request request, bool completes) {
    auto const found = requests_.find(key_of(request));
    if (!found || *found < 0) return found.value_or(0);
    if (completes) static_cast<void>(requests_.take(key_of(request)));
    return *found / thread_unit == by.number ? by.started - *found % thread_unit : 0;
}

void recorder::free_persistent(MPI_Request request) {
    auto const found = requests_.find(key_of(request));
    if (!found || *found >= 0) return;
    static_cast<void>(requests_.take(key_of(request)));
    kept_[static_cast<std::size_t>(-1 - *found)] = false;
}

} // namespace tools::replay
