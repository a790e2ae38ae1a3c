/* SPDX-License-Identifier: BSL-1.0
 *
 * The native methods of org.sonde.osu.NativeBinding: the calls of MPI that OSU's Java programs need, on MPI_COMM_WORLD.
 * A buffer is a direct ByteBuffer, or an array, which MPI gets as a copy. Errors end the job, as MPI does by default.
 */
#include <jni.h>
#include <mpi.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_org_sonde_osu_NativeBinding_##name
#define UNUSED(argument) (void)(argument)

/* Memory that grows. */
typedef struct memory {
    void* data;
    size_t room;
} memory;

/* Nonblocking messages, with the copies of their arrays. */
typedef struct window {
    MPI_Request* requests;
    MPI_Status* statuses;
    memory* copies;
    jint size;
} window;

/* The order of org.sonde.osu.Collective. */
enum collective {
    BARRIER,
    BCAST,
    ALLGATHER,
    ALLGATHERV,
    ALLREDUCE,
    ALLTOALL,
    ALLTOALLV,
    GATHER,
    GATHERV,
    REDUCE,
    REDUCE_SCATTER,
    SCATTER,
    SCATTERV
};

static memory sent, received; /* copies of arrays of blocking calls: a single thread calls MPI */
static memory counts, offsets;

/* Memory of a size at least. Ends the process if there is none. */
static void* grown(JNIEnv* env, memory* m, size_t bytes) {
    if (bytes <= m->room) return m->data;
    void* const data = realloc(m->data, bytes);
    if (data == NULL) (*env)->FatalError(env, "sonde: out of memory");
    m->data = data, m->room = bytes;
    return data;
}

static void* pointer(jlong address) { return (void*)(intptr_t)address; }

/* Copies between an array and memory. */
static void copy_array(JNIEnv* env, jarray array, size_t bytes, void* data, int is_out) {
    if (bytes == 0) return;
    void* const elements = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (elements == NULL) return;
    memcpy(is_out ? data : elements, is_out ? elements : data, bytes);
    (*env)->ReleasePrimitiveArrayCritical(env, array, elements, is_out ? JNI_ABORT : 0);
}

/* Room for bytes to receive; NULL for null. */
static void* incoming(JNIEnv* env, jobject buffer, jboolean is_array, size_t bytes, memory* copy) {
    if (buffer == NULL) return NULL;
    return is_array ? grown(env, copy, bytes) : (*env)->GetDirectBufferAddress(env, buffer);
}

/* Bytes to send; NULL for null. */
static void* outgoing(JNIEnv* env, jobject buffer, jboolean is_array, size_t bytes, memory* copy) {
    void* const data = incoming(env, buffer, is_array, bytes, copy);
    if (is_array && data != NULL) copy_array(env, buffer, bytes, data, 1);
    return data;
}

static void copy_to_array(JNIEnv* env, jarray array, size_t bytes, void* data) {
    copy_array(env, array, bytes, data, 0);
}

static jbyteArray bytes_of(JNIEnv* env, char const* text, int n) {
    jbyteArray const bytes = (*env)->NewByteArray(env, n);
    if (bytes != NULL) (*env)->SetByteArrayRegion(env, bytes, 0, n, (jbyte const*)text);
    return bytes;
}

static int* integers(JNIEnv* env, jintArray array, memory* copy) {
    if (array == NULL) return NULL;
    jsize const n = (*env)->GetArrayLength(env, array);
    int* const data = grown(env, copy, (size_t)n * sizeof *data);
    (*env)->GetIntArrayRegion(env, array, 0, n, (jint*)data);
    return data;
}

/* ---- Point to point ---------------------------------------------------------------------------------------------- */

