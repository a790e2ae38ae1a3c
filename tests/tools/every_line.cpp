// SPDX-License-Identifier: BSL-1.0
// Prints the lines that json_lines writes, with all keys and with the least, and the environment of this process, for
// the test of their schema.
#include <sonde/json/lines.hpp>

#include <chrono>
#include <cstdio>
#include <vector>

namespace {

using namespace std::chrono_literals;

sonde::environment full_environment() {
    auto e = sonde::local_environment();
    e.control_variables = {{"eager_limit", "4096"}};
    e.transport = {{"pml", "ucx"}};
    e.devices = {"a device"};
    e.unlike_hosts = {"b"};
    e.system = {"a processor",
                2,
                4,
                8,
                1,
                "performance",
                true,
                "Linux 6.1",
                1u << 30,
                1u << 20,
                "docker",
                {{"mlx5_0/1", "InfiniBand", 200.0}, {"eth0", "interface", {}}},
                "NVIDIA 535.129.03"};
    e.job = {"Slurm", "7", "srun", "3_1"};
    e.stolen_before = sonde::seconds{0};
    return e;
}

sonde::record full_record() {
    sonde::record r;
    r.point = {"all", {{"bytes", 8}, {"factor", 0.5}, {"link", "send"}}};
    r.ranks = 2;
    r.initiators = 1;
    r.series.assign(40, sonde::seconds{1e-6});
    r.sample_means = r.rank_means = r.series;
    r.rank_samples = r.series;
    r.slowest_counts = std::vector<std::size_t>{40, 0};
    r.stragglers = {0};
    r.straggler_lags = {{sonde::seconds{1e-7}, 0.1}};
    r.overflow.emplace_back().add(sonde::seconds{1e-6});
    r.global = {r.series, r.series, r.series, 1, sonde::seconds{1e-7}, sonde::seconds{1e-8}};
    r.errors = 1;
    r.carried = {{{"a",
                   {{"mlx5_0/1", "InfiniBand", "active", "", 200.0, 1u, 2u, 3u, 4u, 5u, 6u, 7u},
                    {"ib0", "IPoIB", "up", "mlx5_0", {}, {}, {}, {}, {}, {}, {}, {}}},
                   8u,
                   9u,
                   {"ib0: rx_bytes was reset"}}},
                 10,
                 11.0,
                 12.0};
    return r;
}

sonde::record record_without_times() {
    sonde::record r;
    r.point.name = "idle";
    r.ranks = 2;
    r.series.resize(2);
    return r;
}

sonde::scope_record full_scope() {
    sonde::scope_record s;
    s.name = "halo";
    s.parent = 0;
    s.ranks = 2;
    s.bytes = 48;
    s.times.add(8ns);
    s.reference = full_record();
    s.typical_slowest = 1;
    s.typical_ratio = 1.5;
    s.kind = sonde::scope_kind::exchange;
    return s;
}

sonde::lateness_record full_lateness() {
    sonde::lateness_record r{
        .steps = 400, .observed = sonde::seconds{1}, .low = 0.1, .high = 0.2, .enough_steps = true};
    r.exchanges = {
        {"halo", 400, 10, sonde::seconds{0.125}, sonde::seconds{0.25}, sonde::unequal_passes{2, 410, 0, 411}}};
    r.ranks = {{sonde::seconds{0.125}, {}, {}}, {{}, sonde::seconds{0.125}, {}}};
    r.late = {{1,
               sonde::seconds{0.125},
               "halo",
               sonde::seconds{1e-3},
               {9, 19},
               399,
               {"solve", 3.0, true, sonde::seconds{1e-3}}}};
    r.slow_transfers = {{"halo", {0, 1}, 2.0, sonde::seconds{0.5}}};
    r.effects = {
        {"solve", {sonde::step_effect_kind::period, {9, 19}, 10, 399, sonde::seconds{1e-3}, sonde::seconds{1e-3}, 0}}};
    return r;
}

} // namespace

int main() {
    sonde::json_lines least{stdout, sonde::environment{}}, here{stdout, sonde::local_environment()},
        all{stdout, full_environment()};
    least(sonde::record{});
    here(record_without_times());
    all(full_record());
    all(sonde::comparison{{full_record(), full_record()}});
    all(sonde::comparison{{full_record(), full_record()},
                          {{"halo", sonde::seconds{1}, sonde::seconds{2}, sonde::seconds{4}}}});
    all(std::vector<sonde::scope_record>{full_scope(), {}});
    all(full_lateness());
    all(sonde::lateness_record{});
    return 0;
}
