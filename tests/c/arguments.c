/* SPDX-License-Identifier: BSL-1.0
 *
 * Arguments that a measurement refuses on all ranks, also if only one rank has them.
 */
#include "check.h"

#include <math.h>

static int nothing(void* state) {
    (void)state;
    return 0;
}

static sonde_plan const good_plan = SONDE_PLAN_INIT;

static sonde_pattern named(char const* name) {
    sonde_pattern p = SONDE_PATTERN_INIT;
    p.name = name;
    p.iterate = nothing;
    return p;
}

/* One rank alone has the plan. The message says which, except on that rank. */
static void check_plan(sonde_group* group, sonde_plan bad, char const* text) {
    sonde_pattern const pattern = named("halo");
    sonde_record* record = NULL;
    CHECK_FAILS(sonde_run(group, me == 0 ? &bad : &good_plan, &pattern, &record, &error), SONDE_INVALID_ARGUMENT, text);
    CHECK(record == NULL);
}

static void check_pattern(sonde_group* group, sonde_pattern bad, char const* text) {
    sonde_pattern const pattern = named("halo");
    sonde_record* record = NULL;
    CHECK_FAILS(sonde_run(group, &good_plan, me == 0 ? &bad : &pattern, &record, &error), SONDE_INVALID_ARGUMENT, text);
}

static void check_plans(sonde_group* group) {
    sonde_plan p = good_plan;
    p.size = 8, check_plan(group, p, "has size 8 and not ");
    p = good_plan, p.warmup = -2, check_plan(group, p, "warmup is negative: -2");
    p = good_plan, p.batch = -1, check_plan(group, p, "batch is negative: -1");
    p = good_plan, p.samples = -1, check_plan(group, p, "samples are negative: -1");
    p = good_plan, p.samples = 0, check_plan(group, p, "none of samples, relative_error and time_budget");
    p = good_plan, p.relative_error = NAN, check_plan(group, p, "relative_error");
    p = good_plan, p.relative_error = 2,
    check_plan(group, p, "relative_error is not a positive number below 1: 2 (0.02 is 2 %)");
    p = good_plan, p.confidence = 95, check_plan(group, p, "confidence is not between 0 and 1: 95 (0.95 is 95 %)");
    p = good_plan, p.time_budget = INFINITY,
    check_plan(group, p, "time_budget is not a positive number of seconds: inf");
    p = good_plan, p.synchronize = 5, check_plan(group, p, "synchronize has no meaning: 5");
    p = good_plan, p.keep = 16, check_plan(group, p, "keep has a part without meaning: 16");
    if (sonde_group_size(group) > 1) p = good_plan, p.samples = 99, check_plan(group, p, "stopping rule");
    if (sonde_group_size(group) > 1)
        p = good_plan, p.synchronize = SONDE_START_TIME, check_plan(group, p, "these parts differ: synchronizer");
    sonde_pattern const pattern = named("halo");
    sonde_record* record = NULL;
    CHECK_FAILS(sonde_run(group, NULL, &pattern, &record, &error), SONDE_INVALID_ARGUMENT, "the plan is NULL");
}

