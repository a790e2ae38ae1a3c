// SPDX-License-Identifier: BSL-1.0
#include "tools/records/environments.hpp"
#include "tools/compare/comparison.hpp"
#include "tools/compare/matched_rows.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>

#include "support.hpp"

namespace {

using sonde::environment;

/// The differences from the usual environment after `change`, with "!" before those that matter.
std::vector<std::string> found_after(std::function<void(environment&)> const& change) {
    auto other = made::environment();
    change(other);
    std::vector<std::string> names;
    for (auto const& d : tools::environment_differences(made::run_in(made::environment()), made::run_in(other)))
        names.push_back((d.matters ? "!" : "") + d.property);
    return names;
}

using names = std::vector<std::string>;

} // namespace

TEST_CASE("each difference of environments that matters is found by its name") {
    CHECK(found_after([](auto&) {}).empty());
    CHECK(found_after([](auto& e) { e.communication_library = "Other"; }) == names{"!communication library"});
    CHECK(found_after([](auto& e) { e.bindings = {"0", "1"}; }) == names{"!binding of ranks"});
    CHECK(found_after([](auto& e) { e.devices = {"one", "one"}; }) == names{"!devices of ranks"});
    CHECK(found_after([](auto& e) { e.build = "not optimized"; }) == names{"!build"});
    CHECK(found_after([](auto& e) { e.compiler = "clang 14"; }) == names{"!compiler", "compiler's version"});
    CHECK(found_after([](auto& e) { e.ranks_per_host = {2, 1}; }) == names{"!number of ranks", "!ranks per host"});
    CHECK(found_after([](auto& e) { e.hosts = {"a"}; }) == names{"!number of hosts", "names of hosts"});
}

TEST_CASE("each difference of the systems is found by its name") {
    auto const found = [](std::function<void(environment&)> const& change) {
        auto e = made::environment(), other = made::environment();
        e.date = "2026-01-31T08:05:00Z";
        e.system = {"one",
                    2,
                    8,
                    16,
                    2,
                    "performance",
                    true,
                    "Linux 6.1",
                    4096,
                    1024,
                    "none",
                    {{"ib0", "InfiniBand", 200.0}},
                    "NVIDIA 535.129.03"};
        e.transport = {{"pml", "ucx"}, {"UCX_TLS", "rc"}};
        e.job = {"Slurm", "7", "srun"};
        e.stolen = sonde::seconds{0};
        other = e;
        change(other);
        names all;
        for (auto const& d : tools::environment_differences(made::run_in(e), made::run_in(other)))
            all.push_back((d.matters ? "!" : "") + d.property);
        return all;
    };
    CHECK(found([](auto&) {}).empty());
    CHECK(found([](auto& e) { e.system.processor = "two"; }) == names{"!processor of rank 0"});
    CHECK(found([](auto& e) { e.system.sockets = 1; }) == names{"!number of sockets"});
    CHECK(found([](auto& e) { e.system.cores = 4; }) == names{"!number of cores"});
    CHECK(found([](auto& e) { e.system.hardware_threads = 8; }) == names{"!number of hardware threads"});
    CHECK(found([](auto& e) { e.system.numa_nodes = 1; }) == names{"!number of NUMA nodes"});
    CHECK(found([](auto& e) { e.system.governor = "powersave"; }) == names{"!governor"});
    CHECK(found([](auto& e) { e.system.boost = false; }) == names{"!boost"});
    CHECK(found([](auto& e) { e.system.fabric[0].gigabits_per_second = 100; }) == names{"!fabric"});
    CHECK(found([](auto& e) { e.system.fabric.clear(); }) == names{"!fabric"});
    CHECK(found([](auto& e) { e.system.gpu_driver = "NVIDIA 580.65.06"; }) == names{"!GPU driver"});
    CHECK(found([](auto& e) { e.system.gpu_driver.clear(); }) == names{"!GPU driver"});
    CHECK(found([](auto& e) { e.transport[1].text = "tcp"; }) == names{"!settings of the transport"});
    CHECK(found([](auto& e) { e.transport.clear(); }) == names{"!settings of the transport"});
    CHECK(found([](auto& e) { e.system.container = "docker"; }) == names{"!container"});
    CHECK(found([](auto& e) { e.unlike_hosts = {"b"}; }) == names{"!number of hosts of another kind"});
    CHECK(found([](auto& e) { e.system.kernel = "Linux 6.2"; }) == names{"kernel"});
    CHECK(found([](auto& e) { e.system.memory_bytes = std::uint64_t{1} << 40; }) == names{"memory"});
    CHECK(found([](auto& e) { e.system.memory_limit_bytes.reset(); }) == names{"memory limit"});
    CHECK(found([](auto& e) { e.job.launcher = "flux run"; }) == names{"launcher"});
    CHECK(found([](auto& e) { e.job.resource_manager = "Flux"; }) == names{"resource manager"});
    CHECK(found([](auto& e) { e.job.id = "8"; }) == names{"job"});
    CHECK(found([](auto& e) { e.date = "2026-02-01T00:00:00Z"; }) == names{"day"});
    CHECK(found([](auto& e) { e.date = "2026-01-31T23:59:59Z"; }).empty());
    CHECK(found([](auto& e) { e.stolen = sonde::seconds{0.5}; }) == names{"stolen CPU time"});
    CHECK(found([](auto& e) { e.schema_version = 2; }) == names{"version of the schema"});
    // A file of a version that did not record the system, the job and the date.
    CHECK(found([](auto& e) { e = made::environment(); }).empty());
}

