// SPDX-License-Identifier: BSL-1.0
#include "connection.hpp"

#include "../common.hpp"
#include "../device.hpp"

#include <sonde/nccl/communicator.hpp>

#include <string>

namespace osu::xccl {

namespace {

sonde::nccl::communicator connected(sonde::mpi::group& world) {
    try {
        return sonde::nccl::communicator{world};
    } catch (sonde::nccl::error const& e) { // the same on all ranks
        throw refusal{std::string{"NCCL cannot connect the ranks: "} + e.what() +
                      "; accepted: ranks with a device each"};
    }
}

} // namespace

connection::connection(sonde::mpi::group& world) : comm_{world.comm()}, ranks_{connected(world)} { say_shared(world); }

} // namespace osu::xccl