static void check_patterns(sonde_group* group) {
    sonde_pattern p = named("halo");
    p.size = 1000, check_pattern(group, p, "SONDE_PATTERN_INIT");
    p = named("halo"), p.iterate = NULL, check_pattern(group, p, "the function of halo is NULL");
    p = named(NULL), p.iterate = NULL, check_pattern(group, p, "the function is NULL");
    p = named("halo"), p.role = 3, check_pattern(group, p, "the role of halo");
    p = named("halo"), p.hops = 0, check_pattern(group, p, "the hops of halo are not a positive number: 0");
    p = named("halo"), p.bus_factor = NAN, check_pattern(group, p, "the bus_factor of halo");
    p = named("halo"), p.bytes = (size_t)-1,
    check_pattern(group, p, "the bytes of halo are negative or more than 2^53: -1");
    p = named("halo"), p.bytes = (size_t)1 << 54, check_pattern(group, p, "more than 2^53: 18014398509481984");
    p = named("halo"), p.messages = SIZE_MAX,
    check_pattern(group, p, "the messages of halo are negative or more than 2^53: -1");
    p = named("halo"), p.shared_by = 0, check_pattern(group, p, "shared_by of halo is not a positive number");
    p = named("halo"), p.parameter_count = 1, check_pattern(group, p, "the list of parameters of halo is NULL");
    sonde_parameter const nameless = {NULL, "x", 0};
    p.parameters = &nameless, check_pattern(group, p, "a parameter of halo has no name");
    sonde_parameter const endless = {"axis", NULL, INFINITY};
    p.parameters = &endless, check_pattern(group, p, "the parameter axis of halo is not a finite number: inf");
    sonde_parameter const twice[] = {{"axis", NULL, 0}, {"faces", NULL, 4}, {"axis", "y", 0}};
    p.parameters = twice, p.parameter_count = 3, check_pattern(group, p, "two parameters of halo have the name axis");
}

/* A copy of a handle whose object was freed finds no other object, and is freed without effect. */
static void check_freed_record(sonde_group* group) {
    sonde_pattern const pattern = named("halo");
    sonde_record *record = NULL, *next = NULL;
    sonde_comparison* comparison = NULL;
    sonde_summary s = SONDE_SUMMARY_INIT;
    CHECK_OK(sonde_run(group, &good_plan, &pattern, &record, NULL));
    sonde_record* copy = record;
    sonde_record_free(&record);
    CHECK_OK(sonde_run(group, &good_plan, &pattern, &next, NULL));
    CHECK(sonde_record_series(copy, NULL) == 0 && sonde_record_text(copy, NULL, 0) == 0);
    CHECK_FAILS(sonde_record_summary(copy, &s, &error), SONDE_INVALID_ARGUMENT,
                "the record has been freed, or was never");
    sonde_record_free(&copy);
    CHECK(copy == NULL && sonde_record_series(next, NULL) == 100);
    sonde_record_free(&next);
    CHECK_OK(sonde_compare(group, &good_plan, &pattern, 1, &comparison, NULL));
    sonde_record const* const base = sonde_comparison_record(comparison, 0);
    CHECK_OK(sonde_record_summary(base, &s, NULL));
    sonde_comparison* const compared = comparison;
    sonde_comparison_free(&comparison);
    CHECK_FAILS(sonde_record_summary(base, &s, &error), SONDE_INVALID_ARGUMENT, "the record has been freed");
    CHECK(sonde_comparison_count(compared) == 0 && sonde_comparison_record(compared, 0) == NULL);
    size_t fastest = 0;
    CHECK_FAILS(sonde_comparison_fastest(compared, 0, 0.95, &fastest, &error), SONDE_INVALID_ARGUMENT,
                "the comparison has been freed");
}

static void check_freed_probe(sonde_group* group) {
    sonde_probe* probe = NULL;
    sonde_scopes* scopes = NULL;
    sonde_scope* scope = NULL;
    CHECK_OK(sonde_probe_create(0, &probe, NULL));
    CHECK_OK(sonde_collect(group, probe, &scopes, NULL));
    sonde_probe* const freed = probe;
    sonde_scopes* const freed_scopes = scopes;
    sonde_probe_free(&probe);
    sonde_scopes_free(&scopes);
    CHECK_FAILS(sonde_probe_scope(freed, NULL, "step", 0, &scope, &error), SONDE_INVALID_ARGUMENT,
                "the probe has been freed");
    CHECK_FAILS(sonde_collect(group, freed, &scopes, &error), SONDE_INVALID_ARGUMENT, "the probe has been freed");
    sonde_scope_summary s = SONDE_SCOPE_SUMMARY_INIT;
    CHECK_FAILS(sonde_scopes_summary(freed_scopes, 0, &s, &error), SONDE_INVALID_ARGUMENT,
                "the list of scopes has been freed");
    CHECK(sonde_scopes_count(freed_scopes) == 0);
}

