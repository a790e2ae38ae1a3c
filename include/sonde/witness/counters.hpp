// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/version.hpp>
#include <sonde/witness/carried_traffic.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Counters of network devices, as Linux shows them below /proc and /sys. `root` is the folder that has proc/ and sys/.

namespace sonde::inline v0_1 {

namespace detail {

/// Numbers of `device_traffic` that counters add up to.
enum class quantity : unsigned char {
    sent_bytes,
    received_bytes,
    sent_packets,
    received_packets,
    errors,
    drops,
    retransmissions,
};

/// A counter at one time.
struct counter {
    std::string file; // its name in messages
    quantity what{};
    unsigned unit = 1;                    // 4 for words of 4 bytes
    std::optional<std::uint64_t> value{}; // empty if it cannot be read
};

/// A device with its counters.
struct device_counters {
    device_traffic about; // without numbers
    std::vector<counter> counters;
};

/// The counters of a host at one time.
struct host_counters {
    std::string host;
    std::vector<device_counters> devices;
    std::optional<std::uint64_t> tcp_segments{}, tcp_retransmissions{};
    std::optional<std::uint64_t> tcp_needless{}; // retransmissions of segments that had arrived
    seconds time{};                              // of a steady clock
};

/// Read the counters of this host: a few milliseconds where there are many ports.
host_counters read_counters(std::string const& host, std::string const& root);

/// The network namespace of this process, "net:[4026531840]"; empty if the kernel does not tell it.
std::string network_namespace(std::string const& root);

} // namespace detail

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/detail/kernel_files.hpp>
#include <sonde/measure/system.hpp>

#include <unistd.h>

namespace sonde::inline v0_1::detail {

/// The number at the beginning of a text, of at most 64 bits. Slingshot's has the time of the reading behind an @.
SONDE_INLINE std::optional<std::uint64_t> counter_at(std::string_view text) {
    std::uint64_t number = 0;
    std::size_t digits = 0;
    for (; digits != text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
        auto const digit = static_cast<std::uint64_t>(text[digits] - '0');
        if (number > (~std::uint64_t{} - digit) / 10) return std::nullopt;
        number = 10 * number + digit;
    }
    return digits == 0 ? std::nullopt : std::optional{number};
}

/// Removes the first word from a line, and returns it.
SONDE_INLINE std::string_view take_word(std::string_view& line) {
    auto const begin = line.find_first_not_of(' ');
    line.remove_prefix(begin == line.npos ? line.size() : begin);
    auto const word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    return word;
}

/// A file with a counter, by its path in the folder of a port or device.
struct counter_file {
    char const* path;
    quantity what;
    unsigned unit = 1;
};

// Documentation/ABI/stable/sysfs-class-infiniband of Linux; the hardware's counters by the drivers of mlx5, hfi1 (RC of
// verbs; PSM2 retransmits in the process, where no counter shows it) and EFA. port_xmit_data counts words of 4 bytes.
inline constexpr counter_file rdma_files[] = {
    {"counters/port_xmit_data", quantity::sent_bytes, 4},
    {"counters/port_rcv_data", quantity::received_bytes, 4},
    {"counters/port_xmit_packets", quantity::sent_packets},
    {"counters/port_rcv_packets", quantity::received_packets},
    {"counters/port_rcv_errors", quantity::errors},
    {"counters/symbol_error", quantity::errors},
    {"counters/local_link_integrity_errors", quantity::errors},
    {"counters/port_xmit_discards", quantity::drops},
    {"hw_counters/local_ack_timeout_err", quantity::retransmissions},
    {"hw_counters/packet_seq_err", quantity::retransmissions},
    {"hw_counters/roce_adp_retrans", quantity::retransmissions},
    {"hw_counters/RcResend", quantity::retransmissions},
    {"hw_counters/tx_bytes", quantity::sent_bytes},
    {"hw_counters/rx_bytes", quantity::received_bytes},
    {"hw_counters/tx_pkts", quantity::sent_packets},
    {"hw_counters/rx_pkts", quantity::received_packets},
    {"hw_counters/rx_drops", quantity::drops},
    {"hw_counters/retrans_pkts", quantity::retransmissions},
};

// Telemetry of HPE's driver for Cassini. The driver refreshes the values from time to time, so that the last bytes of a
// short measurement may be missing.
inline constexpr counter_file slingshot_files[] = {
    {"hni_sts_tx_ok_octets", quantity::sent_bytes},
    {"hni_sts_rx_ok_octets", quantity::received_bytes},
    {"hni_pcs_uncorrected_cw", quantity::errors},
    {"pct_retry_srb_requests", quantity::retransmissions},
};

/// True if a port counts its bytes and packets already, in counters/.
SONDE_INLINE bool is_counted_in(device_counters const& device, quantity what) {
    if (what > quantity::received_packets) return false;
    for (auto const& one : device.counters)
        if (one.what == what && one.file.compare(0, 9, "counters/") == 0) return true;
    return false;
}

/// Add the counters of those files that exist.
template <std::size_t N>
void add_counters(device_counters& to, std::string const& folder, counter_file const (&files)[N]) {
    for (auto const& file : files)
        if (auto const path = folder + file.path; exists(path) && !is_counted_in(to, file.what))
            to.counters.push_back({file.path, file.what, file.unit, counter_at(file_line(path))});
}

/// The last word of a text: "ACTIVE" of "4: ACTIVE".
SONDE_INLINE std::string last_word(std::string const& text) { return text.substr(text.rfind(' ') + 1); }

/// A state in lower case, as reports show it.
SONDE_INLINE std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// Kind of an RDMA device's port with a link layer. EFA's is "Unspecified".
SONDE_INLINE std::string kind_of_port(std::string const& device, std::string const& layer) {
    if (device.compare(0, 4, "hfi1") == 0) return "Omni-Path";
    if (layer == "Unspecified") return "EFA";
    return layer.empty() ? "InfiniBand" : layer;
}

SONDE_INLINE void add_rdma_counters(std::string const& root, std::vector<device_counters>& to) {
    auto const devices = root + "/sys/class/infiniband";
    for (auto const& device : names_in(devices))
        for (auto const& port : names_in(devices + '/' + device + "/ports")) {
            auto const folder = devices + '/' + device + "/ports/" + port + '/';
            auto& one = to.emplace_back();
            auto const layer = file_line(folder + "link_layer");
            one.about.name = device + '/' + port;
            one.about.kind = kind_of_port(device, layer);
            one.about.state = lower_case(last_word(file_line(folder + "state")));
            one.about.gigabits_per_second = rate_in(file_line(folder + "rate"), 1);
            add_counters(one, folder, rdma_files);
        }
}

SONDE_INLINE void add_slingshot_counters(std::string const& root, std::vector<device_counters>& to) {
    auto const devices = root + "/sys/class/cxi";
    for (auto const& device : names_in(devices)) {
        auto const folder = devices + '/' + device + "/device/";
        auto& one = to.emplace_back();
        one.about.name = device;
        one.about.kind = "Slingshot";
        one.about.state = file_line(folder + "port/link");
        one.about.gigabits_per_second = rate_in(file_line(folder + "port/speed"), 1);
        auto const telemetry = folder + "telemetry/";
        add_counters(one, telemetry, slingshot_files);
        for (char const* const direction : {"sent", "recv"})
            for (char tc = '0'; tc != '8'; ++tc) {
                auto const file = std::string{"hni_pkts_"} + direction + "_by_tc_" + tc;
                auto const what = direction[0] == 's' ? quantity::sent_packets : quantity::received_packets;
                if (exists(telemetry + file))
                    one.counters.push_back({file, what, 1, counter_at(file_line(telemetry + file))});
            }
    }
}

/// The RDMA or Slingshot device that counts what an interface carries, too; empty without one. A port for RDMA over
/// Ethernet does not count what its interface carries.
SONDE_INLINE std::string device_below(std::string const& folder, bool is_ipoib) {
    auto const names = names_in(folder + (is_ipoib ? "device/infiniband" : "device/cxi"));
    return names.empty() ? "" : names.front();
}

/// False for an interface of software alone, such as a tunnel or the end of a container's link. The rate that it claims
/// is the one of no link.
SONDE_INLINE bool is_of_hardware(std::string const& folder) { return exists(folder + "device"); }

/// Name, kind, state and rate of an interface. Empty for a bond, a bridge or a VLAN: what it carries is counted by the
/// interface below it, which is listed.
SONDE_INLINE std::optional<device_traffic> interface_of(std::string const& root, std::string const& name) {
    constexpr char const *of_infiniband = "32", *of_loopback = "772"; // ARPHRD_INFINIBAND and ARPHRD_LOOPBACK
    auto const folder = root + "/sys/class/net/" + name + '/';
    for (auto const& file : names_in(folder))
        if (file.compare(0, 6, "lower_") == 0) return std::nullopt;
    auto const type = file_line(folder + "type");
    auto const is_ipoib = type == of_infiniband;
    device_traffic found;
    found.name = name;
    found.kind = name == "lo" || type == of_loopback ? "loopback" : is_ipoib ? "IPoIB" : "interface";
    found.state = lower_case(file_line(folder + "operstate"));
    if (is_of_hardware(folder)) found.gigabits_per_second = rate_in(file_line(folder + "speed"), 1e-3);
    found.below = device_below(folder, is_ipoib);
    return found;
}

/// The interfaces of the network namespace of this process. /sys may be another namespace's, where the one of a process
/// was changed without mounting it again; /proc is not. Beside interfaces of hardware, those of software alone count
/// the same bytes again, and are left out.
SONDE_INLINE void add_interface_counters(std::string const& root, std::vector<device_counters>& to) {
    using enum quantity;
    constexpr struct {
        std::size_t index;
        quantity what;
    } columns[] = {{0, received_bytes}, {1, received_packets}, {2, errors},  {3, drops},
                   {8, sent_bytes},     {9, sent_packets},     {10, errors}, {11, drops}};
    auto const text = file_text(root + "/proc/net/dev", std::size_t{1} << 20);
    auto const links = root + "/sys/class/net/";
    auto has_hardware = false;
    for (auto const& name : names_in(links)) has_hardware = has_hardware || is_of_hardware(links + name + '/');
    for (std::string_view rest = text; !rest.empty();) {
        auto const line = take_line(rest);
        auto const colon = line.find(':'), begin = line.find_first_not_of(' ');
        if (colon == line.npos || line.find('|') != line.npos) continue; // titles
        std::string const name{line.substr(begin, colon - begin)};
        auto const about = interface_of(root, name);
        if (!about) continue;
        if (has_hardware && about->kind != "loopback" && !is_of_hardware(links + name + '/')) continue;
        auto& one = to.emplace_back(device_counters{*about, {}});
        auto numbers = line.substr(colon + 1);
        std::size_t column = 0;
        for (auto const& [index, what] : columns) {
            std::string_view word;
            for (; column <= index; ++column) word = take_word(numbers);
            one.counters.push_back({"column " + std::to_string(index + 1), what, 1, counter_at(word)});
        }
    }
}

/// A number of a protocol ("Tcp: ") in the text of /proc/net/snmp or netstat: a line of names, and below it the line of
/// numbers.
SONDE_INLINE std::optional<std::uint64_t> protocol_number(std::string_view text, std::string const& protocol,
                                                          std::string_view name) {
    auto const names_at = text.find(protocol), numbers_at = text.find('\n' + protocol, names_at + 1);
    if (names_at == text.npos || numbers_at == text.npos) return std::nullopt;
    auto names = text.substr(names_at, text.find('\n', names_at) - names_at), numbers = text.substr(numbers_at + 1);
    numbers = numbers.substr(0, numbers.find('\n'));
    while (!names.empty()) {
        auto const number = take_word(numbers);
        if (take_word(names) == name) return counter_at(number);
    }
    return std::nullopt;
}

SONDE_INLINE host_counters read_counters(std::string const& host, std::string const& root) {
    host_counters found{host, {}};
    add_rdma_counters(root, found.devices);
    add_slingshot_counters(root, found.devices);
    add_interface_counters(root, found.devices);
    auto const protocols = file_text(root + "/proc/net/snmp");
    found.tcp_segments = protocol_number(protocols, "Tcp: ", "OutSegs");
    found.tcp_retransmissions = protocol_number(protocols, "Tcp: ", "RetransSegs");
    found.tcp_needless = protocol_number(file_text(root + "/proc/net/netstat"), "TcpExt: ", "TCPDSACKRecv");
    found.time = sonde::since_epoch(steady_clock::now());
    return found;
}

SONDE_INLINE std::optional<std::uint64_t>& number_of(device_traffic& of, quantity what) {
    constexpr std::optional<std::uint64_t> device_traffic::*numbers[] = {
        &device_traffic::sent_bytes,       &device_traffic::received_bytes, &device_traffic::sent_packets,
        &device_traffic::received_packets, &device_traffic::errors,         &device_traffic::drops,
        &device_traffic::retransmissions};
    return of.*numbers[static_cast<std::size_t>(what)];
}

SONDE_INLINE std::string network_namespace(std::string const& root) {
    char name[64];
    auto const length = readlink((root + "/proc/self/ns/net").c_str(), name, sizeof name);
    return length > 0 ? std::string{name, static_cast<std::size_t>(length)} : "";
}

} // namespace sonde::detail

#endif
