// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/version.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A host as Linux describes it in the files below /proc and /sys, and the job that a process belongs to. A file that is
// missing, as on other systems, leaves its members empty, and is no error. `root` is the folder that has proc/ and
// sys/: that of the file system, or of a copy for tests.

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
};

/// Job of a resource manager, and the launcher of the process.
struct job_info {
    std::string resource_manager; // "Slurm", "PBS", "LSF", "Flux"
    std::string id;               // that the resource manager gave to the job
    std::string launcher;         // "srun", "mpirun (Open MPI)", ...
};

/// Environment variable with the id of a job.
struct job_variable {
    char const* name;
    char const* resource_manager;
};

/// The environment variables whose values are recorded. Launchers are recognized by the names of their variables; no
/// other variable is recorded, because variables may hold secrets.
inline constexpr job_variable recorded_environment_variables[] = {
    {"FLUX_JOB_ID", "Flux"}, {"SLURM_JOB_ID", "Slurm"}, {"PBS_JOBID", "PBS"}, {"LSB_JOBID", "LSF"}};

/// Describes this host. Reads some files for each processor, which takes milliseconds on large hosts.
[[nodiscard]] system_info system_of_host(std::string const& root = "/");

/// The job of this process, by its environment variables. If it is in a job of two resource managers, as in an instance
/// of Flux in a job of Slurm, the first of `recorded_environment_variables` counts.
[[nodiscard]] job_info job_of_process();

/// CPU time that the hypervisor has given to others since this host was started, while its processors had work; summed
/// over them, in steps of a tick (10 ms). Empty if the kernel does not report it.
[[nodiscard]] std::optional<seconds> stolen_time(std::string const& root = "/");

/// CPU time that was stolen after `before`, a `stolen_time` of this host. Empty if one of them is unknown. Reporters
/// call it when they write, which is between measurements.
[[nodiscard]] std::optional<seconds> stolen_since(std::optional<seconds> before, std::string const& root = "/");

/// The present time in UTC, by ISO 8601: "2026-01-31T08:05:00Z".
[[nodiscard]] std::string utc_date();

namespace detail {

/// The first `most` bytes of a file, in whole blocks of 4 KiB; empty if it cannot be read.
std::string file_text(std::string const& path, std::size_t most = 65536);

/// Bytes in the text of a control group's limit. None without a limit, which is "max" or a number near 2^63.
std::optional<std::uint64_t> limit_in_text(std::string_view text);

/// Files with the limits of this process's control group and of all groups around it (versions 1 and 2), from the text
/// of /proc/self/cgroup. A container may see its group at the root of the file system only.
std::vector<std::string> limit_files(std::string_view cgroups);

/// Kind of a host, from files that cost little: every rank reads them.
struct host_kind {
    std::uint64_t hash = 0; // of the processor's family and model, the processors that are online, and the kernel
    double memory = 0;      // bytes; firmware takes more or less of it on hosts of one kind
};
host_kind kind_of_host(std::string const& root = "/");

/// True if two hosts differ in the processors, in the kernel, or in more than 2 % of the memory.
bool is_unlike(host_kind const& a, host_kind const& b);

} // namespace detail

} // namespace sonde

#if SONDE_DEFINITIONS
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <unistd.h>
#include <utility>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string file_text(std::string const& path, std::size_t most) {
    std::string text;
    auto* const file = std::fopen(path.c_str(), "r");
    if (file == nullptr) return text;
    char part[4096];
    for (auto n = sizeof part; n == sizeof part && text.size() < most;) {
        n = std::fread(part, 1, sizeof part, file);
        text.append(part, n);
    }
    std::fclose(file);
    return text;
}

/// The first line of a file, without blanks at its end.
SONDE_INLINE std::string file_line(std::string const& path) {
    auto line = file_text(path, 4096);
    line.resize(line.find('\n') == line.npos ? line.size() : line.find('\n'));
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

/// The lines of a text.
SONDE_INLINE std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        auto const end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return lines;
}

