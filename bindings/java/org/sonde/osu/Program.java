// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sonde.Group;
import org.sonde.Iteration;
import org.sonde.Pattern;
import org.sonde.Plan;
import org.sonde.Record;
import org.sonde.Reporter;
import org.sonde.Sonde;
import org.sonde.SondeException;

/** A program that measures, on one rank: its options and buffers. All functions are collective. */
final class Program implements AutoCloseable {
    private static final int BATCH = 10; // iterations of a sample where OMB has thousands
    private static final int FIRST_WARMUP = 10; // times the warm-up of a row, before the first row
    private static final int FIRST_WARMUP_ELEMENTS = 1024;
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8; // of a buffer of Java

    private final Options options;
    private final Benchmark benchmark;
    private final Binding binding;
    private final PrintStream out;
    private final int rank = NativeBinding.rank();
    private final int ranks = NativeBinding.size();
    private final Calls.Requests requests;
    private MessageBuffer[] sends;
    private MessageBuffer[] receives;

    Program(Options options, Binding binding, PrintStream out) {
        this.options = options;
        this.binding = binding;
        this.out = out;
        benchmark = options.benchmark;
        Ranks.together(this::require);
        Ranks.together(this::allocate);
        requests = !benchmark.isWindow() ? null
                : new Calls.Requests(binding.window(options.window), binding.window(options.window));
    }

    private void require() {
        String started = "; it was started with " + ranks;
        if (benchmark.isOfTwo() && ranks != 2) throw new Refusal("This test requires exactly two processes" + started);
        if (ranks < 2) throw new Refusal("This test requires at least two processes" + started);
        if (options.isArray) requireArrays();
        bytesToSend();
        bytesToReceive();
    }

    private void requireArrays() {
        if (benchmark.isWindow() && !binding.startsArrays())
            throw new Refusal(binding.title()
                    + " binding has no nonblocking messages of arrays [-a arrays]; accepted: buffer, or --api native");
        int most = binding.largestArrayBlock(ranks);
        boolean hasBlocks = benchmark.collective != null && benchmark.collective.hasCounts() && !benchmark.isSum();
        if (hasBlocks && Arrays.stream(options.sizes()).anyMatch(size -> size > most))
            throw new Refusal(binding.title() + " binding has too little memory for blocks of arrays of more than " + most
                    + " bytes [-a arrays, -m]; accepted: -m " + most + ", buffer, or --api native");
    }

    private int firstWarmupSize() {
        int elements = benchmark.kind == Benchmark.Kind.BARRIER ? 0 : FIRST_WARMUP_ELEMENTS;
        return elements * (benchmark.isSum() ? Float.BYTES : 1);
    }

    private int bytesOf(boolean isBlockForEach) {
        long block = Math.max(Arrays.stream(options.sizes()).max().orElse(0), firstWarmupSize());
        long bytes = isBlockForEach ? block * ranks : block;
        if (bytes > MOST_BYTES)
            throw new Refusal("A buffer would have " + bytes + " bytes [-m]; accepted: up to " + MOST_BYTES
                    + " for the blocks of all ranks");
        return (int) bytes;
    }

    private int bytesToSend() {
        return bytesOf(benchmark.collective != null && benchmark.collective.sendsToEach());
    }

    private int bytesToReceive() {
        return bytesOf(benchmark.collective != null && benchmark.collective.receivesFromEach());
    }

    private void allocate() {
        int sent = bytesToSend();
        byte[] content = benchmark.isSum() ? Contents.floatsOf(rank, sent / Float.BYTES) : Contents.bytesOf(rank, 0, sent);
        sends = buffers(sent);
        for (MessageBuffer buffer : sends) buffer.write(content);
        receives = buffers(bytesToReceive());
        for (MessageBuffer buffer : receives) buffer.fill(Contents.NEVER_SENT);
    }

    private MessageBuffer[] buffers(int bytes) {
        MessageBuffer[] all = new MessageBuffer[benchmark.isWindow() ? options.window : 1];
        for (int i = 0; i != all.length; ++i) all[i] = MessageBuffer.allocate(bytes, options.isArray, benchmark.isSum());
        return all;
    }

    private Case on(int size) {
        return new Case(rank, ranks, size, sends, receives);
    }

    private Iteration<Exception> iteration(int size) {
        return Calls.iteration(benchmark, binding, on(size), requests);
    }

    /** An untimed iteration, which refuses a jar of another library; with -c, for each size, and what arrives is compared. */
    void validate() throws Exception {
        int[] sizes = options.sizes();
        for (int size : options.validates ? sizes : Arrays.copyOf(sizes, 1)) {
            LinkageError missing = null;
            try {
                iteration(size).call();
            } catch (LinkageError e) {
                missing = e;
            }
            LinkageError failure = missing;
            Ranks.together(() -> {
                if (failure != null) throw Launch.unusable(failure);
                if (options.validates) requireContents(on(size));
            });
        }
    }

