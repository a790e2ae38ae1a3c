// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/group.hpp>

#include <span>

struct my_group {
    int rank();
    int size();
    void barrier();
    void all_reduce(std::span<double> values, sonde::reduction op);
};
static_assert(sonde::Group<my_group>);
// [/satisfies]

#include <string>

namespace group_concept {

static_assert(sonde::Group<sonde::single_rank> && sonde::Group<sonde::single_rank const>);

struct small_numbers : my_group { unsigned char rank(); unsigned char size(); };
struct answering : my_group { bool barrier(); bool all_reduce(std::span<double>, sonde::reduction); };
static_assert(sonde::Group<small_numbers> && sonde::Group<answering>);

struct no_rank : my_group { int rank() = delete; };
struct no_size : my_group { int size() = delete; };
struct no_barrier : my_group { void barrier() = delete; };
struct no_all_reduce : my_group { void all_reduce() = delete; };
struct rank_as_text : my_group { char const* rank(); };                                 // not a number
struct size_is_void : my_group { void size(); };                                        // no result
struct sums_only : my_group { void all_reduce(std::span<double>); };                    // no operation
struct single_precision : my_group { void all_reduce(std::span<float>, sonde::reduction); };
static_assert(!sonde::Group<no_rank> && !sonde::Group<no_size> && !sonde::Group<no_barrier> &&
              !sonde::Group<no_all_reduce> && !sonde::Group<rank_as_text> && !sonde::Group<size_is_void> &&
              !sonde::Group<sums_only> && !sonde::Group<single_precision>);

static_assert(!sonde::Group<my_group const>); // its member functions are not const

} // namespace group_concept