/// The number at the begin of a text, after blanks. None if there is no digit, or a number of more than 18 digits.
SONDE_INLINE std::optional<std::uint64_t> number_at(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    auto const digits = text.substr(0, text.find_first_not_of("0123456789"));
    if (digits.empty() || digits.size() > 18) return std::nullopt;
    std::uint64_t number = 0;
    for (auto const c : digits) number = 10 * number + static_cast<std::uint64_t>(c - '0');
    return number;
}

/// The value of a line "key : value"; empty if no line has the key.
SONDE_INLINE std::string value_of(std::string_view text, std::string_view key) {
    for (auto line : lines_of(text)) {
        if (line.substr(0, key.size()) != key) continue;
        line.remove_prefix(key.size());
        auto const colon = line.find_first_not_of(" \t");
        if (colon == line.npos || line[colon] != ':') continue;
        auto const begin = line.find_first_not_of(" \t", colon + 1);
        if (begin != line.npos) return std::string{line.substr(begin)};
    }
    return "";
}

/// Numbers in a list of the kernel: "0-3,8".
SONDE_INLINE std::vector<int> numbers_in_list(std::string_view list) {
    constexpr std::uint64_t most = 1 << 20;
    std::vector<int> all;
    for (std::size_t at = 0; at < list.size();) {
        auto const item = list.substr(at, list.find(',', at) - at);
        auto const dash = item.find('-');
        auto const first = number_at(item), last = dash == item.npos ? first : number_at(item.substr(dash + 1));
        for (auto i = first.value_or(1); first && last && i <= *last && i < most; ++i)
            all.push_back(static_cast<int>(i));
        at += item.size() + 1;
    }
    return all;
}

/// Path of a file of processor `i`.
SONDE_INLINE std::string processor_file(std::string const& root, int i, char const* file) {
    return root + "/sys/devices/system/cpu/cpu" + std::to_string(i) + '/' + file;
}

/// Names in a folder, in ascending order.
SONDE_INLINE std::vector<std::string> names_in(std::string const& folder) {
    std::vector<std::string> names;
    auto* const stream = opendir(folder.c_str());
    if (stream == nullptr) return names;
    while (auto const* const entry = readdir(stream))
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    closedir(stream);
    for (std::size_t i = 1; i < names.size(); ++i) // insertion: there are a few
        for (auto k = i; k != 0 && names[k] < names[k - 1]; --k) std::swap(names[k], names[k - 1]);
    return names;
}

SONDE_INLINE bool exists(std::string const& path) { return access(path.c_str(), F_OK) == 0; }

