// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/assess/site_operation.hpp"

#include <sonde/clock.hpp>
#include <sonde/model.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tools::replay {

/// Parameters of the machine on which operations are assessed.
struct machine {
    sonde::model::piecewise_hockney message{};     // one message between two ranks
    std::optional<sonde::model::rate> node_rate{}; // R_N of the max-rate model: all ranks of a host together
    sonde::seconds reduction_per_byte{};           // gamma
    std::vector<int> host_of_rank{};               // numbers of hosts
    std::string source{};                          // for the reader: a file, or what was measured
};

/// Hockney's line below measured times, of sizes in ascending order and their times: alpha is the shortest time, and
/// r_inf the largest x / (T(x) - alpha) of messages that take twice as long or longer, whose rate noise does not
/// decide.
sonde::model::hockney line_below(std::vector<std::pair<double, sonde::seconds>> const& times);

/// The terms of a lower bound: rounds alpha + bytes / r_inf + reduced gamma.
struct bound_terms {
    double rounds = 0;
    double bytes = 0;   // that the busiest rank must send, or must receive
    double reduced = 0; // bytes that the busiest rank must reduce, if all share this work
};

/// Lower bounds of a collective of `ranks` ranks, by its blocking name without v or w (E. Chan, M. Heimlich, A.
/// Purkayastha, R. van de Geijn, Collective communication: theory, practice, and experience, Concurrency and
/// Computation: Practice and Experience 19(13), 2007, table 1; alltoall and scan by the same arguments). `bytes`: the
/// vector of a broadcast, a reduction or a scan; the blocks of all ranks of a gather, a scatter, an allgather or a
/// reduce-scatter; of an alltoall the blocks of one rank to all. Empty for another name.
std::optional<bound_terms> terms_of(std::string const& collective, int ranks, double bytes);

/// Time of the terms, with the parameters of messages of the mean size of a round.
sonde::seconds time_of(bound_terms const& terms, machine const& on);

/// Time below which an exchange cannot be: of the busiest rank one latency and its bytes in one direction, with the
/// parameters of each message's size, or, with a rate of the node, the bytes that a host sends to others; if all ranks
/// are on one host, those that its ranks send.
sonde::seconds exchange_bound(std::vector<exchanged_message> const& messages, machine const& on);

/// Lower bound of an operation's time; empty for a collective without a bound.
std::optional<sonde::seconds> bound_of(trace const& t, site_operation const& o, machine const& on);

} // namespace tools::replay
