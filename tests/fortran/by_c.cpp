// SPDX-License-Identifier: BSL-1.0

// What checks.f90 is compared with: constants of the C interface, and the figures that its functions give.

#include <sonde/c/sonde.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

extern "C" {

int constant_of_c(int i) {
    constexpr int all[] = {SONDE_SUCCESS,
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
                           SONDE_FLAG_TIMER_LIMITED,
                           SONDE_FLAG_SKEW_DOMINATED,
                           SONDE_FLAG_CLOCK_DRIFT,
                           SONDE_FLAG_CORRELATED,
                           SONDE_FLAG_OVERSUBSCRIBED,
                           SONDE_FLAG_CLOCK_FAULT,
                           SONDE_UNDECIDED,
                           SONDE_FASTER,
                           SONDE_SLOWER};
    return i < static_cast<int>(std::size(all)) ? all[i] : -2;
}

/// The default plan, and the one for an application that waits.
void plans_of_c(double* numbers) {
    sonde_plan const plans[] = {SONDE_PLAN_INIT, SONDE_PLAN_INTERACTIVE};
    for (auto const& p : plans)
        for (double const x : {static_cast<double>(p.warmup), static_cast<double>(p.batch),
                               static_cast<double>(p.samples), p.relative_error, p.confidence, p.time_budget,
                               static_cast<double>(p.synchronize), static_cast<double>(p.keep)})
            *numbers++ = x;
}

/// The figures of a record of 40 samples whose times are those of checks.f90, and its line of text.
void figures_of_c(MPI_Fint comm, double* numbers, char* text, std::size_t size) {
    sonde_error error;
    sonde_group* group = nullptr;
    sonde_steps* steps = nullptr;
    sonde_record* record = nullptr;
    sonde_group_create_f(comm, &group, &error);
    sonde_plan plan = SONDE_PLAN_INIT;
    plan.warmup = 0;
    plan.batch = 2;
    plan.samples = 40;
    sonde_pattern pattern = SONDE_PATTERN_INIT;
    sonde_parameter const parameter{"faces", nullptr, 4};
    pattern.name = "halo";
    pattern.bytes = 3000;
    pattern.messages = 4;
    pattern.hops = 2;
    pattern.parameters = &parameter;
    pattern.parameter_count = 1;
    sonde_steps_begin(group, &plan, &pattern, &steps, &error);
    sonde_step step{};
    std::int64_t taken = 0;
    while (sonde_steps_next(steps, &step, &error) == SONDE_SUCCESS && step.samples != 0)
        for (std::size_t i = 0; i != step.samples; ++i, ++taken) {
            auto const time = 100'000 + 1'000 * (taken * 7 % 10) + 10 * sonde_group_rank(group);
            sonde_steps_add(steps, 1'000'000 * taken, 1'000'000 * taken + time, &error);
        }
    sonde_steps_record(steps, &record, &error);
    sonde_summary s = SONDE_SUMMARY_INIT;
    sonde_record_summary(record, &s, &error);
    double ninth = 0;
    sonde_record_percentile(record, 0.9, &ninth, &error);
    double const all[] = {static_cast<double>(s.samples),
                          static_cast<double>(s.batch),
                          static_cast<double>(s.ranks),
                          static_cast<double>(s.initiators),
                          s.median,
                          s.low,
                          s.high,
                          static_cast<double>(s.has_interval),
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
                          static_cast<double>(s.flags),
                          ninth};
    std::copy(std::begin(all), std::end(all), numbers);
    sonde_record_text(record, text, size);
    sonde_record_free(&record);
    sonde_steps_free(&steps);
    sonde_group_free(&group, &error);
}
}