NATIVE(void, send)(JNIEnv* env, jclass class, jobject buffer, jboolean is_array, jint n, jint to, jint tag) {
    UNUSED(class);
    MPI_Send(outgoing(env, buffer, is_array, (size_t)n, &sent), n, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

NATIVE(void, receive)(JNIEnv* env, jclass class, jobject buffer, jboolean is_array, jint n, jint from, jint tag) {
    UNUSED(class);
    MPI_Status status;
    void* const data = incoming(env, buffer, is_array, (size_t)n, &received);
    MPI_Recv(data, n, MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
    if (is_array) copy_to_array(env, buffer, (size_t)n, data);
}

NATIVE(jlong, windowCreate)(JNIEnv* env, jclass class, jint size) {
    UNUSED(class);
    size_t const n = (size_t)size;
    window const made = {calloc(n, sizeof(MPI_Request)), calloc(n, sizeof(MPI_Status)), calloc(n, sizeof(memory)),
                         size};
    window* const w = malloc(sizeof *w);
    if (w == NULL || made.requests == NULL || made.statuses == NULL || made.copies == NULL)
        (*env)->FatalError(env, "sonde: out of memory");
    *w = made;
    return (jlong)(intptr_t)w;
}

NATIVE(void, windowFree)(JNIEnv* env, jclass class, jlong address) {
    UNUSED(env), UNUSED(class);
    window* const w = pointer(address);
    for (jint i = 0; i != w->size; ++i) free(w->copies[i].data);
    free(w->copies);
    free(w->statuses);
    free(w->requests);
    free(w);
}

NATIVE(void, startSend)
(JNIEnv* env, jclass class, jlong address, jint i, jobject buffer, jboolean is_array, jint n, jint to, jint tag) {
    UNUSED(class);
    window* const w = pointer(address);
    void* const data = outgoing(env, buffer, is_array, (size_t)n, w->copies + i);
    MPI_Isend(data, n, MPI_BYTE, to, tag, MPI_COMM_WORLD, w->requests + i);
}

NATIVE(void, startReceive)
(JNIEnv* env, jclass class, jlong address, jint i, jobject buffer, jboolean is_array, jint n, jint from, jint tag) {
    UNUSED(class);
    window* const w = pointer(address);
    void* const data = incoming(env, buffer, is_array, (size_t)n, w->copies + i);
    MPI_Irecv(data, n, MPI_BYTE, from, tag, MPI_COMM_WORLD, w->requests + i);
}

NATIVE(void, waitAll)(JNIEnv* env, jclass class, jlong address, jboolean with_statuses) {
    UNUSED(env), UNUSED(class);
    window* const w = pointer(address);
    MPI_Waitall(w->size, w->requests, with_statuses ? w->statuses : MPI_STATUSES_IGNORE);
}

/* Writes the bytes that a message of the window brought to an array. */
NATIVE(void, copyReceived)(JNIEnv* env, jclass class, jlong address, jint i, jobject array, jint n) {
    UNUSED(class);
    window const* const w = pointer(address);
    copy_to_array(env, array, (size_t)n, w->copies[i].data);
}

/* ---- Collectives ------------------------------------------------------------------------------------------------- */

static void call(enum collective operation, void* from, void* to, int n, int const* parts, int const* at) {
    MPI_Comm const world = MPI_COMM_WORLD;
    switch (operation) {
    case BARRIER:
        MPI_Barrier(world);
        break;
    case BCAST:
        MPI_Bcast(to == NULL ? from : to, n, MPI_BYTE, 0, world);
        break;
    case ALLGATHER:
        MPI_Allgather(from, n, MPI_BYTE, to, n, MPI_BYTE, world);
        break;
    case ALLGATHERV:
        MPI_Allgatherv(from, n, MPI_BYTE, to, parts, at, MPI_BYTE, world);
        break;
    case ALLREDUCE:
        MPI_Allreduce(from, to, n, MPI_FLOAT, MPI_SUM, world);
        break;
    case ALLTOALL:
        MPI_Alltoall(from, n, MPI_BYTE, to, n, MPI_BYTE, world);
        break;
    case ALLTOALLV:
        MPI_Alltoallv(from, parts, at, MPI_BYTE, to, parts, at, MPI_BYTE, world);
        break;
    case GATHER:
        MPI_Gather(from, n, MPI_BYTE, to, n, MPI_BYTE, 0, world);
        break;
    case GATHERV:
        MPI_Gatherv(from, n, MPI_BYTE, to, parts, at, MPI_BYTE, 0, world);
        break;
    case REDUCE:
        MPI_Reduce(from, to, n, MPI_FLOAT, MPI_SUM, 0, world);
        break;
    case REDUCE_SCATTER:
        MPI_Reduce_scatter(from, to, parts, MPI_FLOAT, MPI_SUM, world);
        break;
    case SCATTER:
        MPI_Scatter(from, n, MPI_BYTE, to, n, MPI_BYTE, 0, world);
        break;
    case SCATTERV:
        MPI_Scatterv(from, parts, at, MPI_BYTE, to, n, MPI_BYTE, 0, world);
        break;
    }
}

/* A buffer is null, or 0 bytes of it are copied, where a rank sends or receives none. */
NATIVE(void, collective)
(JNIEnv* env, jclass class, jint operation, jobject send, jint send_bytes, jobject receive, jint receive_bytes,
 jboolean is_array, jint n, jintArray parts, jintArray at) {
    UNUSED(class);
    void* const from = outgoing(env, send, is_array, (size_t)send_bytes, &sent);
    void* const to = incoming(env, receive, is_array, (size_t)receive_bytes, &received);
    call((enum collective)operation, from, to, n, integers(env, parts, &counts), integers(env, at, &offsets));
    if (is_array && to != NULL) copy_to_array(env, receive, (size_t)receive_bytes, to);
}

/* ---- What the ranks agree on ------------------------------------------------------------------------------------- */

/* PMPI, so that tools that count calls see those of the programs. */

NATIVE(jint, rank)(JNIEnv* env, jclass class) {
    UNUSED(env), UNUSED(class);
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

NATIVE(jint, size)(JNIEnv* env, jclass class) {
    UNUSED(env), UNUSED(class);
    int size = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/* The bytes of the root on all ranks. */
NATIVE(jbyteArray, broadcast)(JNIEnv* env, jclass class, jbyteArray bytes, jint root) {
    UNUSED(class);
    memory text = {NULL, 0};
    int rank = 0, n = (*env)->GetArrayLength(env, bytes);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Bcast(&n, 1, MPI_INT, root, MPI_COMM_WORLD);
    void* const data = grown(env, &text, (size_t)n + 1);
    if (rank == root) (*env)->GetByteArrayRegion(env, bytes, 0, n, data);
    PMPI_Bcast(data, n, MPI_BYTE, root, MPI_COMM_WORLD);
    jbyteArray const all = bytes_of(env, data, n);
    free(data);
    return all;
}

/* The smallest number of all ranks. */
NATIVE(jint, least)(JNIEnv* env, jclass class, jint n) {
    UNUSED(env), UNUSED(class);
    int all = 0;
    PMPI_Allreduce(&n, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

NATIVE(void, abort)(JNIEnv* env, jclass class) {
    UNUSED(env), UNUSED(class);
    PMPI_Abort(MPI_COMM_WORLD, 1);
}

/* The name and version of the MPI library, also before it is initialized. */
NATIVE(jbyteArray, libraryVersion)(JNIEnv* env, jclass class) {
    UNUSED(class);
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int n = 0;
    PMPI_Get_library_version(text, &n);
    return bytes_of(env, text, (int)strlen(text));
}

NATIVE(jbyteArray, processorName)(JNIEnv* env, jclass class) {
    UNUSED(class);
    char text[MPI_MAX_PROCESSOR_NAME] = "";
    int n = 0;
    PMPI_Get_processor_name(text, &n);
    return bytes_of(env, text, n);
}
