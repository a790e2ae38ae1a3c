// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/osu_options.hpp"
#include "osu/xccl/oneccl_library.hpp"
#include "suite/launch.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/oneccl.hpp>

#include <string>

namespace osu::xccl {

namespace backend = sonde::oneccl;
inline constexpr auto character = ccl::datatype::int8;
inline constexpr auto real = ccl::datatype::float32;
inline constexpr auto sum = ccl::reduction::sum;
inline constexpr library const& xccl_library = oneccl_library;
/// Memory of the reply to a window.
inline constexpr auto reply_memory = memory_kind::host;

/// The ranks' communicator of oneCCL.
class connection {
public:
    /// Throws refusal, on all ranks, if oneCCL cannot connect the ranks. Collective over the group, and so is the
    /// destructor.
    explicit connection(sonde::mpi::group& world) : ranks_{connected(world)} {}

    /// Where operations are called.
    sonde::oneccl::communicator const& place() const { return ranks_; }

private:
    static sonde::oneccl::communicator connected(sonde::mpi::group& world) {
        try {
            return sonde::oneccl::communicator{world};
        } catch (sonde::oneccl::error const& e) { // the same on all ranks
            throw refusal{std::string{xccl_library.title} + " cannot connect the ranks: " + e.what()};
        }
    }

    sonde::oneccl::communicator ranks_;
};

using pair_link = sonde::oneccl::link;
using window_link = sonde::oneccl::link;
using reply_link = sonde::oneccl::link;

} // namespace osu::xccl
