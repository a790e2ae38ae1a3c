// SPDX-License-Identifier: BSL-1.0
#include "suite/devices.hpp"

#include "suite/agreement.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace suite {

namespace {

/// The device of this rank.
struct chosen_device {
    device_functions const* functions = nullptr;
    int ranks = 1;
    std::string size_options;
    std::string note{}; // that the MPI library may not accept its addresses
};
chosen_device chosen;

/// Throws refusal unless the interface is built in; a program's options were checked before.
device_functions const& functions_of(device_api api) {
    auto const& found = interface_of(api);
    if (found.functions == nullptr)
        throw refusal{std::string{found.name} + " is not built in; accepted: buffers in host memory"};
    return *found.functions;
}

/// Throws refusal if the MPI library denies support of the addresses that it would get; a note if it does not say.
void require_aware_mpi(device_use const& use) {
    using sonde::mpi::device_support;
    if (!use.addresses_to_mpi) return;
    auto const found = chosen.functions->mpi_support();
    auto const otherwise = use.accepted_unaware + " with a library that is " + interface_of(use.api).aware;
    if (found == device_support::no)
        throw refusal{"This MPI library takes no addresses of a device [" + use.options + "]; accepted: " + otherwise};
    if (found == device_support::unknown)
        chosen.note = "Note: this MPI library does not say whether it takes addresses of a device [" + use.options +
                      "]; if the first message crashes, accepted: " + otherwise + "\n";
}

} // namespace

void require_built(device_api api, std::string const& what, std::string const& options, std::string const& accepted) {
    if (is_built(api)) return;
    throw refusal{interface_of(api).name + what + " Support Not Enabled [" + options + "]; accepted: " + accepted +
                  " in a build that finds " + interface_of(api).found_by};
}

void choose_device(sonde::mpi::group const& world, device_use const& use) {
    chosen = {&functions_of(use.api), 1, use.size_options};
    auto const or_refuse = [&](auto const& f) {
        together(world, [&] {
            try {
                f();
            } catch (no_device const& e) {
                throw refusal{"No device [" + use.options + "]: " + e.what() + "; accepted: " + use.accepted};
            }
        });
    };
    or_refuse([&] { require_aware_mpi(use); });
    or_refuse([&] { chosen.ranks = chosen.functions->choose(world); });
}

void warn_of_shared_devices(sonde::mpi::group const& world) {
    std::array<double, 1> most{static_cast<double>(chosen.ranks)};
    world.all_reduce(most, sonde::reduction::max);
    if (world.rank() == 0 && most[0] > 1)
        std::fprintf(stderr, "Warning: %.0f ranks of a host share a device, and disturb each other\n", most[0]);
}

void note_device(sonde::mpi::group const& world) {
    if (world.rank() != 0 || chosen.functions == nullptr) return;
    if (chosen.functions->is_host())
        std::fputs("Note: the host is OpenACC's device, and its memory is the host's\n", stderr);
    std::fputs(chosen.note.c_str(), stderr);
}

std::string device_text() {
    auto const shared = chosen.ranks == 1 ? "" : ", shared by " + std::to_string(chosen.ranks) + " ranks";
    return chosen.functions->describe() + shared;
}

bool is_in_host(memory_kind kind) { return kind != memory_kind::device || chosen.functions->is_host(); }

static memory_functions const& functions_of(memory_kind kind) {
    if (auto const* const of_host = host_functions_of(kind)) return *of_host;
    if (chosen.functions == nullptr) throw std::logic_error{"suite: memory of a device before choose_device"};
    return chosen.functions->memory_of(kind);
}

memory::memory(memory_kind kind) : functions_{&functions_of(kind)} {}

void refuse_memory(char const* kind, bool exhausted, std::string const& why) {
    throw refusal{std::string{"Error allocating "} + kind + " memory" +
                  (exhausted ? " [" + chosen.size_options + "]: " : ": ") + why +
                  (exhausted ? "; accepted: sizes that fit" : "")};
}

} // namespace suite
