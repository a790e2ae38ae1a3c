// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sonde::inline v0_1 {

/// What an application does in a scope.
enum class scope_kind : unsigned char {
    part,    // anything: a step, a phase
    work,    // computes, and does not wait for other ranks
    exchange // waits for other ranks
};

/// "part", "work" or "exchange".
[[nodiscard]] inline char const* to_string(scope_kind kind) {
    return kind == scope_kind::part ? "part" : kind == scope_kind::work ? "work" : "exchange";
}

namespace detail {

/// A pass of a scope of work or of an exchange; of work, successive passes without another pass in between.
struct kept_pass {
    seconds begin{};  // reading of the clock
    seconds length{}; // of successive passes together
    std::uint32_t scope = 0;
};

/// The latest passes of work and exchanges of one thread, in constant memory.
class pass_ring {
public:
    /// Throws std::invalid_argument for a capacity of 0, and for one beyond 2^32.
    explicit pass_ring(std::size_t capacity) {
        if (capacity == 0) throw std::invalid_argument{"sonde::probe: it would keep no passes"};
        if (capacity > std::size_t{1} << 32)
            throw std::invalid_argument{"sonde::probe: it would keep more than 2^32 passes"};
        capacity_ = std::bit_ceil(capacity);
    }

    /// Number of a scope whose passes are added. The first one allocates the memory.
    std::uint32_t add_scope() {
        if (passes_.empty()) passes_.resize(capacity_);
        return scopes_++;
    }
    /// Add a pass, without an allocation.
    void add(std::uint32_t scope, scope_kind kind, seconds begin, seconds end) {
        auto& latest = passes_[(added_ - 1) & (capacity_ - 1)];
        if (kind == scope_kind::work && added_ != 0 && latest.scope == scope) latest.length += end - begin;
        else passes_[added_++ & (capacity_ - 1)] = {begin, end - begin, scope};
    }
    /// The passes that are kept, in the order of their ends.
    std::vector<kept_pass> passes() const {
        std::vector<kept_pass> kept;
        for (auto i = added_ < capacity_ ? 0 : added_ - capacity_; i != added_; ++i)
            kept.push_back(passes_[i & (capacity_ - 1)]);
        return kept;
    }

private:
    std::size_t capacity_ = 0; // a power of two
    std::size_t added_ = 0;
    std::uint32_t scopes_ = 0;
    std::vector<kept_pass> passes_;
};

} // namespace detail

} // namespace sonde
