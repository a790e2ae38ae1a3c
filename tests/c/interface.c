/* SPDX-License-Identifier: BSL-1.0
 *
 * The C interface on a few ranks: interface FOLDER, where reports are written.
 */
#include "check.h"

#include <math.h>
#include <stdlib.h>

int failures = 0;
int me = -1;

typedef struct counter {
    size_t calls, completions, fails_at;
    int code;
} counter;

static int count(void* state) {
    counter* const c = state;
    return ++c->calls == c->fails_at ? c->code : 0;
}

static int complete(void* state) {
    ++((counter*)state)->completions;
    return 0;
}

static sonde_pattern counting(counter* c) {
    sonde_pattern p = SONDE_PATTERN_INIT;
    p.name = "counting";
    p.iterate = count;
    p.state = c;
    return p;
}

static void check_run(sonde_group* group) {
    counter c = {0, 0, 0, 0};
    sonde_pattern pattern = counting(&c);
    sonde_parameter const parameters[] = {{"bytes", NULL, 8}, {"way", "a", 0}, {"part", NULL, 0.5}};
    pattern.complete = complete;
    pattern.bytes = 8, pattern.messages = 2, pattern.hops = 2;
    pattern.parameters = parameters, pattern.parameter_count = 3;
    sonde_plan plan = SONDE_PLAN_INIT;
    plan.batch = 4;
    plan.keep = SONDE_KEEP_RANK_MEANS | SONDE_KEEP_RANK_SAMPLES;
    sonde_record* record = NULL;
    CHECK_OK(sonde_run(group, &plan, &pattern, &record, NULL));
    CHECK(c.calls == 10 + 4 * 100);
    CHECK(c.completions == 10 + 100);

    sonde_summary s = SONDE_SUMMARY_INIT;
    CHECK_OK(sonde_record_summary(record, &s, NULL));
    CHECK(s.samples == 100 && s.batch == 4);
    CHECK(s.ranks == sonde_group_size(group) && s.initiators == s.ranks);
    CHECK(!s.has_interval || (s.low <= s.median && s.median <= s.high)); /* none if the samples are correlated */
    CHECK(s.min <= s.median && s.median <= s.max && s.rank_min <= s.rank_mean && s.rank_mean <= s.rank_max);
    CHECK(fabs(s.latency - s.median / 2) <= 1e-9 * s.median);
    CHECK(strcmp(s.stop_reason, "samples") == 0);

    double const* times = NULL;
    CHECK(sonde_record_series(record, &times) == 100);
    double least = times[0];
    for (int i = 0; i != 100; ++i) least = times[i] < least ? times[i] : least;
    CHECK(least == s.min);
    CHECK(sonde_record_rank_means(record, &times) == (size_t)s.ranks && times[0] > 0);
    CHECK(sonde_record_rank_samples(record, s.ranks - 1, &times) == (me == 0 ? 100 : 0));
    CHECK(sonde_record_rank_samples(record, s.ranks, &times) == 0 && times == NULL);

    char text[300], start[9];
    size_t const length = sonde_record_text(record, text, sizeof text);
    CHECK(length == strlen(text) && strncmp(text, "counting (bytes 8, way a, part 0.5): median ", 44) == 0);
    CHECK(sonde_record_text(record, start, sizeof start) == length && strcmp(start, "counting") == 0);
    CHECK(sonde_record_text(record, NULL, 0) == length);
    double p = -1;
    CHECK_OK(sonde_record_percentile(record, 0.9, &p, NULL));
    CHECK(p >= s.median && p <= s.max);
    CHECK_FAILS(sonde_record_percentile(record, 0.9999, &p, &error), SONDE_INVALID_STATE, "too few");
    CHECK_FAILS(sonde_record_percentile(record, 1, &p, &error), SONDE_INVALID_ARGUMENT, "quantile");
    sonde_record_free(&record);
    CHECK(record == NULL);
    sonde_record_free(&record);
}

static void check_plans(sonde_group* group) {
    counter c = {0, 0, 0, 0};
    sonde_pattern const pattern = counting(&c);
    sonde_plan interactive = SONDE_PLAN_INTERACTIVE;
    interactive.time_budget = 0.02;
    interactive.samples = 50;
    int const synchronizers[] = {SONDE_BARRIER_ONCE, SONDE_BARRIER_EACH, SONDE_NO_BARRIER, SONDE_DISSEMINATION,
                                 SONDE_START_TIME};
    int const count = sonde_group_size(group) > 2 ? 4 : 5; /* ranks without a core of their own would start late */
    for (int i = 0; i != count; ++i) {
        interactive.synchronize = synchronizers[i];
        sonde_record* record = NULL;
        CHECK_OK(sonde_run(group, &interactive, &pattern, &record, NULL));
        sonde_summary s = SONDE_SUMMARY_INIT;
        CHECK_OK(sonde_record_summary(record, &s, NULL));
        CHECK(s.samples >= 1 && s.samples <= 50 && s.batch >= 1);
        sonde_record_free(&record);
    }
}

