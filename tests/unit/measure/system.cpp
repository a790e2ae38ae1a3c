// SPDX-License-Identifier: BSL-1.0
#include <sonde/measure/environment.hpp>
#include <sonde/measure/system.hpp>

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../report/support.hpp"

using sonde::stolen_since, sonde::stolen_time, sonde::system_of_host;

namespace {

using word_pairs = std::vector<std::pair<char const*, char const*>>;

/// A folder with files of /proc and /sys, which ends with the test.
struct host_tree {
    reports::scratch_folder folder;
    std::string root = folder / "root";

    void add(std::string const& path, std::string const& text) const {
        auto const file = root + path;
        std::filesystem::create_directories(std::filesystem::path{file}.parent_path());
        std::ofstream{file} << text;
    }

    /// Processor `i` in the lists of its core and its socket.
    void add_processor(int i, std::string const& core, std::string const& socket) const {
        auto const processor = "/sys/devices/system/cpu/cpu" + std::to_string(i);
        add(processor + "/topology/thread_siblings_list", core + '\n');
        add(processor + "/topology/core_siblings_list", socket + '\n');
    }

    void add_governor(int i, std::string const& governor) const {
        add("/sys/devices/system/cpu/cpu" + std::to_string(i) + "/cpufreq/scaling_governor", governor + '\n');
    }

    void add_rdma_port(std::string const& port, std::string const& layer, std::string const& state,
                       std::string const& rate) const {
        add("/sys/class/infiniband/" + port + "/link_layer", layer + '\n');
        add("/sys/class/infiniband/" + port + "/state", state + '\n');
        add("/sys/class/infiniband/" + port + "/rate", rate + '\n');
    }

    void add_interface(std::string const& name, bool is_device, std::string const& state,
                       std::string const& speed) const {
        auto const interface = "/sys/class/net/" + name;
        if (is_device) add(interface + "/device/vendor", "0x8086\n");
        add(interface + "/operstate", state + '\n');
        add(interface + "/speed", speed + '\n');
    }

    std::vector<std::string> ports() const {
        std::vector<std::string> texts;
        for (auto const& port : system_of_host(root).fabric) texts.push_back(sonde::detail::text_of_port(port));
        return texts;
    }
};

} // namespace

