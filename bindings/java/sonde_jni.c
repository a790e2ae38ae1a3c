/* SPDX-License-Identifier: BSL-1.0
 *
 * The native methods of org.sonde.Native. Objects are addresses, texts are arrays of UTF-8; a failure is thrown.
 */
#define _GNU_SOURCE /* RTLD_NOLOAD */
#include <sonde/c/sonde.h>

#include <dlfcn.h>
#include <jni.h>
#include <mpi.h>

#include <stdlib.h>
#include <string.h>

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_org_sonde_Native_##name
#define UNUSED(argument) (void)(argument)

/* A group, and the communicator of its barrier. */
typedef struct group {
    sonde_group* ranks;
    MPI_Comm comm;
} group;

/* A pattern that owns its texts. */
typedef struct pattern {
    sonde_pattern what;
    sonde_parameter* parameters;
    char* name;
} pattern;

/* The state of an iteration that C calls. */
typedef struct callback {
    JNIEnv* env;
    jobject iteration;
    jmethodID call;
    jobjectArray failure; /* its element is the first exception */
} callback;

static void* pointer(jlong address) { return (void*)(intptr_t)address; }
static jlong address(void const* p) { return (jlong)(intptr_t)p; }

/* Memory that is zero. Ends the process if there is none. */
static void* allocated(JNIEnv* env, size_t size) {
    void* const memory = calloc(1, size);
    if (memory == NULL) (*env)->FatalError(env, "sonde: out of memory");
    return memory;
}

/* ---- Texts, arrays and exceptions -------------------------------------------------------------------------------- */

static jbyteArray bytes_of(JNIEnv* env, char const* text) {
    jsize const n = (jsize)strlen(text);
    jbyteArray const bytes = (*env)->NewByteArray(env, n);
    if (bytes != NULL) (*env)->SetByteArrayRegion(env, bytes, 0, n, (jbyte const*)text);
    return bytes;
}

/* A copy of an array as a text, to be freed; NULL for null. */
static char* text_of(JNIEnv* env, jbyteArray bytes) {
    if (bytes == NULL) return NULL;
    jsize const n = (*env)->GetArrayLength(env, bytes);
    char* const text = allocated(env, (size_t)n + 1);
    (*env)->GetByteArrayRegion(env, bytes, 0, n, (jbyte*)text);
    return text;
}

static jdoubleArray doubles_of(JNIEnv* env, size_t n, double const* values) {
    jdoubleArray const array = (*env)->NewDoubleArray(env, (jsize)n);
    if (array != NULL && n != 0) (*env)->SetDoubleArrayRegion(env, array, 0, (jsize)n, values);
    return array;
}

static void throw_status(JNIEnv* env, sonde_status status, int code, char const* message) {
    jclass const type = (*env)->FindClass(env, "org/sonde/SondeException");
    jmethodID const make = type == NULL ? NULL : (*env)->GetMethodID(env, type, "<init>", "(II[B)V");
    jbyteArray const text = make == NULL ? NULL : bytes_of(env, message);
    jobject const e = text == NULL ? NULL : (*env)->NewObject(env, type, make, (jint)status, (jint)code, text);
    if (e != NULL) (*env)->Throw(env, e);
}

/* Throws unless a call succeeded. */
static int succeeded(JNIEnv* env, sonde_status status, sonde_error const* error) {
    if (status != SONDE_SUCCESS) throw_status(env, status, error->code, error->message);
    return status == SONDE_SUCCESS;
}

/* ---- MPI and groups ---------------------------------------------------------------------------------------------- */

static int is_running(void) {
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    return begun && !ended;
}

static int require_running(JNIEnv* env) {
    if (is_running()) return 1;
    throw_status(env, SONDE_INVALID_STATE, 0, "sonde: MPI is not running");
    return 0;
}

static int mpi_succeeded(JNIEnv* env, int code) {
    if (code != MPI_SUCCESS) throw_status(env, SONDE_MPI_ERROR, code, "sonde: a call of MPI failed");
    return code == MPI_SUCCESS;
}

/* Numbers of communicators: handles of Fortran. The standard ABI of MPI 5.0 has other names for these functions. */
#ifdef MPI_ABI_VERSION
#define NUMBER_OF_COMM MPI_Comm_toint
#define COMM_OF_NUMBER MPI_Comm_fromint
#else
#define NUMBER_OF_COMM MPI_Comm_c2f
#define COMM_OF_NUMBER MPI_Comm_f2c
#endif

