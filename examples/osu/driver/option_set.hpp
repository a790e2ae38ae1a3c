// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <initializer_list>

namespace osu {

/// Options that a program takes or lacks.
enum class option_name : unsigned char {
    accelerator,
    array_size,
    buffer_number,
    budget,
    cache,
    derived_datatype,
    full,
    graph,
    help,
    honest,
    in_place,
    iterations,
    memory_limit,
    message_size,
    neighborhood,
    pairs,
    papi,
    payload,
    percentiles,
    print_rate,
    report,
    root_rank,
    session,
    staged,
    synchronization,
    test_calls,
    type,
    until,
    validation,
    validation_warmup,
    vary_window,
    version,
    warmup,
    window_creation,
    window_size,
    window_synchronization,
    work_place
};

/// Set of options.
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
    static constexpr std::uint64_t bit_of(option_name one) { return std::uint64_t{1} << static_cast<unsigned>(one); }

    std::uint64_t bits_ = 0;
};

// Groups of options.
inline constexpr option_set startup_options{option_name::help, option_name::version, option_name::report};
inline constexpr option_set measurement_options =
    startup_options | option_set{option_name::message_size, option_name::warmup, option_name::iterations,
                                 option_name::until,        option_name::budget, option_name::synchronization,
                                 option_name::honest};
inline constexpr option_set common_options =
    measurement_options | option_set{option_name::graph, option_name::percentiles, option_name::session};
inline constexpr option_set validation_options{option_name::validation, option_name::validation_warmup};
inline constexpr option_set datatype_options{option_name::derived_datatype, option_name::type};
inline constexpr option_set buffer_options{option_name::accelerator, option_name::buffer_number, option_name::cache,
                                           option_name::staged};
inline constexpr option_set latency_options =
    common_options | buffer_options | validation_options | datatype_options | option_name::papi;
inline constexpr option_set bandwidth_options = latency_options | option_name::test_calls | option_name::window_size;

} // namespace osu
