// SPDX-License-Identifier: BSL-1.0
// Prints a line for every program of the table of collectives: name, title, letters in alphabetical order, iterations
// and warm-up up to 8192 bytes and above, separated by tabs.
#include "collectives/rows.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace {

void print(osu::collective const& of, char letter, osu::family form) {
    if (std::string_view{of.families}.find(letter) == std::string_view::npos) return;
    auto about = osu::program_of(of, form);
    std::sort(about.letters.begin(), about.letters.end());
    auto const& [small, large] = about.counted;
    std::printf("%s\t%s\t%s\t%zu %zu %zu %zu\n", about.name.c_str(), about.title.c_str(), about.letters.c_str(),
                small.iterations, small.warmup, large.iterations, large.warmup);
}

} // namespace

int main() {
    std::apply(
        [](auto const&... rows) {
            (print(rows.of, 'b', osu::family::blocking), ...);
            (print(rows.of, 'n', osu::family::nonblocking), ...);
            (print(rows.of, 'p', osu::family::persistent), ...);
        },
        osu::rows);
}
