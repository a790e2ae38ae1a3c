// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.util.Objects;

/**
 * A file on each node with live figures of the scopes of its ranks, for the textfile collector of Prometheus' node exporter.
 * A thread of each process writes it; ranks do not communicate, and no method is collective. The last monitor on a node that
 * is closed removes the file.
 *
 * <pre>{@code
 * try (Probe probe = new Probe(); Monitor monitor = new Monitor(group, "/var/lib/node_exporter/solver.prom", 10)) {
 *     monitor.add(probe);
 *     ...
 * }
 * }</pre>
 */
public final class Monitor extends NativeObject {
    /**
     * Begin to write the file.
     *
     * @param group whose ranks are those by which exchanges name partners
     * @param path of the file, of which a process has one monitor
     * @param interval seconds between two files, at least 0.001; 0 stands for 10 s
     */
    public Monitor(Group group, String path, double interval) {
        super(create(group, path, interval));
    }

    private static long create(Group group, String path, double interval) {
        Objects.requireNonNull(group, "sonde: the group is null");
        Fault fault = new Fault().addText(path, "the path of the file");
        if (fault.exists()) throw fault.get();
        return Native.monitorCreate(group.handle(), Native.bytes(path), interval);
    }

    /**
     * Show the scopes of a probe, from now on, also those that are made later. The file is written until the monitor and its
     * probes are closed.
     *
     * @param probe to be shown
     */
    public void add(Probe probe) {
        Objects.requireNonNull(probe, "sonde: the probe is null");
        Native.monitorAdd(handle(), probe.handle());
    }

    /**
     * Write the file now.
     *
     * @return false if another process writes for the node
     */
    public boolean write() {
        return Native.monitorWrite(handle());
    }

    @Override
    void free(long address) {
        Native.monitorFree(address);
    }
}