/* A function that fails on the last rank ends the measurement on all ranks. */
static void check_failure(sonde_group* group) {
    int const last = sonde_group_size(group) - 1;
    char text[40];
    snprintf(text, sizeof text,
             me == last ? "sonde: the function of counting returned 42" : "the measurement failed on rank %d", last);
    for (size_t at = 3; at <= 33; at += 30) { /* in the warm-up, and after it */
        counter c = {0, 0, me == last ? at : 0, 42};
        sonde_pattern const pattern = counting(&c);
        sonde_plan const plan = SONDE_PLAN_INIT;
        sonde_record* record = NULL;
        CHECK_FAILS(sonde_run(group, &plan, &pattern, &record, &error),
                    me == last ? SONDE_CALL_FAILED : SONDE_OTHER_RANK, text);
        CHECK(record == NULL);
        sonde_error error;
        sonde_comparison* comparison = NULL;
        c.calls = 0;
        sonde_pattern const two[] = {pattern, pattern};
        sonde_compare(group, &plan, two, 2, &comparison, &error);
        CHECK(error.code == (me == last ? 42 : 0) && comparison == NULL);
    }
}

static void check_compare(sonde_group* group) {
    counter a = {0, 0, 0, 0}, b = {0, 0, 0, 0};
    sonde_pattern both[] = {counting(&a), counting(&b)};
    both[1].name = "other";
    sonde_plan const plan = SONDE_PLAN_INIT;
    sonde_comparison* found = NULL;
    CHECK_OK(sonde_compare(group, &plan, both, 2, &found, NULL));
    CHECK(a.calls == 10 + 100 && b.calls == a.calls);
    CHECK(sonde_comparison_count(found) == 2);
    char text[6];
    sonde_record_text(sonde_comparison_record(found, 1), text, sizeof text);
    CHECK(strcmp(text, "other") == 0);
    CHECK(sonde_comparison_record(found, 2) == NULL);
    sonde_speedup base = SONDE_SPEEDUP_INIT, other = SONDE_SPEEDUP_INIT;
    size_t best = 2;
    CHECK_OK(sonde_comparison_speedup(found, 0, 0, 0.95, &base, NULL));
    CHECK(base.speedup == 1 && !base.has_interval && base.outcome == SONDE_UNDECIDED);
    CHECK_OK(sonde_comparison_speedup(found, 1, 0.99, 0.95, &other, NULL)); /* no difference is that large */
    CHECK(!other.has_interval || (other.low <= other.speedup && other.speedup <= other.high)); /* none if correlated */
    CHECK(other.outcome == SONDE_UNDECIDED);
    CHECK_OK(sonde_comparison_fastest(found, 0.99, 0.95, &best, NULL));
    CHECK(best == 0);
    CHECK_FAILS(sonde_comparison_speedup(found, 2, 0, 0.95, &other, &error), SONDE_INVALID_ARGUMENT,
                "no alternative 2");
    CHECK_OK(sonde_comparison_set_application(found, "halo", 1, 2, 10, NULL));
    CHECK_FAILS(sonde_comparison_set_application(found, "halo", 1, -2, 10, &error), SONDE_INVALID_ARGUMENT,
                "a time of the application is not a number of at least 0");
    CHECK_FAILS(sonde_comparison_set_application(found, NULL, 1, 2, 10, &error), SONDE_INVALID_ARGUMENT,
                "name of the scope");
    CHECK_FAILS(sonde_comparison_speedup(found, 1, -1, 0.95, &other, &error), SONDE_INVALID_ARGUMENT, "gain");
    CHECK_FAILS(sonde_comparison_speedup(found, 1, 2, 0.95, &other, &error), SONDE_INVALID_ARGUMENT, "0.02 is 2 %");
    sonde_speedup small = {.size = 8};
    CHECK_FAILS(sonde_comparison_speedup(found, 1, 0, 0.95, &small, &error), SONDE_INVALID_ARGUMENT,
                "SONDE_SPEEDUP_INIT");
    CHECK_FAILS(sonde_comparison_fastest(found, 0, 1, &best, &error), SONDE_INVALID_ARGUMENT, "confidence");
    CHECK_FAILS(sonde_comparison_fastest(NULL, 0, 0.95, &best, &error), SONDE_INVALID_ARGUMENT, "comparison is NULL");
    sonde_comparison_free(&found);
    CHECK(found == NULL && sonde_comparison_count(found) == 0);
}

