// SPDX-License-Identifier: BSL-1.0
// Prints a line for every program of the table of collectives: name, title, letters in alphabetical order, iterations
// and warm-up up to 8192 bytes and above, separated by tabs.
#include "osu/collective/collective_driver.hpp"
#include "osu/collective/collective_rows.hpp"
#include "osu/driver/osu_option_table.hpp"
#include "osu/driver/osu_options.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace {

void print(osu::collective const& of, osu::call_modes mode) {
    if (!contains(of.modes, mode)) return;
    auto const about = osu::program_of(of, mode);
    std::string letters;
    osu::options into;
    for (auto const& o : osu::option_table(into, about))
        if (o.letter != 0) letters += o.letter;
    std::sort(letters.begin(), letters.end());
    auto const& plan = osu::plan_of(of, mode);
    std::printf("%s\t%s\t%s\t%zu %zu %zu %zu\n", about.name.c_str(), about.title.c_str(), letters.c_str(),
                plan.iterations, plan.warmup, plan.large.iterations, plan.large.warmup);
}

} // namespace

int main() {
    for (auto const mode : {osu::call_modes::blocking, osu::call_modes::nonblocking, osu::call_modes::persistent})
        for (auto const& of : osu::collectives) print(of, mode);
}
