// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory.hpp>

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

/// The topology of this machine. Throws std::runtime_error if hwloc cannot detect it.
inline topology this_machine() {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) throw std::runtime_error{"sonde::hwloc: hwloc_topology_init failed"};
    topology machine{raw, hwloc_topology_destroy};
    if (hwloc_topology_load(raw) != 0) throw std::runtime_error{"sonde::hwloc: hwloc_topology_load failed"};
    return machine;
}

/// The numbers of all NUMA nodes, for a message.
inline std::string nodes_of(hwloc_topology_t machine) {
    std::string all;
    for (hwloc_obj_t node = nullptr; (node = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, node)) != nullptr;)
        all.append(1, ' ').append(std::to_string(node->os_index));
    return all;
}

} // namespace detail

/// Host memory that is bound to a NUMA node, regardless of which thread touches it first.
class numa_memory {
public:
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;

    /// `node`: number given by the operating system. Throws std::invalid_argument, whose text lists the nodes, if there
    /// is no such node.
    explicit numa_memory(unsigned node) : machine_{detail::this_machine()} {
        auto const found = hwloc_get_numanode_obj_by_os_index(machine_.get(), node);
        if (found == nullptr)
            throw std::invalid_argument{"sonde::hwloc::numa_memory: there is no NUMA node " + std::to_string(node) +
                                        "; there are:" + detail::nodes_of(machine_.get())};
        node_ = found->nodeset;
    }

    /// Throws std::system_error if the system cannot bind memory, or has too little.
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
    hwloc_const_nodeset_t node_ = nullptr; // owned by the topology
};

} // namespace sonde::hwloc
