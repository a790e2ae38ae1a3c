// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../mpi/content.hpp"
#include "support.hpp"

#include <sonde/pattern.hpp>

#include <cstddef>
#include <vector>

namespace ranks {

/// The largest number of pairs, and this rank's memory.
struct paired_rank : connected {
    sonde::pairing at = sonde::pair_of(rank(), size() / 2);
    device_allocation out, in;

    explicit paired_rank(std::size_t bytes) : out{bytes}, in{bytes} {}

    void write(std::size_t place, std::size_t n, std::size_t round, std::size_t message = 0) {
        std::vector<std::byte> bytes(n);
        content::write(bytes, rank(), round, message);
        out.write(place, bytes);
    }
    std::size_t wrong(std::size_t place, std::size_t n, std::size_t round, std::size_t message = 0) const {
        std::vector<std::byte> bytes(n);
        in.read(place, bytes);
        return content::wrong(bytes, at.peer, round, message);
    }
    void clear() {
        if (!in.bytes().empty()) in.fill(std::byte{0});
    }
};

} // namespace ranks
