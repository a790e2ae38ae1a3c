/* SPDX-License-Identifier: BSL-1.0
 *
 * Reporters by the name of a file.
 */
#define _POSIX_C_SOURCE 200809L /* symlink */

#include "check.h"

#include <errno.h>
#include <unistd.h>

static int nothing(void* state) {
    (void)state;
    return 0;
}

int lines_with(char const* path, char const* text) {
    FILE* const file = fopen(path, "r");
    if (file == NULL) return -1;
    static char line[1 << 20];
    int found = 0;
    while (fgets(line, sizeof line, file) != NULL) found += strstr(line, text) != NULL;
    fclose(file);
    return found;
}

/* Reports a record, a comparison and scopes to `path`, and finds them in the files given, "" if the format has none. */
static void check_file(sonde_group* group, char const* path, char const* comparisons_in, char const* scopes_in) {
    sonde_pattern both[] = {SONDE_PATTERN_INIT, SONDE_PATTERN_INIT};
    for (int i = 0; i != 2; ++i) both[i].name = i == 0 ? "measured" : "other", both[i].iterate = nothing;
    sonde_plan const plan = SONDE_PLAN_INIT;
    sonde_record* record = NULL;
    sonde_comparison* comparison = NULL;
    sonde_probe* probe = NULL;
    sonde_scopes* scopes = NULL;
    sonde_reporter* reporter = NULL;
    sonde_pattern alone = both[0];
    alone.name = "alone";
    CHECK_OK(sonde_run(group, &plan, &alone, &record, NULL));
    CHECK_OK(sonde_compare(group, &plan, both, 2, &comparison, NULL));
    sonde_scope* scope = NULL;
    CHECK_OK(sonde_probe_create(0, &probe, NULL));
    CHECK_OK(sonde_probe_scope(probe, NULL, "phase", 0, &scope, NULL));
    sonde_pass pass = sonde_scope_enter(scope);
    sonde_scope_leave(&pass);
    CHECK_OK(sonde_collect(group, probe, &scopes, NULL));
    CHECK_OK(sonde_reporter_create(group, path, &reporter, NULL));
    CHECK_OK(sonde_report(reporter, record, NULL));
    CHECK_OK(sonde_report_comparison(reporter, comparison, 0, 0.95, NULL));
    CHECK_OK(sonde_report_scopes(reporter, scopes, NULL));
    CHECK_FAILS(sonde_report(reporter, NULL, &error), SONDE_INVALID_ARGUMENT, "the record is NULL");
    CHECK_OK(sonde_reporter_close(&reporter, NULL));
    CHECK(reporter == NULL);
    if (me == 0) {
        CHECK(lines_with(path, "alone") >= 1);
        CHECK(lines_with(comparisons_in, "measured") >= 1 && lines_with(comparisons_in, "other") >= 1);
        CHECK(lines_with(scopes_in, "phase") >= 1 || *scopes_in == 0);
    }
    sonde_scopes_free(&scopes);
    sonde_probe_free(&probe);
    sonde_comparison_free(&comparison);
    sonde_record_free(&record);
}

/* A report on a full device: the call that cannot write fails on rank 0, and so does the end of the report. */
static void check_full_device(sonde_group* group, char const* folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/c_report_%d_full.csv", folder, sonde_group_size(group));
    if (me == 0) {
        remove(path);
        CHECK(symlink("/dev/full", path) == 0);
    }
    sonde_plan const plan = SONDE_PLAN_INIT;
    sonde_pattern pattern = SONDE_PATTERN_INIT;
    pattern.name = "unwritten", pattern.iterate = nothing;
    sonde_record* record = NULL;
    sonde_reporter* reporter = NULL;
    CHECK_OK(sonde_run(group, &plan, &pattern, &record, NULL));
    CHECK_OK(sonde_reporter_create(group, path, &reporter, NULL));
    if (me == 0) CHECK_FAILS(sonde_report(reporter, record, &error), SONDE_FILE_ERROR, "c_report");
    else CHECK_OK(sonde_report(reporter, record, NULL));
    if (me == 0) CHECK_FAILS(sonde_reporter_close(&reporter, &error), SONDE_FAILED, "the report is incomplete");
    else CHECK_OK(sonde_reporter_close(&reporter, NULL));
    sonde_record_free(&record);
    if (me == 0) remove(path);
}

void check_reports(sonde_group* group, char const* folder) {
    char path[3][4096];
    char const* const endings[][3] = {
        {".txt", ".txt", ".txt"}, {".csv", ".2.csv", ".3.csv"}, {".html", ".html", ".html"}, {".prom", ".prom", ""}};
    for (int i = 0; i != 4; ++i) {
        for (int k = 0; k != 3; ++k)
            snprintf(path[k], sizeof path[k], "%s/c_report_%d%s", folder, sonde_group_size(group), endings[i][k]);
        check_file(group, path[0], path[1], *endings[i][2] == 0 ? "" : path[2]);
    }
    check_full_device(group, folder);
    int forms = 0, kept = 0;
    for (char const* form; (form = sonde_report_form(forms, &kept)) != NULL; ++forms)
        CHECK((strcmp(form, "html=FILE.html") == 0) == (kept == SONDE_KEEP_RANK_SAMPLES));
    CHECK(forms == 8 && strcmp(sonde_report_form(7, NULL), "plot=FILE.pdf") == 0 &&
          sonde_report_form(-1, NULL) == NULL);
    sonde_reporter* reporter = NULL;
    errno = 77; /* on rank 0 the call that fails sets it */
    CHECK_FAILS(sonde_reporter_create(group, "/no such folder/x.csv", &reporter, &error), SONDE_FILE_ERROR,
                "/no such folder/x.csv");
    CHECK(errno == 77);
    CHECK_FAILS(sonde_reporter_create(group, "x.json", &reporter, &error), SONDE_INVALID_ARGUMENT, "must end in");
    CHECK_FAILS(sonde_reporter_create(group, "x.csv", me == 0 ? NULL : &reporter, &error), SONDE_INVALID_ARGUMENT,
                "the result is NULL");
    CHECK(reporter == NULL);
    CHECK_OK(sonde_reporter_create(group, NULL, &reporter, NULL)); /* a table on standard output */
    CHECK_OK(sonde_reporter_close(&reporter, NULL));
    CHECK_FAILS(sonde_report(reporter, NULL, &error), SONDE_INVALID_ARGUMENT, "the reporter is NULL");
}
