// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace sonde::mpi {

namespace detail {

inline std::string library_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    check(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
    std::string version{text};
    version.erase(std::min(version.find('\n'), version.size())); // MPICH goes on with how it was configured
    for (char& c : version)
        if (c == '\t') c = ' ';
    return version;
}

inline std::string processor_name() {
    char text[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    check(MPI_Get_processor_name(text, &length), "MPI_Get_processor_name");
    return {text, static_cast<std::size_t>(length)};
}

/// Every rank's text, on every rank. Collective over the group.
inline std::vector<std::string> gather(group const& ranks, std::string const& mine) {
    auto longest = static_cast<int>(mine.size());
    check(MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_INT, MPI_MAX, ranks.comm()), "MPI_Allreduce");
    auto const width = static_cast<std::size_t>(longest) + 1;
    std::vector<char> own(width), all(width * static_cast<std::size_t>(ranks.size()));
    std::memcpy(own.data(), mine.data(), mine.size());
    check(MPI_Allgather(own.data(), longest + 1, MPI_CHAR, all.data(), longest + 1, MPI_CHAR, ranks.comm()),
          "MPI_Allgather");
    std::vector<std::string> texts;
    for (std::size_t at = 0; at != all.size(); at += width) texts.emplace_back(all.data() + at);
    return texts;
}

inline void count_hosts(std::vector<std::string> const& host_of_rank, environment& into) {
    into.hosts.clear();
    into.ranks_per_host.clear();
    into.host_of_rank.clear();
    for (auto const& host : host_of_rank) {
        std::size_t i = 0;
        while (i != into.hosts.size() && into.hosts[i] != host) ++i;
        if (i == into.hosts.size()) {
            into.hosts.push_back(host);
            into.ranks_per_host.push_back(0);
        }
        ++into.ranks_per_host[i];
        into.host_of_rank.push_back(static_cast<int>(i));
    }
}

} // namespace detail

/// The environment of a group, equal on all ranks. Collective over the group.
[[nodiscard]] inline environment environment_of(group const& ranks, int argc = 0, char const* const* argv = nullptr) {
    auto e = local_environment(argc, argv);
    e.communication_library = detail::library_version();
    for (auto* text : {&e.compiler, &e.build, &e.command_line}) // ranks may run different programs: rank 0's counts
        *text = detail::gather(ranks, *text).front();
    detail::count_hosts(detail::gather(ranks, detail::processor_name()), e);
    e.bindings = detail::gather(ranks, sonde::detail::binding());
    return e;
}

} // namespace sonde::mpi
