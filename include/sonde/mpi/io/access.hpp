// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

namespace sonde::mpi::io {

enum class way : unsigned char { write, read };

/// What says where in the file an access begins: the rank's own pointer, an offset that the call is given, or the
/// pointer that all ranks share. A private file is one that a group of one opens, with any of them.
enum class pointer : unsigned char { individual, explicit_offset, shared };

/// How bytes get from memory into a file, or back. A collective access is made by all ranks of the file's group; with
/// the shared pointer, ranks then come in their order.
struct access {
    io::way way = way::write;
    io::pointer by = pointer::individual;
    bool collective = false;

    bool operator==(access const&) const = default;
};

/// When a write has arrived, so that others may read it: nobody asks, once after all iterations (`complete()`), or in
/// each of them.
enum class assured : unsigned char { never, at_end, each };

} // namespace sonde::mpi::io