/* Give the JVM back the signals that it uses, such as SIGSEGV for null references. UCX catches them as soon as an MPI
 * library loads it, with this library or in MPI_Init; its own binding of Java calls this function, too. */
static void restore_signals(void) {
    void* const ucs = dlopen("libucs.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (ucs == NULL) return;
    void (*disable)(void) = NULL;
    *(void**)&disable = dlsym(ucs, "ucs_debug_disable_signals");
    if (disable != NULL) disable();
    dlclose(ucs);
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void* reserved) {
    UNUSED(vm), UNUSED(reserved);
    restore_signals();
    return JNI_VERSION_1_8;
}

NATIVE(jboolean, isRunning)(JNIEnv* env, jclass class) {
    UNUSED(env), UNUSED(class);
    return is_running() ? JNI_TRUE : JNI_FALSE;
}

NATIVE(void, initialize)(JNIEnv* env, jclass class) {
    UNUSED(class);
    int begun = 0, provided = 0;
    MPI_Initialized(&begun);
    if (begun) {
        throw_status(env, SONDE_INVALID_STATE, 0, "sonde: MPI has been initialized already");
        return;
    }
    mpi_succeeded(env, MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided));
    restore_signals();
}

NATIVE(void, finalizeMpi)(JNIEnv* env, jclass class) {
    UNUSED(class);
    if (require_running(env)) mpi_succeeded(env, MPI_Finalize());
}

NATIVE(jbyteArray, version)(JNIEnv* env, jclass class) {
    UNUSED(class);
    return bytes_of(env, sonde_version());
}

NATIVE(jbyteArray, flagName)(JNIEnv* env, jclass class, jint i) {
    UNUSED(class);
    char const* const name = sonde_flag_name(i);
    return name == NULL ? NULL : bytes_of(env, name);
}

NATIVE(jbyteArray, reportForm)(JNIEnv* env, jclass class, jint i) {
    UNUSED(class);
    char const* const form = sonde_report_form(i, NULL);
    return form == NULL ? NULL : bytes_of(env, form);
}

NATIVE(jint, reportKeeps)(JNIEnv* env, jclass class, jint i) {
    UNUSED(env), UNUSED(class);
    int keep = 0;
    sonde_report_form(i, &keep);
    return keep;
}

NATIVE(jlong, now)(JNIEnv* env, jclass class) {
    UNUSED(env), UNUSED(class);
    return sonde_now();
}

NATIVE(jint, world)(JNIEnv* env, jclass class) {
    UNUSED(class);
    return require_running(env) ? (jint)NUMBER_OF_COMM(MPI_COMM_WORLD) : 0;
}

NATIVE(jint, fortranHandle)(JNIEnv* env, jclass class, jlong comm) {
    UNUSED(class);
    if (!require_running(env)) return 0;
#ifdef OPEN_MPI
    if (comm != 0) return (jint)NUMBER_OF_COMM(pointer(comm));
    throw_status(env, SONDE_INVALID_ARGUMENT, 0, "sonde: the communicator has no handle: MPI.Init has not been called");
#else
    UNUSED(comm);
    throw_status(env, SONDE_INVALID_ARGUMENT, 0, "sonde: this library was built for another MPI library than Open MPI");
#endif
    return 0;
}

NATIVE(jlong, groupCreate)(JNIEnv* env, jclass class, jint handle) {
    UNUSED(class);
    sonde_error error;
    group* const g = allocated(env, sizeof *g);
    if (!succeeded(env, sonde_group_create_f((sonde_fint)handle, &g->ranks, &error), &error) ||
        !mpi_succeeded(env, MPI_Comm_dup(COMM_OF_NUMBER((sonde_fint)handle), &g->comm))) {
        free(g);
        return 0;
    }
    restore_signals();
    return address(g);
}

NATIVE(jint, groupRank)(JNIEnv* env, jclass class, jlong g) {
    UNUSED(env), UNUSED(class);
    return sonde_group_rank(((group*)pointer(g))->ranks);
}

NATIVE(jint, groupSize)(JNIEnv* env, jclass class, jlong g) {
    UNUSED(env), UNUSED(class);
    return sonde_group_size(((group*)pointer(g))->ranks);
}

NATIVE(void, groupBarrier)(JNIEnv* env, jclass class, jlong g) {
    UNUSED(class);
    if (require_running(env)) mpi_succeeded(env, MPI_Barrier(((group*)pointer(g))->comm));
}

