// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "blocks.hpp"
#include "options.hpp"

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace osu {

/// A predefined type of `-T`: as MPI knows it and calls it.
struct datatype {
    element kind;
    MPI_Datatype handle;
    std::size_t bytes;
    std::string name;
};

/// The types asked for, in that order; MPI_CHAR by default.
std::vector<datatype> types_of(options const& asked);

/// How the elements of messages lie (`-D`), what a file says read once. Throws refusal for a file it cannot read.
class message_layout {
public:
    explicit message_layout(derived asked);
    bool plain() const { return asked_.kind == layout::plain; }

    /// A message of a size: how MPI is told about it, how many bytes it spans in memory, and how many are sent.
    struct described {
        sonde::mpi::owned_datatype made;
        sonde::mpi::elements as;
        std::size_t span;
        std::size_t transmitted;
    };
    described describe(datatype const& type, std::size_t size) const;

private:
    derived asked_;
    std::vector<block> blocks_;
};

} // namespace osu
