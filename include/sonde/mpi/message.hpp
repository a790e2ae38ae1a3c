// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/device_support.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace sonde::mpi {

/// The first three arguments of a call.
struct message {
    void* data;
    int count;
    MPI_Datatype type;
};

/// A buffer whose regions are given as MPI takes them: count and datatype are worked out once, not in the timed loop.
template <Buffer B>
class messages {
public:
    /// Throws device_refused for bytes on a device that the MPI library does not take, and what the shape throws.
    messages(B buffer, elements e)
        : buffer_{detail::passable(std::move(buffer))}, shape_{detail::shape_of(buffer_.size(), e)},
          bytes_{detail::bytes_in(shape_)} {}
    message next() { return {buffer_.next().data(), shape_.count, shape_.type}; }
    /// Bytes that a message moves: fewer than its region has where elements have gaps, or do not fill it.
    std::size_t size() const { return bytes_; }
    std::size_t regions() const { return sonde::regions(buffer_); }

private:
    B buffer_;
    detail::shape shape_;
    std::size_t bytes_;
};

} // namespace sonde::mpi
