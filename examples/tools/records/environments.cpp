// SPDX-License-Identifier: BSL-1.0
#include "tools/records/environments.hpp"

#include <sonde/report/text.hpp>
#include <sonde/witness/statements.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tools {

namespace {

using sonde::environment;
using sonde::detail::joined;
using run_files = std::vector<sonde::run_file>;

struct property {
    char const* name;
    bool matters;
    std::function<std::string(environment const&)> value;
};

std::string or_none(std::string const& text) { return text.empty() ? "none" : text; }

std::string number_of_ranks(environment const& e) {
    return std::to_string(std::accumulate(e.ranks_per_host.begin(), e.ranks_per_host.end(), 0));
}

std::string text_of(std::optional<int> number) { return number ? std::to_string(*number) : ""; }

std::string text_of(std::optional<bool> state) { return !state ? "" : *state ? "on" : "off"; }

std::string gigabytes(std::optional<std::uint64_t> bytes) {
    return bytes ? sonde::detail::fixed(static_cast<double>(*bytes) / 0x1p30, 1) + " GiB" : "";
}

/// The text of a property that an environment with a system always has.
std::string if_described(environment const& e, std::string const& text) {
    return e.system.kernel.empty() ? "" : or_none(text);
}

std::string setting_text(sonde::parameter const& p) { return p.name + "=" + p.text; }

std::vector<property> properties_of_system() {
    return {
        {"processor of rank 0", true, [](auto const& e) { return e.system.processor; }},
        {"number of sockets", true, [](auto const& e) { return text_of(e.system.sockets); }},
        {"number of cores", true, [](auto const& e) { return text_of(e.system.cores); }},
        {"number of hardware threads", true, [](auto const& e) { return text_of(e.system.hardware_threads); }},
        {"number of NUMA nodes", true, [](auto const& e) { return text_of(e.system.numa_nodes); }},
        {"governor", true, [](auto const& e) { return e.system.governor; }},
        {"boost", true, [](auto const& e) { return text_of(e.system.boost); }},
        {"fabric", true,
         [](auto const& e) { return if_described(e, joined(e.system.fabric, ", ", sonde::detail::text_of_port)); }},
        {"GPU driver", true, [](auto const& e) { return if_described(e, e.system.gpu_driver); }},
        {"settings of the transport", true,
         [](auto const& e) { return if_described(e, joined(e.transport, ", ", setting_text)); }},
        {"container", true, [](auto const& e) { return e.system.container; }},
        {"number of hosts of another kind", true,
         [](auto const& e) { return if_described(e, std::to_string(e.unlike_hosts.size())); }},
        {"kernel", false, [](auto const& e) { return e.system.kernel; }},
        {"memory", false, [](auto const& e) { return gigabytes(e.system.memory_bytes); }},
        {"memory limit", false, [](auto const& e) { return if_described(e, gigabytes(e.system.memory_limit_bytes)); }},
        {"launcher", false, [](auto const& e) { return e.job.launcher; }},
        {"resource manager", false, [](auto const& e) { return e.job.resource_manager; }},
        {"job", false, [](auto const& e) { return e.job.id; }},
        {"day", false, [](auto const& e) { return e.date.substr(0, e.date.find('T')); }},
        {"stolen CPU time", false,
         [](auto const& e) { return e.stolen ? (e.stolen->count() > 0 ? "some" : "none") : ""; }},
        {"version of the schema", false, [](auto const& e) { return text_of(e.schema_version); }},
    };
}

std::vector<property> properties() {
    std::vector<property> all{
        {"communication library", true, [](auto const& e) { return or_none(e.communication_library); }},
        {"number of ranks", true, number_of_ranks},
        {"number of hosts", true, [](auto const& e) { return std::to_string(e.hosts.size()); }},
        {"ranks per host", true,
         [](auto const& e) { return joined(e.ranks_per_host, "+", [](int n) { return std::to_string(n); }); }},
        {"binding of ranks", true, [](auto const& e) { return joined(e.bindings, " "); }},
        {"devices of ranks", true, [](auto const& e) { return or_none(joined(e.devices, " ")); }},
        {"build", true, [](auto const& e) { return e.build; }},
        {"compiler", true, [](auto const& e) { return e.compiler.substr(0, e.compiler.find(' ')); }},
        {"compiler's version", false, [](auto const& e) { return e.compiler; }},
        {"names of hosts", false, [](auto const& e) { return joined(e.hosts, " "); }},
        {"version of Sonde", false, [](auto const& e) { return e.sonde_version; }},
    };
    for (auto& p : properties_of_system()) all.push_back(std::move(p));
    return all;
}

/// Command of a launch: the one given to `sonde-launch`, or otherwise the program's command line. Empty if unknown.
std::string command_of(sonde::run_file const& run) {
    if (run.launch) return run.launch->command;
    return run.environment ? run.environment->command_line : std::string{};
}

/// The devices with a tenth or more of the bytes that all devices carried in a launch, by name: "eth0 (interface, 10
/// Gbit/s)". Empty for less than 1 MB, which other programs may have sent, and if no counter was read.
std::string carrying_devices(sonde::run_file const& run) {
    std::optional<sonde::carried_traffic> sum;
    for (auto const& r : run.records)
        if (!sum) sum = r.carried;
        else if (r.carried) sonde::add(*sum, *r.carried);
    if (!sum) return "";
    std::vector<std::string> names;
    for (auto const& one : sonde::device_shares(*sum)) {
        sonde::network_port const port{one.device.name, one.device.kind, one.device.gigabits_per_second};
        if (one.bytes >= 1e6 && one.share >= 0.1) names.push_back(sonde::detail::text_of_port(port));
    }
    std::sort(names.begin(), names.end());
    return joined(names, ", ");
}

using value_of_run = std::function<std::string(sonde::run_file const&)>;

/// Distinct values, in the order of the launches.
std::vector<std::string> distinct_values(run_files const& all, value_of_run const& value) {
    std::vector<std::string> distinct;
    for (auto const& run : all)
        if (auto const v = value(run); !v.empty() && std::find(distinct.begin(), distinct.end(), v) == distinct.end())
            distinct.push_back(v);
    return distinct;
}

std::string shortened(std::vector<std::string> const& values) {
    constexpr std::size_t longest = 160;
    auto const text = joined(values, " and ");
    return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

std::optional<std::string> value_of(environment const& e, std::string const& variable) {
    for (auto const& known : e.control_variables)
        if (known.name == variable) return known.text;
    return std::nullopt;
}

/// Names of the control variables that all environments have: another library has others, and older files have none.
std::vector<std::string> common_control_variables(run_files const& before, run_files const& after) {
    std::vector<std::string> names;
    if (before.empty() || !before[0].environment) return names;
    for (auto const& first : before[0].environment->control_variables) {
        auto const has_it = [&](sonde::run_file const& run) {
            return !run.environment || value_of(*run.environment, first.name);
        };
        if (std::all_of(before.begin(), before.end(), has_it) && std::all_of(after.begin(), after.end(), has_it))
            names.push_back(first.name);
    }
    return names;
}

void add_if_different(std::string const& name, bool matters, run_files const& before, run_files const& after,
                      value_of_run const& value, std::vector<environment_difference>& differences) {
    auto const old_values = distinct_values(before, value), new_values = distinct_values(after, value);
    auto all = old_values;
    all.insert(all.end(), new_values.begin(), new_values.end());
    if (std::adjacent_find(all.begin(), all.end(), std::not_equal_to<>{}) == all.end()) return;
    differences.push_back({name, shortened(old_values), shortened(new_values), matters});
}

std::vector<environment_difference> differences_of_a_layout(run_files const& before, run_files const& after) {
    std::vector<environment_difference> differences;
    auto const compare_properties = [&](bool matter) {
        for (auto const& p : properties()) {
            auto const value = [&](sonde::run_file const& run) {
                return run.environment ? p.value(*run.environment) : "";
            };
            if (p.matters == matter) add_if_different(p.name, matter, before, after, value, differences);
        }
    };
    compare_properties(true);
    add_if_different("device that carried the messages", true, before, after, carrying_devices, differences);
    for (auto const& name : common_control_variables(before, after)) {
        auto const value = [&](sonde::run_file const& run) {
            return run.environment ? *value_of(*run.environment, name) : std::string{};
        };
        add_if_different(name, true, before, after, value, differences);
    }
    compare_properties(false);
    add_if_different("command", false, before, after, command_of, differences);
    return differences;
}

/// Launches by their numbers of ranks and hosts.
std::map<std::string, run_files> by_layout(run_files const& all) {
    std::map<std::string, run_files> found;
    for (auto const& run : all)
        if (run.environment)
            found[joined(run.environment->ranks_per_host, "+", [](int n) { return std::to_string(n); })].push_back(run);
    return found;
}

} // namespace

std::vector<environment_difference> environment_differences(run_files const& before, run_files const& after) {
    auto const old_layouts = by_layout(before), new_layouts = by_layout(after);
    if (old_layouts.size() <= 1 && new_layouts.size() <= 1) return differences_of_a_layout(before, after);
    std::vector<environment_difference> all;
    auto is_common = false;
    for (auto const& [layout, runs] : old_layouts) {
        auto const other = new_layouts.find(layout);
        if (other == new_layouts.end()) continue;
        is_common = true;
        for (auto& d : differences_of_a_layout(runs, other->second))
            if (std::find(all.begin(), all.end(), d) == all.end()) all.push_back(std::move(d));
    }
    if (!is_common) return differences_of_a_layout(before, after);
    std::stable_partition(all.begin(), all.end(), [](auto const& d) { return d.matters; });
    return all;
}

std::optional<std::string> unbound_rank(sonde::run_file const& run) {
    if (!run.environment) return std::nullopt;
    auto const& bindings = run.environment->bindings;
    for (std::size_t rank = 0; rank != bindings.size(); ++rank)
        if (bindings[rank].find_first_of(",-") != std::string::npos)
            return "rank " + std::to_string(rank) + " on " + bindings[rank];
    return std::nullopt;
}

std::string unbound_warning(std::string const& rank) {
    return "ranks may move between processors (" + rank + "), which alone spreads launches: bind them";
}

} // namespace tools
