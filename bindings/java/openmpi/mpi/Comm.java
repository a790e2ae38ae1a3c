// SPDX-License-Identifier: BSL-1.0
package mpi;

import java.nio.Buffer;

public class Comm {
    Comm() {}

    public final native void send(Object buffer, int count, Datatype type, int to, int tag) throws MPIException;

    public final native Status recv(Object buffer, int count, Datatype type, int from, int tag) throws MPIException;

    public final native Request iSend(Buffer buffer, int count, Datatype type, int to, int tag) throws MPIException;

    public final native Request iRecv(Buffer buffer, int count, Datatype type, int from, int tag) throws MPIException;

    public final native void barrier() throws MPIException;

    public final native void bcast(Object buffer, int count, Datatype type, int root) throws MPIException;

    public final native void gather(Object send, int sendCount, Datatype sendType,
            Object receive, int receiveCount, Datatype receiveType, int root) throws MPIException;

    public final native void gatherv(Object send, int sendCount, Datatype sendType,
            Object receive, int[] counts, int[] offsets, Datatype receiveType, int root) throws MPIException;

    public final native void scatter(Object send, int sendCount, Datatype sendType,
            Object receive, int receiveCount, Datatype receiveType, int root) throws MPIException;

    public final native void scatterv(Object send, int[] counts, int[] offsets, Datatype sendType,
            Object receive, int receiveCount, Datatype receiveType, int root) throws MPIException;

    public final native void allGather(Object send, int sendCount, Datatype sendType,
            Object receive, int receiveCount, Datatype receiveType) throws MPIException;

    public final native void allGatherv(Object send, int sendCount, Datatype sendType,
            Object receive, int[] counts, int[] offsets, Datatype receiveType) throws MPIException;

    public final native void allToAll(Object send, int sendCount, Datatype sendType,
            Object receive, int receiveCount, Datatype receiveType) throws MPIException;

    public final native void allToAllv(Object send, int[] sendCounts, int[] sendOffsets, Datatype sendType,
            Object receive, int[] receiveCounts, int[] receiveOffsets, Datatype receiveType) throws MPIException;

    public final native void reduce(Object send, Object receive, int count, Datatype type, Op op, int root)
            throws MPIException;

    public final native void allReduce(Object send, Object receive, int count, Datatype type, Op op)
            throws MPIException;

    public final native void reduceScatter(Object send, Object receive, int[] counts, Datatype type, Op op)
            throws MPIException;
}