    /** A size brings bytes to a part of the buffers where the sizes before brought none, so that a lost message is noticed. */
    private void requireContents(Case on) {
        byte[] expected = Contents.arrival(benchmark, on);
        for (MessageBuffer buffer : receives)
            if (!Arrays.equals(buffer.read(expected.length), expected))
                throw new Refusal("Wrong contents: rank " + rank + " received other bytes than were sent, in a message of "
                        + on.size() + " bytes");
    }

    /** Prints the table, a row as soon as it is measured. */
    void measure() throws Exception {
        Columns columns = new Columns(benchmark, options.window, options.hasStatistics);
        List<Reporter> reports = new ArrayList<>();
        try (Group group = Group.world()) {
            for (String file : options.reports) reports.add(open(group, file));
            printHeader(columns);
            warmUp(group);
            for (int size : options.sizes())
                try (Record row = Sonde.run(group, plan(size), pattern(size), iteration(size))) {
                    print(columns.row(size, row));
                    for (Reporter report : reports) Ranks.together(() -> writing(() -> report.report(row)));
                }
            for (Reporter report : reports) Ranks.together(() -> writing(report::close));
        }
    }

    private static Reporter open(Group group, String file) {
        try {
            return new Reporter(group, file);
        } catch (SondeException e) {
            throw unwritable(e);
        }
    }

    private static void writing(Runnable f) {
        try {
            f.run();
        } catch (SondeException e) {
            throw unwritable(e);
        }
    }

    private static Refusal unwritable(SondeException e) {
        return new Refusal("Cannot report [--report]: " + e.getMessage(), e);
    }

    private void print(String line) {
        if (rank == 0) out.println(line);
    }

    /** The title and columns, and the lines of all ranks that two of OMB's programs print. */
    void printHeader(Columns columns) {
        if (benchmark == Benchmark.ALLREDUCE) out.println(rank + " started on <" + NativeBinding.processor() + ">");
        options.notes.forEach(this::print);
        print("# OSU " + benchmark.title + " Test");
        if (options.hasStatistics) print("# Binding: " + Launch.description(binding));
        print(columns.header());
        if (benchmark == Benchmark.LATENCY) out.println("Proc <" + rank + "> on <" + NativeBinding.processor() + ">");
    }

    /** OMB's iterations before the first row, which the JIT compiler needs. With --until each row waits for it. */
    private void warmUp(Group group) throws Exception {
        int messages = benchmark.isWindow() ? options.window : 1;
        int iterations = (FIRST_WARMUP * options.counts(0).warmup() + messages - 1) / messages;
        if (iterations == 0 || options.until != 0 && !options.hasWarmup()) return;
        Plan plan = Plan.builder().warmup(iterations).samples(1).build();
        Sonde.run(group, plan, Pattern.named("warm-up"), iteration(firstWarmupSize())).close();
    }

    private Pattern pattern(int size) {
        int messages = benchmark.isWindow() ? options.window : benchmark.isOfTwo() ? 1 : 0; // a collective has no rate
        Pattern.Builder pattern = Pattern.builder(benchmark.program).parameter("bytes", size)
                .parameter("memory", options.isArray ? "arrays" : "buffer").parameter("binding", binding.word());
        if (benchmark.isWindow()) pattern.parameter("window", options.window);
        return pattern.bytes((long) size * messages).messages(messages).hops(benchmark.hops())
                .role(benchmark.begins(rank) ? Pattern.Role.INITIATOR : Pattern.Role.RESPONDER).build();
    }

    /** OMB's counts, or the rule that was asked for, with the given counts as limits. */
    private Plan plan(int size) {
        Benchmark.Counts counts = options.counts(size);
        int iterations = counts.iterations();
        Plan.Builder plan = Plan.builder().warmup(counts.warmup());
        if (options.keepsRankSamples) plan.keep(Plan.Keep.RANK_SAMPLES);
        if (options.until == 0 && options.budget == 0) {
            int batch = iterations >= 100 * BATCH && iterations % BATCH == 0 ? BATCH : 1;
            return plan.batch(batch).samples(iterations / batch).build();
        }
        plan.samples(options.hasIterations() ? iterations : 0).timeBudget(options.budget);
        if (options.until == 0) return plan.build();
        if (!options.hasWarmup()) plan.warmup(Plan.UNTIL_STABLE);
        return plan.batch(Plan.BY_TIMER).relativeError(options.until)
                .timeBudget(options.budget == 0 ? Options.DEFAULT_BUDGET : options.budget).build();
    }

    @Override
    public void close() {
        if (requests != null) requests.close();
    }
}
