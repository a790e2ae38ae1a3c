/* SPDX-License-Identifier: BSL-1.0
 *
 * Who made ranks wait: of two ranks, rank 1 works 9 ms in each step, and rank 0 3 ms.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */

#include "check.h"

#include <time.h>

enum { STEPS = 60 };

static void sleep_until(int64_t time) {
    int64_t const left = time - sonde_now();
    struct timespec const rest = {left / 1000000000, left % 1000000000};
    if (left > 0) nanosleep(&rest, NULL);
}

/* Steps of 15 ms, whose exchange ends after 12 ms on both ranks of the host. None polls, so that other programs leave
 * it its core when it wakes up. */
static void pass_steps(sonde_scope* solve, sonde_scope* halo, int late) {
    int64_t const ms = 1000000;
    int64_t begin = sonde_now() + 15 * ms;
    MPI_Bcast(&begin, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    for (int i = 0; i != STEPS; ++i, begin += 15 * ms) {
        sleep_until(begin);
        sonde_pass working = sonde_scope_enter(solve);
        sleep_until(begin + (me == late ? 9 : 3) * ms);
        sonde_scope_leave(&working);
        sonde_pass exchanging = sonde_scope_enter(halo);
        sleep_until(begin + 12 * ms);
        sonde_scope_leave(&exchanging);
    }
}

static void check_figures(sonde_lateness* found, int ranks, int late) {
    sonde_loop_summary s = SONDE_LOOP_SUMMARY_INIT;
    CHECK_OK(sonde_lateness_summary(found, &s, NULL));
    CHECK(s.steps == STEPS && s.enough_steps && s.observed > 0 && s.clock_error >= 0);
    CHECK(s.waiting > 0.01 && s.transfer >= 0 && s.waiting + s.transfer < 1);
    CHECK(!s.has_interval || (s.low <= s.waiting && s.waiting <= s.high));
    CHECK(s.exchange_count == 1 && strcmp(s.exchanges[0].name, "halo") == 0 && s.exchanges[0].passes == STEPS);
    CHECK(s.exchanges[0].unexamined == 0 && s.exchanges[0].waiting > 0 && s.exchanges[0].transfer >= 0);
    CHECK(!s.exchanges[0].is_unequal && s.exchanges[0].most == 0);
    CHECK(s.rank_count == (size_t)ranks && s.ranks[0].waiting > 0 && s.ranks[late].caused_by_work > 0);
    size_t i = 0; /* of the late rank, beside one that another program has disturbed */
    while (i != s.late_count && s.late[i].rank != late) ++i;
    CHECK(i != s.late_count);
    if (i == s.late_count) return;
    sonde_late_rank const l = s.late[i];
    CHECK(l.caused > 0 && l.share > 0.3 && strcmp(l.exchange, "halo") == 0 && l.lateness > 3e-3);
    CHECK(l.step_count > STEPS / 4 && l.step_count <= l.of_steps && l.of_steps <= STEPS && l.steps[0] < STEPS);
    CHECK(strcmp(l.work, "solve") == 0 && l.ratio > 1.5);

    char text[2000], start[13], sentence[40];
    size_t const length = sonde_lateness_text(found, text, sizeof text);
    snprintf(sentence, sizeof sentence, "\nRank %d caused ", late);
    CHECK(length == strlen(text) && strncmp(text, "Ranks waited ", 13) == 0 && strstr(text, sentence) != NULL);
    CHECK(sonde_lateness_text(found, start, sizeof start) == length && strcmp(start, "Ranks waited") == 0);
}

/* A probe with the scope of work `solve` and the exchange `halo`. */
static void make_probe(size_t kept_passes, sonde_probe** probe, sonde_scope** solve, sonde_scope** halo) {
    CHECK_OK(sonde_probe_create(kept_passes, probe, NULL));
    CHECK_OK(sonde_probe_work(*probe, NULL, "solve", solve, NULL));
    CHECK_OK(sonde_probe_exchange(*probe, NULL, "halo", 8, NULL, 0, halo, NULL));
}

/* Of 120 steps, the last 64 are kept. In each fifth step work takes five times as long on all ranks. Rank 0 passes the
 * exchange once more. */
static void check_effects(sonde_group* group, sonde_lateness_options const* options, int expected) {
    int64_t const ms = 1000000;
    sonde_probe* probe = NULL;
    sonde_scope *solve = NULL, *halo = NULL;
    sonde_lateness* found = NULL;
    make_probe(120, &probe, &solve, &halo);
    for (int i = 0; i != 2 * STEPS + (me == 0); ++i) {
        sonde_pass working = {solve, sonde_now() - (i % 5 == 3 ? 5 : 1) * ms};
        sonde_scope_leave(&working);
        sonde_pass exchanging = sonde_scope_enter(halo);
        sonde_scope_leave(&exchanging);
    }
    CHECK_OK(sonde_collect_lateness(group, probe, options, &found, NULL));
    sonde_loop_summary s = SONDE_LOOP_SUMMARY_INIT;
    CHECK_OK(sonde_lateness_summary(found, &s, NULL));
    size_t const kept = sonde_group_size(group) == 1 ? 64 : 63; /* of 128 passes; rank 0 has one that others do not */
    CHECK(s.steps == kept && s.exchanges[0].passes == kept && s.exchanges[0].unexamined == 2 * STEPS + 1 - 64);
    CHECK(s.exchanges[0].is_unequal == (sonde_group_size(group) > 1));
    if (s.exchanges[0].is_unequal)
        CHECK(s.exchanges[0].most == 2 * STEPS + 1 && s.exchanges[0].most_rank == 0 &&
              s.exchanges[0].fewest == 2 * STEPS && s.exchanges[0].fewest_rank == 1);
    size_t i = 0; /* of the effect of work, beside those of a machine that is disturbed */
    while (i != s.effect_count && strcmp(s.effects[i].scope, "solve") != 0) ++i;
    CHECK((i != s.effect_count) == expected);
    if (i != s.effect_count) {
        sonde_scope_effect const e = s.effects[i];
        CHECK(e.kind == SONDE_EFFECT_PERIOD && e.period == 5 && e.of_steps == kept - 1);
        CHECK(e.step_count > 10 && e.steps[0] % 5 == 3 && e.typical >= 1e-3 && e.excess > 3e-3 && e.p < 0.01);
    }
    sonde_lateness_free(&found);
    sonde_probe_free(&probe);
}

static void check_options(sonde_group* group, sonde_probe* probe) {
    sonde_lateness_options options = SONDE_LATENESS_OPTIONS_INIT;
    sonde_lateness* found = NULL;
    check_effects(group, NULL, 1);
    options.false_alarms = 0;
    check_effects(group, &options, 0);
    options.false_alarms = 1;
    CHECK_FAILS(sonde_collect_lateness(group, probe, &options, &found, &error), SONDE_INVALID_ARGUMENT,
                "the rate of false alarms must be at least 0 and below 1");
    options.size = 8;
    CHECK_FAILS(sonde_collect_lateness(group, probe, &options, &found, &error), SONDE_INVALID_ARGUMENT,
                "SONDE_LATENESS_OPTIONS_INIT");
    CHECK_FAILS(sonde_probe_create((size_t)-1, &probe, &error), SONDE_INVALID_ARGUMENT, "more than 2^32 passes");
}

/* Invalid arguments of the scopes and of the collective call. */
static void check_refusals(sonde_group* group, sonde_probe* probe, sonde_scope* halo) {
    int const ranks = sonde_group_size(group), partners[] = {0}, none = me == 0 ? ranks : 0;
    sonde_scope* again = NULL;
    sonde_lateness* found = NULL;
    char text[100];
    CHECK_OK(sonde_probe_exchange(probe, NULL, "halo", 0, NULL, 0, &again, NULL));
    CHECK(again == halo);
    CHECK_FAILS(sonde_probe_exchange(probe, NULL, "halo", 0, partners, 1, &again, &error), SONDE_INVALID_ARGUMENT,
                "has other partners: halo");
    CHECK_FAILS(sonde_probe_exchange(probe, NULL, "other", 0, NULL, 1, &again, &error), SONDE_INVALID_ARGUMENT,
                "the array of partners is NULL");
    CHECK_FAILS(sonde_probe_work(probe, NULL, "halo", &again, &error), SONDE_INVALID_ARGUMENT, "of another kind: halo");
    CHECK_FAILS(sonde_collect_lateness(group, me == 0 ? NULL : probe, NULL, &found, &error), SONDE_INVALID_ARGUMENT,
                "the probe is NULL");
    CHECK_OK(sonde_probe_exchange(probe, halo, "inner", 0, &none, 1, &again, NULL));
    snprintf(text, sizeof text, "the exchange inner has the partner %d, and the group has %d ranks", ranks, ranks);
    CHECK_FAILS(sonde_collect_lateness(group, probe, NULL, &found, &error), SONDE_INVALID_ARGUMENT,
                me == 0 ? text : "an exchange of rank 0 has a partner that is no rank of the group");
    CHECK(found == NULL && sonde_lateness_text(found, NULL, 0) == 0);
}

void check_lateness(sonde_group* group, char const* folder) {
    int const ranks = sonde_group_size(group), late = ranks - 1;
    sonde_probe* probe = NULL;
    sonde_scope *solve = NULL, *halo = NULL;
    sonde_lateness* found = NULL;
    make_probe(0, &probe, &solve, &halo);
    if (ranks == 2) pass_steps(solve, halo, late);
    CHECK_OK(sonde_collect_lateness(group, probe, NULL, &found, NULL));
    if (ranks == 2) check_figures(found, ranks, late);

    char path[4096];
    snprintf(path, sizeof path, "%s/c_lateness_%d.txt", folder, ranks);
    sonde_reporter* reporter = NULL;
    CHECK_OK(sonde_reporter_create(group, path, &reporter, NULL));
    CHECK_OK(sonde_report_lateness(reporter, found, NULL));
    CHECK_FAILS(sonde_report_lateness(reporter, NULL, &error), SONDE_INVALID_ARGUMENT, "the lateness is NULL");
    CHECK_OK(sonde_reporter_close(&reporter, NULL));
    if (me == 0) CHECK(lines_with(path, ranks == 2 ? "Ranks waited" : "Fewer than two steps are known") == 1);

    sonde_loop_summary small = {.size = 8};
    CHECK_FAILS(sonde_lateness_summary(found, &small, &error), SONDE_INVALID_ARGUMENT, "SONDE_LOOP_SUMMARY_INIT");
    sonde_lateness_free(&found);
    CHECK_FAILS(sonde_lateness_summary(found, &small, &error), SONDE_INVALID_ARGUMENT, "the lateness is NULL");
    check_options(group, probe);
    check_refusals(group, probe, halo);

    sonde_scopes* scopes = NULL;
    sonde_scope_summary s = SONDE_SCOPE_SUMMARY_INIT;
    CHECK_OK(sonde_collect(group, probe, &scopes, NULL));
    CHECK_OK(sonde_scopes_summary(scopes, 1, &s, NULL));
    CHECK(strcmp(s.name, "halo") == 0 && s.kind == SONDE_SCOPE_EXCHANGE);
    sonde_scopes_free(&scopes);
    sonde_probe_free(&probe);
}
