// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/site_operation.hpp"

#include <string>
#include <vector>

namespace tools::replay {

/// A collective that sends what an exchange sends.
struct collective_form {
    std::string name;                   // "MPI_Gather"
    std::string condition{};            // on the data; empty: always the same
    int root = 0;                       // in `exchange_form::ranks`
    double gathered = 0, scattered = 0; // bytes of a block: to the root (of an alltoall to each rank), from it
};

/// Which ranks take part in an exchange, and which alternatives send the same.
struct exchange_form {
    std::vector<int> ranks{}; // of the world, in ascending order
    bool may_depend = false;  // on some rank a message is sent after another one of its round was received
    bool is_at_once = false;  // the application starts all messages and completes them by one call
    std::vector<collective_form> collectives{};
    /// Messages that can be sent at the same time: all, or of a gather and a scatter first the one, then the other.
    std::vector<std::vector<exchanged_message>> rounds{};
};

/// Recognizes, for three ranks and more, messages of one size each between a root and all others (a gather, a scatter,
/// or both in turn), along a tree whose ranks pass on what they get, and between all pairs.
exchange_form form_of(std::vector<exchanged_message> const& messages, std::vector<message_order> const& orders);

} // namespace tools::replay
