/* SPDX-License-Identifier: BSL-1.0
 *
 * Sonde's C interface: measure an exchange of the application on its own communicator. Plain C11.
 *
 * The functions are those of the C++ headers, whose documentation says how times are taken and what the numbers mean.
 * They are in the library libsonde, or in one C++ file of the application that includes <sonde/c.hpp>.
 *
 * All times are seconds, but for readings of the clock. Every function that can fail returns a status, SONDE_SUCCESS or
 * what failed, and describes a failure in `error`, which may be NULL, and which success leaves as it was. A failure
 * leaves results as they were. No exception leaves a function, and errno stays as it was. Objects are for one thread at
 * a time; nothing is kept outside of them but the list of objects and the thread of the watchdog, which reports that
 * ranks do not arrive.
 *
 * A pointer to an object is a handle, not an address, and is given to one object only. So a copy of a pointer whose
 * object was freed is an invalid argument, or has no times and no length, and freeing it has no effect. The exception
 * is a scope, which is timed without a look at the list.
 *
 * A function that is collective over a group is called by all of its ranks. Invalid arguments on one rank are reported
 * on all ranks, except for a group or steps that are NULL or freed, which only that rank can report.
 */
#ifndef SONDE_C_SONDE_H
#define SONDE_C_SONDE_H

#include <mpi.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sonde_status {
    SONDE_SUCCESS = 0,
    SONDE_INVALID_ARGUMENT = 1, /* an argument, or plans that differ between ranks */
    SONDE_INVALID_STATE = 2,    /* MPI is not running, or the call does not fit those before it */
    SONDE_MPI_ERROR = 3,        /* an MPI call failed: error.code is its error code */
    SONDE_CALL_FAILED = 4,      /* the measured function returned error.code on this rank */
    SONDE_OTHER_RANK = 5,       /* the measurement failed on another rank */
    SONDE_FILE_ERROR = 6,       /* a file cannot be written: error.code is the errno of the call */
    SONDE_NO_MEMORY = 7,
    SONDE_FAILED = 8 /* any other failure */
} sonde_status;

typedef struct sonde_error {
    int status; /* a sonde_status */
    int code;   /* see sonde_status; otherwise 0 */
    char message[1016];
} sonde_error;

/* "0.1.0" of the library, which may be newer than this header. */
char const* sonde_version(void);

/* ---- The ranks of a communicator --------------------------------------------------------------------------------- */

/* A duplicate of a communicator, so that no message of a measurement matches a receive of the application. */
typedef struct sonde_group sonde_group;

/* Collective over the communicator. An inter-communicator and MPI_COMM_NULL are invalid arguments; of a value that is
 * no handle, MPI tells the error handler of the application. A program that runs with another MPI library than that of
 * libsonde is an invalid state. */
sonde_status sonde_group_create(MPI_Comm comm, sonde_group** group, sonde_error* error);
/* INTEGER of Fortran, for which the standard ABI of MPI 5.0 has no type in C. */
#ifdef MPI_ABI_VERSION
typedef int sonde_fint;
#else
typedef MPI_Fint sonde_fint;
#endif
/* The same for a communicator of Fortran: its handle, MPI_VAL of type(MPI_Comm). */
sonde_status sonde_group_create_f(sonde_fint comm, sonde_group** group, sonde_error* error);
/* Free the group and its steps, and set the pointer to NULL; nothing to do if it is NULL. Collective over the group. */
sonde_status sonde_group_free(sonde_group** group, sonde_error* error);
/* -1 for NULL. */
int sonde_group_rank(sonde_group const* group);
/* 0 for NULL. */
int sonde_group_size(sonde_group const* group);

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

typedef enum sonde_synchronization {
    SONDE_BARRIER_ONCE = 0,  /* a barrier before the first sample */
    SONDE_BARRIER_EACH = 1,  /* the library's barrier before each sample */
    SONDE_NO_BARRIER = 2,    /* the function synchronizes itself */
    SONDE_DISSEMINATION = 3, /* a barrier of our own, of empty messages, before each sample */
    SONDE_START_TIME = 4     /* each sample starts on all ranks at one time of a global clock */
} sonde_synchronization;

