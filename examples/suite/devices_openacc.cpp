// SPDX-License-Identifier: BSL-1.0
// Devices and memory of OpenACC: the one file of the programs that is compiled with it.
#include "suite/devices.hpp"

#include <sonde/openacc.hpp>

namespace suite {

namespace {

template <class F>
auto or_no_device(F const& f) {
    try {
        return f();
    } catch (sonde::openacc::error const& e) {
        throw no_device{e.what()};
    }
}

int choose(sonde::mpi::group const& world) {
    auto const here = sonde::mpi::local_ranks::of(world);
    return or_no_device([&] {
        auto const devices = sonde::openacc::device_count(), mine = sonde::openacc::choose_device(here.rank);
        return sonde::openacc::is_host() ? 1 : (here.size - mine + devices - 1) / devices;
    });
}

std::string describe() {
    if (sonde::openacc::is_host()) return "the host, by OpenACC";
    auto const type = acc_get_device_type();
    auto const* const name = acc_get_property_string(acc_get_device_num(type), type, acc_property_name);
    return std::string{name == nullptr ? "device" : name} + ", by OpenACC";
}

void* allocate(std::size_t n) {
    try {
        return sonde::openacc::memory{}.allocate(n);
    } catch (sonde::openacc::error const& e) {
        refuse_memory("device", true, e.what());
    }
}

/// OpenACC has no managed and no page-locked memory: messages are staged in ordinary memory of the host.
memory_functions const& memory_of(memory_kind kind) {
    static constexpr auto host = functions_for<sonde::host_memory>;
    static auto const of_device = [] {
        auto functions = functions_for<sonde::openacc::memory>;
        functions.allocate = allocate;
        return functions;
    }();
    return kind == memory_kind::device ? of_device : host;
}

/// Any MPI library accepts addresses of the host.
sonde::mpi::device_support mpi_support() {
    if (or_no_device(sonde::openacc::is_host)) return sonde::mpi::device_support::yes;
    return sonde::mpi::device_support_of(sonde::openacc::memory{}.runtime());
}

} // namespace

device_functions const openacc_functions{choose, describe, memory_of, mpi_support, sonde::openacc::is_host};

} // namespace suite
