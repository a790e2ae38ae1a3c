// SPDX-License-Identifier: BSL-1.0
#define DOCTEST_CONFIG_IMPLEMENT
#include "../aborting_listener.hpp"

#include <sonde/shmem/session.hpp>

#include <shmem.h>

#include <cstdio>

namespace {

void end_job(char const* text) {
    std::fprintf(stderr, "PE %d: %s\n", shmem_my_pe(), text);
    shmem_global_exit(1);
}
REGISTER_LISTENER("aborts", 1, aborting_listener<end_job>);

} // namespace

int main(int argc, char** argv) {
    sonde::shmem::session const session;
    doctest::Context context{argc, argv};
    context.setOption("minimal", shmem_my_pe() != 0);
    context.setOption("no-colors", true);
    return context.run();
}