enum { SONDE_UNTIL_STABLE = -1, SONDE_BY_TIMER = 0 };
/* Optional contents of a record. */
enum {
    SONDE_KEEP_SAMPLE_MEANS = 1, /* the mean over ranks of each sample, for reports */
    SONDE_KEEP_RANK_MEANS = 2,
    SONDE_KEEP_RANK_SAMPLES = 4,
    SONDE_KEEP_ON_ALL_RANKS = 8 /* rank samples on all ranks */
};

/* How to measure; equal on all ranks. The series ends when the first of `samples`, `relative_error` and `time_budget`
 * says so; 0 leaves a rule out, and at least one is needed. */
typedef struct sonde_plan {
    size_t size;           /* of this struct, set by SONDE_PLAN_INIT */
    int64_t warmup;        /* iterations before the first sample, or SONDE_UNTIL_STABLE */
    int64_t batch;         /* iterations per sample, or SONDE_BY_TIMER: as many as the clock needs */
    int64_t samples;       /* number of samples */
    double relative_error; /* 0.01: until half the interval of the median is 1 % of it */
    double confidence;     /* of that interval */
    double time_budget;    /* seconds, from the first sample */
    int synchronize;       /* before the samples: a sonde_synchronization */
    int keep;              /* a sum of SONDE_KEEP_.. */
} sonde_plan;

/* 10 iterations of warm-up, 100 samples of one iteration. */
#define SONDE_PLAN_INIT                                                                                                \
    { sizeof(sonde_plan), 10, 1, 100, 0.0, 0.95, 0.0, SONDE_BARRIER_ONCE, 0 }
/* Warm-up until times are stable, a barrier before each sample, so that no rank runs ahead, batches as long as the
 * clock needs, and samples until the median is known to 1 %, for at most a second. */
#define SONDE_PLAN_INTERACTIVE                                                                                         \
    { sizeof(sonde_plan), SONDE_UNTIL_STABLE, SONDE_BY_TIMER, 0, 0.01, 0.95, 1.0, SONDE_DISSEMINATION, 0 }

/* ---- Patterns ---------------------------------------------------------------------------------------------------- */

/* An iteration. Returns 0, or the code of a failure, which ends the measurement on all ranks after the current block of
 * samples. It must not throw, jump out, or end the thread. */
typedef int (*sonde_function)(void* state);

typedef enum sonde_role {
    SONDE_INITIATOR = 0, /* times count */
    SONDE_RESPONDER = 1, /* takes part; times do not count */
    SONDE_IDLE = 2       /* does not take part: its function is not called, and may be NULL */
} sonde_role;

typedef struct sonde_parameter {
    char const* name;
    char const* text; /* the value, or NULL if it is `number` */
    double number;
} sonde_parameter;

/* What is measured, on this rank. */
typedef struct sonde_pattern {
    size_t size;             /* of this struct, set by SONDE_PATTERN_INIT */
    char const* name;        /* of the record */
    sonde_function iterate;  /* one iteration */
    void* state;             /* its argument */
    sonde_function complete; /* waits for what iterations left pending, inside the sample; NULL: nothing to wait for */
    int role;                /* of this rank: a sonde_role */
    size_t bytes;            /* that this rank moves in an iteration */
    size_t messages;         /* that this rank sends in an iteration */
    double hops;             /* consecutive one-way trips: 2 for a round trip */
    double bus_factor;       /* of a collective: bus bandwidth over bandwidth */
    size_t shared_by;        /* initiators that report the same bytes, as in a collective */
    sonde_parameter const* parameters; /* of the record, beside its name */
    size_t parameter_count;
} sonde_pattern;

#define SONDE_PATTERN_INIT                                                                                             \
    { sizeof(sonde_pattern), NULL, NULL, NULL, NULL, SONDE_INITIATOR, 0, 0, 1.0, 1.0, 1, NULL, 0 }

/* ---- Measurements ------------------------------------------------------------------------------------------------ */

/* Result of a measurement: the times of the slowest rank, and what is known of the others. */
typedef struct sonde_record sonde_record;
/* Result of a comparison: a record of each pattern, the first of which is the base. */
typedef struct sonde_comparison sonde_comparison;