NATIVE(void, groupFree)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(class);
    sonde_error error;
    group* const g = pointer(at);
    if (is_running()) mpi_succeeded(env, MPI_Comm_free(&g->comm));
    succeeded(env, sonde_group_free(&g->ranks, &error), &error);
    free(g);
}

/* ---- Plans and patterns ------------------------------------------------------------------------------------------ */

/* The plan of two arrays; NULL for null. */
static sonde_plan const* plan_of(JNIEnv* env, jlongArray integers, jdoubleArray reals, sonde_plan* plan) {
    if (integers == NULL) return NULL;
    jlong n[5];
    double x[3];
    (*env)->GetLongArrayRegion(env, integers, 0, 5, n);
    (*env)->GetDoubleArrayRegion(env, reals, 0, 3, x);
    sonde_plan const given = {sizeof given, n[0], n[1], n[2], x[0], x[1], x[2], (int)n[3], (int)n[4]};
    *plan = given;
    return plan;
}

static char* element(JNIEnv* env, jobjectArray array, size_t i) {
    jbyteArray const bytes = (*env)->GetObjectArrayElement(env, array, (jsize)i);
    char* const text = text_of(env, bytes);
    (*env)->DeleteLocalRef(env, bytes);
    return text;
}

NATIVE(jlong, patternCreate)
(JNIEnv* env, jclass class, jbyteArray name, jint role, jlongArray counts, jdouble hops, jdouble bus_factor,
 jobjectArray names, jobjectArray texts, jdoubleArray numbers) {
    UNUSED(class);
    jlong n[3];
    (*env)->GetLongArrayRegion(env, counts, 0, 3, n);
    size_t const parameters = (size_t)(*env)->GetArrayLength(env, names);
    pattern* const p = allocated(env, sizeof *p);
    sonde_parameter* const list = allocated(env, (parameters + 1) * sizeof *list);
    for (size_t i = 0; i != parameters; ++i) {
        list[i].name = element(env, names, i);
        list[i].text = element(env, texts, i);
        (*env)->GetDoubleArrayRegion(env, numbers, (jsize)i, 1, &list[i].number);
    }
    sonde_pattern what = SONDE_PATTERN_INIT;
    what.name = p->name = text_of(env, name);
    what.role = role;
    what.bytes = (size_t)n[0], what.messages = (size_t)n[1], what.shared_by = (size_t)n[2];
    what.hops = hops, what.bus_factor = bus_factor;
    what.parameters = p->parameters = list, what.parameter_count = parameters;
    p->what = what;
    return address(p);
}

NATIVE(void, patternFree)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(env), UNUSED(class);
    pattern* const p = pointer(at);
    if (p == NULL) return;
    for (size_t i = 0; i != p->what.parameter_count; ++i) {
        free((void*)(uintptr_t)p->parameters[i].name);
        free((void*)(uintptr_t)p->parameters[i].text);
    }
    free(p->parameters);
    free(p->name);
    free(p);
}

/* ---- Measurements ------------------------------------------------------------------------------------------------ */

NATIVE(jlong, stepsBegin)(JNIEnv* env, jclass class, jlong g, jlongArray integers, jdoubleArray reals, jlong what) {
    UNUSED(class);
    sonde_error error;
    sonde_plan plan;
    sonde_steps* steps = NULL;
    pattern const* const p = pointer(what);
    succeeded(env,
              sonde_steps_begin(((group*)pointer(g))->ranks, plan_of(env, integers, reals, &plan),
                                p == NULL ? NULL : &p->what, &steps, &error),
              &error);
    return address(steps);
}

NATIVE(void, stepsNext)(JNIEnv* env, jclass class, jlong steps, jlongArray next) {
    UNUSED(class);
    sonde_error error;
    sonde_step step = {0, 0};
    if (!succeeded(env, sonde_steps_next(pointer(steps), &step, &error), &error)) return;
    jlong const given[] = {(jlong)step.samples, (jlong)step.batch};
    (*env)->SetLongArrayRegion(env, next, 0, 2, given);
}

NATIVE(void, stepsSynchronize)(JNIEnv* env, jclass class, jlong steps) {
    UNUSED(class);
    sonde_error error;
    succeeded(env, sonde_steps_synchronize(pointer(steps), &error), &error);
}

NATIVE(void, stepsAdd)(JNIEnv* env, jclass class, jlong steps, jlong begin, jlong end) {
    UNUSED(class);
    sonde_error error;
    succeeded(env, sonde_steps_add(pointer(steps), begin, end, &error), &error);
}

