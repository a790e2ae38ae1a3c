/* SPDX-License-Identifier: BSL-1.0
 *
 * What cost.py counts: cost WHAT N, N iterations of an empty function in one sample, or N passes of a scope.
 */
#include <sonde/c/sonde.h>

#include <stdlib.h>
#include <string.h>

static int nothing(void* state) {
    (void)state;
    return 0;
}

static void iterate(int64_t n) {
    sonde_group* group = NULL;
    sonde_record* record = NULL;
    sonde_plan plan = SONDE_PLAN_INIT;
    sonde_pattern pattern = SONDE_PATTERN_INIT;
    plan.warmup = 0, plan.batch = n, plan.samples = 1;
    pattern.iterate = nothing;
    if (sonde_group_create(MPI_COMM_SELF, &group, NULL) != SONDE_SUCCESS) abort();
    if (sonde_run(group, &plan, &pattern, &record, NULL) != SONDE_SUCCESS) abort();
    sonde_record_free(&record);
    sonde_group_free(&group, NULL);
}

static void pass(int64_t n) {
    sonde_probe* probe = NULL;
    sonde_scope* scope = NULL;
    if (sonde_probe_create(0, &probe, NULL) != SONDE_SUCCESS) abort();
    if (sonde_probe_scope(probe, NULL, "scope", 0, &scope, NULL) != SONDE_SUCCESS) abort();
    for (int64_t i = 0; i != n; ++i) {
        sonde_pass p = sonde_scope_enter(scope);
        sonde_scope_leave(&p);
    }
    sonde_probe_free(&probe);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    (strcmp(argv[1], "iterate") == 0 ? iterate : pass)(strtoll(argv[2], NULL, 10));
    MPI_Finalize();
    return 0;
}