/* Measure a pattern. Collective over the group; the record is equal on all ranks. */
sonde_status sonde_run(sonde_group* group, sonde_plan const* plan, sonde_pattern const* pattern, sonde_record** record,
                       sonde_error* error);
/* Measure patterns against each other, in turns. Collective over the group. */
sonde_status sonde_compare(sonde_group* group, sonde_plan const* plan, sonde_pattern const* patterns, size_t count,
                           sonde_comparison** comparison, sonde_error* error);

/* ---- Measurements whose loop is the caller's --------------------------------------------------------------------- */

/* A measurement in steps: `sonde_steps_next` says how many samples to take, the caller takes their times, and
 * `sonde_steps_add` hands them over. The steps of the warm-up and of the choice of a batch come first; times of all
 * steps are handed over alike.
 *
 *     while ((status = sonde_steps_next(steps, &step, &error)) == SONDE_SUCCESS && step.samples != 0)
 *         for (size_t i = 0; i != step.samples; ++i) {
 *             sonde_steps_synchronize(steps, NULL);
 *             int64_t const begin = sonde_now();
 *             for (size_t k = 0; k != step.batch; ++k) exchange();
 *             sonde_steps_add(steps, begin, sonde_now(), NULL);
 *         }
 */
typedef struct sonde_steps sonde_steps;

typedef struct sonde_step {
    size_t samples; /* to take before the next step; 0: the measurement is complete */
    size_t batch;   /* iterations per sample */
} sonde_step;

/* Begin a measurement. The pattern's functions are not called, and may be NULL. The steps are freed with their group,
 * or before it. Collective over the group. */
sonde_status sonde_steps_begin(sonde_group* group, sonde_plan const* plan, sonde_pattern const* pattern,
                               sonde_steps** steps, sonde_error* error);
/* The next step. Collective over the group. A failure ends the measurement on all ranks: SONDE_OTHER_RANK where another
 * rank failed. */
sonde_status sonde_steps_next(sonde_steps* steps, sonde_step* step, sonde_error* error);
/* Synchronize the ranks as the plan says. Called before each sample; collective over the group. SONDE_INVALID_STATE if
 * the step has no more samples. */
sonde_status sonde_steps_synchronize(sonde_steps* steps, sonde_error* error);
/* Add a sample: the readings of `sonde_now` at the begin and at the end of its batch. An end before the begin is an
 * invalid argument, and adds nothing. */
sonde_status sonde_steps_add(sonde_steps* steps, int64_t begin, int64_t end, sonde_error* error);
/* Fail: the next `sonde_steps_next` returns SONDE_CALL_FAILED with this code, which is not 0, and SONDE_OTHER_RANK on
 * the other ranks. The samples of the step must still be added, since other ranks wait for messages. */
sonde_status sonde_steps_fail(sonde_steps* steps, int code, sonde_error* error);
/* The record of a complete measurement. Collective over the group. */
sonde_status sonde_steps_record(sonde_steps* steps, sonde_record** record, sonde_error* error);
/* Free the steps, complete or not, and set the pointer to NULL. Local. */
void sonde_steps_free(sonde_steps** steps);

/* The reading of the steady clock, by which all measurements are timed, in nanoseconds since its epoch. */
int64_t sonde_now(void);

/* ---- Records ----------------------------------------------------------------------------------------------------- */

/* The figures of a record; of one iteration, on the slowest rank, unless said otherwise. */
typedef struct sonde_summary {
    size_t size;    /* of this struct, set by SONDE_SUMMARY_INIT */
    size_t samples; /* number of samples */
    size_t batch;   /* iterations per sample */
    int ranks;      /* of the group */
    int initiators; /* ranks whose times count; without any, all figures are 0 */
    double median;
    double low, high; /* its 95 % confidence interval */
    int has_interval; /* 0: too few samples for an interval; low and high are then 0 */
    double mean, min, max, stddev;
    double rank_min, rank_mean, rank_max; /* over ranks: the smallest, mean and largest mean time of a rank */
    double first;                         /* the very first iteration; 0 for batches without a warm-up */
    double latency;                       /* median over hops */
    double bandwidth;                     /* bytes per second of all initiators, at the median */
    double bus_bandwidth;                 /* bytes per second */
    double message_rate;                  /* messages per second */
    int flags;                            /* warnings: a sum of values of sonde_flag */
    char stop_reason[20];                 /* "samples", "precision", "time_budget", "unreachable" */
} sonde_summary;