/* An idle rank needs no function. */
static void check_roles(sonde_group* group) {
    counter c = {0, 0, 0, 0};
    sonde_pattern pattern = counting(&c);
    sonde_plan const plan = SONDE_PLAN_INIT;
    sonde_record* record = NULL;
    if (me == 1) pattern.role = SONDE_IDLE, pattern.iterate = NULL;
    if (me == 2) pattern.role = SONDE_IDLE, pattern.complete = complete;
    CHECK_OK(sonde_run(group, &plan, &pattern, &record, NULL));
    CHECK(c.calls == (me == 1 || me == 2 ? 0 : 110) && c.completions == 0);
    sonde_summary s = SONDE_SUMMARY_INIT;
    CHECK_OK(sonde_record_summary(record, &s, NULL));
    CHECK(s.initiators == (s.ranks < 3 ? 1 : s.ranks - 2));
    sonde_record_free(&record);
}

/* Calls that libsonde makes come here first. */
static int changed_handlers = 0;

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF) ++changed_handlers;
    return PMPI_Comm_set_errhandler(comm, handler);
}

static void check_error_handler(void) {
    sonde_group* group = NULL;
    CHECK_OK(sonde_group_create(MPI_COMM_WORLD, &group, NULL));
    CHECK(changed_handlers == 0);
    CHECK_OK(sonde_group_free(&group, NULL));
}

static void check_communicators(void) {
    sonde_group* group = NULL;
    CHECK_FAILS(sonde_group_create(MPI_COMM_NULL, &group, &error), SONDE_INVALID_ARGUMENT, "the communicator is null");
    MPI_Comm const never_set = {0};
    CHECK_FAILS(sonde_group_create(never_set, &group, &error), SONDE_INVALID_ARGUMENT, "the communicator is null");
    CHECK_FAILS(sonde_group_create(MPI_COMM_WORLD, NULL, &error), SONDE_INVALID_ARGUMENT, "the result is NULL");
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) {
        MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 3, &both);
        CHECK_FAILS(sonde_group_create(both, &group, &error), SONDE_INVALID_ARGUMENT, "inter-communicator");
        MPI_Comm_free(&both);
        MPI_Comm_free(&half);
    }
    CHECK(group == NULL && sonde_group_rank(group) == -1 && sonde_group_size(group) == 0);
}

/* The scope in which the last rank usually takes ten times as long, and one in which all ranks take the same time. */
static void check_slow_rank(sonde_group* group) {
    sonde_probe* probe = NULL;
    sonde_scopes* scopes = NULL;
    sonde_scope *work = NULL, *even = NULL;
    int const last = sonde_group_size(group) - 1;
    CHECK_OK(sonde_probe_create(0, &probe, NULL));
    CHECK_OK(sonde_probe_scope(probe, NULL, "work", 0, &work, NULL));
    CHECK_OK(sonde_probe_scope(probe, NULL, "even", 0, &even, NULL));
    int64_t const second = 1000000000;
    sonde_pass a = {work, sonde_now() - (me == last ? 1000 : 100) * second};
    sonde_scope_leave(&a);
    sonde_pass b = {even, sonde_now() - 1000 * second};
    sonde_scope_leave(&b);
    CHECK_OK(sonde_collect(group, probe, &scopes, NULL));
    sonde_scope_summary s = SONDE_SCOPE_SUMMARY_INIT;
    CHECK_OK(sonde_scopes_summary(scopes, 0, &s, NULL));
    CHECK(s.slow_rank == (last == 0 ? -1 : last));
    CHECK_OK(sonde_scopes_summary(scopes, 1, &s, NULL));
    CHECK(s.slow_rank == -1);
    sonde_scopes_free(&scopes);
    sonde_probe_free(&probe);
}

