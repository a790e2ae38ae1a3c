// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.util.Arrays;
import org.sonde.Iteration;

/** A binding that changes what arrives: the last byte of an iteration, on one rank. */
record FaultyBinding(Binding real, int ofRank) implements Binding {
    @Override
    public String word() {
        return real.word();
    }

    @Override
    public String title() {
        return real.title();
    }

    @Override
    public void initialize(String[] arguments) {}

    @Override
    public void finalizeMpi() {}

    @Override
    public boolean startsArrays() {
        return real.startsArrays();
    }

    @Override
    public int largestArrayBlock(int ranks) {
        return real.largestArrayBlock(ranks);
    }

    private void change(MessageBuffer buffer, int at) {
        if (NativeBinding.rank() != ofRank) return;
        byte[] bytes = buffer.read(at + 1);
        bytes[at] ^= 1;
        buffer.write(bytes);
    }

    @Override
    public void send(MessageBuffer buffer, int bytes, int to, int tag) throws Exception {
        real.send(buffer, bytes, to, tag);
    }

    @Override
    public void receive(MessageBuffer buffer, int bytes, int from, int tag) throws Exception {
        real.receive(buffer, bytes, from, tag);
        change(buffer, bytes - 1);
    }

    @Override
    public Window window(int size) {
        Window window = real.window(size);
        return new Window() {
            private MessageBuffer last;
            private int end;

            @Override
            public void startSend(int i, MessageBuffer buffer, int bytes, int to, int tag) throws Exception {
                window.startSend(i, buffer, bytes, to, tag);
            }

            @Override
            public void startReceive(int i, MessageBuffer buffer, int bytes, int from, int tag) throws Exception {
                window.startReceive(i, buffer, bytes, from, tag);
                last = buffer;
                end = bytes - 1;
            }

            @Override
            public void waitAll() throws Exception {
                window.waitAll();
                if (last != null) change(last, end);
            }

            @Override
            public void waitAllStatus() throws Exception {
                window.waitAllStatus();
                if (last != null) change(last, end);
            }

            @Override
            public void close() {
                window.close();
            }
        };
    }

    @Override
    public Iteration<Exception> iteration(Collective operation, Case on) {
        Iteration<Exception> call = real.iteration(operation, on);
        int at = Contents.arrival(benchmarkOf(operation), on).length - 1;
        return () -> {
            call.call();
            if (at >= 0) change(on.receive(), operation.isSum() ? at - 1 : at);
        };
    }

    private static Benchmark benchmarkOf(Collective operation) {
        return Arrays.stream(Benchmark.values()).filter(b -> b.collective == operation).findFirst().orElseThrow();
    }
}
