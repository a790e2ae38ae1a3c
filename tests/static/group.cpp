// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/group.hpp>
#include <sonde/sim/world.hpp>

#include <span>
#include <string>

namespace group_concept {

// [satisfies]
struct ranks {
    int rank();
    int size();
    void barrier();
    void all_reduce(std::span<double> values, sonde::reduction how);
};
static_assert(sonde::Group<ranks>);
// [/satisfies]

static_assert(sonde::Group<sonde::solo>);
static_assert(sonde::Group<sonde::solo const>);
static_assert(sonde::Group<sonde::sim::group>);
static_assert(sonde::Group<sonde::sim::group const>);

struct small_numbers : ranks { unsigned char rank(); unsigned char size(); };
struct answering : ranks { bool barrier(); bool all_reduce(std::span<double>, sonde::reduction); };
static_assert(sonde::Group<small_numbers>);
static_assert(sonde::Group<answering>);

// [misses]
struct no_rank : ranks { int rank() = delete; };
struct no_size : ranks { int size() = delete; };
struct no_barrier : ranks { void barrier() = delete; };
struct no_all_reduce : ranks { void all_reduce() = delete; };
struct named_ranks : ranks { std::string rank(); };                                  // not a number
struct measured_size : ranks { void size(); };                                       // no answer
struct sums_only : ranks { void all_reduce(std::span<double>); };                    // no operation
struct single_precision : ranks { void all_reduce(std::span<float>, sonde::reduction); };
static_assert(!sonde::Group<no_rank>);
static_assert(!sonde::Group<no_size>);
static_assert(!sonde::Group<no_barrier>);
static_assert(!sonde::Group<no_all_reduce>);
static_assert(!sonde::Group<named_ranks>);
static_assert(!sonde::Group<measured_size>);
static_assert(!sonde::Group<sums_only>);
static_assert(!sonde::Group<single_precision>);
// [/misses]

static_assert(!sonde::Group<ranks const>); // its functions are for a group that may change
static_assert(!sonde::Group<sonde::sim::process>);

} // namespace group_concept
