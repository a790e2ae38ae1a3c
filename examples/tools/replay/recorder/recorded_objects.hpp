// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/recorder/handle_map.hpp"
#include "tools/replay/trace/event.hpp"
#include "tools/replay/trace/trace_text.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tools::replay {

/// A communicator, or the ranks of a window.
struct recorded_communicator {
    std::string ranks{}; // in MPI_COMM_WORLD
    std::string kind{};  // topology, or flavor of a window: equal on all ranks
    bool is_reusable = true;
    int ordinal = 0; // among those of the same ranks
    int rank = 0;
    int own_size = 0; // of the own group
    int size = 0;     // of the remote group, if it is an intercommunicator
    bool is_intercommunicator = false;
    std::int32_t neighbors = absent;
    std::size_t in_degree = 0, out_degree = 0;
    MPI_Group group = MPI_GROUP_NULL; // of a window
    window_about memory{};            // of a window

    /// The ranks, and the ordinal if there are others of the same ones.
    std::string name() const { return ordinal == 0 ? ranks : ranks + '#' + std::to_string(ordinal); }
};

/// Communicators or windows. All ranks of an object make it, so that its name follows from the order in which those of
/// the same ranks are made and freed, and from nothing that differs between ranks.
class recorded_objects {
public:
    recorded_communicator const& operator[](std::int32_t id) const { return all_[static_cast<std::size_t>(id)]; }
    std::vector<recorded_communicator> const& all() const { return all_; }
    std::optional<std::int32_t> find(std::uint64_t key) const {
        auto const id = ids_.find(key);
        return id ? std::optional{static_cast<std::int32_t>(*id)} : std::nullopt;
    }

    /// Returns the number that an object of the same ranks and kind had before it was freed, so that loops that make an
    /// object in each pass are folded; or a new number.
    std::int32_t add(std::uint64_t key, recorded_communicator made) {
        auto& same = by_ranks_[made.ranks];
        auto id = all_.size();
        auto const freed = same.freed.find(made.kind);
        if (made.is_reusable && freed != same.freed.end() && !freed->second.empty()) {
            id = *freed->second.begin();
            freed->second.erase(freed->second.begin());
            made.ordinal = all_[id].ordinal;
            made.memory.bytes = std::max(made.memory.bytes, all_[id].memory.bytes);
            all_[id] = std::move(made);
        } else {
            made.ordinal = same.count++;
            all_.push_back(std::move(made));
        }
        ids_.add(key, static_cast<std::int64_t>(id));
        return static_cast<std::int32_t>(id);
    }

    /// Forget a handle, because another object may get it. Returns the group of a window, which the caller frees.
    MPI_Group forget(std::uint64_t key) {
        auto const id = ids_.take(key);
        if (!id) return MPI_GROUP_NULL;
        auto& freed = all_[static_cast<std::size_t>(*id)];
        if (freed.is_reusable) by_ranks_[freed.ranks].freed[freed.kind].insert(static_cast<std::size_t>(*id));
        return std::exchange(freed.group, MPI_GROUP_NULL);
    }

private:
    /// Objects of the same ranks: their number, and those of a kind that are freed, in the order in which they were
    /// made.
    struct same_ranks {
        int count = 0;
        std::map<std::string, std::set<std::size_t>> freed{};
    };

    std::vector<recorded_communicator> all_;
    handle_map ids_;
    std::map<std::string, same_ranks> by_ranks_;
};

} // namespace tools::replay
