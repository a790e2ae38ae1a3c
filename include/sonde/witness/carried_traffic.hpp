// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

class group_ref;
enum class role : unsigned char;

/// What a network device carried between two readings of its counters. A number is empty if the device does not count
/// it, if its counter cannot be read, and if the counter was reset between the readings.
struct device_traffic {
    /// "eth0", "mlx5_0/1" (device and port), "cxi0".
    std::string name{};
    /// "InfiniBand", "Ethernet" (a port for RDMA), "Omni-Path", "Slingshot"; of the kernel's network "interface",
    /// "IPoIB", "loopback".
    std::string kind{};
    /// "active" or "up", or what the kernel says instead; empty if it says nothing.
    std::string state{};
    /// The device that counts the bytes of this interface, too: "mlx5_0" of IPoIB, "cxi0".
    std::string below{};
    std::optional<double> gigabits_per_second{};     // rate of its link
    std::optional<std::uint64_t> sent_bytes{};       // with headers
    std::optional<std::uint64_t> received_bytes{};   // with headers
    std::optional<std::uint64_t> sent_packets{};     // or frames
    std::optional<std::uint64_t> received_packets{}; // or frames
    std::optional<std::uint64_t> errors{};           // in both directions
    std::optional<std::uint64_t> drops{};            // in both directions
    std::optional<std::uint64_t> retransmissions{};  // by the device, not by TCP
};

/// What the network devices of a host carried. Hosts are network namespaces: two containers of a machine are two hosts.
struct host_traffic {
    std::string host{};                                 // name
    std::vector<device_traffic> devices{};              // that carried bytes, or could have
    std::optional<std::uint64_t> tcp_segments{};        // that the kernel sent
    std::optional<std::uint64_t> tcp_retransmissions{}; // segments that it sent again, since they were lost
    std::vector<std::string> unread{}; // why a number is missing: "cxi0: hni_sts_tx_ok_octets was reset"
};

/// What the network devices carried while a pattern was measured: see `witness`.
struct carried_traffic {
    std::vector<host_traffic> hosts{}; // in the order of their first ranks
    std::size_t iterations = 0;        // between the two readings; those of the warm-up are not among them
    std::optional<double> bytes{};     // that the pattern moved between hosts in this time; empty if it is not known
    std::optional<double> messages{};  // with these bytes
};

/// Base class of the `witness` that a plan refers to (`keep`): `run` calls it, and does not include what reads files.
class carried_reader {
public:
    carried_reader() = default;
    carried_reader(carried_reader const&) = delete;
    carried_reader& operator=(carried_reader const&) = delete;

    /// Read the counters before the first sample. `in_pair`: role of this rank in a pattern of pairs, or idle.
    /// Collective over the group.
    virtual void begin(group_ref const& group, role in_pair) = 0;
    /// Read them again after the last sample. The result is empty but on rank 0. Collective over the group of `begin`.
    virtual std::optional<carried_traffic> finish() = 0;
    /// Set the iterations, and the bytes and messages between hosts where they are known, of the bytes and messages of
    /// an iteration. Returns true if something is wrong with the way of the messages. On rank 0.
    virtual bool compare(carried_traffic& carried, std::size_t iterations, std::size_t bytes,
                         std::size_t messages) const = 0;

protected:
    ~carried_reader() = default;
};

} // namespace sonde