NATIVE(void, stepsFail)(JNIEnv* env, jclass class, jlong steps) {
    UNUSED(class);
    sonde_error error;
    succeeded(env, sonde_steps_fail(pointer(steps), 1, &error), &error);
}

NATIVE(jlong, stepsRecord)(JNIEnv* env, jclass class, jlong steps) {
    UNUSED(class);
    sonde_error error;
    sonde_record* record = NULL;
    succeeded(env, sonde_steps_record(pointer(steps), &record, &error), &error);
    return address(record);
}

NATIVE(void, stepsFree)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(env), UNUSED(class);
    sonde_steps* steps = pointer(at);
    sonde_steps_free(&steps);
}

/* An iteration. The first exception is kept; it is cleared, because the rank goes on to call the iteration. */
static int call_back(void* state) {
    callback const* const c = state;
    JNIEnv* const env = c->env;
    (*env)->CallVoidMethod(env, c->iteration, c->call);
    if (!(*env)->ExceptionCheck(env)) return 0;
    jthrowable const e = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    jobject const first = (*env)->GetObjectArrayElement(env, c->failure, 0);
    if (first == NULL) (*env)->SetObjectArrayElement(env, c->failure, 0, e);
    (*env)->DeleteLocalRef(env, first);
    (*env)->DeleteLocalRef(env, e);
    return 1;
}

/* The patterns with their callbacks; NULL if one of them is missing on this rank. */
static sonde_pattern* called_patterns(JNIEnv* env, jlong const* what, size_t n, jobjectArray iterations,
                                      jobjectArray failure, callback* calls) {
    sonde_pattern* const patterns = allocated(env, (n + 1) * sizeof *patterns);
    jclass const type = (*env)->FindClass(env, "org/sonde/Iteration");
    jmethodID const call = (*env)->GetMethodID(env, type, "call", "()V");
    for (size_t i = 0; i != n; ++i) {
        pattern const* const p = pointer(what[i]);
        if (p == NULL) {
            free(patterns);
            return NULL;
        }
        callback const one = {env, (*env)->GetObjectArrayElement(env, iterations, (jsize)i), call, failure};
        calls[i] = one;
        patterns[i] = p->what;
        patterns[i].iterate = call_back, patterns[i].state = calls + i;
    }
    return patterns;
}

NATIVE(jlong, compare)
(JNIEnv* env, jclass class, jlong g, jlongArray integers, jdoubleArray reals, jlongArray what, jobjectArray iterations,
 jobjectArray failure) {
    UNUSED(class);
    sonde_error error;
    sonde_plan plan;
    sonde_comparison* comparison = NULL;
    size_t const n = (size_t)(*env)->GetArrayLength(env, what);
    jlong* const addresses = (*env)->GetLongArrayElements(env, what, NULL);
    callback* const calls = allocated(env, (n + 1) * sizeof *calls);
    sonde_pattern* const patterns = called_patterns(env, addresses, n, iterations, failure, calls);
    sonde_status const status = sonde_compare(((group*)pointer(g))->ranks, plan_of(env, integers, reals, &plan),
                                              patterns, n, &comparison, &error);
    free(patterns);
    free(calls);
    (*env)->ReleaseLongArrayElements(env, what, addresses, JNI_ABORT);
    succeeded(env, status, &error);
    return address(comparison);
}

/* ---- Records and comparisons ------------------------------------------------------------------------------------- */

NATIVE(jbyteArray, recordSummary)(JNIEnv* env, jclass class, jlong record, jlongArray integers, jdoubleArray reals) {
    UNUSED(class);
    sonde_error error;
    sonde_summary s = SONDE_SUMMARY_INIT;
    if (!succeeded(env, sonde_record_summary(pointer(record), &s, &error), &error)) return NULL;
    jlong const n[] = {(jlong)s.samples, (jlong)s.batch, s.ranks, s.initiators, s.has_interval, s.flags};
    double const x[] = {s.median, s.low,     s.high,      s.mean,          s.min,
                        s.max,    s.stddev,  s.rank_min,  s.rank_mean,     s.rank_max,
                        s.first,  s.latency, s.bandwidth, s.bus_bandwidth, s.message_rate};
    (*env)->SetLongArrayRegion(env, integers, 0, sizeof n / sizeof *n, n);
    (*env)->SetDoubleArrayRegion(env, reals, 0, sizeof x / sizeof *x, x);
    return bytes_of(env, s.stop_reason);
}