#define SONDE_SUMMARY_INIT                                                                                             \
    { .size = sizeof(sonde_summary) }

/* The value of a flag in `flags`: summary.flags & sonde_flag("timer_limited"). 0 if there is no flag of this name. */
int sonde_flag(char const* name);
/* The names of the flags, from i = 0, whose values are 1 << i; NULL after the last. */
char const* sonde_flag_name(int i);

sonde_status sonde_record_summary(sonde_record const* record, sonde_summary* summary, sonde_error* error);
/* The 100 q-th percentile, 0 < q < 1. Too few samples for it are SONDE_INVALID_STATE. */
sonde_status sonde_record_percentile(sonde_record const* record, double q, double* time, sonde_error* error);
/* Number of samples of the series, and their times, valid until the record is freed. */
size_t sonde_record_series(sonde_record const* record, double const** times);
/* One mean time per rank (SONDE_KEEP_RANK_MEANS); otherwise none. */
size_t sonde_record_rank_means(sonde_record const* record, double const** times);
/* The samples of one rank (SONDE_KEEP_RANK_SAMPLES), on rank 0 or, if kept there, on all; otherwise none. */
size_t sonde_record_rank_samples(sonde_record const* record, int rank, double const** times);
/* Length of the record in one line, as `to_string` of C++ gives it, and as much of it as fits. */
size_t sonde_record_text(sonde_record const* record, char* text, size_t size);
void sonde_record_free(sonde_record** record);

typedef enum sonde_outcome { SONDE_UNDECIDED = 0, SONDE_FASTER = 1, SONDE_SLOWER = 2 } sonde_outcome;

typedef struct sonde_speedup {
    size_t size;    /* of this struct, set by SONDE_SPEEDUP_INIT */
    double speedup; /* time of the base over the time of the alternative; 0 without times */
    double low, high;
    int has_interval; /* 0: too few rounds; low and high are then 0 */
    int outcome;      /* a sonde_outcome */
} sonde_speedup;

#define SONDE_SPEEDUP_INIT                                                                                             \
    { .size = sizeof(sonde_speedup) }

/* Number of alternatives, with the base. */
size_t sonde_comparison_count(sonde_comparison const* comparison);
/* The record of an alternative, valid until the comparison is freed; NULL if there is none. */
sonde_record const* sonde_comparison_record(sonde_comparison const* comparison, size_t alternative);
/* Speed-up over the base. `gain`: the least difference that counts, 0.02 for 2 %; `confidence`: of all outcomes
 * together, such as 0.95. */
sonde_status sonde_comparison_speedup(sonde_comparison const* comparison, size_t alternative, double gain,
                                      double confidence, sonde_speedup* speedup, sonde_error* error);
/* The alternative to use: the fastest of those that are faster than the base, or 0, the base. Equal on all ranks. */
sonde_status sonde_comparison_fastest(sonde_comparison const* comparison, double gain, double confidence,
                                      size_t* alternative, sonde_error* error);
/* The exchange's scope in the application, by which reports say what an alternative wins there: transfer / loop
 * (1 - 1 / speedup) of the loop, and nothing of the waiting. The times are sums over passes and ranks, in seconds:
 * after, and until, the last partner has entered; and of the enclosing scope. */
sonde_status sonde_comparison_set_application(sonde_comparison* comparison, char const* scope, double transfer,
                                              double waiting, double loop, sonde_error* error);
void sonde_comparison_free(sonde_comparison** comparison);

/* ---- Probes ------------------------------------------------------------------------------------------------------ */

/* The named parts of an application, which can stay enabled in production; it communicates in `sonde_collect` and
 * `sonde_collect_lateness` only. */
typedef struct sonde_probe sonde_probe;
/* A part; valid until its probe is freed. */
typedef struct sonde_scope sonde_scope;
/* The scopes of all ranks. */
typedef struct sonde_scopes sonde_scopes;

