// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>
#include <sonde/mpi/agreement.hpp>
#include <sonde/mpi/control_variables.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sonde::mpi {

namespace detail {

/// First line of MPI_Get_library_version: MPICH continues with its configuration.
inline std::string library_version() {
    auto version = text_from<MPI_MAX_LIBRARY_VERSION_STRING>(MPI_Get_library_version, "MPI_Get_library_version");
    version.erase(std::min(version.find('\n'), version.size()));
    std::replace(version.begin(), version.end(), '\t', ' ');
    return version;
}

/// The texts of all ranks, in the order of ranks: on all ranks, or only on rank 0, where the others return an empty
/// vector. Collective over the group.
inline std::vector<std::string> gather_texts(group const& ranks, std::string text, bool on_all_ranks = false) {
    unsigned long long width = text.size() + 1;
    check(MPI_Allreduce(MPI_IN_PLACE, &width, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, ranks.comm()), "MPI_Allreduce");
    text.resize(static_cast<std::size_t>(width)); // ends in at least one null character
    auto const each = count_and_type_of(text.size(), {MPI_CHAR});
    std::vector<char> all(on_all_ranks || ranks.rank() == 0 ? text.size() * static_cast<std::size_t>(ranks.size()) : 0);
    if (on_all_ranks)
        check(MPI_Allgather(text.data(), each.count, each.type, all.data(), each.count, each.type, ranks.comm()),
              "MPI_Allgather");
    else
        check(MPI_Gather(text.data(), each.count, each.type, all.data(), each.count, each.type, 0, ranks.comm()),
              "MPI_Gather");
    std::vector<std::string> texts;
    for (std::size_t at = 0; at != all.size(); at += text.size()) texts.emplace_back(all.data() + at);
    return texts;
}

/// The control variables of rank 0 on every rank. Collective over the group.
inline std::vector<parameter> shared_control_variables(group const& ranks, std::span<char const* const> patterns) {
    std::string mine; // a name and a value, line by line
    if (ranks.rank() == 0)
        for (auto const& variable : control_variables(patterns)) mine += variable.name + '\n' + variable.text + '\n';
    auto const all = broadcast_text(ranks, mine);
    std::vector<parameter> found;
    for (std::size_t at = 0; at != all.size();) {
        auto const middle = all.find('\n', at), end = all.find('\n', middle + 1);
        found.emplace_back(all.substr(at, middle - at), all.substr(middle + 1, end - middle - 1));
        at = end + 1;
    }
    return found;
}

/// Sets the hosts of an environment, each once in the order of its first rank, and the ranks on each.
inline void set_hosts(environment& e, std::vector<std::string> const& name_of_rank) {
    e.hosts.clear();
    e.ranks_per_host.clear();
    e.host_of_rank.clear();
    std::vector<std::size_t> by_name; // indices of the hosts
    for (auto const& name : name_of_rank) {
        auto at = std::lower_bound(by_name.begin(), by_name.end(), name,
                                   [&](std::size_t host, std::string const& wanted) { return e.hosts[host] < wanted; });
        if (at == by_name.end() || e.hosts[*at] != name) {
            at = by_name.insert(at, e.hosts.size());
            e.hosts.push_back(name);
            e.ranks_per_host.push_back(0);
        }
        ++e.ranks_per_host[*at];
        e.host_of_rank.push_back(static_cast<int>(*at));
    }
}

} // namespace detail

namespace detail {

/// Complete the environment of rank 0's host for a group, on all ranks. Collective over the group.
inline environment environment_of_group(environment e, group const& ranks, std::span<char const* const> patterns) {
    e.communication_library = detail::library_version();
    if (!patterns.empty()) e.control_variables = detail::shared_control_variables(ranks, patterns);
    for (auto* text : {&e.compiler, &e.build, &e.command_line}) *text = detail::broadcast_text(ranks, *text);
    auto const name = detail::text_from<MPI_MAX_PROCESSOR_NAME>(MPI_Get_processor_name, "MPI_Get_processor_name");
    detail::set_hosts(e, detail::gather_texts(ranks, name));
    e.bindings = detail::gather_texts(ranks, sonde::detail::binding());
    return e;
}

} // namespace detail

/// The environment of a group, equal on all ranks, except for the lists of hosts and of ranks, which only rank 0 has,
/// so that no other rank needs memory for each rank. Compiler, build and command line are rank 0's, since ranks may run
/// different programs; compiler and build are those of the file that calls this function. `patterns`: names of the
/// control variables to record (`control_variables`); none: the library's tool interface is not started, which takes
/// Open MPI 0.2 s; none on all ranks or on no rank. Collective over the group. Throws mpi::error.
[[nodiscard]] static inline environment
environment_of(group const& ranks, int argc = 0, char const* const* argv = nullptr,
               std::span<char const* const> patterns = recorded_control_variables) {
    return detail::environment_of_group(local_environment(argc, argv), ranks, patterns);
}

} // namespace sonde::mpi
