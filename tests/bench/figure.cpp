// SPDX-License-Identifier: BSL-1.0

// The time to draw a picture of ten series of 23 sizes, from records to the file, and a picture of one point, which is
// mostly gnuplot's start.

#include "limit.hpp"

#include <sonde/drawing/plot.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace {

sonde::record made(std::size_t series, std::size_t size) {
    sonde::record r;
    r.point = {"ping_pong", {{"bytes", std::size_t{1} << size}, {"run", series}}};
    r.total = {2 * (std::size_t{1} << size), 2, 2};
    r.initiators = 1;
    auto const typical = 1e-6 * static_cast<double>(1 + series) + 1e-9 * static_cast<double>(r.total.bytes);
    for (int i = 0; i != 1000; ++i) r.series.emplace_back(typical * (1 + 0.001 * (i * 37 % 100)));
    return r;
}

std::vector<sonde::record> sweep(std::size_t series, std::size_t sizes) {
    std::vector<sonde::record> all;
    for (std::size_t s = 0; s != series; ++s)
        for (std::size_t k = 0; k != sizes; ++k) all.push_back(made(s, k));
    return all;
}

double seconds_to_draw(std::string const& file, std::vector<sonde::record> const& all) {
    auto const begin = std::chrono::steady_clock::now();
    {
        sonde::size_plot draw{file};
        for (auto const& r : all) draw(r);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

int main() {
    auto const many = sweep(10, 23), one = sweep(1, 1);
    int over = 0;
    for (std::string const suffix : {"svg", "png", "pdf"}) {
        auto const file = "figure." + suffix;
        auto const start = seconds_to_draw(file, one), whole = seconds_to_draw(file, many);
        std::printf("s of gnuplot's own start, %s: %.4g\n", suffix.c_str(), start);
        over |= report(("s of 10 series by 23 sizes, " + suffix).c_str(), whole - start, 1);
        std::remove(file.c_str());
    }
    return over;
}