/* A pass through a scope. A copy of an active pass would count again. */
typedef struct sonde_pass {
    sonde_scope* scope; /* NULL: the pass is not active */
    int64_t begin;      /* reading of sonde_now */
} sonde_pass;

/* `kept_passes`: of scopes of work and of exchanges, the latest that are kept for `sonde_collect_lateness`, of 24 bytes
 * each, rounded up to a power of two; 0: 4,096. A step takes as many as it has such scopes. */
sonde_status sonde_probe_create(size_t kept_passes, sonde_probe** probe, sonde_error* error);
void sonde_probe_free(sonde_probe** probe);
/* Find or make the scope of this name within `parent`, or outermost if that is NULL. `bytes`: moved in a pass. A scope
 * that exists with other bytes is an invalid argument; 0 finds it whatever its bytes are. */
sonde_status sonde_probe_scope(sonde_probe* probe, sonde_scope* parent, char const* name, size_t bytes,
                               sonde_scope** scope, sonde_error* error);
/* The same for a scope in which this rank computes and does not wait for other ranks, and for an exchange, in which it
 * waits for its partners: ranks of the group of `sonde_collect_lateness`; none: all ranks. All ranks that have an
 * exchange pass it equally often. The latest passes are kept. A scope that exists as
 * another kind, or with other partners, is an invalid argument. */
sonde_status sonde_probe_work(sonde_probe* probe, sonde_scope* parent, char const* name, sonde_scope** scope,
                              sonde_error* error);
sonde_status sonde_probe_exchange(sonde_probe* probe, sonde_scope* parent, char const* name, size_t bytes,
                                  int const* partners, size_t partner_count, sonde_scope** scope, sonde_error* error);
/* Begin a pass. A NULL scope makes a pass that is not active, and that sonde_scope_leave ignores. */
sonde_pass sonde_scope_enter(sonde_scope* scope);
/* The same for languages in which a function has no struct as its result. */
void sonde_scope_begin(sonde_scope* scope, sonde_pass* pass);
/* End a pass, which is then not active. */
void sonde_scope_leave(sonde_pass* pass);

/* A file on each node with live figures of the scopes of its ranks, for the textfile collector of Prometheus' node
 * exporter. A thread of each process writes it; ranks do not communicate, and no function of a monitor is collective.
 */
typedef struct sonde_monitor sonde_monitor;

/* `path`: of the file, of which a process has one monitor. `interval`: seconds between two files, at least 0.001; 0:
 * 10 s. `group`: its ranks are those by which exchanges name partners. */
sonde_status sonde_monitor_create(sonde_group const* group, char const* path, double interval, sonde_monitor** monitor,
                                  sonde_error* error);
/* Show the scopes of the probe, from now on, also those that are made later. The file is written until the monitor and
 * its probes are freed. */
sonde_status sonde_monitor_add(sonde_monitor* monitor, sonde_probe* probe, sonde_error* error);
/* Write the file now. `written`, which may be NULL: 0 if another process writes for the node. */
sonde_status sonde_monitor_write(sonde_monitor* monitor, int* written, sonde_error* error);
/* The last monitor on a node removes the file. */
void sonde_monitor_free(sonde_monitor** monitor);

/* Collect the scopes of all ranks. Collective over the group; the result is equal on all ranks. */
sonde_status sonde_collect(sonde_group* group, sonde_probe const* probe, sonde_scopes** scopes, sonde_error* error);

/* What the application does in a scope. */
typedef enum sonde_scope_kind { SONDE_SCOPE_PART = 0, SONDE_SCOPE_WORK = 1, SONDE_SCOPE_EXCHANGE = 2 } sonde_scope_kind;

typedef struct sonde_scope_summary {
    size_t size;                             /* of this struct, set by SONDE_SCOPE_SUMMARY_INIT */
    char const* name;                        /* valid until the scopes are freed */
    int64_t parent;                          /* index of the enclosing scope, or -1 */
    int ranks;                               /* with at least one pass */
    uint64_t passes;                         /* of all ranks */
    double bytes;                            /* moved by all passes of all ranks */
    double median;                           /* of all passes */
    double total_min, total_mean, total_max; /* total time of a rank in the scope, over the ranks with a pass */
    int slowest;                             /* the first rank with the largest total */
    int slow_rank;                           /* the rank whose passes usually take longest, or -1 */
    double share;                            /* of the time in the enclosing scope */
    double imbalance;                        /* largest total over the mean total */
    double bandwidth;                        /* bytes per second of one rank */
    int kind;                                /* a sonde_scope_kind */
} sonde_scope_summary;

