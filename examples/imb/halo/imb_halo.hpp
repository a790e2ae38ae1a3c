// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"

#include <sonde/measure/record.hpp>

#include <cstddef>
#include <string>
#include <vector>

// Grids and output of IMB-HALO.

namespace imb {

/// IMB-HALO: exchanges of faces with the neighbors in a grid.
component halo_component();

} // namespace imb

namespace imb::halo {

/// The largest whole number whose power is at most n >= 1.
int whole_root(int n, std::size_t power);

/// Extents of the periodic grid of some ranks: those of `-topo`, divided by their greatest common divisor, and then all
/// multiplied by the largest number for which the ranks suffice. Throws suite::refusal if the ranks do not suffice.
std::vector<int> extents_of(std::vector<int> const& topology, int ranks);

/// Neighbors of a rank in one dimension, with the next subscript and with the previous one.
struct neighbors {
    int up;
    int down;
};

/// Neighbors in the dimensions with more than one rank; none for an idle rank. Ranks are in row-major order.
std::vector<neighbors> neighbors_of(std::vector<int> const& extents, int rank);

/// Number of threads that exchange parts of a message: one without elements has one, too.
int threads_of(std::size_t elements, int threads);
/// Elements of a thread's part; the first parts have one more if the threads do not divide them.
std::size_t elements_of_thread(std::size_t elements, int threads, int thread);

/// Messages that a rank sends and receives in an iteration; it has a face in each direction.
std::size_t messages_of(std::vector<int> const& extents);

/// Line above the sizes. `threads`: those that exchange the first size.
std::string head(std::string const& benchmark, std::vector<int> const& extents, int threads);
/// Line of a size: bytes of a face, messages of a rank, the mean time of an iteration over all threads of all ranks,
/// and the bandwidth of a rank, both ways together.
std::string line(std::size_t bytes, std::size_t messages, sonde::record const& r);

} // namespace imb::halo