static void check_freed_group(void) {
    sonde_pattern const pattern = named("halo");
    sonde_group* group = NULL;
    sonde_steps* steps = NULL;
    sonde_reporter* reporter = NULL;
    sonde_record* record = NULL;
    sonde_step step;
    CHECK_OK(sonde_group_create(MPI_COMM_WORLD, &group, NULL));
    CHECK_OK(sonde_steps_begin(group, &good_plan, &pattern, &steps, NULL));
    CHECK_OK(sonde_reporter_create(group, NULL, &reporter, NULL));
    sonde_group* freed = group;
    sonde_reporter* const closed = reporter;
    sonde_steps* const freed_steps = steps;
    CHECK_OK(sonde_reporter_close(&reporter, NULL));
    CHECK_FAILS(sonde_report(closed, NULL, &error), SONDE_INVALID_ARGUMENT, "the reporter has been freed");
    CHECK_OK(sonde_group_free(&group, NULL));
    CHECK_FAILS(sonde_steps_next(steps, &step, &error), SONDE_INVALID_ARGUMENT, "in steps has been freed");
    sonde_steps_free(&steps);
    CHECK_FAILS(sonde_steps_add(freed_steps, 0, 1, &error), SONDE_INVALID_ARGUMENT, "in steps has been freed");
    CHECK(sonde_group_rank(freed) == -1 && sonde_group_size(freed) == 0);
    CHECK_FAILS(sonde_run(freed, &good_plan, &pattern, &record, &error), SONDE_INVALID_ARGUMENT,
                "the group has been freed, or was never made");
    CHECK_OK(sonde_group_free(&freed, NULL));
}

void check_arguments(sonde_group* group) {
    sonde_pattern const pattern = named("halo");
    sonde_record* record = NULL;
    sonde_comparison* comparison = NULL;
    check_plans(group);
    check_patterns(group);
    check_freed_record(group);
    check_freed_probe(group);
    check_freed_group();
    CHECK_FAILS(sonde_run(NULL, &good_plan, &pattern, &record, &error), SONDE_INVALID_ARGUMENT, "the group is NULL");
    CHECK_FAILS(sonde_run(group, &good_plan, NULL, &record, &error), SONDE_INVALID_ARGUMENT, "the pattern is NULL");
    CHECK_FAILS(sonde_run(group, &good_plan, &pattern, me == 0 ? NULL : &record, &error), SONDE_INVALID_ARGUMENT,
                "the result is NULL");
    CHECK_FAILS(sonde_compare(group, &good_plan, &pattern, 0, &comparison, &error), SONDE_INVALID_ARGUMENT,
                "no patterns to compare");
    if (sonde_group_size(group) > 1)
        CHECK_FAILS(sonde_compare(group, me == 0 ? NULL : &good_plan, &pattern, 1, &comparison, &error),
                    SONDE_INVALID_ARGUMENT, me == 0 ? "sonde: the plan is NULL" : "rank 0: sonde: the plan is NULL");
    sonde_scopes* scopes = NULL;
    sonde_probe* probe = NULL;
    CHECK_OK(sonde_probe_create(0, &probe, NULL));
    char const* const calls = "rank 0 called run, rank 1 called collect";
    if (sonde_group_size(group) > 1 && me == 0)
        CHECK_FAILS(sonde_run(group, &good_plan, &pattern, &record, &error), SONDE_INVALID_ARGUMENT, calls);
    else if (sonde_group_size(group) > 1)
        CHECK_FAILS(sonde_collect(group, probe, &scopes, &error), SONDE_INVALID_ARGUMENT, calls);
    sonde_probe_free(&probe);
    sonde_summary s = SONDE_SUMMARY_INIT;
    CHECK_FAILS(sonde_record_summary(NULL, &s, &error), SONDE_INVALID_ARGUMENT, "the record is NULL");
    double const* times = NULL;
    CHECK(sonde_record_series(NULL, &times) == 0 && sonde_record_text(NULL, NULL, 0) == 0);
}
