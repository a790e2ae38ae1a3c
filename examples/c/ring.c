/* SPDX-License-Identifier: BSL-1.0
 *
 * An application in C: ranks in a ring pass blocks of numbers to the right. It measures this exchange, compares it with
 * one that uses persistent requests, goes on with the faster, and knows at the end how long its phases took.
 */
// [ring]
#include <sonde/c/sonde.h>

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096, STEPS = 1000 };

typedef struct ring {
    MPI_Comm comm;
    int left, right;
    double to_right[COUNT], from_left[COUNT];
    MPI_Request requests[2]; /* persistent */
} ring;

static int exchange(void* state) {
    ring* const r = state;
    return MPI_Sendrecv(r->to_right, COUNT, MPI_DOUBLE, r->right, 0, r->from_left, COUNT, MPI_DOUBLE, r->left, 0,
                        r->comm, MPI_STATUS_IGNORE);
}

static int exchange_persistent(void* state) {
    ring* const r = state;
    int const code = MPI_Startall(2, r->requests);
    return code != MPI_SUCCESS ? code : MPI_Waitall(2, r->requests, MPI_STATUSES_IGNORE);
}
// [/ring]

/* A failure ends the job: on other ranks it may be the same, or they may wait for this one. */
static void check(sonde_status status, sonde_error const* error) {
    if (status == SONDE_SUCCESS) return;
    fprintf(stderr, "ring: %s\n", error->message);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void prepare(ring* r) {
    int rank, size;
    MPI_Comm_rank(r->comm, &rank);
    MPI_Comm_size(r->comm, &size);
    r->right = (rank + 1) % size;
    r->left = (rank + size - 1) % size;
    for (int i = 0; i != COUNT; ++i) r->to_right[i] = rank;
    MPI_Recv_init(r->from_left, COUNT, MPI_DOUBLE, r->left, 1, r->comm, &r->requests[0]);
    MPI_Send_init(r->to_right, COUNT, MPI_DOUBLE, r->right, 1, r->comm, &r->requests[1]);
}

/* The faster of the two exchanges, equal on all ranks. */
// [choose]
static sonde_function faster_exchange(sonde_group* group, ring* r, sonde_reporter* table) {
    sonde_error error;
    sonde_plan plan = SONDE_PLAN_INTERACTIVE;
    sonde_pattern ways[] = {SONDE_PATTERN_INIT, SONDE_PATTERN_INIT};
    ways[0].name = "MPI_Sendrecv", ways[0].iterate = exchange;
    ways[1].name = "persistent", ways[1].iterate = exchange_persistent;
    for (int i = 0; i != 2; ++i) ways[i].state = r, ways[i].bytes = sizeof r->to_right;

    sonde_record* alone = NULL;
    check(sonde_run(group, &plan, &ways[0], &alone, &error), &error);
    check(sonde_report(table, alone, &error), &error);
    sonde_record_free(&alone);

    sonde_comparison* both = NULL;
    size_t best = 0;
    check(sonde_compare(group, &plan, ways, 2, &both, &error), &error);
    check(sonde_report_comparison(table, both, 0.02, 0.95, &error), &error);
    check(sonde_comparison_fastest(both, 0.02, 0.95, &best, &error), &error);
    sonde_comparison_free(&both);
    return ways[best].iterate;
}
// [/choose]

static void solve(sonde_group* group, ring* r, sonde_function chosen, sonde_reporter* table) {
    sonde_error error;
    sonde_probe* probe = NULL;
    sonde_scope *step = NULL, *halo = NULL;
    check(sonde_probe_create(0, &probe, &error), &error);
    check(sonde_probe_scope(probe, NULL, "step", 0, &step, &error), &error);
    check(sonde_probe_scope(probe, step, "exchange", sizeof r->to_right, &halo, &error), &error);
    for (int i = 0; i != STEPS; ++i) {
        sonde_pass in_step = sonde_scope_enter(step);
        sonde_pass in_halo = sonde_scope_enter(halo);
        if (chosen(r) != 0) MPI_Abort(r->comm, 1);
        sonde_scope_leave(&in_halo);
        for (int k = 0; k != COUNT; ++k) r->to_right[k] = r->from_left[k];
        sonde_scope_leave(&in_step);
    }
    sonde_scopes* scopes = NULL;
    check(sonde_collect(group, probe, &scopes, &error), &error);
    check(sonde_report_scopes(table, scopes, &error), &error);
    sonde_scopes_free(&scopes);
    sonde_probe_free(&probe);
}

/* After STEPS steps the numbers of the rank that is STEPS places to the left are here. */
static int is_right(ring const* r) {
    int rank, size;
    MPI_Comm_rank(r->comm, &rank);
    MPI_Comm_size(r->comm, &size);
    int wrong = r->to_right[COUNT - 1] != ((rank - STEPS) % size + size) % size, any = 0;
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_LOR, r->comm);
    return !any;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    sonde_error error;
    sonde_group* group = NULL;
    sonde_reporter* table = NULL;
    ring* const r = malloc(sizeof *r);
    if (r == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    r->comm = MPI_COMM_WORLD;
    prepare(r);
    check(sonde_group_create(r->comm, &group, &error), &error);
    check(sonde_reporter_create(group, argc > 1 ? argv[1] : NULL, &table, &error), &error);
    solve(group, r, faster_exchange(group, r, table), table);
    check(sonde_reporter_close(&table, &error), &error);
    int const wrong = !is_right(r);
    if (wrong && sonde_group_rank(group) == 0) fprintf(stderr, "ring: a number is wrong\n");
    check(sonde_group_free(&group, &error), &error);
    for (int i = 0; i != 2; ++i) MPI_Request_free(&r->requests[i]);
    free(r);
    MPI_Finalize();
    return wrong;
}
