// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/pattern.hpp>
#include <sonde/version.hpp>
#include <sonde/witness/carried_traffic.hpp>
#include <sonde/witness/counters.hpp>
#include <sonde/witness/statements.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Reads the counters of the network devices of each host of a group, twice: which device carried what was sent in
/// between. One rank of each host reads, the first. `run` uses it for a plan that keeps what was carried:
///
///     sonde::witness devices;
///     auto const r = sonde::run(group, plan.keep({.carried = &devices}), pattern);
///     if (r.carried) ... // on rank 0
///
/// It must outlive the plan's runs. An application may put it around its own exchange: `begin(group)`, then `finish()`.
class witness final : public carried_reader {
public:
    /// `root` is the folder that has the proc/ and sys/ of this rank's host.
    explicit witness(std::string root = "/") : root_{std::move(root)} {}

    /// Read the counters. If all initiators are on hosts without responders, all that they send goes between hosts. The
    /// group must outlive `finish`. Throws on all ranks what the reading throws on a rank. Collective over the group.
    void begin(group_ref const& group, role in_pair) override;
    /// As above, where ranks are no pairs.
    template <Group G>
        requires(!std::same_as<std::remove_const_t<G>, group_ref>)
    void begin(G& group) {
        begin(group_ref{group}, role::idle);
    }
    /// Read the counters again. Returns what each host carried since `begin`, on rank 0; empty on other ranks.
    /// Collective over the group. Throws std::logic_error without a `begin`.
    [[nodiscard]] std::optional<carried_traffic> finish() override;
    /// Sets what the messages moved between hosts, if they are pairs. Returns true if there are `transport_statements`.
    bool compare(carried_traffic& carried, std::size_t iterations, std::size_t bytes,
                 std::size_t messages) const override;

private:
    std::string root_;
    std::optional<group_ref> group_;              // between `begin` and `finish`
    std::optional<detail::host_counters> before_; // on the first rank of a host
    std::vector<std::string> machines_;           // on rank 0: of each host, since containers share RDMA devices
    bool between_hosts_ = false;                  // on rank 0: messages of pairs, on different hosts
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/detail/affinity.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/witness/differences.hpp>

#include <span>
#include <stdexcept>

namespace sonde::inline v0_1 {

namespace detail {

/// Number of a rank's machine, then a blank, and the name of its host and network namespace, with the rank's role in a
/// pair as the last character.
SONDE_INLINE std::string witness_key(group_ref const& group, role in_pair, std::string const& root) {
    return std::to_string(host_number(group)) + ' ' + host_name_of(group) + network_namespace(root) +
           static_cast<char>('0' + static_cast<int>(in_pair));
}

/// For each rank, whether it is the first of its host. Sets `between` if no host has both initiators and responders,
/// and there are both.
SONDE_INLINE std::vector<char> first_ranks(std::vector<std::string> const& keys, bool& between) {
    struct known_host {
        std::string name;
        bool has[3] = {};
    };
    std::vector<char> first;
    std::vector<known_host> hosts;
    for (auto const& key : keys) {
        auto const name = key.substr(0, key.size() - 1);
        std::size_t i =
            hosts.empty() || hosts.back().name != name ? 0 : hosts.size() - 1; // ranks of a host follow each other
        while (i != hosts.size() && hosts[i].name != name) ++i;
        first.push_back(i == hosts.size() ? 1 : 0);
        if (i == hosts.size()) hosts.push_back({name});
        hosts[i].has[key.back() - '0'] = true;
    }
    constexpr auto initiator = static_cast<int>(role::initiator), responder = static_cast<int>(role::responder);
    bool has_both[2] = {};
    between = true;
    for (auto const& host : hosts) {
        between = between && !(host.has[initiator] && host.has[responder]);
        has_both[0] = has_both[0] || host.has[initiator];
        has_both[1] = has_both[1] || host.has[responder];
    }
    between = between && has_both[0] && has_both[1];
    return first;
}

/// Remove the devices, not those of the kernel's network, that an earlier host on the same machine lists, too.
SONDE_INLINE void remove_shared(std::vector<host_traffic> const& earlier, std::vector<std::string> const& machines,
                                host_traffic& host) {
    for (std::size_t i = 0; i != earlier.size(); ++i) {
        if (machines[i] != machines[earlier.size()]) continue;
        for (auto const& known : earlier[i].devices)
            for (auto k = host.devices.size(); k-- != 0;)
                if (!is_of_kernel(known) && known.kind != "loopback" && host.devices[k].name == known.name &&
                    host.devices[k].kind == known.kind)
                    host.devices.erase(host.devices.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

} // namespace detail

SONDE_INLINE void witness::begin(group_ref const& group, role in_pair) {
    group_ = group;
    before_.reset();
    auto const key = sonde::collectively(group, [&] { return detail::witness_key(group, in_pair, root_); });
    auto const keys = sonde::gather(group, key);
    std::vector<char> first;
    if (keys) first = detail::first_ranks(*keys, between_hosts_);
    machines_.clear();
    for (std::size_t i = 0; i != first.size(); ++i)
        if (first[i] != 0) machines_.push_back((*keys)[i].substr(0, (*keys)[i].find(' ')));
    first.resize(static_cast<std::size_t>(group.size()));
    sonde::broadcast(group, std::span{first.data(), first.size()});
    sonde::collectively(group, [&] { // no rank sends before all have read
        if (first[static_cast<std::size_t>(group.rank())] != 0)
            before_ = detail::read_counters(detail::host_name_of(group), root_);
    });
}

SONDE_INLINE std::optional<carried_traffic> witness::finish() {
    if (!group_) throw std::logic_error{"sonde::witness: finish without begin"};
    auto const group = *group_;
    group_.reset();
    group.barrier(); // all ranks have received
    auto const text = sonde::collectively(group, [&] {
        if (!before_) return std::string{};
        return detail::text_of(detail::traffic_between(*before_, detail::read_counters(before_->host, root_)));
    });
    auto const texts = sonde::gather(group, text);
    if (!texts) return std::nullopt;
    carried_traffic found;
    for (auto const& one : *texts) {
        if (one.empty()) continue;
        auto host = detail::host_traffic_of(one);
        detail::remove_shared(found.hosts, machines_, host);
        found.hosts.push_back(std::move(host));
    }
    return found;
}

SONDE_INLINE bool witness::compare(carried_traffic& carried, std::size_t iterations, std::size_t bytes,
                                   std::size_t messages) const {
    carried.iterations = iterations;
    if (between_hosts_) {
        carried.bytes = static_cast<double>(bytes) * static_cast<double>(iterations);
        carried.messages = static_cast<double>(messages) * static_cast<double>(iterations);
    }
    return !transport_statements(carried).empty();
}

} // namespace sonde

#endif
