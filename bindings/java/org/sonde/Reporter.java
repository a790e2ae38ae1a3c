// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/** Writes records, comparisons and scopes, on rank 0. Its constructors are collective, and its other calls are local. */
public final class Reporter extends NativeObject {
    private Reporter(long address) {
        super(address);
    }

    /**
     * Open a file on rank 0, whose format is that of its ending: .csv, .html, .jsonl, .prom or .txt. Collective.
     *
     * @param group the ranks
     * @param file its name
     */
    public Reporter(Group group, String file) {
        this(Native.reporterCreate(group.handle(), Native.bytes(file)));
    }

    /**
     * Make a reporter that prints a table. Collective over the group.
     *
     * @param group the ranks
     * @return a reporter for standard output
     */
    public static Reporter table(Group group) {
        return new Reporter(Native.reporterCreate(group.handle(), null));
    }

    /**
     * Report a record.
     *
     * @param record to write
     */
    public void report(Record record) {
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
        Native.reportComparison(handle(), comparison.handle(), gain, confidence);
    }

    /**
     * Report scopes.
     *
     * @param scopes to write
     */
    public void report(Scopes scopes) {
        Native.reportScopes(handle(), scopes.handle());
    }

    @Override
    void free(long address) {
        Native.reporterClose(address);
    }
}
