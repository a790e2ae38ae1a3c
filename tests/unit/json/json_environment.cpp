// SPDX-License-Identifier: BSL-1.0
#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "../report/support.hpp"

TEST_CASE("environment variables of the process are in no output") {
    for (auto const* variable : {"SONDE_TEST_TOKEN", "SLURM_JOB_ACCOUNT", "OMPI_COMM_WORLD_RANK"})
        setenv(variable, "hunter2-of-the-environment", 1);
    reports::memory_file out;
    sonde::json_lines lines{out.get(), sonde::local_environment()};
    lines(reports::example());
    CHECK(out.text().find("hunter2") == std::string::npos);
    CHECK(out.text().find("TOKEN") == std::string::npos);
    for (auto const* variable : {"SONDE_TEST_TOKEN", "SLURM_JOB_ACCOUNT", "OMPI_COMM_WORLD_RANK"}) unsetenv(variable);
}

TEST_CASE("the written environment has these keys and no others") {
    sonde::json const written = sonde::local_environment();
    std::set<std::string> keys;
    for (auto const& [key, value] : written.items()) keys.insert(key);
    keys.erase("job");    // if this test is in one
    keys.erase("system"); // if this is Linux
    CHECK(keys == std::set<std::string>{"type", "schema_version", "date", "sonde_version", "compiler", "build",
                                        "command_line", "communication_library", "hosts", "ranks_per_host",
                                        "host_of_rank", "bindings"});
}
