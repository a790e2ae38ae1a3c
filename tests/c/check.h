/* SPDX-License-Identifier: BSL-1.0 */
#ifndef CHECK_H
#define CHECK_H

#include <sonde/c/sonde.h>

#include <stdio.h>
#include <string.h>

extern int failures; /* of this rank */
extern int me;

/* Counts a condition that does not hold, and prints it. */
#define CHECK(...)                                                                                                     \
    do {                                                                                                               \
        if (!(__VA_ARGS__)) {                                                                                          \
            ++failures;                                                                                                \
            fprintf(stderr, "%s:%d: rank %d: %s\n", __FILE__, __LINE__, me, #__VA_ARGS__);                             \
        }                                                                                                              \
    } while (0)

/* A call fails with a status, and with a message that contains a text. */
#define CHECK_FAILS(call, expected, text)                                                                              \
    do {                                                                                                               \
        sonde_error error = {SONDE_SUCCESS, 0, ""};                                                                    \
        sonde_status const status = (call);                                                                            \
        CHECK(status == (expected));                                                                                   \
        CHECK((sonde_status)error.status == status);                                                                   \
        if (strstr(error.message, text) == NULL) {                                                                     \
            ++failures;                                                                                                \
            fprintf(stderr, "%s:%d: rank %d: the message is \"%s\"\n", __FILE__, __LINE__, me, error.message);         \
        }                                                                                                              \
    } while (0)

#define CHECK_OK(call) CHECK((call) == SONDE_SUCCESS)

void check_arguments(sonde_group* group);
void check_steps(sonde_group* group);
void check_reports(sonde_group* group, char const* folder);
void check_lateness(sonde_group* group, char const* folder);
void check_monitor(sonde_group* group, char const* folder);

/* Number of lines of a file that contain a text. */
int lines_with(char const* path, char const* text);

#endif
