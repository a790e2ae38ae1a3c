// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.sonde.Reporter;

/** Options of the programs: those of OMB, and those that Sonde adds. */
final class Options {
    static final double DEFAULT_BUDGET = 0.1; // seconds of a row that ends by its precision

    private static final int MOST_ITERATIONS = 1_000_000_000;
    private static final int MOST_MESSAGES = 1000; // of a window

    final Benchmark benchmark;
    /** The word of the binding; null by default. */
    String api;
    boolean isArray;
    boolean validates;
    boolean isHelp;
    boolean isVersion;
    boolean hasStatistics;
    int window = 64;
    private int min = 1;
    private int max;
    private OptionalInt iterations = OptionalInt.empty();
    private OptionalInt warmup = OptionalInt.empty();
    /** Half the interval of the median, as a part of it; 0 by default. */
    double until;
    /** Seconds of a row; 0 by default. */
    double budget;
    /** True if a report draws the samples of each rank. */
    boolean keepsRankSamples;
    /** Files. */
    final List<String> reports = new ArrayList<>();
    /** Lines about options without effect. */
    final List<String> notes = new ArrayList<>();

    /** An option: its names, the name of its value if it has one, its help, and what it sets by its spelling and value. */
    private record Row(List<String> names, String value, String help, BiConsumer<String, String> set) {}

    private final List<Row> rows = new ArrayList<>();

    private void row(String names, String value, String help, BiConsumer<String, String> set) {
        rows.add(new Row(List.of(names.split(" ")), value, help, set));
    }

    private Options(Benchmark benchmark) {
        this.benchmark = benchmark;
        max = benchmark.max();
        boolean measures = benchmark.kind != Benchmark.Kind.STARTUP;
        if (measures) addRowsOfOmb();
        row("--api", "WORD", "binding of MPI: openmpi or native (openmpi where mpi.jar is on the class path)", this::setApi);
        if (measures) addRowsOfSonde();
        row("-h --help", null, "this text", (name, text) -> isHelp = true);
        row("-v --version", null, "versions, and the binding of MPI", (name, text) -> isVersion = true);
    }

    private void addRowsOfOmb() {
        row("-m --message-size", "[MIN:]MAX", "sizes in bytes, also MIN:", this::setSizes);
        row("-x --warmup", "N", "iterations of the warm-up (OMB's numbers)",
                (name, text) -> warmup = OptionalInt.of(whole(name, text, 0, MOST_ITERATIONS)));
        row("-i --iterations", "N", "timed iterations (OMB's numbers)",
                (name, text) -> iterations = OptionalInt.of(whole(name, text, 1, MOST_ITERATIONS)));
        row("-W --window-size", "N", "messages of a window (" + window + ")", this::setWindow);
        row("-a", "WORD", "memory: buffer, which is a direct ByteBuffer, or arrays (buffer)", this::setMemory);
        row("-c --validation", null, "compare what arrives with what was sent, before the table", (name, text) -> validates = true);
        for (String names : List.of("-u --validation-warmup", "-M --mem-limit", "-b"))
            row(names, "VALUE", "no effect, as in OMB", (name, text) -> notes.add(name + " option is not supported"));
    }

    private void addRowsOfSonde() {
        row("--until", "PERCENT", "end a row when the 95 % interval of its median is this close to it",
                (name, text) -> until = between(name, text.replaceFirst("%$", ""), "PERCENT", 0.001, 99) / 100);
        row("--budget", "SECONDS", "end a row after this time (with --until: " + DEFAULT_BUDGET + ")",
                (name, text) -> budget = between(name, text, "SECONDS", 1e-6, 1e6));
        row("--honest", null, "more columns: median, interval, percentile, last rank's mean, quality", (name, text) -> hasStatistics = true);
        row("--report", "FORM=FILE", "records in a file, such as json=FILE.jsonl; may be repeated", this::addReport);
    }

    /** Reads a command line. Throws Refusal. */
    static Options parse(Benchmark benchmark, String[] arguments) {
        Options read = new Options(benchmark);
        for (int i = 0; i != arguments.length; ++i) {
            String[] words = arguments[i].startsWith("--") ? arguments[i].split("=", 2) : new String[] {arguments[i]};
            String name = words[0];
            String value = words.length == 2 ? words[1] : null;
            Row row = read.rowOf(name);
            if (row.value == null && value != null)
                throw new Refusal("An option without a value has one [" + arguments[i] + "]");
            if (row.value != null && value == null) {
                if (++i == arguments.length)
                    throw new Refusal("A value is missing [" + name + "]; accepted: " + name + " " + row.value);
                value = arguments[i];
            }
            row.set.accept(name, value);
        }
        read.require();
        return read;
    }

