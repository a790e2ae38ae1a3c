// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/device_support.hpp>
#include <sonde/mpi/rma/reach.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace sonde::mpi {

/// MPI_Put: memory of the origin to every target.
template <Targets T = peer>
class put {
public:
    static constexpr auto call = detail::routine{MPI_Put, "MPI_Put"};
    static constexpr auto call_with_request = detail::routine{MPI_Rput, "MPI_Rput"};

    put(ViewableWindow auto&& w, T targets, opaque_region from, block each)
        : to_{w, std::move(targets), each}, from_{detail::passable(from)} {}

    void operator()(std::size_t i) const { issue(i, call); }
    /// f(the arguments of MPI's call) for every target.
    template <class F>
    void issue(std::size_t i, F f) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t) {
            f(to_.at(from_, i), to_.count(), to_.type(), rank, place, to_.count(), to_.type(), to_.win());
        });
    }
    std::size_t targets() const { return to_.targets(); }
    std::size_t places() const { return to_.places(from_); }
    traffic moves() const { return to_.moves(); }

private:
    reach<T> to_;
    opaque_region from_;
};
template <class W, class T>
put(W const&, T, opaque_region, block) -> put<T>;

} // namespace sonde::mpi
