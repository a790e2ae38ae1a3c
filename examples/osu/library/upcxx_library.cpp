// SPDX-License-Identifier: BSL-1.0
#include "osu/library/library.hpp"

namespace osu {

namespace {

constexpr start team_starts[] = {start::none, start::barrier}; // teams have barriers only

} // namespace

constinit library const upcxx_library{
    .title = "UPC++", .starts = team_starts, .lacks = option_name::session, .read_words = refuse_words};

} // namespace osu
