// SPDX-License-Identifier: BSL-1.0
// Preloaded: appends to $SONDE_FORKS-RANK a line for every process forked after MPI started, for its sleep (which is
// skipped here), and for its end when it is reaped.
#include <mpi.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

int log_file = -1;
bool in_child = false;

void note(char const* what, unsigned n) {
    char line[40];
    auto const length = std::snprintf(line, sizeof line, "%s %u\n", what, n);
    if (log_file >= 0 && write(log_file, line, static_cast<std::size_t>(length)) < 0) std::abort();
}

template <class F>
F* next(F*, char const* name) {
    F* found = nullptr;
    void* const symbol = dlsym(RTLD_NEXT, name);
    std::memcpy(&found, &symbol, sizeof found);
    return found;
}

} // namespace

extern "C" {

int MPI_Init_thread(int* argc, char*** argv, int wanted, int* provided) {
    auto const code = PMPI_Init_thread(argc, argv, wanted, provided);
    std::atexit([] {
        if (in_child) note("child_cleans_up", 1);
    });
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (char const* const prefix = std::getenv("SONDE_FORKS")) {
        auto const path = std::string{prefix} + "-" + std::to_string(rank);
        log_file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    }
    return code;
}
pid_t fork() noexcept {
    auto const child = next(&fork, "fork")();
    if (child == 0) in_child = true;
    else note("fork", 1);
    return child;
}
unsigned sleep(unsigned seconds) {
    if (!in_child) return next(&sleep, "sleep")(seconds);
    note("sleep", seconds);
    return 0;
}
pid_t waitpid(pid_t child, int* status, int options) {
    int ended = 0;
    auto const found = next(&waitpid, "waitpid")(child, &ended, options);
    if (found > 0)
        note(WIFEXITED(ended) ? "exited" : "died",
             static_cast<unsigned>(WIFEXITED(ended) ? WEXITSTATUS(ended) : WTERMSIG(ended)));
    if (status != nullptr) *status = ended;
    return found;
}
int MPI_Finalize() {
    note(in_child ? "child_finalizes" : "finalize", 1);
    return PMPI_Finalize();
}

} // extern "C"
