// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>
#include <sonde/memory/host.hpp>

#include <hwloc.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

namespace sonde::hwloc {

namespace detail {

using topology = std::shared_ptr<std::remove_pointer_t<hwloc_topology_t>>;

/// Throws std::runtime_error where hwloc cannot look at this machine.
inline topology this_machine() {
    hwloc_topology_t made = nullptr;
    if (hwloc_topology_init(&made) != 0) throw std::runtime_error{"sonde::hwloc: hwloc_topology_init failed"};
    topology owned{made, hwloc_topology_destroy};
    if (hwloc_topology_load(made) != 0) throw std::runtime_error{"sonde::hwloc: hwloc_topology_load failed"};
    return owned;
}

inline std::string nodes_of(hwloc_topology_t machine) {
    std::string all;
    for (hwloc_obj_t node = nullptr; (node = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, node)) != nullptr;)
        all.append(1, ' ').append(std::to_string(node->os_index));
    return all;
}

} // namespace detail

/// Host memory bound to a NUMA node, whichever thread touches it first.
class numa_memory {
public:
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;

    /// `node` as the system counts nodes. Throws std::invalid_argument, which says which nodes there are, for another.
    explicit numa_memory(unsigned node) : machine_{detail::this_machine()} {
        auto const found = hwloc_get_numanode_obj_by_os_index(machine_.get(), node);
        if (found == nullptr)
            throw std::invalid_argument{"sonde::hwloc::numa_memory: there is no NUMA node " + std::to_string(node) +
                                        "; there are:" + detail::nodes_of(machine_.get())};
        node_ = found->nodeset;
    }

    /// Throws std::system_error where the system does not bind, or has not so much.
    void* allocate(std::size_t n) const {
        constexpr int strictly = HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_BYNODESET;
        void* const p = hwloc_alloc_membind(machine_.get(), n, node_, HWLOC_MEMBIND_BIND, strictly);
        if (p == nullptr)
            throw std::system_error{errno, std::generic_category(), "sonde::hwloc::numa_memory: hwloc_alloc_membind"};
        return p;
    }
    void deallocate(void* p, std::size_t n) const { hwloc_free(machine_.get(), p, n); }
    void fill(region bytes, std::byte value) const { host_memory{}.fill(bytes, value); }

private:
    detail::topology machine_;             // shared by copies
    hwloc_const_nodeset_t node_ = nullptr; // the machine's
};

} // namespace sonde::hwloc
