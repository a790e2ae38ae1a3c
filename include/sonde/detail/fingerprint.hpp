// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <bit>
#include <cstdint>

namespace sonde::detail {

/// Hash of a sequence of numbers and names: 64-bit FNV-1a, of which the value has 52 bits, which a reduction of doubles
/// does not round.
class fingerprint {
public:
    fingerprint& add(double number) {
        auto const bits = std::bit_cast<std::uint64_t>(number + 0.0); // -0 is 0
        for (int shift = 0; shift != 64; shift += 8) add_byte(static_cast<unsigned char>(bits >> shift));
        return *this;
    }
    fingerprint& add(char const* name) {
        for (; *name != '\0'; ++name) add_byte(static_cast<unsigned char>(*name));
        return *this;
    }
    double value() const { return static_cast<double>(hash_ >> 12); }

private:
    void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3u; }

    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// The name of T by the compiler, equal on all ranks of a program. Two lambdas of one function may have equal names.
template <class T>
char const* type_name() {
    return __PRETTY_FUNCTION__;
}

} // namespace sonde::detail
