// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/reach.hpp>
#include <sonde/mpi/rma/targets.hpp>
#include <sonde/mpi/rma/window.hpp>
#include <sonde/pattern.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde::mpi {

namespace detail {

/// MPI compares and swaps integers and bytes. Throws std::invalid_argument for reals, pairs and made types, of which
/// the MPI libraries take some.
inline MPI_Datatype comparable(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) throw std::invalid_argument{"sonde::mpi: the datatype is null"};
    int integers = 0, addresses = 0, types = 0, made_by = 0;
    check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &made_by), "MPI_Type_get_envelope");
    auto forbidden = made_by != MPI_COMBINER_NAMED;
    for (auto const other :
         {MPI_FLOAT, MPI_DOUBLE, MPI_LONG_DOUBLE, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX,
          MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT})
        forbidden = forbidden || type == other;
    if (forbidden)
        throw std::invalid_argument{"sonde::mpi: compare_and_swap takes integers, no reals and no types of parts"};
    return type;
}

} // namespace detail

/// MPI_Compare_and_swap: one element replaces what is at every target where that equals another; what was there before
/// comes back.
template <Targets T = peer>
class compare_and_swap {
public:
    static constexpr auto call = detail::routine{MPI_Compare_and_swap, "MPI_Compare_and_swap"};

    /// Throws std::invalid_argument for a type that is not of integers.
    compare_and_swap(Window auto const& w, T targets, region from, region expected, region into, MPI_Datatype type)
        : to_{w, std::move(targets), {detail::comparable(type), 1}}, from_{from}, expected_{expected}, into_{into} {}

    void operator()(std::size_t i) const {
        to_.each(i, [&](int rank, MPI_Aint place, std::size_t k) {
            call(to_.at(from_, i), to_.at(expected_, i), to_.back(into_, i, k), to_.type(), rank, place, to_.win());
        });
    }
    std::size_t places() const { return to_.places_back(into_, from_, expected_); }
    traffic moves() const { return to_.moves(); }

private:
    reach<T> to_;
    region from_;
    region expected_;
    region into_;
};
template <class W, class T>
compare_and_swap(W const&, T, region, region, region, MPI_Datatype) -> compare_and_swap<T>;

} // namespace sonde::mpi
