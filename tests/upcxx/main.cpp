// SPDX-License-Identifier: BSL-1.0
#define DOCTEST_CONFIG_IMPLEMENT
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <sonde/upcxx/group.hpp>

int main(int argc, char** argv) {
    doctest::Context context{argc, argv};
    context.setOption("no-colors", true);
#ifndef FAKE_UPCXX // its ranks are threads of each test
    sonde::upcxx::session const session;
    context.setOption("minimal", rank() != 0);
#endif
    return context.run();
}
