// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/memory.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/mpi/memory.hpp>

#include <stdexcept>
#include <string>

namespace suite {

/// Throws refusal unless the interface is built in: "ROCm Support Not Enabled [-d rocm]; accepted: H H, and all of it
/// in a build that finds HIP". `what` is " Managed Memory" or empty, `accepted` is "H H, and all of it".
void require_built(device_api api, std::string const& what, std::string const& options, std::string const& accepted);

/// A command line that uses a device, and texts of its refusals.
struct device_use {
    device_api api;
    bool addresses_to_mpi;        // the MPI library gets addresses of device memory
    std::string options;          // that need a device: "D D"
    std::string accepted;         // instead of them
    std::string accepted_unaware; // instead of them, with an MPI library that does not accept the addresses
    std::string size_options;     // that determine the sizes of buffers: "-m, -W"
};

/// Choose and initialize the device of this rank by its number on its host. Throws refusal, on all ranks, if a rank has
/// no device, or if the MPI library would get addresses of a device that it does not accept. A library that does not
/// report whether it accepts them is trusted, with a note. Collective over the group.
void choose_device(sonde::mpi::group const& world, device_use const& use);

/// Warn on stderr if ranks share a device. Collective over the group.
void warn_of_shared_devices(sonde::mpi::group const& world);

/// Notes on stderr about the chosen device: it is the host, by OpenACC; the MPI library does not say whether it accepts
/// addresses of the device. Printed when nothing can be refused any more.
void note_device(sonde::mpi::group const& world);

/// Name, versions, and number of ranks of this rank's device.
std::string device_text();

/// True if memory of the kind occupies the host's: also the memory of OpenACC's device if that is the host.
bool is_in_host(memory_kind kind);

/// Absence of a device, and its reason.
struct no_device : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The functions of one interface. After `choose`, those of the device of this rank.
struct device_functions {
    /// Returns the number of ranks that share the device. Throws no_device. Collective over the group.
    int (*choose)(sonde::mpi::group const& world);
    std::string (*describe)(); // "NVIDIA H100, driver 12.2, runtime 12.2"
    memory_functions const& (*memory_of)(memory_kind kind);
    sonde::mpi::device_support (*mpi_support)(); // of its addresses. Throws no_device.
    bool (*is_host)();
};

/// Throws refusal for an allocation that failed, with the options of sizes if memory is exhausted.
[[noreturn]] void refuse_memory(char const* kind, bool exhausted, std::string const& why);

} // namespace suite
