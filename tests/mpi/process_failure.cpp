// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"

#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <string>
#include <vector>

namespace {

/// Ranks that MPIX_Comm_get_failed tells as dead, and its result.
std::vector<int> dead;
int result = MPI_SUCCESS;

/// The exception of a call that failed.
std::string said(std::vector<int> const& ranks) {
    dead = ranks;
    std::string text = "no exception";
    try {
        sonde::mpi::check(MPI_ERR_OTHER, "MPI_Send");
    } catch (sonde::mpi::process_failure const& e) {
        text = e.what();
        CHECK(e.ranks() == ranks);
        CHECK(e.code() == MPI_ERR_OTHER);
    } catch (sonde::mpi::error const& e) {
        text = std::string{"an error: "} + e.what();
    }
    dead.clear();
    return text;
}

} // namespace

/// The program's own definition precedes the library's.
extern "C" int MPIX_Comm_get_failed(MPI_Comm comm, MPI_Group* failed) {
    MPI_Group all = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &all);
    PMPI_Group_incl(all, static_cast<int>(dead.size()), dead.data(), failed);
    PMPI_Group_free(&all);
    return result;
}

TEST_CASE("an error after a rank has died names the rank") {
    auto const last = application::size() - 1;
    CHECK(said({}).starts_with("an error: MPI_Send: "));
    CHECK(said({last}).starts_with("rank " + std::to_string(last) + " has died: MPI_Send: "));
    if (last > 0) CHECK(said({0, last}).starts_with("ranks 0, " + std::to_string(last) + " have died: MPI_Send: "));
    result = MPI_ERR_OTHER;
    CHECK(said({last}).starts_with("an error: MPI_Send: ")); // the library does not tell
    result = MPI_SUCCESS;
}
