// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <string>
#include <vector>

using namespace sonde;

namespace {

std::string as_text(environment const& e) {
    auto text =
        e.sonde_version + '\n' + e.compiler + '\n' + e.build + '\n' + e.command_line + '\n' + e.communication_library;
    for (auto const& host : e.hosts) text += "\nhost " + host;
    for (auto const n : e.ranks_per_host) text += "\nranks " + std::to_string(n);
    for (auto const n : e.host_of_rank) text += "\nhost of rank " + std::to_string(n);
    for (auto const& binding : e.bindings) text += "\nbinding " + binding;
    return text;
}

bool same_everywhere(std::string const& mine) {
    auto size = static_cast<int>(mine.size());
    PMPI_Bcast(&size, 1, MPI_INT, 0, application::comm());
    auto theirs = mine;
    theirs.resize(static_cast<std::size_t>(size));
    PMPI_Bcast(theirs.data(), size, MPI_CHAR, 0, application::comm());
    return application::everywhere(theirs == mine);
}

} // namespace

TEST_CASE("the environment is the same on every rank, also if ranks run different commands") {
    mpi::group ranks{application::comm()};
    auto const mine = "program of rank " + std::to_string(ranks.rank());
    char const* const argv[] = {mine.c_str(), "--size", "8"};
    auto const e = mpi::environment_of(ranks, 3, argv);
    auto const same = same_everywhere(as_text(e));
    CHECK(same);
    CHECK(e.command_line == "'program of rank 0' --size 8");
}

TEST_CASE("every rank is on a host and has a binding") {
    mpi::group ranks{application::comm()};
    auto const e = mpi::environment_of(ranks);
    int total = 0;
    for (auto const n : e.ranks_per_host) total += n;
    CHECK(e.hosts.size() == e.ranks_per_host.size());
    CHECK(total == ranks.size());
    CHECK(e.bindings.size() == static_cast<std::size_t>(ranks.size()));
    CHECK(e.communication_library.find("MPI") != std::string::npos);
    CHECK(e.communication_library.find('\n') == std::string::npos);
    CHECK(e.communication_library.find('\0') == std::string::npos);
}

TEST_CASE("texts of any length are gathered completely, in the order of ranks") {
    mpi::group ranks{application::comm()};
    auto const text_of = [](int rank) {
        return std::string(static_cast<std::size_t>(700 * rank), static_cast<char>('a' + rank));
    };
    auto const texts = mpi::detail::allgather_texts(ranks, text_of(ranks.rank()));
    std::vector<std::string> expected;
    for (int rank = 0; rank != ranks.size(); ++rank) expected.push_back(text_of(rank));
    CHECK(texts == expected);
}

TEST_CASE("hosts are listed once, in the order of their first rank, with their numbers of ranks") {
    environment e;
    mpi::detail::set_hosts(e, {"b", "a", "b", "c", "b", "a"});
    CHECK(e.hosts == std::vector<std::string>{"b", "a", "c"});
    CHECK(e.ranks_per_host == std::vector{3, 2, 1});
    CHECK(e.host_of_rank == std::vector{0, 1, 0, 2, 0, 1});
}
