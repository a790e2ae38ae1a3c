// SPDX-License-Identifier: BSL-1.0
#include <sonde/hwloc/numa_memory.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>

namespace {

/// The node that holds what lies there, as the system says: its number, or -1 where there are several.
int node_of(sonde::region bytes) {
    auto const machine = sonde::hwloc::detail::this_machine();
    auto* const found = hwloc_bitmap_alloc();
    hwloc_membind_policy_t policy{};
    auto const status = hwloc_get_area_membind(machine.get(), bytes.data(), bytes.size(), found, &policy,
                                               HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_BYNODESET);
    auto const only = status == 0 && policy == HWLOC_MEMBIND_BIND && hwloc_bitmap_weight(found) == 1;
    auto const node = only ? hwloc_bitmap_first(found) : -1;
    hwloc_bitmap_free(found);
    return node;
}

} // namespace

TEST_CASE(
    "numa_memory: where the system lets bind, it says that the bytes are bound to the node; else it is an error") {
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

TEST_CASE("numa_memory: a node that is not there is refused, with those that are") {
    try {
        sonde::hwloc::numa_memory{4321};
        FAIL("accepted");
    } catch (std::invalid_argument const& e) {
        CHECK(std::string{e.what()}.starts_with("sonde::hwloc::numa_memory: there is no NUMA node 4321; there are: 0"));
    }
}
