// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/version.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// A host as Linux describes it in the files below /proc and /sys. A file that is missing, as on other systems, leaves
// its members empty, and is no error. `root` is the folder that has proc/ and sys/: "/", or another one in tests. The
// environment variables of a process that are recorded: ids of its job, settings of its transport. The date.

namespace sonde::inline v0_1 {

/// Port of a network that is up.
struct network_port {
    std::string name; // "mlx5_0/1" (device and port), "cxi0", "eth0"
    std::string kind; // "InfiniBand", "Ethernet" (a port for RDMA), "Slingshot", or "interface" of the kernel's network
    std::optional<double> gigabits_per_second; // rate of its link
};

/// Hardware and system software of a host, and the share of it that this process may use.
struct system_info {
    std::string processor;                                           // model: "AMD EPYC 7763 64-Core Processor"
    std::optional<int> sockets, cores, hardware_threads, numa_nodes; // numbers of those that are online
    std::string governor;      // of the frequency: "performance"; different ones of the processors are joined by ", "
    std::optional<bool> boost; // frequencies above the nominal one are permitted
    std::string kernel;        // "Linux 6.1.0-18-amd64"
    std::optional<std::uint64_t> memory_bytes;       // main memory
    std::optional<std::uint64_t> memory_limit_bytes; // least limit of the control groups of this process
    std::string container;                           // "docker", "podman", "apptainer", "kubernetes", ..., or "none"
    std::vector<network_port> fabric;                // in the order of their kinds and names
    std::string gpu_driver; // version: "NVIDIA 535.129.03", "amdgpu 6.12.12"; several are joined by ", "
};

/// Describes this host. Reads some files for each processor, which takes milliseconds on large hosts.
[[nodiscard]] system_info system_of_host(std::string const& root = "/");

/// CPU time that the hypervisor has given to others since this host was started, while its processors had work; summed
/// over them, in steps of a tick (10 ms). Empty if the kernel does not report it.
[[nodiscard]] std::optional<seconds> stolen_time(std::string const& root = "/");

/// CPU time that was stolen after `before`, a `stolen_time` of this host. Empty if one of them is unknown. Reporters
/// call it when they write, which is between measurements.
[[nodiscard]] std::optional<seconds> stolen_since(std::optional<seconds> before, std::string const& root = "/");

/// Job of a resource manager, and the launcher of the process.
struct job_info {
    std::string resource_manager; // "Slurm", "PBS", "LSF", "Flux"
    std::string id;               // that the resource manager gave to the job
    std::string launcher;         // "srun", "mpirun (Open MPI)", ...: the name of a known_launcher
    std::string array_task{};     // "1234_7": task 7 of array 1234 of Slurm; also in a job that this task submitted
};

/// Environment variable with the id of a job.
struct job_variable {
    char const* name;             // of the variable
    char const* resource_manager; // "Slurm"
};

/// The allow-list of environment variables with the id of a job, whose values are recorded. Launchers are recognized by
/// their variables (measure/launcher.hpp). Beyond these, `recorded_array_variables` and `recorded_transport_variables`
/// nothing is recorded, because variables may hold secrets.
inline constexpr job_variable recorded_environment_variables[] = {
    {"FLUX_JOB_ID", "Flux"}, {"SLURM_JOB_ID", "Slurm"}, {"PBS_JOBID", "PBS"}, {"LSB_JOBID", "LSF"}};

/// The variables of Slurm with the id of an array of jobs and the number of a task in it, whose values are recorded.
inline constexpr char const* recorded_array_variables[] = {"SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID"};

/// The allow-list of environment variables that select a network or a protocol: of UCX, libfabric, and Intel MPI. Their
/// values are recorded.
inline constexpr char const* recorded_transport_variables[] = {"UCX_TLS", "UCX_NET_DEVICES", "FI_PROVIDER",
                                                               "I_MPI_FABRICS", "I_MPI_OFI_PROVIDER"};

/// Names and values of those of `recorded_transport_variables` that are set.
[[nodiscard]] std::vector<parameter> transport_of_process();

/// The job of this process, by its environment variables. If it is in a job of two resource managers, as in an instance
/// of Flux in a job of Slurm, the first of `recorded_environment_variables` counts.
[[nodiscard]] job_info job_of_process();

/// The present time in UTC, by ISO 8601: "2026-01-31T08:05:00Z".
[[nodiscard]] std::string utc_date();

namespace detail {

/// Kind of a host, from files that cost little: every rank reads them.
struct host_kind {
    std::uint64_t hash = 0; // of the processor's family and model, the processors online, the kernel, the GPU driver
    double memory = 0;      // bytes; firmware takes more or less of it on hosts of one kind
};
host_kind kind_of_host(std::string const& root = "/");

/// True if two hosts differ in the processors, in the kernel, in the GPU driver, or in more than 2 % of the memory.
bool is_unlike(host_kind const& a, host_kind const& b);

} // namespace detail

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/detail/hash.hpp>
#include <sonde/detail/kernel_files.hpp>
#include <sonde/measure/launcher.hpp>

#include <cstdlib>
#include <ctime>
#include <string_view>
#include <unistd.h>

namespace sonde::inline v0_1::detail {

/// Path of a file of processor `i`.
SONDE_INLINE std::string processor_file(std::string const& root, int i, char const* file) {
    return root + "/sys/devices/system/cpu/cpu" + std::to_string(i) + '/' + file;
}

/// Model of the processors. ARM's kernels report numbers only.
SONDE_INLINE std::string processor_model(std::string const& cpuinfo) {
    for (auto const* key : {"model name", "cpu", "uarch"}) // of x86, POWER, RISC-V
        if (auto name = value_of(cpuinfo, key); !name.empty()) return name;
    auto const implementer = value_of(cpuinfo, "CPU implementer"), part = value_of(cpuinfo, "CPU part");
    return implementer.empty() || part.empty() ? "" : "ARM implementer " + implementer + ", part " + part;
}

/// Number of the processors that are the first in the list of those with which they share a core or a socket.
SONDE_INLINE std::optional<int> groups_of(std::string const& root, std::vector<int> const& processors,
                                          char const* list) {
    auto groups = 0;
    for (auto const i : processors) {
        auto const first = number_at(file_line(processor_file(root, i, list)));
        if (!first) return std::nullopt;
        groups += *first == static_cast<std::uint64_t>(i);
    }
    return groups == 0 ? std::nullopt : std::optional{groups};
}

/// Different governors of the processors.
SONDE_INLINE std::string governors(std::string const& root, std::vector<int> const& processors) {
    std::string all;
    for (auto const i : processors) {
        auto const governor = file_line(processor_file(root, i, "cpufreq/scaling_governor"));
        if (governor.empty() || (", " + all + ',').find(", " + governor + ',') != all.npos) continue;
        all += (all.empty() ? "" : ", ") + governor;
    }
    return all;
}

SONDE_INLINE std::optional<bool> boost_state(std::string const& root) {
    auto const of_all = root + "/sys/devices/system/cpu/";
    if (auto const on = number_at(file_line(of_all + "cpufreq/boost"))) return *on != 0;
    if (auto const off = number_at(file_line(of_all + "intel_pstate/no_turbo"))) return *off == 0;
    return std::nullopt;
}

SONDE_INLINE std::string kernel_name(std::string const& root) {
    auto const type = file_line(root + "/proc/sys/kernel/ostype");
    return type.empty() ? type : type + ' ' + file_line(root + "/proc/sys/kernel/osrelease");
}

SONDE_INLINE std::optional<std::uint64_t> main_memory(std::string const& root) {
    auto const kibibytes = number_at(value_of(file_text(root + "/proc/meminfo"), "MemTotal"));
    return kibibytes ? std::optional{1024 * *kibibytes} : std::nullopt;
}

SONDE_INLINE std::optional<std::uint64_t> memory_limit(std::string const& root) {
    std::optional<std::uint64_t> least;
    for (auto const& file : limit_files(file_text(root + "/proc/self/cgroup")))
        if (auto const bytes = limit_in_text(file_text(root + '/' + file)); bytes && (!least || *bytes < *least))
            least = bytes;
    return least;
}

/// Kind of the container, by the files that runtimes leave in it and the names of control groups; "none" without them.
SONDE_INLINE std::string container_kind(std::string const& root) {
    constexpr known_sign files[] = {{"/.singularity.d", "apptainer"},
                                    {"/var/run/secrets/kubernetes.io", "kubernetes"},
                                    {"/run/.containerenv", "podman"},
                                    {"/.dockerenv", "docker"}};
    constexpr known_sign words[] = {
        {"kubepods", "kubernetes"}, {"docker", "docker"}, {"libpod", "podman"}, {"/lxc", "lxc"}};
    if (auto told = file_line(root + "/run/systemd/container"); !told.empty()) return told;
    for (auto const& file : files)
        if (exists(root + file.sign)) return file.name;
    auto const groups = file_text(root + "/proc/self/cgroup");
    for (auto const& word : words)
        if (groups.find(word.sign) != groups.npos) return word.name;
    return exists(root + "/proc/self") ? "none" : "";
}

/// Rate in Gbit/s, from the first number of a text and its unit in Gbit/s: "100 Gb/sec (4X EDR)", "BS_200G". None for a
/// number below 1, by which drivers report that they do not know it.
SONDE_INLINE std::optional<double> rate_in(std::string const& text, double unit) {
    auto const digits = text.find_first_of("0123456789");
    if (digits == text.npos || text.front() == '-') return std::nullopt;
    auto const number = number_at(std::string_view{text}.substr(digits));
    return number && *number != 0 ? std::optional{static_cast<double>(*number) * unit} : std::nullopt;
}

/// Ports of InfiniBand, and of Ethernet for RDMA.
SONDE_INLINE void add_rdma_ports(std::string const& root, std::vector<network_port>& to) {
    auto const devices = root + "/sys/class/infiniband";
    for (auto const& device : names_in(devices))
        for (auto const& port : names_in(devices + '/' + device + "/ports")) {
            auto const folder = devices + '/' + device + "/ports/" + port + '/';
            if (file_line(folder + "state").find("ACTIVE") == std::string::npos) continue;
            to.push_back(
                {device + '/' + port, file_line(folder + "link_layer"), rate_in(file_line(folder + "rate"), 1)});
        }
}

/// Ports of Slingshot.
SONDE_INLINE void add_slingshot_ports(std::string const& root, std::vector<network_port>& to) {
    auto const devices = root + "/sys/class/cxi";
    for (auto const& device : names_in(devices)) {
        auto const folder = devices + '/' + device + "/device/port/";
        if (file_line(folder + "link") == "up")
            to.push_back({device, "Slingshot", rate_in(file_line(folder + "speed"), 1)});
    }
}

/// Interfaces of devices: others are bridges, tunnels, and this host.
SONDE_INLINE void add_interfaces(std::string const& root, std::vector<network_port>& to) {
    auto const interfaces = root + "/sys/class/net";
    for (auto const& name : names_in(interfaces)) {
        auto const folder = interfaces + '/' + name + '/';
        if (exists(folder + "device") && file_line(folder + "operstate") == "up")
            to.push_back({name, "interface", rate_in(file_line(folder + "speed"), 1e-3)});
    }
}

/// The first word of a text that begins with a digit; empty without one.
SONDE_INLINE std::string version_in(std::string const& text) {
    auto const words = ' ' + text;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (words[i - 1] == ' ' && words[i] >= '0' && words[i] <= '9') return words.substr(i, words.find(' ', i) - i);
    return "";
}

/// Drivers of GPUs with their versions. A driver of AMD's that is part of the kernel has no version but the kernel's.
SONDE_INLINE std::string gpu_drivers(std::string const& root) {
    auto const nvidia = version_in(value_of(file_text(root + "/proc/driver/nvidia/version"), "NVRM version"));
    auto const amdgpu = version_in(file_line(root + "/sys/module/amdgpu/version"));
    auto all = nvidia.empty() ? "" : "NVIDIA " + nvidia;
    if (!amdgpu.empty()) all += (all.empty() ? "amdgpu " : ", amdgpu ") + amdgpu;
    return all;
}

SONDE_INLINE host_kind kind_of_host(std::string const& root) {
    auto processors = file_line(root + "/sys/devices/system/cpu/modalias");
    processors.resize(processors.find(":feature") == processors.npos ? 0 : processors.find(":feature"));
    return {fnv_1a(processors + '\n' + file_line(root + "/sys/devices/system/cpu/online") + '\n' + kernel_name(root) +
                   '\n' + gpu_drivers(root)),
            static_cast<double>(main_memory(root).value_or(0))};
}

SONDE_INLINE bool is_unlike(host_kind const& a, host_kind const& b) {
    auto const more = a.memory > b.memory ? a.memory : b.memory, less = a.memory > b.memory ? b.memory : a.memory;
    return a.hash != b.hash || more - less > 0.02 * more;
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE system_info system_of_host(std::string const& root) {
    auto const processors = detail::numbers_in_list(detail::file_line(root + "/sys/devices/system/cpu/online"));
    auto const nodes = detail::numbers_in_list(detail::file_line(root + "/sys/devices/system/node/online")).size();
    system_info s;
    s.processor = detail::processor_model(detail::file_text(root + "/proc/cpuinfo"));
    s.sockets = detail::groups_of(root, processors, "topology/core_siblings_list");
    s.cores = detail::groups_of(root, processors, "topology/thread_siblings_list");
    if (!processors.empty()) s.hardware_threads = static_cast<int>(processors.size());
    if (nodes != 0) s.numa_nodes = static_cast<int>(nodes);
    s.governor = detail::governors(root, processors);
    s.boost = detail::boost_state(root);
    s.kernel = detail::kernel_name(root);
    s.memory_bytes = detail::main_memory(root);
    s.memory_limit_bytes = detail::memory_limit(root);
    s.container = detail::container_kind(root);
    detail::add_rdma_ports(root, s.fabric);
    detail::add_slingshot_ports(root, s.fabric);
    detail::add_interfaces(root, s.fabric);
    s.gpu_driver = detail::gpu_drivers(root);
    return s;
}

SONDE_INLINE std::optional<seconds> stolen_time(std::string const& root) {
    auto const line = detail::file_line(root + "/proc/stat"); // cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ..
    if (line.substr(0, 4) != "cpu ") return std::nullopt;
    auto end = line.find(' ');
    for (auto numbers = 0; numbers != 7 && end != line.npos; ++numbers)
        end = line.find(' ', line.find_first_not_of(' ', end));
    if (end == line.npos) return std::nullopt;
    auto const ticks = detail::number_at(std::string_view{line}.substr(end));
    if (!ticks) return std::nullopt;
    return seconds{static_cast<double>(*ticks) / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

SONDE_INLINE std::optional<seconds> stolen_since(std::optional<seconds> before, std::string const& root) {
    auto const now = before ? stolen_time(root) : std::nullopt;
    return now ? std::optional{*now - *before} : std::nullopt;
}

SONDE_INLINE job_info job_of_process() {
    job_info job;
    if (auto const launched = launched_process_in(variable_of_process)) job.launcher = launched->launcher->name;
    for (auto const& variable : recorded_environment_variables)
        if (auto const* const id = std::getenv(variable.name); id != nullptr && job.id.empty()) {
            job.id = id;
            job.resource_manager = variable.resource_manager;
        }
    auto const* const array = std::getenv(recorded_array_variables[0]);
    auto const* const task = std::getenv(recorded_array_variables[1]);
    if (job.resource_manager == "Slurm" && array != nullptr && task != nullptr)
        job.array_task = std::string{array} + '_' + task;
    return job;
}

SONDE_INLINE std::vector<parameter> transport_of_process() {
    std::vector<parameter> found;
    for (auto const* const name : recorded_transport_variables)
        if (auto const* const value = std::getenv(name); value != nullptr) found.emplace_back(name, value);
    return found;
}

SONDE_INLINE std::string utc_date() {
    auto const now = std::time(nullptr);
    std::tm parts{};
    char text[sizeof "2026-01-31T08:05:00Z"]{};
    if (gmtime_r(&now, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

} // namespace sonde

#endif
