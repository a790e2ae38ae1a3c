// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../reports.hpp"

#include <sonde/environment.hpp>
#include <sonde/mpi/group.hpp>

#include <string>

namespace imb::own {

/// Where records go: the files of `-report`, which rank 0 opens before anything is measured. Making one is collective
/// over the ranks; throws common::refusal, on all of them, where a file cannot be written.
class reporting {
public:
    reporting(sonde::mpi::group const& world, options const& asked, int argc, char const* const* argv);

    std::string const& command_line() const { return where_.command_line; }
    void operator()(sonde::record const& found) const { to_(found); }

private:
    sonde::environment where_;
    reports to_; // of rank 0; of others nowhere
};

} // namespace imb::own