#define SONDE_SCOPE_SUMMARY_INIT                                                                                       \
    { .size = sizeof(sonde_scope_summary) }

size_t sonde_scopes_count(sonde_scopes const* scopes);
/* A figure that a scope does not have is 0. */
sonde_status sonde_scopes_summary(sonde_scopes const* scopes, size_t index, sonde_scope_summary* summary,
                                  sonde_error* error);
void sonde_scopes_free(sonde_scopes** scopes);

/* ---- Who made ranks wait ----------------------------------------------------------------------------------------- */

/* Waiting and transfer of a loop, and the ranks that made others wait. */
typedef struct sonde_lateness sonde_lateness;

/* When a rank is named; those of rank 0 count. */
typedef struct sonde_lateness_options {
    size_t size;         /* of this struct, set by SONDE_LATENESS_OPTIONS_INIT */
    double effect;       /* a rank is named if another rank waited this share of its time for it */
    double false_alarms; /* share of reports that name a rank although all ranks have equal work */
} sonde_lateness_options;

#define SONDE_LATENESS_OPTIONS_INIT                                                                                    \
    { sizeof(sonde_lateness_options), 0.05, 0.01 }

/* Find the ranks that made other ranks wait, from the latest passes of the probe's exchanges and scopes of work. NULL
 * options are those of SONDE_LATENESS_OPTIONS_INIT. Collective over the group; the result is equal on all ranks. A
 * partner that is no rank of the group, and a name that is work on one rank and an exchange on another, is an invalid
 * argument. */
sonde_status sonde_collect_lateness(sonde_group* group, sonde_probe const* probe, sonde_lateness_options const* options,
                                    sonde_lateness** lateness, sonde_error* error);

/* A rank that was late by an effect and more often than chance explains. */
typedef struct sonde_late_rank {
    int rank;
    double caused;        /* waiting of all ranks that it caused by what it did between exchanges */
    double share;         /* of all waiting */
    char const* exchange; /* that it reached late */
    double lateness;      /* median delay in its late steps */
    size_t const* steps;  /* in which it was late: numbers of the passes of the exchange, from 0 */
    size_t step_count;
    size_t of_steps;    /* passes of the exchange that were examined */
    char const* work;   /* the scope of work that made it late; "" for time outside of all */
    double ratio;       /* of its time in the late steps to its usual one; 0 for time outside of all */
    int of_other_steps; /* usual is 1: the rank's median in other steps, 0: the other ranks' median */
} sonde_late_rank;

/* Times of all ranks; the passes of each. */
typedef struct sonde_exchange_lateness {
    char const* name;
    size_t passes, unexamined; /* examined, and earlier ones */
    double waiting, transfer;  /* until the last partner of a rank has entered, and the rest */
    int is_unequal;            /* 1: ranks passed it unequally often; 0: the members below are 0 */
    size_t fewest, most;       /* passes of a rank that has it, since its probe was made */
    int fewest_rank, most_rank;
} sonde_exchange_lateness;

typedef struct sonde_rank_lateness {
    double waiting;                            /* of this rank */
    double caused_by_work, caused_by_transfer; /* waiting of all ranks because of this rank */
} sonde_rank_lateness;

/* Ranks on which an exchange takes long after all partners have entered. */
typedef struct sonde_slow_transfer {
    char const* exchange;
    int const* ranks;
    size_t rank_count;
    double ratio;  /* of the smallest of their medians to the median of the other ranks */
    double caused; /* waiting of other ranks for these ranks' transfers */
} sonde_slow_transfer;

/* What stands out in the times of the steps of a series. */
typedef enum sonde_effect_kind {
    SONDE_EFFECT_PERIOD = 0,
    SONDE_EFFECT_BURST = 1,
    SONDE_EFFECT_CHANGE_POINT = 2,
    SONDE_EFFECT_DRIFT = 3
} sonde_effect_kind;

