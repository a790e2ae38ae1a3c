// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

/** The table of the programs. */
enum Benchmark {
    LATENCY("OSULatency", "Latency", Kind.LATENCY, null),
    BANDWIDTH("OSUBandwidth", "Bandwidth", Kind.BANDWIDTH, null),
    BANDWIDTH_OMPI("OSUBandwidthOMPI", "Open MPI Bandwidth", Kind.BANDWIDTH, null),
    BIBANDWIDTH("OSUBiBandwidth", "Open MPI Bi-Bandwidth", Kind.BIBANDWIDTH, null), // OMB has the titles of these two
    BIBANDWIDTH_OMPI("OSUBiBandwidthOMPI", "Bi-Bandwidth", Kind.BIBANDWIDTH, null), // in this order
    ALLGATHER("OSUAllgather", "Allgather", Kind.COLLECTIVE, Collective.ALLGATHER),
    ALLGATHERV("OSUAllgatherv", "Allgatherv", Kind.COLLECTIVE, Collective.ALLGATHERV),
    ALLREDUCE("OSUAllReduce", "Allreduce", Kind.COLLECTIVE, Collective.ALLREDUCE),
    ALLTOALL("OSUAlltoall", "Alltoall", Kind.COLLECTIVE, Collective.ALLTOALL),
    ALLTOALLV("OSUAlltoallv", "Alltoallv", Kind.COLLECTIVE, Collective.ALLTOALLV),
    BARRIER("OSUBarrier", "Barrier", Kind.BARRIER, Collective.BARRIER),
    BCAST("OSUBcast", "Bcast", Kind.COLLECTIVE, Collective.BCAST),
    GATHER("OSUGather", "Gather", Kind.COLLECTIVE, Collective.GATHER),
    GATHERV("OSUGatherv", "Gatherv", Kind.COLLECTIVE, Collective.GATHERV),
    REDUCE("OSUReduce", "Reduce", Kind.COLLECTIVE, Collective.REDUCE),
    REDUCE_SCATTER("OSUReduceScatter", "ReduceScatter", Kind.COLLECTIVE, Collective.REDUCE_SCATTER),
    SCATTER("OSUScatter", "Scatter", Kind.COLLECTIVE, Collective.SCATTER),
    SCATTERV("OSUScatterv", "Scatterv", Kind.COLLECTIVE, Collective.SCATTERV),
    HELLO_WORLD("HelloWorld", "Hello World", Kind.STARTUP, null),
    HELLO_WORLD_OMPI("OMPIHelloWorld", "Hello World", Kind.STARTUP, null);

    /** What a row is. */
    enum Kind {
        /** Half a round trip of two ranks. */
        LATENCY,
        /** A window of messages of two ranks. */
        BANDWIDTH,
        /** A window in both directions. */
        BIBANDWIDTH,
        COLLECTIVE,
        /** The collective without sizes. */
        BARRIER,
        /** A line of each rank. */
        STARTUP
    }

    /** Iterations and warm-up of a row. */
    record Counts(int iterations, int warmup) {}

    private static final int LARGE = 8192; // bytes, or elements of a reduction: the largest message with many iterations
    private static final int MEBIBYTE = 1 << 20;

    final String program;
    final String title;
    final Kind kind;
    /** Null for messages between two ranks. */
    final Collective collective;

    Benchmark(String program, String title, Kind kind, Collective collective) {
        this.program = program;
        this.title = title;
        this.kind = kind;
        this.collective = collective;
    }

    boolean isWindow() {
        return kind == Kind.BANDWIDTH || kind == Kind.BIBANDWIDTH;
    }

    boolean isOfTwo() {
        return isWindow() || kind == Kind.LATENCY;
    }

    boolean isSum() {
        return collective != null && collective.isSum();
    }

    /** The program that was written for Open MPI's binding, whose nonblocking messages are no arrays. */
    boolean isForOpenMpi() {
        return this == BANDWIDTH_OMPI || this == BIBANDWIDTH_OMPI;
    }

    /** Bytes of the largest message by default. */
    int max() {
        return isOfTwo() ? 4 * MEBIBYTE : MEBIBYTE;
    }

    /** OMB's numbers of iterations. */
    Counts counts(int size) {
        if ((isSum() ? size / Float.BYTES : size) <= LARGE) return new Counts(10000, 1000);
        return isWindow() && size >= MEBIBYTE ? new Counts(100, 50) : new Counts(500, 100);
    }

    /** One-way trips of an iteration. */
    int hops() {
        return kind == Kind.LATENCY ? 2 : 1;
    }

    /** The times of this rank count: it begins the iteration, and sees its end. */
    boolean begins(int rank) {
        return rank == 0 || !(kind == Kind.LATENCY || kind == Kind.BANDWIDTH);
    }
}
