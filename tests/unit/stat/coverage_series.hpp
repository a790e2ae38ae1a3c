// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace coverage {

/// The same numbers with every standard library.
using engine = std::mt19937_64;

inline double uniform(engine& bits) { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }

/// Box and Muller (1958).
inline double normal(engine& bits) {
    auto const radius = std::sqrt(-2 * std::log(uniform(bits)));
    return radius * std::cos(2 * 3.14159265358979323846 * uniform(bits));
}

/// Times with a known median; each is drawn with the state of the previous one.
struct source {
    double (*draw)(engine& bits, double& state);
    double median;
};

inline constexpr source lognormal{[](engine& bits, double&) { return std::exp(0.1 * normal(bits)); }, 1};
/// Two paths through a network: 6 in 10 take 1 to 2, the others 5 to 6.
inline constexpr source bimodal{[](engine& bits, double&) { return (uniform(bits) < 0.6 ? 1 : 5) + uniform(bits); },
                                1 + 5.0 / 6};
/// Pareto's distribution of index 1.5: no variance.
inline constexpr source heavy_tailed{
    [](engine& bits, double&) { return 10 + std::pow(uniform(bits), -1 / 1.5) / std::pow(2, 1 / 1.5); }, 11};
/// exp of a tenth of a normal AR(1) with phi = 0.5.
inline constexpr source remembering{[](engine& bits, double& state) {
                                        state = 0.5 * state + std::sqrt(0.75) * normal(bits);
                                        return std::exp(0.1 * state);
                                    },
                                    1};

/// Successive series of a source, each of the requested length.
class series {
public:
    explicit series(source from) : from_{from} {}
    void restart() {
        state_ = normal(bits_); // the stationary distribution
        times_.clear();
    }
    std::span<sonde::seconds const> first(std::size_t n) {
        while (times_.size() < n) times_.emplace_back(from_.draw(bits_, state_));
        return {times_.data(), n};
    }

private:
    source from_;
    engine bits_{20'151'115};
    double state_ = 0;
    std::vector<sonde::seconds> times_;
};

} // namespace coverage
