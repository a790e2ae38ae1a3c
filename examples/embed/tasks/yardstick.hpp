// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasks {

/// Reference for the application's counter: the same operation by Sonde's own types, without additional work.
class yardstick {
public:
    static constexpr auto name = "the same by Sonde alone";

    /// Constructor and destructor are collective.
    explicit yardstick(sonde::mpi::group const& ranks)
        : window_{ranks, ranks.rank() == 0 ? sizeof(std::int64_t) : std::size_t{0}} {}

    /// The pattern refers to this object, which must outlive it.
    auto pattern() {
        sonde::mpi::fetch_and_op const one_more{window_,           target,      bytes_of(one_),
                                                bytes_of(number_), MPI_INT64_T, MPI_SUM};
        return sonde::rma{sonde::mpi::flush{window_, target}, sonde::role::initiator, 1, one_more};
    }

private:
    static constexpr sonde::mpi::peer target{0};

    static sonde::region bytes_of(std::int64_t& value) { return std::as_writable_bytes(std::span{&value, 1}); }

    sonde::mpi::allocated_window window_;
    std::int64_t one_ = 1;
    std::int64_t number_ = 0;
};

} // namespace tasks
