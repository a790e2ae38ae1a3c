// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.nio.charset.StandardCharsets;
import org.sonde.Iteration;
import org.sonde.Sonde;

/** Sonde's binding, libsonde_osu_java, which has no more calls than these. It is for direct buffers, and arrays as copies. */
final class NativeBinding implements Binding {
    static final String WORD = "native";

    static {
        Sonde.version(); // loads libsonde_java, which gives the JVM back the signals that MPI libraries catch
        try {
            System.loadLibrary("sonde_osu_java");
        } catch (UnsatisfiedLinkError e) {
            String hint = "sonde: run java with -Djava.library.path=FOLDER, where libsonde_osu_java.so is";
            throw (UnsatisfiedLinkError) new UnsatisfiedLinkError(hint).initCause(e);
        }
    }

    @Override
    public String word() {
        return WORD;
    }

    @Override
    public String title() {
        return "Sonde's";
    }

    @Override
    public void initialize(String[] arguments) {
        Sonde.initialize();
    }

    @Override
    public void finalizeMpi() {
        Sonde.finalizeMpi();
    }

    @Override
    public boolean startsArrays() {
        return true;
    }

    @Override
    public int largestArrayBlock(int ranks) {
        return Integer.MAX_VALUE;
    }

    @Override
    public void send(MessageBuffer buffer, int bytes, int to, int tag) {
        send(buffer.object, buffer.isArray, bytes, to, tag);
    }

    @Override
    public void receive(MessageBuffer buffer, int bytes, int from, int tag) {
        receive(buffer.object, buffer.isArray, bytes, from, tag);
    }

    @Override
    public Window window(int size) {
        return new Messages(size);
    }

    private static final class Messages implements Window {
        private final long address;
        private final MessageBuffer[] arrays; // that receive
        private final int[] lengths;

        Messages(int size) {
            address = windowCreate(size);
            arrays = new MessageBuffer[size];
            lengths = new int[size];
        }

        @Override
        public void startSend(int i, MessageBuffer buffer, int bytes, int to, int tag) {
            NativeBinding.startSend(address, i, buffer.object, buffer.isArray, bytes, to, tag);
        }

        @Override
        public void startReceive(int i, MessageBuffer buffer, int bytes, int from, int tag) {
            NativeBinding.startReceive(address, i, buffer.object, buffer.isArray, bytes, from, tag);
            arrays[i] = buffer.isArray ? buffer : null;
            lengths[i] = bytes;
        }

        @Override
        public void waitAll() {
            complete(false);
        }

        @Override
        public void waitAllStatus() {
            complete(true);
        }

        private void complete(boolean withStatuses) {
            NativeBinding.waitAll(address, withStatuses);
            for (int i = 0; i != arrays.length; ++i)
                if (arrays[i] != null) copyReceived(address, i, arrays[i].object, lengths[i]);
        }

        @Override
        public void close() {
            windowFree(address);
        }
    }

    @Override
    public Iteration<Exception> iteration(Collective operation, Case on) {
        boolean sends = !operation.isFromRoot() || on.isRoot();
        boolean receives = operation == Collective.BCAST ? !on.isRoot() : !operation.isToRoot() || on.isRoot();
        Object from = sends ? on.send().object : null;
        Object to = receives ? on.receive().object : null;
        int[] parts = operation == Collective.REDUCE_SCATTER ? on.parts() : on.blockSizes();
        int sent = on.size() * (operation.sendsToEach() ? on.ranks() : 1);
        int received = operation == Collective.REDUCE_SCATTER ? parts[on.rank()] * Float.BYTES
                : on.size() * (operation.receivesFromEach() ? on.ranks() : 1);
        int count = operation.isSum() ? on.floats() : on.size();
        int[] counts = operation.hasCounts() ? parts : null;
        int[] offsets = operation.hasCounts() ? on.blockOffsets() : null;
        int ordinal = operation.ordinal();
        boolean isArray = on.send().isArray;
        return () -> collective(ordinal, from, sent, to, received, isArray, count, counts, offsets);
    }

    private static native void send(Object buffer, boolean isArray, int bytes, int to, int tag);

    private static native void receive(Object buffer, boolean isArray, int bytes, int from, int tag);

    private static native long windowCreate(int size);

    private static native void windowFree(long window);

    private static native void startSend(long window, int i, Object buffer, boolean isArray, int bytes, int to, int tag);

    private static native void startReceive(long window, int i, Object buffer, boolean isArray, int bytes, int from, int tag);

    private static native void waitAll(long window, boolean withStatuses);

    private static native void copyReceived(long window, int i, Object array, int bytes);

    private static native void collective(int operation, Object send, int sentBytes, Object receive, int receivedBytes,
            boolean isArray, int count, int[] counts, int[] offsets);

    /** The name and version of the MPI library, also before it is initialized. */
    static String library() {
        return new String(libraryVersion(), StandardCharsets.UTF_8);
    }

    static String processor() {
        return new String(processorName(), StandardCharsets.UTF_8);
    }

    static native int rank();

    static native int size();

    /** The bytes of the root, on all ranks. */
    static native byte[] broadcast(byte[] bytes, int root);

    /** The smallest number of all ranks. */
    static native int least(int n);

    /** Ends the job. */
    static native void abort();

    private static native byte[] libraryVersion();

    private static native byte[] processorName();
}