    private Row rowOf(String name) {
        for (Row row : rows)
            if (row.names.contains(name)) return row;
        String accepted = rows.stream().flatMap(row -> row.names.stream()).collect(Collectors.joining(" "));
        throw new Refusal("Unrecognized argument [" + name + "]; accepted: " + accepted);
    }

    private void require() {
        if (isHelp || isVersion || benchmark.kind == Benchmark.Kind.STARTUP) return;
        if (benchmark.isForOpenMpi() && isArray)
            throw new Refusal("Open MPI's binding has no nonblocking messages of arrays [-a arrays]; accepted: buffer");
        if (sizes().length == 0)
            throw new Refusal("No size is from " + min + " to " + max
                    + " bytes [-m]; accepted: a maximum that is not below the minimum");
    }

    private static Refusal wrong(String what, String name, String text, String accepted) {
        return new Refusal("Invalid " + what + " [" + name + " " + text + "]; accepted: " + accepted);
    }

    private static int whole(String name, String text, int least, int most) {
        boolean isNumber = !text.isEmpty() && text.length() <= 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!isNumber || Long.parseLong(text) < least || Long.parseLong(text) > most)
            throw wrong("number", name, text, "a whole number from " + least + " to " + most);
        return Integer.parseInt(text);
    }

    private static double between(String name, String text, String what, double least, double most) {
        double number = Double.NaN;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            // refused below
        }
        if (!(number >= least && number <= most))
            throw wrong("number", name, text, what + " from " + Text.shortest(least) + " to " + Text.shortest(most));
        return number;
    }

    private void setSizes(String name, String text) {
        int colon = text.indexOf(':');
        if (colon >= 0) min = whole(name, text.substring(0, colon), 1, Integer.MAX_VALUE);
        if (colon != text.length() - 1) max = whole(name, text.substring(colon + 1), 1, Integer.MAX_VALUE);
    }

    private void setWindow(String name, String text) {
        window = whole(name, text, 1, MOST_MESSAGES);
        if (!benchmark.isWindow()) notes.add(name + " is not needed for this test");
    }

    private void setMemory(String name, String text) {
        if (!text.equals("buffer") && !text.equals("arrays")) throw wrong("memory", name, text, "buffer, arrays");
        isArray = text.equals("arrays");
    }

    private void setApi(String name, String text) {
        if (!text.equals(OpenMpiBinding.WORD) && !text.equals(NativeBinding.WORD)) throw wrong("binding", name, text, "openmpi, native");
        api = text;
    }

    private void addReport(String name, String text) {
        List<Reporter.Form> forms = Reporter.forms();
        Reporter.Form form = forms.stream().filter(f -> text.startsWith(f.name() + "=") && text.endsWith(f.ending())).findFirst()
                .orElseThrow(() -> wrong("report", name, text, forms.stream().map(f -> f.name() + "=FILE" + f.ending())
                        .collect(Collectors.joining(", "))));
        keepsRankSamples |= form.needsRankSamples();
        String file = text.substring(form.name().length() + 1);
        if (reports.contains(file))
            throw new Refusal("Two reports into one file [" + name + " " + file
                    + "]; accepted: a file of its own for each");
        reports.add(file);
    }

    /** Sizes that double from the minimum, which is a whole number of floats in a reduction; 0 for a program without sizes. */
    int[] sizes() {
        if (benchmark.kind == Benchmark.Kind.BARRIER) return new int[] {0};
        long first = benchmark.isSum() ? (min + Float.BYTES - 1L) / Float.BYTES * Float.BYTES : min;
        List<Integer> sizes = new ArrayList<>();
        for (long size = first; size <= max; size *= 2) sizes.add((int) size);
        return sizes.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Whether iterations of the timed loop are given. */
    boolean hasIterations() {
        return iterations.isPresent();
    }

    boolean hasWarmup() {
        return warmup.isPresent();
    }

    Benchmark.Counts counts(int size) {
        Benchmark.Counts usual = benchmark.counts(size);
        return new Benchmark.Counts(iterations.orElse(usual.iterations()), warmup.orElse(usual.warmup()));
    }

    String help() {
        StringBuilder text = new StringBuilder();
        for (Row row : rows) {
            String names = String.join(", ", row.names) + (row.value == null ? "" : " " + row.value);
            text.append(String.format("  %-32s %s%n", names, row.help));
        }
        return text.toString();
    }
}