NATIVE(jboolean, recordPercentile)(JNIEnv* env, jclass class, jlong record, jdouble q, jdoubleArray time) {
    UNUSED(class);
    sonde_error error;
    double found = 0;
    sonde_status const status = sonde_record_percentile(pointer(record), q, &found, &error);
    if (status == SONDE_INVALID_STATE || !succeeded(env, status, &error)) return JNI_FALSE;
    (*env)->SetDoubleArrayRegion(env, time, 0, 1, &found);
    return JNI_TRUE;
}

NATIVE(jdoubleArray, recordSeries)(JNIEnv* env, jclass class, jlong record) {
    UNUSED(class);
    double const* times = NULL;
    size_t const n = sonde_record_series(pointer(record), &times);
    return doubles_of(env, n, times);
}

NATIVE(jdoubleArray, recordRankMeans)(JNIEnv* env, jclass class, jlong record) {
    UNUSED(class);
    double const* times = NULL;
    size_t const n = sonde_record_rank_means(pointer(record), &times);
    return doubles_of(env, n, times);
}

NATIVE(jdoubleArray, recordRankSamples)(JNIEnv* env, jclass class, jlong record, jint rank) {
    UNUSED(class);
    double const* times = NULL;
    size_t const n = sonde_record_rank_samples(pointer(record), rank, &times);
    return doubles_of(env, n, times);
}

NATIVE(jbyteArray, recordText)(JNIEnv* env, jclass class, jlong record) {
    UNUSED(class);
    size_t const n = sonde_record_text(pointer(record), NULL, 0);
    char* const text = allocated(env, n + 1);
    sonde_record_text(pointer(record), text, n + 1);
    jbyteArray const bytes = bytes_of(env, text);
    free(text);
    return bytes;
}

NATIVE(void, recordFree)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(env), UNUSED(class);
    sonde_record* record = pointer(at);
    sonde_record_free(&record);
}

NATIVE(jint, comparisonCount)(JNIEnv* env, jclass class, jlong comparison) {
    UNUSED(env), UNUSED(class);
    return (jint)sonde_comparison_count(pointer(comparison));
}

NATIVE(jlong, comparisonRecord)(JNIEnv* env, jclass class, jlong comparison, jint alternative) {
    UNUSED(env), UNUSED(class);
    return address(sonde_comparison_record(pointer(comparison), (size_t)alternative));
}

NATIVE(jint, comparisonSpeedup)
(JNIEnv* env, jclass class, jlong comparison, jint alternative, jdouble gain, jdouble confidence,
 jdoubleArray figures) {
    UNUSED(class);
    sonde_error error;
    sonde_speedup s = SONDE_SPEEDUP_INIT;
    if (!succeeded(env,
                   sonde_comparison_speedup(pointer(comparison), (size_t)alternative, gain, confidence, &s, &error),
                   &error))
        return 0;
    double const found[] = {s.speedup, s.low, s.high};
    (*env)->SetDoubleArrayRegion(env, figures, 0, 3, found);
    return s.has_interval ? (jint)s.outcome : -1 - (jint)s.outcome;
}

NATIVE(jint, comparisonFastest)(JNIEnv* env, jclass class, jlong comparison, jdouble gain, jdouble confidence) {
    UNUSED(class);
    sonde_error error;
    size_t found = 0;
    succeeded(env, sonde_comparison_fastest(pointer(comparison), gain, confidence, &found, &error), &error);
    return (jint)found;
}

NATIVE(void, comparisonSetApplication)
(JNIEnv* env, jclass class, jlong comparison, jbyteArray scope, jdouble transfer, jdouble waiting, jdouble loop) {
    UNUSED(class);
    sonde_error error;
    char* const text = text_of(env, scope);
    succeeded(env, sonde_comparison_set_application(pointer(comparison), text, transfer, waiting, loop, &error),
              &error);
    free(text);
}

NATIVE(void, comparisonFree)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(env), UNUSED(class);
    sonde_comparison* comparison = pointer(at);
    sonde_comparison_free(&comparison);
}

/* ---- Probes ------------------------------------------------------------------------------------------------------ */

NATIVE(jlong, probeCreate)(JNIEnv* env, jclass class, jlong kept_passes) {
    UNUSED(class);
    sonde_error error;
    sonde_probe* probe = NULL;
    succeeded(env, sonde_probe_create((size_t)kept_passes, &probe, &error), &error);
    return address(probe);
}