static void check_probe(sonde_group* group) {
    sonde_probe* probe = NULL;
    sonde_scope *outer = NULL, *inner = NULL, *again = NULL;
    CHECK_OK(sonde_probe_create(0, &probe, NULL));
    CHECK_OK(sonde_probe_scope(probe, NULL, "outer", 0, &outer, NULL));
    CHECK_OK(sonde_probe_scope(probe, outer, "inner", 100, &inner, NULL));
    CHECK_OK(sonde_probe_scope(probe, outer, "inner", 0, &again, NULL));
    CHECK(again == inner);
    CHECK_FAILS(sonde_probe_scope(probe, outer, "inner", 99, &again, &error), SONDE_INVALID_ARGUMENT,
                "another number of bytes");
    sonde_probe* second = NULL;
    CHECK_OK(sonde_probe_create(0, &second, NULL));
    CHECK_FAILS(sonde_probe_scope(second, outer, "inner", 0, &again, &error), SONDE_INVALID_ARGUMENT,
                "not of this probe");
    sonde_probe_free(&second);
    for (int i = 0; i != 3; ++i) {
        sonde_pass a = sonde_scope_enter(outer), b = sonde_scope_enter(inner);
        CHECK(a.scope == outer && b.begin >= a.begin);
        sonde_scope_leave(&b);
        sonde_scope_leave(&b); /* is not active, and does not count */
        sonde_scope_leave(&a);
        sonde_pass none = sonde_scope_enter(NULL);
        sonde_scope_leave(&none);
    }
    sonde_scopes* scopes = NULL;
    CHECK_OK(sonde_collect(group, probe, &scopes, NULL));
    CHECK(sonde_scopes_count(scopes) == 2);
    sonde_scope_summary s = SONDE_SCOPE_SUMMARY_INIT;
    CHECK_OK(sonde_scopes_summary(scopes, 1, &s, NULL));
    int const ranks = sonde_group_size(group);
    CHECK(strcmp(s.name, "inner") == 0 && s.parent == 0 && s.ranks == ranks);
    CHECK(s.passes == 3 * (uint64_t)ranks && s.bytes == 300.0 * ranks && s.total_max > 0);
    CHECK_OK(sonde_scopes_summary(scopes, 0, &s, NULL));
    CHECK(strcmp(s.name, "outer") == 0 && s.parent == -1 && s.bandwidth == 0);
    CHECK_FAILS(sonde_scopes_summary(scopes, 2, &s, &error), SONDE_INVALID_ARGUMENT, "no scope 2");
    s.size = 8;
    CHECK_FAILS(sonde_scopes_summary(scopes, 1, &s, &error), SONDE_INVALID_ARGUMENT, "SONDE_SCOPE_SUMMARY_INIT");
    sonde_scopes_free(&scopes);
    CHECK_FAILS(sonde_collect(group, me == 0 ? NULL : probe, &scopes, &error), SONDE_INVALID_ARGUMENT,
                "the probe is NULL");
    sonde_probe_free(&probe);
    CHECK(scopes == NULL && probe == NULL);
}

static void check_flags(void) {
    int flags = 0;
    while (sonde_flag_name(flags) != NULL) {
        CHECK(sonde_flag(sonde_flag_name(flags)) == 1 << flags);
        ++flags;
    }
    CHECK(flags == 7 && strcmp(sonde_flag_name(6), "suspect_transport") == 0 && sonde_flag_name(-1) == NULL);
    CHECK(sonde_flag("none") == 0 && sonde_flag(NULL) == 0);
}

int main(int argc, char** argv) {
    sonde_group* group = NULL;
    CHECK_FAILS(sonde_group_create(MPI_COMM_WORLD, &group, &error), SONDE_INVALID_STATE,
                "MPI_Init has not been called");
    MPI_Init(&argc, &argv);
    check_communicators();
    check_error_handler();
#ifdef MPI_ABI_VERSION
    CHECK_OK(sonde_group_create_f(MPI_Comm_toint(MPI_COMM_WORLD), &group, NULL));
#else
    CHECK_OK(sonde_group_create_f(MPI_Comm_c2f(MPI_COMM_WORLD), &group, NULL));
#endif
    me = sonde_group_rank(group);
    CHECK(strncmp(sonde_version(), "0.", 2) == 0);
    check_flags();

    check_run(group);
    check_plans(group);
    check_failure(group);
    check_compare(group);
    check_roles(group);
    check_probe(group);
    check_slow_rank(group);
    check_arguments(group);
    check_steps(group);
    check_reports(group, argv[1]);
    check_lateness(group, argv[1]);
    check_monitor(group, argv[1]);

    sonde_group* late = NULL;
    sonde_steps* late_steps = NULL;
    counter c = {0, 0, 0, 0};
    sonde_pattern const pattern = counting(&c);
    sonde_plan const plan = SONDE_PLAN_INIT;
    CHECK_OK(sonde_group_create(MPI_COMM_WORLD, &late, NULL));
    CHECK_OK(sonde_steps_begin(late, &plan, &pattern, &late_steps, NULL));
    sonde_step step;
    CHECK_OK(sonde_steps_next(late_steps, &step, NULL));
    CHECK_OK(sonde_group_free(&group, NULL));
    CHECK_OK(sonde_group_free(&group, NULL)); /* nothing to do */
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    sonde_record* record = NULL;
    CHECK_FAILS(sonde_run(late, &plan, &pattern, &record, &error), SONDE_INVALID_STATE, "MPI_Finalize has been called");
    CHECK_FAILS(sonde_steps_synchronize(late_steps, &error), SONDE_INVALID_STATE, "MPI_Finalize has been called");
    CHECK_OK(sonde_group_free(&late, NULL));
    return all + failures != 0;
}
