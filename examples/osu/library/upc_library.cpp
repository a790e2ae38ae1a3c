// SPDX-License-Identifier: BSL-1.0
#include "osu/library/library.hpp"

namespace osu {

namespace {

constexpr start thread_starts[] = {start::none, start::barrier}; // threads of UPC have barriers only

} // namespace

constinit library const upc_library{
    .title = "UPC", .starts = thread_starts, .lacks = option_name::session, .read_words = refuse_words};

} // namespace osu
