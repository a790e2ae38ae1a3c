/* SPDX-License-Identifier: BSL-1.0
 *
 * Measurements whose loop is the caller's, fed with readings that are known.
 */
#include "check.h"

static sonde_steps* begun(sonde_group* group, sonde_plan const* plan) {
    sonde_pattern pattern = SONDE_PATTERN_INIT;
    pattern.name = "fed", pattern.bytes = 1000;
    sonde_steps* steps = NULL;
    CHECK_OK(sonde_steps_begin(group, plan, &pattern, &steps, NULL));
    return steps;
}

/* Each sample of n iterations takes 2 n us, but every tenth one 3 n us on rank 0. */
static size_t feed(sonde_steps* steps, sonde_step const* step) {
    for (size_t i = 0; i != step->samples; ++i) {
        int64_t const begin = 1000000 * (int64_t)i, each = me == 0 && i % 10 == 9 ? 3000 : 2000;
        CHECK_OK(sonde_steps_synchronize(steps, NULL));
        CHECK_OK(sonde_steps_add(steps, begin, begin + each * (int64_t)step->batch, NULL));
    }
    return step->samples;
}

static void check_record(sonde_steps* steps) {
    sonde_record* record = NULL;
    CHECK_OK(sonde_steps_record(steps, &record, NULL));
    sonde_summary s = SONDE_SUMMARY_INIT;
    CHECK_OK(sonde_record_summary(record, &s, NULL));
    CHECK(s.samples == 100 && s.batch == 3);
    CHECK(s.median == 2e-6 && s.min == 2e-6 && s.max == 3e-6);
    CHECK(s.mean > 2.0999e-6 && s.mean < 2.1001e-6);
    CHECK(s.bandwidth > 0.999 * s.ranks * 1000 / 2e-6 && s.bandwidth < 1.001 * s.ranks * 1000 / 2e-6);
    CHECK_FAILS(sonde_steps_record(steps, &record, &error), SONDE_INVALID_STATE, "was taken before");
    sonde_record_free(&record);
}

static size_t calls = 0;

static void exchange(void) { ++calls; }

static sonde_status measure_in_steps(sonde_group* group, sonde_plan const* plan, sonde_pattern const* pattern,
                                     sonde_record** record, sonde_error* error) {
    sonde_steps* steps = NULL;
    sonde_step step;
    sonde_status status = sonde_steps_begin(group, plan, pattern, &steps, error);
    while (status == SONDE_SUCCESS) {
        status = sonde_steps_next(steps, &step, error);
        if (status != SONDE_SUCCESS || step.samples == 0) break;
        for (size_t i = 0; i != step.samples; ++i) {
            sonde_steps_synchronize(steps, NULL);
            int64_t const begin = sonde_now();
            for (size_t k = 0; k != step.batch; ++k) exchange(); // the application's loop
            sonde_steps_add(steps, begin, sonde_now(), NULL);
        }
    }
    if (status == SONDE_SUCCESS) status = sonde_steps_record(steps, record, error);
    sonde_steps_free(&steps);
    return status;
}

void check_steps(sonde_group* group) {
    sonde_plan plan = SONDE_PLAN_INIT;
    plan.batch = 3;
    plan.synchronize = SONDE_BARRIER_EACH;
    sonde_step step = {0, 0};
    sonde_steps* steps = begun(group, &plan);
    CHECK_FAILS(sonde_steps_add(steps, 0, 1, &error), SONDE_INVALID_STATE, "no more samples");
    CHECK_OK(sonde_steps_next(steps, &step, NULL));
    CHECK(step.samples == 10 && step.batch == 1);
    CHECK_FAILS(sonde_steps_add(steps, 2, 1, &error), SONDE_INVALID_ARGUMENT, "ends before it begins");
    feed(steps, &step);
    CHECK_OK(sonde_steps_next(steps, &step, NULL));
    CHECK(step.samples == 100 && step.batch == 3);
    feed(steps, &step);
    CHECK_OK(sonde_steps_next(steps, &step, NULL));
    CHECK(step.samples == 0);
    check_record(steps);
    sonde_steps_free(&steps);
    CHECK(steps == NULL);

    steps = begun(group, &plan); /* the last rank fails in the second step */
    int const last = sonde_group_size(group) - 1;
    CHECK_OK(sonde_steps_next(steps, &step, NULL));
    feed(steps, &step);
    CHECK_OK(sonde_steps_next(steps, &step, NULL));
    if (me == last) CHECK_OK(sonde_steps_fail(steps, 5, NULL));
    CHECK_FAILS(sonde_steps_fail(steps, 0, &error), SONDE_INVALID_ARGUMENT, "is 0");
    feed(steps, &step);
    CHECK_FAILS(sonde_steps_next(steps, &step, &error), me == last ? SONDE_CALL_FAILED : SONDE_OTHER_RANK,
                me == last ? "returned 5" : "the measurement failed on rank");
    sonde_steps_free(&steps);

    steps = begun(group, &plan); /* a step of its own failure, and a sample too many */
    CHECK_FAILS(sonde_steps_synchronize(steps, &error), SONDE_INVALID_STATE, "no more samples");
    sonde_record* record = NULL;
    CHECK_FAILS(sonde_steps_record(steps, &record, &error), SONDE_INVALID_STATE, "not complete");
    CHECK_FAILS(sonde_steps_record(steps, me == last ? NULL : &record, &error), SONDE_INVALID_ARGUMENT, "is NULL");
    CHECK_FAILS(sonde_steps_next(steps, me == last ? NULL : &step, &error),
                me == last ? SONDE_INVALID_ARGUMENT : SONDE_OTHER_RANK, me == last ? "the step is NULL" : "on rank");
    sonde_steps_free(&steps);

    plan.synchronize = last > 1 ? SONDE_BARRIER_EACH : SONDE_START_TIME; /* no more ranks than cores */
    plan.batch = SONDE_BY_TIMER;
    plan.warmup = SONDE_UNTIL_STABLE;
    sonde_pattern pattern = SONDE_PATTERN_INIT;
    sonde_error said;
    calls = 0;
    int64_t const begin = sonde_now();
    CHECK_OK(measure_in_steps(group, &plan, &pattern, &record, &said));
    /* Blocks of 1, 2, 4, 8 and 16; the first block alone if it took rank 0 the 0.1 s of a warm-up. Three tries of a
     * batch. */
    size_t const warmup = sonde_now() - begin < 100000000 ? 31 : 1;
    sonde_summary s = SONDE_SUMMARY_INIT;
    CHECK_OK(sonde_record_summary(record, &s, NULL));
    CHECK(s.samples == 100 && calls >= warmup + 3 + 100 * s.batch);
    sonde_record_free(&record);

    CHECK_FAILS(sonde_steps_next(NULL, &step, &error), SONDE_INVALID_ARGUMENT, "is NULL");
    plan.samples = 0;
    CHECK_FAILS(sonde_steps_begin(group, &plan, &pattern, &steps, &error), SONDE_INVALID_ARGUMENT, "none of samples");
    CHECK(steps == NULL);
}
