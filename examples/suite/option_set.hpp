// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <initializer_list>

namespace suite {

/// Set of options of a suite. `Name` is the enumeration of their names, with at most 64 enumerators.
template <class Name>
class option_set {
public:
    constexpr option_set() = default;
    constexpr option_set(Name one) : bits_{bit_of(one)} {}
    constexpr option_set(std::initializer_list<Name> all) {
        for (auto const one : all) bits_ |= bit_of(one);
    }

    constexpr bool contains(Name one) const { return (bits_ & bit_of(one)) != 0; }
    /// The options of both sets.
    friend constexpr option_set operator|(option_set a, option_set b) { return option_set{a.bits_ | b.bits_}; }
    /// The options of `a` that `b` lacks.
    friend constexpr option_set operator-(option_set a, option_set b) { return option_set{a.bits_ & ~b.bits_}; }

private:
    explicit constexpr option_set(std::uint64_t bits) : bits_{bits} {}
    static constexpr std::uint64_t bit_of(Name one) { return std::uint64_t{1} << static_cast<unsigned>(one); }

    std::uint64_t bits_ = 0;
};

} // namespace suite
