// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <initializer_list>

namespace osu {

/// Options that a program takes or lacks, with their letters. All programs take the options without a letter, except
/// --cache, --staged and --payload, which the table of options gives to the programs that have such messages.
enum class option_name : char {
    accelerator = 'd',
    array_size = 'a',
    buffer_number = 'b',
    derived_datatype = 'D',
    full = 'f',
    graph = 'G',
    help = 'h',
    in_place = 'l',
    iterations = 'i',
    memory_limit = 'M',
    message_size = 'm',
    neighborhood = 'N',
    papi = 'P',
    percentiles = 'z',
    print_rate = 'R',
    root_rank = 'k',
    session = 'I',
    test_calls = 't',
    type = 'T',
    pairs = 'p',
    validation = 'c',
    validation_warmup = 'u',
    vary_window = 'V',
    version = 'v',
    warmup = 'x',
    window_creation = 'w',
    window_size = 'W',
    window_synchronization = 's',
    work_place = 'r'
};

/// Set of options with letters.
class option_set {
public:
    constexpr option_set() = default;
    constexpr option_set(option_name one) : bits_{bit_of(one)} {}
    constexpr option_set(std::initializer_list<option_name> all) {
        for (auto const one : all) bits_ |= bit_of(one);
    }

    constexpr bool contains(option_name one) const { return (bits_ & bit_of(one)) != 0; }
    /// The options of both sets.
    friend constexpr option_set operator|(option_set a, option_set b) { return option_set{a.bits_ | b.bits_}; }
    /// The options of `a` that `b` lacks.
    friend constexpr option_set operator-(option_set a, option_set b) { return option_set{a.bits_ & ~b.bits_}; }

private:
    explicit constexpr option_set(std::uint64_t bits) : bits_{bits} {}
    static constexpr std::uint64_t bit_of(option_name one) {
        return std::uint64_t{1} << (static_cast<char>(one) - 'A');
    }

    std::uint64_t bits_ = 0;
};

// Groups of options.
inline constexpr option_set common_options{option_name::help,        option_name::version,    option_name::message_size,
                                           option_name::warmup,      option_name::iterations, option_name::graph,
                                           option_name::percentiles, option_name::session};
inline constexpr option_set validation_options{option_name::validation, option_name::validation_warmup};
inline constexpr option_set datatype_options{option_name::derived_datatype, option_name::type};
inline constexpr option_set buffer_options{option_name::accelerator, option_name::buffer_number};
inline constexpr option_set latency_options =
    common_options | buffer_options | validation_options | datatype_options | option_name::papi;
inline constexpr option_set bandwidth_options = latency_options | option_name::test_calls | option_name::window_size;

} // namespace osu