/// Model of the processors. ARM's kernels report numbers only.
SONDE_INLINE std::string processor_model(std::string const& cpuinfo) {
    for (auto const* key : {"model name", "cpu", "uarch"}) // of x86, POWER, RISC-V
        if (auto const name = value_of(cpuinfo, key); !name.empty()) return name;
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

SONDE_INLINE std::optional<std::uint64_t> limit_in_text(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    auto const is_number = text.find_first_not_of("0123456789") == text.npos;
    return is_number ? number_at(text) : std::nullopt; // 2^63 has 19 digits
}

/// Add the file in a group and in all groups around it, up to the root of the file system.
SONDE_INLINE void add_files(std::vector<std::string>& into, std::string const& mount, std::string path,
                            std::string const& file) {
    if (path.find("/..") != path.npos) path.clear(); // a group outside of this namespace
    while (!path.empty() && path.back() == '/') path.pop_back();
    for (; !path.empty(); path.erase(path.rfind('/'))) into.push_back(mount + path + '/' + file);
    into.push_back(mount + '/' + file);
}

SONDE_INLINE std::vector<std::string> limit_files(std::string_view cgroups) {
    std::vector<std::string> all;
    for (auto const line : lines_of(cgroups)) { // NUMBER:CONTROLLERS:PATH
        auto const first = line.find(':'), second = line.find(':', first + 1);
        if (first == line.npos || second == line.npos || line.substr(second + 1, 1) != "/") continue;
        auto const controllers = ',' + std::string{line.substr(first + 1, second - first - 1)} + ',';
        std::string const path{line.substr(second + 1)};
        if (controllers == ",,") {
            add_files(all, "sys/fs/cgroup", path, "memory.max");
            add_files(all, "sys/fs/cgroup/unified", path, "memory.max"); // beside version 1
        }
        if (controllers.find(",memory,") != controllers.npos)
            add_files(all, "sys/fs/cgroup/memory", path, "memory.limit_in_bytes");
    }
    return all;
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
    constexpr std::pair<char const*, char const*> files[] = {{"/.singularity.d", "apptainer"},
                                                             {"/var/run/secrets/kubernetes.io", "kubernetes"},
                                                             {"/run/.containerenv", "podman"},
                                                             {"/.dockerenv", "docker"}};
    constexpr std::pair<char const*, char const*> words[] = {
        {"kubepods", "kubernetes"}, {"docker", "docker"}, {"libpod", "podman"}, {"/lxc", "lxc"}};
    if (auto const told = file_line(root + "/run/systemd/container"); !told.empty()) return told;
    for (auto const& [file, kind] : files)
        if (exists(root + file)) return kind;
    auto const groups = file_text(root + "/proc/self/cgroup");
    for (auto const& [word, kind] : words)
        if (groups.find(word) != groups.npos) return kind;
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

SONDE_INLINE host_kind kind_of_host(std::string const& root) {
    auto processors = file_line(root + "/sys/devices/system/cpu/modalias");
    processors.resize(processors.find(":feature") == processors.npos ? 0 : processors.find(":feature"));
    host_kind kind{14695981039346656037u, static_cast<double>(main_memory(root).value_or(0))}; // FNV-1a
    for (auto const c :
         processors + '\n' + file_line(root + "/sys/devices/system/cpu/online") + '\n' + kernel_name(root))
        kind.hash = (kind.hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return kind;
}

SONDE_INLINE bool is_unlike(host_kind const& a, host_kind const& b) {
    auto const more = a.memory > b.memory ? a.memory : b.memory, less = a.memory > b.memory ? b.memory : a.memory;
    return a.hash != b.hash || more - less > 0.02 * more;
}

/// True in the tasks of a step of srun. Slurm numbers the steps of batch scripts and of the shells of salloc from
/// 2^32 - 16 on.
SONDE_INLINE bool is_slurm_task() {
    auto const* const step = std::getenv("SLURM_STEP_ID");
    auto const number = number_at(step == nullptr ? "" : step);
    return number && *number < 0xffff'fff0 && std::getenv("SLURM_PROCID") != nullptr;
}

/// The launcher that is nearest to this process: mpirun starts its processes by daemons that are tasks of srun.
SONDE_INLINE std::string launcher_name() {
    constexpr std::pair<char const*, char const*> launchers[] = {{"JSM_NAMESPACE_RANK", "jsrun"},
                                                                 {"OMPI_COMM_WORLD_RANK", "mpirun (Open MPI)"},
                                                                 {"PALS_RANKID", "mpiexec (PALS)"},
                                                                 {"MPI_LOCALNRANKS", "mpiexec (Hydra)"},
                                                                 {"FLUX_TASK_RANK", "flux run"}};
    auto const is_set = [](char const* variable) { return std::getenv(variable) != nullptr; };
    for (auto const& [variable, name] : launchers)
        if (is_set(variable)) return name;
    if (is_slurm_task()) return "srun";
    if (is_set("PMIX_RANK")) return "a launcher with PMIx";
    return is_set("PMI_RANK") ? "a launcher with PMI" : "";
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
    return s;
}

SONDE_INLINE job_info job_of_process() {
    job_info job;
    job.launcher = detail::launcher_name();
    for (auto const& variable : recorded_environment_variables)
        if (auto const* const id = std::getenv(variable.name); id != nullptr && job.id.empty()) {
            job.id = id;
            job.resource_manager = variable.resource_manager;
        }
    return job;
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

SONDE_INLINE std::string utc_date() {
    auto const now = std::time(nullptr);
    std::tm parts{};
    char text[sizeof "2026-01-31T08:05:00Z"]{};
    if (gmtime_r(&now, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

} // namespace sonde

#endif
