// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import org.sonde.Iteration;

/** The iterations of the programs, with OMB's calls and tags. */
final class Calls {
    static final int ACKNOWLEDGEMENT = 4; // bytes

    private static final int TAG = 998; // of round trips
    private static final int DATA = 100;
    private static final int ANSWER = 101;

    private Calls() {}

    /** Requests of a window: sends, and receives. Null in programs without a window. */
    record Requests(Binding.Window sends, Binding.Window receives) implements AutoCloseable {
        @Override
        public void close() {
            sends.close();
            receives.close();
        }
    }

    static Iteration<Exception> iteration(Benchmark benchmark, Binding binding, Case on, Requests requests) {
        return switch (benchmark.kind) {
            case LATENCY -> latency(binding, on);
            case BANDWIDTH -> bandwidth(binding, on, requests, benchmark.isForOpenMpi());
            case BIBANDWIDTH -> bibandwidth(on, requests);
            default -> binding.iteration(benchmark.collective, on);
        };
    }

    private static Iteration<Exception> latency(Binding binding, Case on) {
        MessageBuffer send = on.send();
        MessageBuffer receive = on.receive();
        int size = on.size();
        if (on.rank() == 0)
            return () -> {
                binding.send(send, size, 1, TAG);
                binding.receive(receive, size, 1, TAG);
            };
        return () -> {
            binding.receive(receive, size, 0, TAG);
            binding.send(send, size, 0, TAG);
        };
    }

    /** A window of messages from rank 0, which rank 1 acknowledges. */
    private static Iteration<Exception> bandwidth(Binding binding, Case on, Requests requests, boolean withoutStatus) {
        MessageBuffer[] send = on.sends();
        MessageBuffer[] receive = on.receives();
        int size = on.size();
        Binding.Window window = on.rank() == 0 ? requests.sends() : requests.receives();
        Iteration<Exception> completion = withoutStatus ? window::waitAll : window::waitAllStatus;
        if (on.rank() == 0)
            return () -> {
                for (int i = 0; i != send.length; ++i) window.startSend(i, send[i], size, 1, DATA);
                completion.call();
                binding.receive(receive[0], ACKNOWLEDGEMENT, 1, ANSWER);
            };
        return () -> {
            for (int i = 0; i != receive.length; ++i) window.startReceive(i, receive[i], size, 0, DATA);
            completion.call();
            binding.send(send[0], ACKNOWLEDGEMENT, 0, ANSWER);
        };
    }

    /** A window of messages in both directions. Rank 0 waits for its own messages first. */
    private static Iteration<Exception> bibandwidth(Case on, Requests requests) {
        MessageBuffer[] send = on.sends();
        MessageBuffer[] receive = on.receives();
        int size = on.size();
        int partner = 1 - on.rank();
        int tag = on.rank() == 0 ? ANSWER : DATA;
        int tagOfPartner = on.rank() == 0 ? DATA : ANSWER;
        Binding.Window sends = requests.sends();
        Binding.Window receives = requests.receives();
        Binding.Window first = on.rank() == 0 ? sends : receives;
        Binding.Window second = on.rank() == 0 ? receives : sends;
        return () -> {
            for (int i = 0; i != receive.length; ++i) receives.startReceive(i, receive[i], size, partner, tagOfPartner);
            for (int i = 0; i != send.length; ++i) sends.startSend(i, send[i], size, partner, tag);
            first.waitAllStatus();
            second.waitAllStatus();
        };
    }
}
