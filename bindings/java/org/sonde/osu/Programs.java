// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

// The classes that users start, by the names of OMB's.

final class OSULatency {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.LATENCY, arguments);
    }
}

final class OSUBandwidth {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.BANDWIDTH, arguments);
    }
}

final class OSUBandwidthOMPI {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.BANDWIDTH_OMPI, arguments);
    }
}

final class OSUBiBandwidth {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.BIBANDWIDTH, arguments);
    }
}

final class OSUBiBandwidthOMPI {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.BIBANDWIDTH_OMPI, arguments);
    }
}

final class OSUAllgather {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.ALLGATHER, arguments);
    }
}

final class OSUAllgatherv {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.ALLGATHERV, arguments);
    }
}

final class OSUAllReduce {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.ALLREDUCE, arguments);
    }
}

final class OSUAlltoall {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.ALLTOALL, arguments);
    }
}

final class OSUAlltoallv {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.ALLTOALLV, arguments);
    }
}

final class OSUBarrier {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.BARRIER, arguments);
    }
}

final class OSUBcast {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.BCAST, arguments);
    }
}

final class OSUGather {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.GATHER, arguments);
    }
}

final class OSUGatherv {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.GATHERV, arguments);
    }
}

final class OSUReduce {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.REDUCE, arguments);
    }
}

final class OSUReduceScatter {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.REDUCE_SCATTER, arguments);
    }
}

final class OSUScatter {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.SCATTER, arguments);
    }
}

final class OSUScatterv {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.SCATTERV, arguments);
    }
}

final class HelloWorld {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.HELLO_WORLD, arguments);
    }
}

final class OMPIHelloWorld {
    public static void main(String[] arguments) {
        Launch.start(Benchmark.HELLO_WORLD_OMPI, arguments);
    }
}
