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
    p = good_plan, p.warmup = -2, check_plan(group, p, "warmup is negative");
    p = good_plan, p.batch = -1, check_plan(group, p, "batch is negative");
    p = good_plan, p.samples = -1, check_plan(group, p, "samples are negative");
    p = good_plan, p.samples = 0, check_plan(group, p, "none of samples, relative_error and time_budget");
    p = good_plan, p.relative_error = NAN, check_plan(group, p, "relative_error");
    p = good_plan, p.relative_error = -0.01, check_plan(group, p, "relative_error");
    p = good_plan, p.confidence = 1, check_plan(group, p, "confidence");
    p = good_plan, p.time_budget = INFINITY, check_plan(group, p, "time_budget");
    p = good_plan, p.synchronize = 5, check_plan(group, p, "sonde_synchronization");
    p = good_plan, p.keep = 16, check_plan(group, p, "SONDE_KEEP_");
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
    p = named("halo"), p.hops = 0, check_pattern(group, p, "hops");
    p = named("halo"), p.parameter_count = 1, check_pattern(group, p, "the list of parameters of halo is NULL");
    sonde_parameter const nameless = {NULL, "x", 0};
    p.parameters = &nameless, check_pattern(group, p, "a parameter of halo has no name");
}

void check_arguments(sonde_group* group) {
    sonde_pattern const pattern = named("halo");
    sonde_record* record = NULL;
    sonde_comparison* comparison = NULL;
    check_plans(group);
    check_patterns(group);
    CHECK_FAILS(sonde_run(NULL, &good_plan, &pattern, &record, &error), SONDE_INVALID_ARGUMENT, "the group is NULL");
    CHECK_FAILS(sonde_run(group, &good_plan, NULL, &record, &error), SONDE_INVALID_ARGUMENT, "the pattern is NULL");
    CHECK_FAILS(sonde_run(group, &good_plan, &pattern, me == 0 ? NULL : &record, &error), SONDE_INVALID_ARGUMENT,
                "the result is NULL");
    CHECK_FAILS(sonde_compare(group, &good_plan, &pattern, 0, &comparison, &error), SONDE_INVALID_ARGUMENT,
                "no patterns to compare");
    if (sonde_group_size(group) > 1)
        CHECK_FAILS(sonde_compare(group, me == 0 ? NULL : &good_plan, &pattern, 1, &comparison, &error),
                    SONDE_INVALID_ARGUMENT, me == 0 ? "sonde: the plan is NULL" : "rank 0: sonde: the plan is NULL");
    sonde_summary s = SONDE_SUMMARY_INIT;
    CHECK_FAILS(sonde_record_summary(NULL, &s, &error), SONDE_INVALID_ARGUMENT, "the record is NULL");
    double const* times = NULL;
    CHECK(sonde_record_series(NULL, &times) == 0 && sonde_record_text(NULL, NULL, 0) == 0);
}