NATIVE(void, probeFree)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(env), UNUSED(class);
    sonde_probe* probe = pointer(at);
    sonde_probe_free(&probe);
}

NATIVE(jlong, probeScope)(JNIEnv* env, jclass class, jlong probe, jlong parent, jbyteArray name, jlong bytes) {
    UNUSED(class);
    sonde_error error;
    sonde_scope* scope = NULL;
    char* const text = text_of(env, name);
    succeeded(env, sonde_probe_scope(pointer(probe), pointer(parent), text, (size_t)bytes, &scope, &error), &error);
    free(text);
    return address(scope);
}

NATIVE(jlong, probeWork)(JNIEnv* env, jclass class, jlong probe, jlong parent, jbyteArray name) {
    UNUSED(class);
    sonde_error error;
    sonde_scope* scope = NULL;
    char* const text = text_of(env, name);
    succeeded(env, sonde_probe_work(pointer(probe), pointer(parent), text, &scope, &error), &error);
    free(text);
    return address(scope);
}

NATIVE(jlong, probeExchange)
(JNIEnv* env, jclass class, jlong probe, jlong parent, jbyteArray name, jlong bytes, jintArray partners) {
    UNUSED(class);
    sonde_error error;
    sonde_scope* scope = NULL;
    char* const text = text_of(env, name);
    jsize const n = (*env)->GetArrayLength(env, partners);
    jint* const ranks = allocated(env, ((size_t)n + 1) * sizeof *ranks);
    (*env)->GetIntArrayRegion(env, partners, 0, n, ranks);
    succeeded(
        env,
        sonde_probe_exchange(pointer(probe), pointer(parent), text, (size_t)bytes, ranks, (size_t)n, &scope, &error),
        &error);
    free(ranks);
    free(text);
    return address(scope);
}

NATIVE(jlong, scopeEnter)(JNIEnv* env, jclass class, jlong scope) {
    UNUSED(env), UNUSED(class);
    return sonde_scope_enter(pointer(scope)).begin;
}

NATIVE(void, scopeLeave)(JNIEnv* env, jclass class, jlong scope, jlong begin) {
    UNUSED(env), UNUSED(class);
    sonde_pass pass = {pointer(scope), begin};
    sonde_scope_leave(&pass);
}

NATIVE(jlong, monitorCreate)(JNIEnv* env, jclass class, jlong g, jbyteArray path, jdouble interval) {
    UNUSED(class);
    sonde_error error;
    sonde_monitor* monitor = NULL;
    char* const text = text_of(env, path);
    succeeded(env, sonde_monitor_create(((group*)pointer(g))->ranks, text, interval, &monitor, &error), &error);
    free(text);
    return address(monitor);
}

NATIVE(void, monitorAdd)(JNIEnv* env, jclass class, jlong monitor, jlong probe) {
    UNUSED(class);
    sonde_error error;
    succeeded(env, sonde_monitor_add(pointer(monitor), pointer(probe), &error), &error);
}

NATIVE(jboolean, monitorWrite)(JNIEnv* env, jclass class, jlong monitor) {
    UNUSED(class);
    sonde_error error;
    int written = 0;
    succeeded(env, sonde_monitor_write(pointer(monitor), &written, &error), &error);
    return written != 0;
}

NATIVE(void, monitorFree)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(env), UNUSED(class);
    sonde_monitor* monitor = pointer(at);
    sonde_monitor_free(&monitor);
}

NATIVE(jlong, collect)(JNIEnv* env, jclass class, jlong g, jlong probe) {
    UNUSED(class);
    sonde_error error;
    sonde_scopes* scopes = NULL;
    succeeded(env, sonde_collect(((group*)pointer(g))->ranks, pointer(probe), &scopes, &error), &error);
    return address(scopes);
}

NATIVE(jint, scopesCount)(JNIEnv* env, jclass class, jlong scopes) {
    UNUSED(env), UNUSED(class);
    return (jint)sonde_scopes_count(pointer(scopes));
}

NATIVE(jbyteArray, scopesSummary)
(JNIEnv* env, jclass class, jlong scopes, jint index, jlongArray integers, jdoubleArray reals) {
    UNUSED(class);
    sonde_error error;
    sonde_scope_summary s = SONDE_SCOPE_SUMMARY_INIT;
    if (!succeeded(env, sonde_scopes_summary(pointer(scopes), (size_t)index, &s, &error), &error)) return NULL;
    jlong const n[] = {s.parent, s.ranks, (jlong)s.passes, s.slowest, s.slow_rank, s.kind};
    double const x[] = {s.bytes, s.median, s.total_min, s.total_mean, s.total_max, s.share, s.imbalance, s.bandwidth};
    (*env)->SetLongArrayRegion(env, integers, 0, sizeof n / sizeof *n, n);
    (*env)->SetDoubleArrayRegion(env, reals, 0, sizeof x / sizeof *x, x);
    return bytes_of(env, s.name);
}

