// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/block.hpp>
#include <sonde/mpi/device_support.hpp>
#include <sonde/mpi/rma/operation.hpp>
#include <sonde/mpi/rma/reach.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace sonde::mpi {

/// MPI_Accumulate: memory of the origin combined with what is at every target.
template <Targets T = peer>
class accumulate {
public:
    static constexpr auto call = detail::routine{MPI_Accumulate, "MPI_Accumulate"};
    static constexpr auto call_with_request = detail::routine{MPI_Raccumulate, "MPI_Raccumulate"};

    /// Throws std::invalid_argument for an operation that MPI does not define for the type, and for MPI_NO_OP.
    accumulate(ViewableWindow auto&& w, T targets, opaque_region from, block each, MPI_Op op)
        : to_{w, std::move(targets), each}, from_{detail::passable(from)},
          op_{detail::op_of_accumulate(op, each.type)} {}

    void operator()(std::size_t i) const { issue(i, call); }
    /// f(the arguments of MPI's call) for every target.
    template <class F>
    void issue(std::size_t i, F f) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t) {
            f(to_.at(from_, i), to_.count(), to_.type(), rank, place, to_.count(), to_.type(), op_, to_.win());
        });
    }
    std::size_t targets() const { return to_.targets(); }
    std::size_t places() const { return to_.places(from_); }
    traffic moves() const { return to_.moves(); }

private:
    reach<T> to_;
    opaque_region from_;
    MPI_Op op_;
};
template <class W, class T>
accumulate(W const&, T, opaque_region, block, MPI_Op) -> accumulate<T>;

} // namespace sonde::mpi
