// SPDX-License-Identifier: BSL-1.0
package org.sonde.osu;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sonde.Record;

/** The figures of a row: OMB's, by tabs as there, and those of --honest, with the titles and widths of the C programs. */
final class Columns {
    private static final int STATISTICS_COLUMN = 72; // of a terminal, where those of --honest begin
    private static final int WIDTH = 18;

    /** A column of --honest: its text by the bytes of a row and its record. */
    private record Column(String title, int width, BiFunction<Integer, Record, String> text) {}

    private final Benchmark benchmark;
    private final int window;
    private final List<Column> statistics = new ArrayList<>();

    Columns(Benchmark benchmark, int window, boolean hasStatistics) {
        this.benchmark = benchmark;
        this.window = window;
        if (hasStatistics) addStatistics(benchmark.isWindow() ? "(MB/s)" : "(us)");
    }

    private void add(String title, Function<Record, Double> seconds) {
        statistics.add(new Column(title, WIDTH, (size, record) -> {
            Double found = seconds.apply(record);
            return found == null ? "-" : Text.fixed(value(size, found));
        }));
    }

    private void addStatistics(String unit) {
        add("Median" + unit, Record::median);
        add("95% Low" + unit, record -> bound(record, false));
        add("95% High" + unit, record -> bound(record, true));
        add("P99" + unit, record -> orNull(record.percentile(0.99)));
        add("Slowest" + unit, Record::mean);
        add("t_max" + unit, Record::rankMax);
        add("Max" + unit, Record::max);
        statistics.add(new Column("Samples", 12, (size, record) -> Long.toString(record.sampleCount())));
        statistics.add(new Column("Batch", 8, (size, record) -> Long.toString(record.batch())));
        statistics.add(new Column("Ended by", 13, (size, record) -> record.stopReason()));
        statistics.add(new Column("Flags", 30, (size, record) -> flags(record)));
    }

    private static Double orNull(OptionalDouble found) {
        return found.isPresent() ? found.getAsDouble() : null;
    }

    private static String flags(Record record) {
        String words = String.join(", ", record.flags());
        return words.isEmpty() ? "-" : words;
    }

    /** A bound of the median's interval, as a time. The lower bound of a rate is that of the longest time. */
    private Double bound(Record record, boolean isHigh) {
        return record.interval().map(i -> isHigh != benchmark.isWindow() ? i.high() : i.low()).orElse(null);
    }

    /** Microseconds of a message or operation, or MB/s, by the seconds of an iteration. */
    double value(int bytes, double seconds) {
        if (!benchmark.isWindow()) return 1e6 * seconds / benchmark.hops();
        int ways = benchmark.kind == Benchmark.Kind.BIBANDWIDTH ? 2 : 1;
        return 1e-6 * bytes * window * ways / seconds;
    }

    /** The title of OMB's columns. */
    private String titles() {
        return switch (benchmark.kind) {
            case LATENCY -> "# Size [B]\t\tLatency [us]\tBandwidth [Gb/s]";
            case BANDWIDTH, BIBANDWIDTH -> "# Size [B]\t\tBandwidth [MB/s]\tBandwidth [Gb/s]";
            case BARRIER -> "# Avg. Latency [us]\t\tMin. Latency [us]\t\tMax. Latency [us]";
            default -> "# Size\t\tLat Avg[us]\t\tLat Min[us]\t\tLat Max[us]";
        };
    }

    String header() {
        return statistics.isEmpty() ? titles() : Text.padded(titles(), STATISTICS_COLUMN)
                + statistics.stream().map(column -> Text.right(column.title, column.width)).collect(Collectors.joining());
    }

    private String figures(int size, Record record) {
        double mean = value(size, record.rankMean());
        String values = Text.fixed(value(size, record.rankMin())) + "\t\t\t" + Text.fixed(value(size, record.rankMax()));
        return switch (benchmark.kind) {
            case LATENCY -> size + "\t\t\t" + Text.fixed(mean) + "\t\t\t" + Text.fixed(8.0 * size / (1000 * mean));
            case BANDWIDTH, BIBANDWIDTH -> size + "\t\t\t" + Text.fixed(mean) + "\t\t\t" + Text.fixed(mean * 8 / 1000);
            case BARRIER -> "  " + Text.fixed(mean) + "\t\t\t\t" + values.replace("\t\t\t", "\t\t\t\t");
            default -> size + "\t\t" + Text.fixed(mean) + "\t\t\t" + values;
        };
    }

    String row(int size, Record record) {
        String figures = figures(size, record);
        return statistics.isEmpty() ? figures : Text.padded(figures, STATISTICS_COLUMN) + statistics.stream()
                .map(column -> " " + Text.right(column.text.apply(size, record), column.width - 1)).collect(Collectors.joining());
    }
}
