// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Writes records, comparisons, scopes and lateness, on rank 0. Its constructors are collective, and its other calls are local. */
public final class Reporter extends NativeObject {
    /**
     * A form of report.
     *
     * @param name its word, such as "html"
     * @param ending of its files, such as ".html"
     * @param needsRankSamples true if it draws the samples of each rank, which {@link Plan.Keep#RANK_SAMPLES} keeps
     */
    public record Form(String name, String ending, boolean needsRankSamples) {}

    /**
     * Get the forms of report.
     *
     * @return the forms; a form whose files have one of several endings is there for each of them
     */
    public static List<Form> forms() {
        List<Form> all = new ArrayList<>();
        byte[] row;
        for (int i = 0; (row = Native.reportForm(i)) != null; ++i) {
            String[] parts = Native.text(row).split("=FILE");
            all.add(new Form(parts[0], parts[1], Native.reportKeeps(i) != 0));
        }
        return all;
    }

    private Reporter(long address) {
        super(address);
    }

    /**
     * Open a file on rank 0, whose form is that of its ending, such as .jsonl, .html or .svg (see {@link #forms}).
     * Collective.
     *
     * @param group the ranks
     * @param file its name
     */
    public Reporter(Group group, String file) {
        this(open(group, file));
    }

    /** A null is thrown after the collective call, so that no rank waits for this one. */
    private static long open(Group group, String file) {
        Objects.requireNonNull(group, "sonde: the group is null");
        Fault fault = new Fault().addText(file, "the file of a reporter");
        try {
            long made = Native.reporterCreate(group.handle(), Native.bytes(fault.exists() ? "" : file));
            if (!fault.exists()) return made;
            Native.reporterClose(made);
        } catch (SondeException e) {
            throw fault.or(e);
        }
        throw fault.get();
    }

    /**
     * Make a reporter that prints a table. Collective over the group.
     *
     * @param group the ranks
     * @return a reporter for standard output
     */
    public static Reporter table(Group group) {
        Objects.requireNonNull(group, "sonde: the group is null");
        return new Reporter(Native.reporterCreate(group.handle(), null));
    }

    /**
     * Report a record.
     *
     * @param record to write
     */
    public void report(Record record) {
        Objects.requireNonNull(record, "sonde: the record is null");
        Native.reportRecord(handle(), record.handle());
    }

    /**
     * Report a comparison.
     *
     * @param comparison to write
     * @param gain the least difference that counts, 0.02 for 2 %
     * @param confidence of all outcomes together, such as 0.95
     */
    public void report(Comparison comparison, double gain, double confidence) {
        Objects.requireNonNull(comparison, "sonde: the comparison is null");
        Native.reportComparison(handle(), comparison.handle(), gain, confidence);
    }

    /**
     * Report scopes.
     *
     * @param scopes to write
     */
    public void report(Scopes scopes) {
        Objects.requireNonNull(scopes, "sonde: the list of scopes is null");
        Native.reportScopes(handle(), scopes.handle());
    }

    /**
     * Report who made ranks wait.
     *
     * @param lateness to write
     */
    public void report(Lateness lateness) {
        Objects.requireNonNull(lateness, "sonde: the lateness is null");
        Native.reportLateness(handle(), lateness.handle());
    }

    @Override
    void free(long address) {
        Native.reporterClose(address);
    }
}