NATIVE(void, scopesFree)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(env), UNUSED(class);
    sonde_scopes* scopes = pointer(at);
    sonde_scopes_free(&scopes);
}

/* ---- Who made ranks wait ----------------------------------------------------------------------------------------- */

NATIVE(jlong, collectLateness)
(JNIEnv* env, jclass class, jlong g, jlong probe, jdouble effect, jdouble false_alarms) {
    UNUSED(class);
    sonde_error error;
    sonde_lateness* lateness = NULL;
    sonde_lateness_options options = SONDE_LATENESS_OPTIONS_INIT;
    options.effect = effect;
    options.false_alarms = false_alarms;
    sonde_group* const ranks = ((group*)pointer(g))->ranks;
    succeeded(env, sonde_collect_lateness(ranks, pointer(probe), &options, &lateness, &error), &error);
    return address(lateness);
}

/* Numbers, or their count alone where there is no memory yet. */
typedef struct numbers {
    double* all;
    size_t count;
} numbers;

static void put(numbers* to, size_t count, double const* values) {
    if (to->all != NULL) memcpy(to->all + to->count, values, count * sizeof *values);
    to->count += count;
}

#define PUT(to, ...) put(to, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

static void put_late_rank(numbers* to, sonde_late_rank const* l) {
    PUT(to, l->rank, l->caused, l->share, l->lateness, (double)l->step_count);
    for (size_t i = 0; i != l->step_count; ++i) PUT(to, (double)l->steps[i]);
    PUT(to, (double)l->of_steps, l->ratio, l->of_other_steps);
}

static void put_slow_transfer(numbers* to, sonde_slow_transfer const* s) {
    PUT(to, (double)s->rank_count);
    for (size_t i = 0; i != s->rank_count; ++i) PUT(to, s->ranks[i]);
    PUT(to, s->ratio, s->caused);
}

static void put_effect(numbers* to, sonde_scope_effect const* e) {
    PUT(to, (double)e->step_count);
    for (size_t i = 0; i != e->step_count; ++i) PUT(to, (double)e->steps[i]);
    PUT(to, (double)e->of_steps, (double)e->period, e->typical, e->excess, e->p);
}

static void put_summary(numbers* to, sonde_loop_summary const* s) {
    PUT(to, (double)s->steps, s->enough_steps, s->waiting, s->has_interval, s->low, s->high, s->transfer, s->observed,
        s->clock_error);
    PUT(to, (double)s->late_count);
    for (size_t i = 0; i != s->late_count; ++i) put_late_rank(to, &s->late[i]);
    PUT(to, (double)s->exchange_count);
    for (size_t i = 0; i != s->exchange_count; ++i) {
        sonde_exchange_lateness const* const e = &s->exchanges[i];
        PUT(to, (double)e->passes, (double)e->unexamined, e->waiting, e->transfer, e->is_unequal, (double)e->fewest,
            e->fewest_rank, (double)e->most, e->most_rank);
    }
    PUT(to, (double)s->rank_count);
    for (size_t i = 0; i != s->rank_count; ++i)
        PUT(to, s->ranks[i].waiting, s->ranks[i].caused_by_work, s->ranks[i].caused_by_transfer);
    PUT(to, (double)s->slow_transfer_count);
    for (size_t i = 0; i != s->slow_transfer_count; ++i) put_slow_transfer(to, &s->slow_transfers[i]);
    PUT(to, (double)s->effect_count);
    for (size_t i = 0; i != s->effect_count; ++i) put_effect(to, &s->effects[i]);
}

NATIVE(jdoubleArray, latenessNumbers)(JNIEnv* env, jclass class, jlong lateness) {
    UNUSED(class);
    sonde_error error;
    sonde_loop_summary s = SONDE_LOOP_SUMMARY_INIT;
    if (!succeeded(env, sonde_lateness_summary(pointer(lateness), &s, &error), &error)) return NULL;
    numbers found = {NULL, 0};
    put_summary(&found, &s);
    found.all = allocated(env, found.count * sizeof *found.all);
    found.count = 0;
    put_summary(&found, &s);
    jdoubleArray const array = doubles_of(env, found.count, found.all);
    free(found.all);
    return array;
}

