/* SPDX-License-Identifier: BSL-1.0
 *
 * What checks.f90 is compared with: the constants of the C interface, and the figures that its functions give; and
 * passes of a known time. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include <sonde/c/sonde.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

int constant_of_c(int i) {
    static int const all[] = {SONDE_SUCCESS,
                              SONDE_INVALID_ARGUMENT,
                              SONDE_INVALID_STATE,
                              SONDE_MPI_ERROR,
                              SONDE_CALL_FAILED,
                              SONDE_OTHER_RANK,
                              SONDE_FILE_ERROR,
                              SONDE_NO_MEMORY,
                              SONDE_FAILED,
                              SONDE_BARRIER_ONCE,
                              SONDE_BARRIER_EACH,
                              SONDE_NO_BARRIER,
                              SONDE_DISSEMINATION,
                              SONDE_START_TIME,
                              SONDE_UNTIL_STABLE,
                              SONDE_BY_TIMER,
                              SONDE_KEEP_SAMPLE_MEANS,
                              SONDE_KEEP_RANK_MEANS,
                              SONDE_KEEP_RANK_SAMPLES,
                              SONDE_KEEP_ON_ALL_RANKS,
                              SONDE_INITIATOR,
                              SONDE_RESPONDER,
                              SONDE_IDLE,
                              SONDE_UNDECIDED,
                              SONDE_FASTER,
                              SONDE_SLOWER,
                              SONDE_SCOPE_PART,
                              SONDE_SCOPE_WORK,
                              SONDE_SCOPE_EXCHANGE};
    return i < (int)(sizeof all / sizeof *all) ? all[i] : -2;
}

void sleep_until(int64_t time) {
    int64_t const left = time - sonde_now();
    struct timespec const rest = {left / 1000000000, left % 1000000000};
    if (left > 0) nanosleep(&rest, NULL);
}

/* A pass of this many seconds, which has just ended. */
void count_of_c(sonde_scope* scope, int seconds) {
    sonde_pass pass = {scope, sonde_now() - seconds * (int64_t)1000000000};
    sonde_scope_leave(&pass);
}

/* Eight numbers of the default plan, and eight of the interactive one. */
void plans_of_c(double* numbers) {
    sonde_plan const plans[] = {SONDE_PLAN_INIT, SONDE_PLAN_INTERACTIVE};
    for (int i = 0; i != 2; ++i, numbers += 8) {
        sonde_plan const* p = &plans[i];
        double const all[] = {(double)p->warmup, (double)p->batch, (double)p->samples,     p->relative_error,
                              p->confidence,     p->time_budget,   (double)p->synchronize, (double)p->keep};
        memcpy(numbers, all, sizeof all);
    }
}

/* The record of 40 samples whose times are those of checks.f90. */
static sonde_record* record_of_c(sonde_group* group) {
    sonde_error error;
    sonde_steps* steps = NULL;
    sonde_record* record = NULL;
    sonde_plan plan = SONDE_PLAN_INIT;
    plan.warmup = 0;
    plan.batch = 2;
    plan.samples = 40;
    sonde_parameter const parameter = {"faces", NULL, 4};
    sonde_pattern pattern = SONDE_PATTERN_INIT;
    pattern.name = "halo";
    pattern.bytes = 3000;
    pattern.messages = 4;
    pattern.hops = 2;
    pattern.parameters = &parameter;
    pattern.parameter_count = 1;
    sonde_steps_begin(group, &plan, &pattern, &steps, &error);
    sonde_step step = {0, 0};
    int64_t taken = 0;
    while (sonde_steps_next(steps, &step, &error) == SONDE_SUCCESS && step.samples != 0)
        for (size_t i = 0; i != step.samples; ++i, ++taken) {
            int64_t const time = 100000 + 1000 * (taken * 7 % 10) + 10 * sonde_group_rank(group);
            sonde_steps_add(steps, 1000000 * taken, 1000000 * taken + time, &error);
        }
    sonde_steps_record(steps, &record, &error);
    sonde_steps_free(&steps);
    return record;
}

/* The figures of that record, in the order of sonde_summary and with its 90th percentile, and its line of text. */
void figures_of_c(MPI_Fint comm, double* numbers, char* text, size_t size) {
    sonde_error error;
    sonde_group* group = NULL;
    sonde_group_create_f(comm, &group, &error);
    sonde_record* record = record_of_c(group);
    sonde_summary s = SONDE_SUMMARY_INIT;
    sonde_record_summary(record, &s, &error);
    double ninth = 0;
    sonde_record_percentile(record, 0.9, &ninth, &error);
    double const all[] = {(double)s.samples,
                          (double)s.batch,
                          s.ranks,
                          s.initiators,
                          s.median,
                          s.low,
                          s.high,
                          s.has_interval,
                          s.mean,
                          s.min,
                          s.max,
                          s.stddev,
                          s.rank_min,
                          s.rank_mean,
                          s.rank_max,
                          s.first,
                          s.latency,
                          s.bandwidth,
                          s.bus_bandwidth,
                          s.message_rate,
                          s.flags,
                          ninth};
    memcpy(numbers, all, sizeof all);
    sonde_record_text(record, text, size);
    sonde_record_free(&record);
    sonde_group_free(&group, &error);
}
