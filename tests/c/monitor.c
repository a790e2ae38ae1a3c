/* SPDX-License-Identifier: BSL-1.0
 *
 * A monitor: one file has the passes of all ranks, and a probe may outlive it.
 */
#include "check.h"

static void pass(sonde_scope* scope) {
    sonde_pass p = sonde_scope_enter(scope);
    sonde_scope_leave(&p);
}

/* Rank 0 is in a pass while the file is written. */
static void check_file(sonde_monitor* monitor, sonde_scope* work, char const* path, int ranks) {
    char line[100];
    int written = -1, writers = 0;
    sonde_pass p = {NULL, 0};
    if (me == 0) p = sonde_scope_enter(work);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_OK(sonde_monitor_write(monitor, &written, NULL));
    MPI_Allreduce(&written, &writers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(writers == 1);
    snprintf(line, sizeof line, "state=\"running\"} %d\n", ranks);
    CHECK(lines_with(path, line) == 1);
    snprintf(line, sizeof line, "scope=\"work\"} %d\n", 5 * ranks);
    CHECK(lines_with(path, line) == 1);
    CHECK(lines_with(path, "sonde_scope_under_way_seconds{") == 1);
    CHECK(lines_with(path, "scope=\"work\"} 0\n") == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    sonde_scope_leave(&p);
}

void check_monitor(sonde_group* group, char const* folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/c_monitor_%d.prom", folder, sonde_group_size(group));
    sonde_monitor* monitor = NULL;
    sonde_probe* probe = NULL;
    sonde_scope* work = NULL;
    CHECK_OK(sonde_monitor_create(group, path, 3600, &monitor, NULL));
    CHECK_OK(sonde_probe_create(0, &probe, NULL));
    CHECK_OK(sonde_monitor_add(monitor, probe, NULL));
    CHECK_OK(sonde_probe_work(probe, NULL, "work", &work, NULL));
    for (int i = 0; i != 5; ++i) pass(work);
    check_file(monitor, work, path, sonde_group_size(group));
    MPI_Barrier(MPI_COMM_WORLD);

    sonde_monitor* none = NULL;
    CHECK_FAILS(sonde_monitor_create(group, path, 1e-4, &none, &error), SONDE_INVALID_ARGUMENT, "at least 1 ms");
    CHECK_FAILS(sonde_monitor_create(group, NULL, 0, &none, &error), SONDE_INVALID_ARGUMENT,
                "path of the file is NULL");
    CHECK_FAILS(sonde_monitor_add(monitor, NULL, &error), SONDE_INVALID_ARGUMENT, "the probe is NULL");
    CHECK_FAILS(sonde_monitor_write(none, NULL, &error), SONDE_INVALID_ARGUMENT, "the monitor is NULL");
    sonde_monitor* const freed = monitor;
    sonde_monitor_free(&monitor);
    CHECK(monitor == NULL);
    CHECK_FAILS(sonde_monitor_add(freed, probe, &error), SONDE_INVALID_ARGUMENT, "the monitor has been freed");
    pass(work);
    sonde_probe_free(&probe);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(lines_with(path, "") == -1); /* there is no file */
}
