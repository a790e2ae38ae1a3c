// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
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

/// MPI_Compare_and_swap: one element replaces what is at every target where that equals another; what was there before
/// comes back.
template <Targets T = peer>
class compare_and_swap {
public:
    static constexpr auto call = detail::routine{MPI_Compare_and_swap, "MPI_Compare_and_swap"};

    /// Throws std::invalid_argument for a type that is none of integers, truth values or bytes.
    compare_and_swap(ViewableWindow auto&& w, T targets, opaque_region from, opaque_region expected, opaque_region into,
                     MPI_Datatype type)
        : to_{w, std::move(targets), {type, 1}}, from_{detail::passable(from)}, expected_{detail::passable(expected)},
          into_{detail::passable(into)} {
        detail::require_comparable(type);
    }

    void operator()(std::size_t i) const { issue(i, call); }
    /// f(the arguments of MPI's call) for every target.
    template <class F>
    void issue(std::size_t i, F f) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            f(to_.at(from_, i), to_.at(expected_, i), to_.back(into_, i, k), to_.type(), rank, place, to_.win());
        });
    }
    std::size_t places() const { return to_.places_back(into_, from_, expected_); }
    traffic moves() const { return to_.moves(); }

private:
    reach<T> to_;
    opaque_region from_;
    opaque_region expected_;
    opaque_region into_;
};
template <class W, class T>
compare_and_swap(W const&, T, opaque_region, opaque_region, opaque_region, MPI_Datatype) -> compare_and_swap<T>;

} // namespace sonde::mpi
