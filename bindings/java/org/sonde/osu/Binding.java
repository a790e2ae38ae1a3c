// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import org.sonde.Iteration;

/** The calls of MPI that the programs make, on all ranks, by a binding of Java. */
interface Binding {
    /** The word of --api. */
    String word();

    /** Name for people. */
    String title();

    void initialize(String[] arguments) throws Exception;

    void finalizeMpi() throws Exception;

    /** Whether nonblocking messages may be arrays. */
    boolean startsArrays();

    /** Bytes of the largest block of an array that a collective with counts for each rank may have. */
    int largestArrayBlock(int ranks);

    void send(MessageBuffer buffer, int bytes, int to, int tag) throws Exception;

    void receive(MessageBuffer buffer, int bytes, int from, int tag) throws Exception;

    /** Requests of a number of messages. */
    Window window(int size);

    /** An iteration that calls an operation. The root is rank 0. */
    Iteration<Exception> iteration(Collective operation, Case on);

    /** Nonblocking messages that are completed together. */
    interface Window extends AutoCloseable {
        void startSend(int i, MessageBuffer buffer, int bytes, int to, int tag) throws Exception;

        void startReceive(int i, MessageBuffer buffer, int bytes, int from, int tag) throws Exception;

        void waitAll() throws Exception;

        /** The same, with a status of each message. */
        void waitAllStatus() throws Exception;

        @Override
        void close();
    }
}