/* Sets an element, unless an exception is pending. */
static void set_text(JNIEnv* env, jobjectArray array, jsize* next, char const* text) {
    jbyteArray const bytes = (*env)->ExceptionCheck(env) ? NULL : bytes_of(env, text);
    if (bytes == NULL) return;
    (*env)->SetObjectArrayElement(env, array, (*next)++, bytes);
    (*env)->DeleteLocalRef(env, bytes);
}

NATIVE(jobjectArray, latenessTexts)(JNIEnv* env, jclass class, jlong lateness) {
    UNUSED(class);
    sonde_error error;
    sonde_loop_summary s = SONDE_LOOP_SUMMARY_INIT;
    if (!succeeded(env, sonde_lateness_summary(pointer(lateness), &s, &error), &error)) return NULL;
    static char const* const kinds[] = {"period", "burst", "change_point", "drift"};
    jsize const n = (jsize)(2 * s.late_count + s.exchange_count + s.slow_transfer_count + 2 * s.effect_count);
    jclass const bytes = (*env)->FindClass(env, "[B");
    jobjectArray const array = bytes == NULL ? NULL : (*env)->NewObjectArray(env, n, bytes, NULL);
    if (array == NULL) return NULL;
    jsize next = 0;
    for (size_t i = 0; i != s.late_count; ++i) {
        set_text(env, array, &next, s.late[i].exchange);
        set_text(env, array, &next, s.late[i].work);
    }
    for (size_t i = 0; i != s.exchange_count; ++i) set_text(env, array, &next, s.exchanges[i].name);
    for (size_t i = 0; i != s.slow_transfer_count; ++i) set_text(env, array, &next, s.slow_transfers[i].exchange);
    for (size_t i = 0; i != s.effect_count; ++i) {
        set_text(env, array, &next, s.effects[i].scope);
        set_text(env, array, &next, kinds[s.effects[i].kind]);
    }
    return array;
}

NATIVE(jbyteArray, latenessText)(JNIEnv* env, jclass class, jlong lateness) {
    UNUSED(class);
    size_t const n = sonde_lateness_text(pointer(lateness), NULL, 0) + 1;
    char* const text = allocated(env, n);
    sonde_lateness_text(pointer(lateness), text, n);
    jbyteArray const bytes = bytes_of(env, text);
    free(text);
    return bytes;
}

NATIVE(void, latenessFree)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(env), UNUSED(class);
    sonde_lateness* lateness = pointer(at);
    sonde_lateness_free(&lateness);
}

/* ---- Reports ----------------------------------------------------------------------------------------------------- */

NATIVE(jlong, reporterCreate)(JNIEnv* env, jclass class, jlong g, jbyteArray file) {
    UNUSED(class);
    sonde_error error;
    sonde_reporter* reporter = NULL;
    char* const name = text_of(env, file);
    succeeded(env, sonde_reporter_create(((group*)pointer(g))->ranks, name, &reporter, &error), &error);
    free(name);
    return address(reporter);
}

NATIVE(void, reportRecord)(JNIEnv* env, jclass class, jlong reporter, jlong record) {
    UNUSED(class);
    sonde_error error;
    succeeded(env, sonde_report(pointer(reporter), pointer(record), &error), &error);
}

NATIVE(void, reportComparison)
(JNIEnv* env, jclass class, jlong reporter, jlong comparison, jdouble gain, jdouble confidence) {
    UNUSED(class);
    sonde_error error;
    succeeded(env, sonde_report_comparison(pointer(reporter), pointer(comparison), gain, confidence, &error), &error);
}

NATIVE(void, reportScopes)(JNIEnv* env, jclass class, jlong reporter, jlong scopes) {
    UNUSED(class);
    sonde_error error;
    succeeded(env, sonde_report_scopes(pointer(reporter), pointer(scopes), &error), &error);
}

NATIVE(void, reportLateness)(JNIEnv* env, jclass class, jlong reporter, jlong lateness) {
    UNUSED(class);
    sonde_error error;
    succeeded(env, sonde_report_lateness(pointer(reporter), pointer(lateness), &error), &error);
}

NATIVE(void, reporterClose)(JNIEnv* env, jclass class, jlong at) {
    UNUSED(class);
    sonde_error error;
    sonde_reporter* reporter = pointer(at);
    succeeded(env, sonde_reporter_close(&reporter, &error), &error);
}
