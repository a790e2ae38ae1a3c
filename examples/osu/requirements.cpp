// SPDX-License-Identifier: BSL-1.0
#include "requirements.hpp"

#include "common.hpp"
#include "device.hpp"
#include "words.hpp"
#include "world_nodes.hpp"

#include <sonde/mpi/memory.hpp>

#include <string>

namespace osu {

namespace {

/// MPI is given addresses of a device.
bool passes_addresses(program const& about, options const& asked) {
    if (about.nccl || asked.staged || asked.on == accelerator::none) return false;
    if (!asked.words) return asked.on == accelerator::cuda && is_collective(about);
    return asked.words->any_device();
}

} // namespace

void require_aware(program const& about, options const& asked) {
    if (!passes_addresses(about, asked) || sonde::mpi::device_support() != sonde::mpi::support::no) return;
    throw refusal{"This MPI library takes no addresses of a device [" + device_wish(asked) +
                  "]; accepted: " + (stages(about) ? "the same with --staged, " : "") +
                  "H H, and all of it with a library that is CUDA-aware"};
}

void require_built(options const& asked) {
    auto const wish = device_wish(asked);
    if (wish.empty() || has_cuda()) return;
    auto const* const what = asked.on == accelerator::managed ? "CUDA Managed Memory" : "CUDA";
    throw refusal{std::string{what} + " Support Not Enabled [" + wish +
                  "]; accepted: H H, and all of it in a build that finds the CUDA toolkit"};
}

void require_ranks(ranks needed, int size) {
    auto const refuse = [size](char const* accepted) {
        throw refusal{std::string{"This test requires "} + accepted + "; it was started with " + std::to_string(size)};
    };
    if (needed == ranks::exactly_two && size != 2) refuse("exactly two processes");
    if (size < 2) refuse("at least two processes");
    if (needed == ranks::even && size % 2 != 0) refuse("an even number of processes");
}

void require_nodes(sonde::mpi::group const& world) {
    auto const complaint = complaint_about(nodes_of(world));
    if (!complaint.empty()) throw refusal{complaint};
}

} // namespace osu
