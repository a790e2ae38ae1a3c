// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.nio.ByteBuffer;
import mpi.Comm;
import mpi.MPI;
import mpi.Request;
import org.sonde.Iteration;

/** Open MPI's binding, mpi.jar. Without it, or with a jar of another library, this class or a call throws a LinkageError. */
final class OpenMpiBinding implements Binding {
    static final String WORD = "openmpi";

    @Override
    public String word() {
        return WORD;
    }

    @Override
    public String title() {
        return "Open MPI's";
    }

    @Override
    public void initialize(String[] arguments) throws Exception {
        MPI.Init(arguments);
    }

    @Override
    public void finalizeMpi() throws Exception {
        MPI.Finalize();
    }

    @Override
    public boolean startsArrays() {
        return false;
    }

    /**
     * For a copy of an array it allocates the last offset times the last count of bytes, where the sum is needed
     * (getCountv in mpi_MPI.c, 4.1.4 to 5.0): enough, until the product exceeds an int.
     */
    @Override
    public int largestArrayBlock(int ranks) {
        return (int) Math.sqrt((double) Integer.MAX_VALUE / Math.max(ranks - 1, 1));
    }

    @Override
    public void send(MessageBuffer buffer, int bytes, int to, int tag) throws Exception {
        MPI.COMM_WORLD.send(buffer.object, bytes, MPI.BYTE, to, tag);
    }

    @Override
    public void receive(MessageBuffer buffer, int bytes, int from, int tag) throws Exception {
        MPI.COMM_WORLD.recv(buffer.object, bytes, MPI.BYTE, from, tag);
    }

    @Override
    public Window window(int size) {
        return new Requests(new Request[size]);
    }

    private record Requests(Request[] all) implements Window {
        @Override
        public void startSend(int i, MessageBuffer buffer, int bytes, int to, int tag) throws Exception {
            all[i] = MPI.COMM_WORLD.iSend((ByteBuffer) buffer.object, bytes, MPI.BYTE, to, tag);
        }

        @Override
        public void startReceive(int i, MessageBuffer buffer, int bytes, int from, int tag) throws Exception {
            all[i] = MPI.COMM_WORLD.iRecv((ByteBuffer) buffer.object, bytes, MPI.BYTE, from, tag);
        }

        @Override
        public void waitAll() throws Exception {
            Request.waitAll(all);
        }

        @Override
        public void waitAllStatus() throws Exception {
            Request.waitAllStatus(all);
        }

        @Override
        public void close() {}
    }

    @Override
    public Iteration<Exception> iteration(Collective operation, Case on) {
        Comm world = MPI.COMM_WORLD;
        Object from = on.send().object;
        Object to = on.receive().object;
        int n = on.size();
        int floats = on.floats();
        int[] sizes = on.blockSizes();
        int[] offsets = on.blockOffsets();
        int[] parts = on.parts();
        Object root = on.isRoot() ? from : to;
        return switch (operation) {
            case BARRIER -> world::barrier;
            case BCAST -> () -> world.bcast(root, n, MPI.BYTE, 0);
            case ALLGATHER -> () -> world.allGather(from, n, MPI.BYTE, to, n, MPI.BYTE);
            case ALLGATHERV -> () -> world.allGatherv(from, n, MPI.BYTE, to, sizes, offsets, MPI.BYTE);
            case ALLREDUCE -> () -> world.allReduce(from, to, floats, MPI.FLOAT, MPI.SUM);
            case ALLTOALL -> () -> world.allToAll(from, n, MPI.BYTE, to, n, MPI.BYTE);
            case ALLTOALLV -> () -> world.allToAllv(from, sizes, offsets, MPI.BYTE, to, sizes, offsets, MPI.BYTE);
            case GATHER -> () -> world.gather(from, n, MPI.BYTE, to, n, MPI.BYTE, 0);
            case GATHERV -> () -> world.gatherv(from, n, MPI.BYTE, to, sizes, offsets, MPI.BYTE, 0);
            case REDUCE -> () -> world.reduce(from, to, floats, MPI.FLOAT, MPI.SUM, 0);
            case REDUCE_SCATTER -> () -> world.reduceScatter(from, to, parts, MPI.FLOAT, MPI.SUM);
            case SCATTER -> () -> world.scatter(from, n, MPI.BYTE, to, n, MPI.BYTE, 0);
            case SCATTERV -> () -> world.scatterv(from, sizes, offsets, MPI.BYTE, to, n, MPI.BYTE, 0);
        };
    }
}
