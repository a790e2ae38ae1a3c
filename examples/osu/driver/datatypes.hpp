// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace osu {

/// A predefined MPI datatype of `-T`.
struct datatype {
    element kind;
    MPI_Datatype handle;
    std::size_t bytes;
    std::string name; // "MPI_CHAR"
};

/// The datatypes of `-T` in their order; MPI_CHAR by default.
std::vector<datatype> types_of(options const& asked);

/// One message: its MPI datatype and count, its extent in memory, and the bytes that are transmitted.
struct message_description {
    sonde::mpi::elements elements{};
    std::size_t span = 0;
    std::size_t transmitted = 0;
    std::shared_ptr<sonde::mpi::owned_datatype const>
        derived{}; // the derived datatype of `-D`, freed with the last copy
};

/// One block of an indexed datatype, in elements.
struct block {
    int displacement;
    int length;
};

/// Layout of a message's elements (`-D`). The file of an indexed datatype is read once.
class message_layout {
public:
    /// Throws refusal for a file that cannot be read, that has no block or a malformed line, or whose blocks overlap.
    explicit message_layout(derived asked);
    bool plain() const { return asked_.kind == layout::plain; }

    /// Description of a message of `size` bytes. Throws refusal for more elements than MPI counts.
    message_description describe(datatype const& type, std::size_t size) const;

private:
    derived asked_;
    std::vector<block> blocks_;
};

} // namespace osu
