// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/link.hpp>

#include <cstddef>

namespace osu {

/// The answer to a window: one MPI_CHAR with tag 101.
class token {
public:
    token(sonde::mpi::group const& world, int peer) : world_{world}, peer_{peer} {}
    sonde::mpi::link link() const { return {world_, peer_, 101, {MPI_CHAR}}; }
    sonde::slice buffer() { return sonde::slice{{&byte_, 1}}; }

private:
    sonde::mpi::group const& world_;
    int peer_;
    std::byte byte_{};
};

} // namespace osu
