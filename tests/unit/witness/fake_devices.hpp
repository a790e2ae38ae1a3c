// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "../report/support.hpp"

namespace witnesses {

/// A folder with the files of a host's network devices, which ends with the test.
class fake_devices {
public:
    std::string const& root() const { return root_; }

    void write(std::string const& path, std::string const& text) const {
        std::filesystem::create_directories(std::filesystem::path{root_ + path}.parent_path());
        std::ofstream{root_ + path} << text << '\n';
    }
    void remove(std::string const& path) const { std::filesystem::remove_all(root_ + path); }

    /// Add to the counters of an interface, which is up.
    void interface(std::string const& name, std::uint64_t received, std::uint64_t sent, std::string const& speed = "") {
        auto i = interfaces_.begin();
        while (i != interfaces_.end() && i->name != name) ++i;
        if (i == interfaces_.end()) {
            i = interfaces_.insert(i, {name, 0, 0});
            write("/sys/class/net/" + name + "/operstate", "up");
            if (name != "lo") write("/sys/class/net/" + name + "/device/vendor", "0x1af4");
            if (!speed.empty()) write("/sys/class/net/" + name + "/speed", speed);
        }
        i->received += received;
        i->sent += sent;
        std::string text = "Inter-|   Receive  |  Transmit\n face |bytes packets errs|bytes packets errs\n";
        for (auto const& one : interfaces_) {
            auto const packets = [](std::uint64_t of) { return ' ' + std::to_string(of / 1000) + ' '; };
            text += "  " + one.name + ": " + std::to_string(one.received) + packets(one.received) + "1 2 0 0 0 0 " +
                    std::to_string(one.sent) + packets(one.sent) + "3 4 0 0 0 0\n";
        }
        write("/proc/net/dev", text);
    }

    /// Make an interface one of software, such as the end of a container's link.
    void without_hardware(std::string const& name) const { remove("/sys/class/net/" + name + "/device"); }

    void tcp(std::uint64_t segments, std::uint64_t again, std::uint64_t needless = 0) const {
        write("/proc/net/netstat", "TcpExt: SyncookiesSent TCPDSACKRecv\nTcpExt: 0 " + std::to_string(needless));
        write("/proc/net/snmp", "Ip: Forwarding\nIp: 1\nTcp: RtoMin OutSegs RetransSegs InErrs\nTcp: 200 " +
                                    std::to_string(segments) + ' ' + std::to_string(again) + " 0\nUdp: In\nUdp: 5");
    }

    /// A port of an RDMA device that is active, with files of its counters.
    void rdma_port(std::string const& port, std::string const& layer, std::string const& rate,
                   std::vector<std::pair<std::string, std::string>> const& counters) const {
        auto const folder = "/sys/class/infiniband/" + port + '/';
        write(folder + "link_layer", layer);
        write(folder + "state", "4: ACTIVE");
        write(folder + "rate", rate);
        for (auto const& [file, value] : counters) write(folder + file, value);
    }

private:
    struct interface_bytes {
        std::string name;
        std::uint64_t received, sent;
    };
    reports::scratch_folder folder_;
    std::string root_ = folder_ / "root";
    std::vector<interface_bytes> interfaces_;
};

} // namespace witnesses