TEST_CASE_FIXTURE(host_tree, "a host is described by the files of its kernel") {
    add("/proc/cpuinfo", "processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7763 64-Core Processor\n");
    add("/sys/devices/system/cpu/online", "0-7\n");
    add("/sys/devices/system/node/online", "0-1,3\n");
    for (int i = 0; i != 8; ++i) { // two sockets of two cores of two threads
        auto const first = std::to_string(i % 4);
        add_processor(i, first + ',' + std::to_string(i % 4 + 4), i % 4 < 2 ? "0-1,4-5" : "2-3,6-7");
        add_governor(i, "performance");
    }
    add("/sys/devices/system/cpu/cpufreq/boost", "1\n");
    add("/proc/sys/kernel/ostype", "Linux\n");
    add("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    add("/proc/meminfo", "MemTotal:       16384 kB\nMemFree:  1 kB\n");
    add("/proc/self/cgroup", "0::/job\n");
    add("/sys/fs/cgroup/job/memory.max", "4194304\n");
    auto const s = system_of_host(root);
    CHECK(s.processor == "AMD EPYC 7763 64-Core Processor");
    CHECK(s.sockets == 2);
    CHECK(s.cores == 4);
    CHECK(s.hardware_threads == 8);
    CHECK(s.numa_nodes == 3);
    CHECK(s.governor == "performance");
    CHECK(s.boost == true);
    CHECK(s.kernel == "Linux 6.1.0-18-amd64");
    CHECK(s.memory_bytes == 16384 * 1024);
    CHECK(s.memory_limit_bytes == 4194304);
    CHECK(s.container == "none");
    CHECK(s.fabric.empty());
    CHECK(s.gpu_driver.empty());
}

TEST_CASE_FIXTURE(host_tree, "of a host without these files nothing is known") {
    for (auto const& missing : {root, root + "/no such folder"}) {
        auto const s = system_of_host(missing);
        for (auto const* text : {&s.processor, &s.governor, &s.kernel, &s.container, &s.gpu_driver})
            CHECK(text->empty());
        for (auto const* number : {&s.sockets, &s.cores, &s.hardware_threads, &s.numa_nodes}) CHECK(!*number);
        CHECK(!s.boost);
        CHECK(!s.memory_bytes);
        CHECK(!s.memory_limit_bytes);
        CHECK(s.fabric.empty());
        CHECK(!stolen_time(missing));
    }
}

TEST_CASE_FIXTURE(host_tree, "files with other contents than expected are as good as missing") {
    for (auto const* text : {"", "\n", "-\n", ",", "0-", "none", "99999999999999999999", "-1\n"}) {
        CAPTURE(text);
        for (auto const* file :
             {"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/self/cgroup", "/sys/devices/system/cpu/online",
              "/sys/devices/system/node/online", "/sys/devices/system/cpu/cpufreq/boost", "/proc/driver/nvidia/version",
              "/sys/class/infiniband/a/ports/1/rate", "/sys/class/net/b/speed"})
            add(file, text);
        auto const s = system_of_host(root);
        CHECK(s.processor.empty());
        CHECK(!s.sockets);
        CHECK(!s.hardware_threads);
        CHECK(!s.memory_bytes);
        CHECK(!s.memory_limit_bytes);
        CHECK(s.fabric.empty());
        CHECK(s.gpu_driver.empty());
        CHECK(!stolen_time(root));
    }
}

TEST_CASE_FIXTURE(host_tree, "a processor without a name has the numbers of its maker") {
    add("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
    CHECK(system_of_host(root).processor == "ARM implementer 0x41, part 0xd0c");
    add("/proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9 (raw), altivec supported\nclock\t: 1MHz\n");
    CHECK(system_of_host(root).processor == "POWER9 (raw), altivec supported");
}

TEST_CASE_FIXTURE(host_tree, "a topology that some processors do not tell is unknown") {
    add("/sys/devices/system/cpu/online", "0-1\n");
    add_processor(0, "0", "0-1");
    CHECK(!system_of_host(root).cores);
    CHECK(!system_of_host(root).sockets);
    CHECK(system_of_host(root).hardware_threads == 2);
    add_processor(1, "1", "0-1");
    CHECK(system_of_host(root).cores == 2);
    CHECK(system_of_host(root).sockets == 1);
}

TEST_CASE_FIXTURE(host_tree, "each governor is named once, also if its name is a part of another one's") {
    add("/sys/devices/system/cpu/online", "0-3\n");
    auto i = 0;
    for (auto const* governor : {"ondemand", "demand", "ondemand", "performance"}) add_governor(i++, governor);
    CHECK(system_of_host(root).governor == "ondemand, demand, performance");
}

TEST_CASE_FIXTURE(host_tree, "whether boost is on is told by either kind of driver") {
    add("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    CHECK(system_of_host(root).boost == false);
    add("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
    CHECK(system_of_host(root).boost == true);
    add("/sys/devices/system/cpu/cpufreq/boost", "0\n");
    CHECK(system_of_host(root).boost == false);
}

TEST_CASE_FIXTURE(host_tree, "the ports of a fabric have names and rates if they are up") {
    add_rdma_port("mlx5_1/ports/1", "Ethernet", "4: ACTIVE", "25 Gb/sec (1X EDR)");
    add_rdma_port("mlx5_0/ports/1", "InfiniBand", "4: ACTIVE", "200 Gb/sec (4X HDR)");
    add_rdma_port("mlx5_0/ports/2", "InfiniBand", "1: DOWN", "10 Gb/sec (4X SDR)");
    for (auto const& [name, link] : word_pairs{{"cxi0", "up"}, {"cxi1", "down"}}) {
        add(std::string{"/sys/class/cxi/"} + name + "/device/port/link", std::string{link} + '\n');
        add(std::string{"/sys/class/cxi/"} + name + "/device/port/speed", "BS_200G\n");
    }
    add_interface("lo", false, "unknown", "");
    add_interface("docker0", false, "up", "10000");
    add_interface("eth0", true, "up", "2500");
    add_interface("eth1", true, "down", "1000");
    add_interface("eth2", true, "up", "-1"); // of a virtual machine
    CHECK(ports() == std::vector<std::string>{"mlx5_0/1 (InfiniBand, 200 Gbit/s)", "mlx5_1/1 (Ethernet, 25 Gbit/s)",
                                              "cxi0 (Slingshot, 200 Gbit/s)", "eth0 (interface, 2.5 Gbit/s)",
                                              "eth2 (interface)"});
}

TEST_CASE_FIXTURE(host_tree, "the driver of GPUs has its version, as far as the kernel tells it") {
    auto const driver = [this] { return system_of_host(root).gpu_driver; };
    for (auto const& [told, version] :
         word_pairs{{"NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19 18:56:32 UTC 2023", "NVIDIA 535.129.03"},
                    {"NVIDIA UNIX Open Kernel Module for aarch64  580.65.06  Release Build  (a@b)", "NVIDIA 580.65.06"},
                    {"NVIDIA UNIX x86_64 Kernel Module", ""}}) {
        add("/proc/driver/nvidia/version", std::string{"NVRM version: "} + told + "\nGCC version:  gcc 12.2.0\n");
        CHECK(driver() == version);
    }
    add("/sys/module/amdgpu/version", "-\n");
    CHECK(driver().empty());
    add("/sys/module/amdgpu/version", "6.12.12\n");
    CHECK(driver() == "amdgpu 6.12.12");
    add("/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.129.03\n");
    CHECK(driver() == "NVIDIA 535.129.03, amdgpu 6.12.12");
}

TEST_CASE_FIXTURE(host_tree, "the least limit of all control groups counts, whatever their version") {
    add("/proc/self/cgroup", "4:memory:/job\n0::/a/b\n");
    add("/sys/fs/cgroup/a/b/memory.max", "max\n");
    add("/sys/fs/cgroup/a/memory.max", "3000000\n");
    CHECK(system_of_host(root).memory_limit_bytes == 3000000);
    add("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n"); // a container's
    CHECK(system_of_host(root).memory_limit_bytes == 2000000);
    add("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(system_of_host(root).memory_limit_bytes == 2000000);
}

TEST_CASE_FIXTURE(host_tree, "a container is recognized by what its runtime leaves in it") {
    auto const kind = [this] { return system_of_host(root).container; };
    add("/proc/self/cgroup", "0::/user.slice\n");
    CHECK(kind() == "none");
    for (auto const& [group, name] : word_pairs{{"/lxc/web", "lxc"},
                                                {"/machine.slice/libpod-1.scope", "podman"},
                                                {"/docker/1", "docker"},
                                                {"/kubepods/burstable/docker/1", "kubernetes"}}) {
        add("/proc/self/cgroup", std::string{"0::"} + group + '\n');
        CHECK(kind() == name);
    }
    for (auto const& [file, name] : word_pairs{{"/.dockerenv", "docker"},
                                               {"/run/.containerenv", "podman"},
                                               {"/var/run/secrets/kubernetes.io/token", "kubernetes"},
                                               {"/.singularity.d/env", "apptainer"}}) {
        add(file, "");
        CHECK(kind() == name);
    }
    add("/run/systemd/container", "systemd-nspawn\n");
    CHECK(kind() == "systemd-nspawn");
}

TEST_CASE_FIXTURE(host_tree,
                  "the stolen time is that of all processors, in ticks, and grows from a reading to the next") {
    auto const ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    add("/proc/stat", "cpu  1 2 3 4 5 6 7 25 9 10\ncpu0 1 2 3 4 5 6 7 25 9 10\n");
    auto const before = stolen_time(root);
    REQUIRE(before.has_value());
    CHECK(*before == sonde::seconds{25 / ticks_per_second});
    CHECK(stolen_since(before, root) == sonde::seconds{0});
    add("/proc/stat", "cpu  1 2 3 4 5 6 7 32\n"); // an old kernel
    CHECK(stolen_since(before, root) == sonde::seconds{32 / ticks_per_second} - *before);
    CHECK(!stolen_since(std::nullopt, root));
    add("/proc/stat", "cpu  1 2 3 4 5 6 7\n");
    CHECK(!stolen_time(root));
    CHECK(!stolen_since(before, root));
}

TEST_CASE_FIXTURE(
    host_tree,
    "hosts are of one kind if they have the same processors, kernel and driver, and almost the same memory") {
    auto const kind = [this](std::string const& model, std::string const& online, std::string const& kernel,
                             int memory) {
        add("/sys/devices/system/cpu/modalias", "cpu:type:x86,ven0002fam0019mod" + model + ":feature:,0000,0001\n");
        add("/sys/devices/system/cpu/online", online + '\n');
        add("/proc/sys/kernel/ostype", "Linux\n");
        add("/proc/sys/kernel/osrelease", kernel + '\n');
        add("/proc/meminfo", "MemTotal: " + std::to_string(memory) + " kB\n");
        return sonde::detail::kind_of_host(root);
    };
    auto const usual = kind("0001", "0-63", "6.1.0", 100000);
    CHECK_FALSE(sonde::detail::is_unlike(usual, kind("0001", "0-63", "6.1.0", 98001)));
    CHECK(sonde::detail::is_unlike(usual, kind("0001", "0-63", "6.1.0", 97999)));
    CHECK(sonde::detail::is_unlike(kind("0001", "0-63", "6.1.0", 97999), usual));
    CHECK(sonde::detail::is_unlike(usual, kind("0002", "0-63", "6.1.0", 100000)));
    CHECK(sonde::detail::is_unlike(usual, kind("0001", "0-62", "6.1.0", 100000)));
    CHECK(sonde::detail::is_unlike(usual, kind("0001", "0-63", "6.1.1", 100000)));
    add("/sys/module/amdgpu/version", "6.12.12\n");
    CHECK(sonde::detail::is_unlike(usual, kind("0001", "0-63", "6.1.0", 100000)));
}

TEST_CASE("hosts of another kind than that of rank 0 are named once, in the order of the hosts") {
    sonde::environment e;
    sonde::detail::set_hosts(e, {"a", "c", "b", "a", "b", "c", "d"});
    sonde::detail::set_unlike_hosts(e, {{1, 9}, {2, 9}, {1, 5}, {1, 9}, {1, 5}, {2, 9}, {1, 9}});
    CHECK(e.unlike_hosts == std::vector<std::string>{"c", "b"});
}
