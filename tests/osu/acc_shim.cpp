// SPDX-License-Identifier: BSL-1.0
// LD_PRELOAD: each acc_malloc of OpenACC's runtime adds a line with its bytes to the file $SONDE_ACC_LOG.
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" void* acc_malloc(std::size_t n) {
    if (auto* const log = std::fopen(std::getenv("SONDE_ACC_LOG"), "a")) {
        std::fprintf(log, "%zu\n", n);
        std::fclose(log);
    }
    return reinterpret_cast<void* (*)(std::size_t)>(dlsym(RTLD_NEXT, "acc_malloc"))(n);
}