/* Steps that stand out in the times of a scope of work, or in the transfers of an exchange, on the median rank. */
typedef struct sonde_scope_effect {
    char const* scope;   /* of work, or the exchange */
    int kind;            /* a sonde_effect_kind */
    size_t const* steps; /* numbers of the passes of an exchange, from 0; from a change point on; for a drift, all */
    size_t step_count;
    size_t of_steps; /* of the series */
    size_t period;   /* distance of the steps */
    double typical;  /* median time of the other steps, before a change point, at the start of a drift */
    double excess;   /* of its steps above that; of a drift, of the last step */
    double p;        /* bound of the probability that a healthy series shows such an effect */
} sonde_scope_effect;

typedef struct sonde_loop_summary {
    size_t size;                 /* of this struct, set by SONDE_LOOP_SUMMARY_INIT */
    size_t steps;                /* passes of exchanges that were examined */
    int enough_steps;            /* to name ranks */
    double waiting, transfer;    /* shares of the ranks' time in these steps */
    double low, high;            /* 95 % interval of the share of waiting */
    int has_interval;            /* 0: too few steps for an interval; low and high are then 0 */
    double observed;             /* time of these steps, of all ranks */
    double clock_error;          /* of a difference of two ranks' times; shorter waits count as transfer */
    sonde_late_rank const* late; /* those who caused most first */
    size_t late_count;
    sonde_exchange_lateness const* exchanges;
    size_t exchange_count;
    sonde_rank_lateness const* ranks; /* each rank of the group */
    size_t rank_count;
    sonde_slow_transfer const* slow_transfers;
    size_t slow_transfer_count;
    sonde_scope_effect const* effects;
    size_t effect_count;
} sonde_loop_summary;

#define SONDE_LOOP_SUMMARY_INIT                                                                                        \
    { .size = sizeof(sonde_loop_summary) }

/* The figures. Arrays and texts are valid until the lateness is freed. */
sonde_status sonde_lateness_summary(sonde_lateness const* lateness, sonde_loop_summary* summary, sonde_error* error);
/* Length of the sentences, a line each, and as much of them as fits. */
size_t sonde_lateness_text(sonde_lateness const* lateness, char* text, size_t size);
void sonde_lateness_free(sonde_lateness** lateness);

/* ---- Reports ----------------------------------------------------------------------------------------------------- */

/* Writes records, comparisons, scopes and who made ranks wait, on rank 0. */
typedef struct sonde_reporter sonde_reporter;

/* The forms of a report and the endings of their files, from i = 0: "table=FILE.txt", "plot=FILE.svg"; NULL after the
 * last. `keep`, which may be NULL, becomes what the form needs of a plan: SONDE_KEEP_RANK_SAMPLES or 0. */
char const* sonde_report_form(int i, int* keep);
/* The ending of the file's name chooses the form: .txt (a table), .csv, .jsonl, .html, .prom (OpenMetrics), .svg, .png
 * or .pdf (a picture); NULL is a table on standard output. .jsonl needs a library that was built with nlohmann/json,
 * .html and pictures need sonde-drawing. Collective over the group. */
sonde_status sonde_reporter_create(sonde_group* group, char const* file, sonde_reporter** reporter, sonde_error* error);
/* These are local: rank 0 writes, and the other ranks do nothing. */
sonde_status sonde_report(sonde_reporter* reporter, sonde_record const* record, sonde_error* error);
sonde_status sonde_report_comparison(sonde_reporter* reporter, sonde_comparison const* comparison, double gain,
                                     double confidence, sonde_error* error);
sonde_status sonde_report_scopes(sonde_reporter* reporter, sonde_scopes const* scopes, sonde_error* error);
sonde_status sonde_report_lateness(sonde_reporter* reporter, sonde_lateness const* lateness, sonde_error* error);
/* Complete and close the file, and set the pointer to NULL. SONDE_FAILED if a call before could not write. */
sonde_status sonde_reporter_close(sonde_reporter** reporter, sonde_error* error);

#ifdef __cplusplus
}
#endif

#endif
