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

namespace sonde::inline v0_1::hwloc {

/// Host memory that is bound to a NUMA node, regardless of which thread touches it first.
class numa_memory : public host_memory_base {
public:
    /// `node`: number given by the operating system. Throws std::invalid_argument, whose text lists the nodes, if there
    /// is no such node, and std::runtime_error if hwloc cannot detect the topology of this machine.
    explicit numa_memory(unsigned node) {
        hwloc_topology_t machine = nullptr;
        if (hwloc_topology_init(&machine) != 0) throw std::runtime_error{"sonde::hwloc: hwloc_topology_init failed"};
        machine_.reset(machine, hwloc_topology_destroy);
        if (hwloc_topology_load(machine) != 0) throw std::runtime_error{"sonde::hwloc: hwloc_topology_load failed"};
        std::string nodes;
        for (hwloc_obj_t at = nullptr; (at = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_NUMANODE, at));) {
            if (at->os_index == node) node_ = at->nodeset;
            nodes += ' ' + std::to_string(at->os_index);
        }
        if (node_ == nullptr)
            throw std::invalid_argument{"sonde::hwloc::numa_memory: there is no NUMA node " + std::to_string(node) +
                                        "; there are:" + nodes};
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

private:
    std::shared_ptr<std::remove_pointer_t<hwloc_topology_t>> machine_;
    hwloc_const_nodeset_t node_ = nullptr; // owned by the topology
};

} // namespace sonde::hwloc
