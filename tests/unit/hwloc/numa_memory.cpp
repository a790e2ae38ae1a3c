// SPDX-License-Identifier: BSL-1.0
#include <sonde/hwloc.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>

namespace {

/// The node of these bytes according to the system, or -1 for several nodes.
int node_of(sonde::region bytes) {
    hwloc_topology_t machine = nullptr;
    REQUIRE(hwloc_topology_init(&machine) == 0);
    REQUIRE(hwloc_topology_load(machine) == 0);
    auto* const found = hwloc_bitmap_alloc();
    hwloc_membind_policy_t policy{};
    auto const status = hwloc_get_area_membind(machine, bytes.data(), bytes.size(), found, &policy,
                                               HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_BYNODESET);
    auto const only = status == 0 && policy == HWLOC_MEMBIND_BIND && hwloc_bitmap_weight(found) == 1;
    auto const node = only ? hwloc_bitmap_first(found) : -1;
    hwloc_bitmap_free(found);
    hwloc_topology_destroy(machine);
    return node;
}

} // namespace

TEST_CASE("numa_memory: binds its bytes to the node if the system can, else throws") {
    sonde::hwloc::numa_memory const memory{0};
    try {
        sonde::allocation<sonde::hwloc::numa_memory> bytes{100'000, memory};
        bytes.fill(std::byte{5});
        CHECK(bytes.bytes().back() == std::byte{5});
        CHECK(node_of(bytes.bytes()) == 0);
    } catch (std::system_error const& e) { // a container may forbid it
        MESSAGE("not tested, whether bytes are bound to the node: " << e.what());
        CHECK((e.code().value() == EPERM || e.code().value() == ENOSYS));
    }
}

TEST_CASE("numa_memory: an unknown node is refused with the list of nodes") {
    try {
        sonde::hwloc::numa_memory{4321};
        FAIL("accepted");
    } catch (std::invalid_argument const& e) {
        CHECK(std::string{e.what()}.starts_with("sonde::hwloc::numa_memory: there is no NUMA node 4321; there are: 0"));
    }
}
