// SPDX-License-Identifier: BSL-1.0
#include "work.hpp"

#include <sonde/sonde.hpp>

void work(std::size_t& calls) { ++calls; }

std::size_t samples_of_another_file() {
    sonde::single_rank alone;
    return sonde::run(alone, sonde::plan<>{}.until(sonde::samples{7}), [] {}).series.size();
}
