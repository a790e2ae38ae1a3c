// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "arguments.hpp"
#include "array.hpp"
#include "callable.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/collective.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

// The patterns of `sonde.patterns`: patterns of C++ on memory of Python objects.

namespace binding {

namespace mpi = sonde::mpi;

template <class Operation>
using collective = mpi::blocking<Operation, sonde::opaque_slice, sonde::opaque_slice>;

template <class L>
using sent_by = sonde::send_buffer_t<L, sonde::opaque_slice>;
using received_window = sonde::recv_buffer_t<mpi::async_link, sonde::opaque_rotating>;
using acknowledgement = sonde::send_buffer_t<mpi::link, sonde::slice>;

using ping_pong = sonde::ping_pong<mpi::link, sent_by<mpi::link>, sent_by<mpi::link>>;
using stream = sonde::stream<mpi::async_link, sent_by<mpi::async_link>, received_window, mpi::link, acknowledgement,
                             acknowledgement>;
using bidirectional = sonde::bidirectional<mpi::async_link, sent_by<mpi::async_link>, received_window>;

/// A pattern of any kind with the point of its record: a Python callable, or a native pattern.
using any_pattern =
    std::variant<sonde::named<callable>, sonde::named<ping_pong>, sonde::named<stream>, sonde::named<bidirectional>,
                 sonde::named<collective<mpi::barrier>>, sonde::named<collective<mpi::bcast>>,
                 sonde::named<collective<mpi::allreduce>>, sonde::named<collective<mpi::reduce>>,
                 sonde::named<collective<mpi::allgather>>, sonde::named<collective<mpi::gather>>,
                 sonde::named<collective<mpi::scatter>>, sonde::named<collective<mpi::alltoall>>,
                 sonde::named<collective<mpi::reduce_scatter_block>>>;

struct pattern_kind;

/// The memory, the peers and the other arguments of a native pattern on this rank.
struct native_arguments {
    mpi::group const& ranks;
    pattern_kind const& kind;
    array send{};
    array recv{};
    std::size_t bytes = 0; // of a block or a message
    std::size_t window = 1;
    int pairs = 1;
    int root = 0;
    MPI_Op operation = MPI_SUM;
    std::vector<std::byte> own_window{}; // receive regions, if the user gives none
    std::byte token{};                   // acknowledgement of a stream

    /// All that must be equal on all ranks: "bcast, 16 bytes of float64, root 0".
    std::string text() const;
};

/// A native pattern as Python describes it: its kind, its communicator, its arrays and other arguments by name. It owns
/// no object of MPI. The pattern is made when it is measured, on the group of the measurement, so that faults of its
/// arguments are found where all ranks are together.
class description {
public:
    /// `place`: of the call by which it is made, "solver.py:12". Throws ValueError for an unknown kind.
    description(std::string const& kind, py::dict values, std::string const& place);

    /// "sonde.patterns.allreduce (solver.py:12)", which begins messages.
    std::string const& function() const { return given_.function(); }
    py::object comm() const { return given_["comm"]; }
    pattern_kind const& kind() const { return *kind_; }
    /// The arguments on this rank. Throws TypeError or ValueError for an argument that is wrong. Does not communicate.
    native_arguments bind(mpi::group const& ranks) const;

private:
    void take_arrays(native_arguments& into) const;
    void take_own_window(native_arguments& into) const;
    /// The size in bytes of a block, by the array that has the blocks or the block of this rank.
    std::size_t block_bytes(native_arguments const& of) const;
    void require_fitting_arrays(native_arguments const& of) const;
    [[noreturn]] void refuse(std::string const& reason) const;

    pattern_kind const* kind_;
    arguments given_;
};

/// The pattern on the arguments, which must outlive it. Does not communicate.
any_pattern make_pattern(pattern_kind const& kind, native_arguments& arguments, sonde::point at);

} // namespace binding
