// SPDX-License-Identifier: BSL-1.0
#include "osu/library/library.hpp"

namespace osu {

namespace {

constexpr start pe_starts[] = {start::none, start::barrier}; // PEs have barriers only

/// One word if the data of the program may be in two places, else none.
void set_symmetric_data(options& into, program const& about, std::vector<std::string> const& words) {
    if (!about.heap_or_global && !words.empty())
        throw refusal{"Invalid word [" + words.front() + "]; accepted: options, see -h"};
    if (!about.heap_or_global) return;
    for (auto const where : {symmetric_data::heap, symmetric_data::global})
        if (words == std::vector{name(where)}) return static_cast<void>(into.data_in = where);
    throw refusal{"Invalid arguments. Usage: " + about.name + " <heap|global>"};
}

} // namespace

constinit library const openshmem_library{
    .title = "OpenSHMEM", .starts = pe_starts, .lacks = option_name::session, .read_words = set_symmetric_data};

} // namespace osu
