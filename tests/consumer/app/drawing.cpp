// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing.hpp>

#include <sonde/version.hpp>

#include <cstdio>

int main() {
    sonde::html page{"page.html"};
    page.finish();
    std::printf("sonde %s: a page\n", SONDE_VERSION);
}
