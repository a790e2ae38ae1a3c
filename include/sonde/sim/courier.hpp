// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/sim/world.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace sonde::sim {

/// Carries numbers through the simulated network; a tag is a way of its own.
class courier {
public:
    explicit courier(process& self, int tag = 32766) : self_{&self}, tag_{tag} {}
    void send(int to, std::span<double const> v) const {
        auto const bytes = std::as_bytes(v);
        std::vector<std::byte> message{bytes.begin(), bytes.end()};
        self_->link(to, tag_).send(message);
    }
    void receive(int from, std::span<double> v) const {
        self_->link(from, tag_).recv({reinterpret_cast<std::byte*>(v.data()), v.size_bytes()});
    }

private:
    process* self_;
    int tag_;
};

} // namespace sonde::sim