TEST_CASE("control variables are compared by name where all environments have them") {
    auto const with = [](std::vector<sonde::parameter> variables) {
        auto e = made::environment();
        e.control_variables = std::move(variables);
        e.sonde_version += e.control_variables.empty() ? " older" : "";
        return made::run_in(e);
    };
    auto const differ = [](auto const& before, auto const& after) {
        names found;
        for (auto const& d : tools::environment_differences(before, after))
            found.push_back((d.matters ? "!" : "") + d.property);
        return found;
    };
    auto const usual = with({{"eager_limit", "4096"}, {"algorithm", "ring"}});
    CHECK(differ(usual, usual).empty());
    CHECK(differ(usual, with({{"eager_limit", "64"}, {"algorithm", "ring"}})) == names{"!eager_limit"});
    CHECK(differ(usual, with({{"other_limit", "64"}})).empty());
    CHECK(differ(usual, with({})) == names{"version of Sonde"});
    CHECK(differ(with({}), usual) == names{"version of Sonde"});
}

TEST_CASE("a difference that may be intended is found, and does not matter") {
    CHECK(found_after([](auto& e) { e.compiler = "g++ 13.1.0"; }) == names{"compiler's version"});
    CHECK(found_after([](auto& e) { e.hosts = {"a", "c"}; }) == names{"names of hosts"});
    CHECK(found_after([](auto& e) { e.sonde_version = "9.9.9"; }) == names{"version of Sonde"});
    CHECK(found_after([](auto& e) { e.command_line = "./other"; }) == names{"command"});
}

TEST_CASE("launches of one side that differ from each other are a difference, too") {
    auto other = made::environment();
    other.communication_library = "Other";
    auto both = made::run_in(made::environment());
    both.push_back(made::run_in(other).front());
    auto const found = tools::environment_differences(both, both);
    REQUIRE(found.size() == 1);
    CHECK(found[0].before == "Some MPI 4 and Other");
}

TEST_CASE("the launch command is compared, without the program's temporary file") {
    auto first = made::run_in(made::environment()), second = first;
    first[0].launch = second[0].launch = sonde::launch{1, "mpirun ./exchange", "exit status 0", {}};
    second[0].environment->command_line += " --report json=other";
    CHECK(tools::environment_differences(first, second).empty());
}

TEST_CASE("a rank that may move between processors is named") {
    auto e = made::environment();
    CHECK(!tools::unbound_rank(made::run_in(e)[0]));
    e.bindings = {"3", "0-1"};
    CHECK(tools::unbound_rank(made::run_in(e)[0]) == "rank 1 on 0-1");
    e.bindings = {"3,5", "0"};
    CHECK(tools::unbound_rank(made::run_in(e)[0]) == "rank 0 on 3,5");
}

TEST_CASE("each side has its remarks, each of them once") {
    auto e = made::environment();
    e.bindings = {"0-3", "0-3"};
    tools::launch_set s{"f", made::run_in(e)};
    s.runs[0].launch = sonde::launch{1, "x", "signal 9", {}};
    auto const all = tools::remarks(s);
    REQUIRE(all.size() == 3);
    CHECK(all[0] == "f: launch 1 ended with signal 9; its 1 record counts");
    CHECK(all[1].find("rank 0 on 0-3") != std::string::npos);
    CHECK(all[2].find("a single launch") != std::string::npos);
    s.runs.push_back(s.runs[0]);
    s.runs[1].launch->outcome = "exit status 0";
    CHECK(tools::remarks(s).size() == 2);
    s.runs[1].environment.reset();
    CHECK(tools::remarks(s).size() == 3);
}

TEST_CASE("the device that carried the messages is a difference, if a witness read its counters") {
    auto const carried_by = [](char const* name, double rate, std::uint64_t bytes) {
        auto run = made::run_in(made::environment());
        sonde::record r;
        r.carried.emplace().hosts = {
            {"a",
             {{name, "interface", "up", "", rate, bytes, bytes}, {"other0", "interface", "up", "", 1.0, 500, 500}}}};
        run.front().records = {r, r};
        return run;
    };
    auto const slow = carried_by("eth0", 10, 2'000'000), fast = carried_by("fast0", 100, 2'000'000);
    CHECK(tools::environment_differences(slow, slow).empty());
    CHECK(tools::environment_differences(slow, made::run_in(made::environment())).empty());
    auto const found = tools::environment_differences(slow, fast);
    REQUIRE(found.size() == 1);
    CHECK(found[0].property == "device that carried the messages");
    CHECK(found[0].before == "eth0 (interface, 10 Gbit/s)");
    CHECK(found[0].after == "fast0 (interface, 100 Gbit/s)");
    CHECK(found[0].matters);
    CHECK(tools::environment_differences(slow, carried_by("fast0", 100, 1000)).empty()); // chatter of hosts
}
