// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.util.Objects;

/**
 * The named parts of an application, for one thread. It can stay enabled in production, and communicates in collect and
 * collectLateness only.
 *
 * <pre>{@code
 * Probe.Scope exchange = probe.scope("exchange");
 * try (Probe.Pass pass = exchange.enter()) {
 *     ...
 * }
 * }</pre>
 */
public final class Probe extends NativeObject {
    /** Make a probe without scopes, which keeps the latest 4,096 passes of work and of exchanges. */
    public Probe() {
        this(4096);
    }

    /**
     * Make a probe without scopes.
     *
     * @param keptPasses the latest passes of scopes of work and of exchanges that are kept for collectLateness, of 24 bytes
     *     each, rounded up to a power of two
     */
    public Probe(long keptPasses) {
        super(Native.probeCreate(keptPasses > 0 ? keptPasses : -1)); // C refuses -1
    }

    /**
     * Find or make an outermost scope.
     *
     * @param name of the scope
     * @return the scope, which is valid until the probe is closed
     */
    public Scope scope(String name) {
        return scope(name, 0);
    }

    /**
     * Find or make an outermost scope.
     *
     * @param name of the scope
     * @param bytes moved in a pass; 0 finds a scope whatever its bytes are
     * @return the scope, which is valid until the probe is closed
     */
    public Scope scope(String name, long bytes) {
        return within(0, name, bytes);
    }

    /**
     * Find or make an outermost scope in which this rank computes and does not wait for other ranks. Its latest passes are
     * kept for collectLateness.
     *
     * @param name of the scope
     * @return the scope, which is valid until the probe is closed
     */
    public Scope work(String name) {
        return workWithin(0, name);
    }

    /**
     * Find or make an outermost exchange, in which this rank waits for its partners. All ranks that have it pass it equally
     * often. Its latest passes are kept for collectLateness.
     *
     * @param name of the exchange
     * @param bytes moved in a pass; 0 finds an exchange whatever its bytes are
     * @param partners ranks of the group of collectLateness; none: all ranks
     * @return the exchange, which is valid until the probe is closed
     */
    public Scope exchange(String name, long bytes, int... partners) {
        return exchangeWithin(0, name, bytes, partners);
    }

    private Scope workWithin(long parent, String name) {
        Fault fault = new Fault().addText(name, "the name of a scope");
        if (fault.exists()) throw fault.get();
        return new Scope(Native.probeWork(handle(), parent, Native.bytes(name)));
    }

    private Scope exchangeWithin(long parent, String name, long bytes, int[] partners) {
        Fault fault = new Fault().addText(name, "the name of a scope").addNull(partners, "the array of partners");
        if (fault.exists()) throw fault.get();
        return new Scope(Native.probeExchange(handle(), parent, Native.bytes(name), bytes, partners));
    }

    private Scope within(long parent, String name, long bytes) {
        Fault fault = new Fault().addText(name, "the name of a scope");
        if (fault.exists()) throw fault.get();
        return new Scope(Native.probeScope(handle(), parent, Native.bytes(name), bytes));
    }

    /**
     * Collect the scopes of all ranks. Collective over the group; the result is equal on all ranks.
     *
     * @param group the ranks
     * @return the scopes, which must be closed
     */
    public Scopes collect(Group group) {
        Objects.requireNonNull(group, "sonde: the group is null");
        Fault fault = new Fault();
        if (handleOrZero() == 0) fault.add(closed());
        try {
            return new Scopes(Native.collect(group.handle(), handleOrZero()));
        } catch (SondeException e) {
            throw fault.or(e);
        }
    }

    /**
     * Find the ranks that made other ranks wait, from the latest passes of exchanges and scopes of work. Collective over the
     * group; the result is equal on all ranks.
     *
     * @param group the ranks
     * @return who made ranks wait, which must be closed
     */
    public Lateness collectLateness(Group group) {
        return collectLateness(group, 0.05, 0.01);
    }

    /**
     * The same with an effect and a rate of false alarms; those of rank 0 count.
     *
     * @param group the ranks
     * @param effect a rank is named if another rank waited this share of its time for it
     * @param falseAlarms share of reports that name a rank although all ranks have equal work
     * @return who made ranks wait, which must be closed
     */
    public Lateness collectLateness(Group group, double effect, double falseAlarms) {
        Objects.requireNonNull(group, "sonde: the group is null");
        Fault fault = new Fault();
        if (handleOrZero() == 0) fault.add(closed());
        try {
            return new Lateness(Native.collectLateness(group.handle(), handleOrZero(), effect, falseAlarms));
        } catch (SondeException e) {
            throw fault.or(e);
        }
    }

    @Override
    void free(long address) {
        Native.probeFree(address);
    }

    /** A part of the application. */
    public final class Scope {
        private final long address;

        private Scope(long address) {
            this.address = address;
        }

        /**
         * Find or make a scope within this one.
         *
         * @param name of the scope
         * @return the scope
         */
        public Scope scope(String name) {
            return scope(name, 0);
        }

        /**
         * Find or make a scope within this one.
         *
         * @param name of the scope
         * @param bytes moved in a pass; 0 finds a scope whatever its bytes are
         * @return the scope
         */
        public Scope scope(String name, long bytes) {
            return within(address, name, bytes);
        }

        /**
         * Find or make a scope of work within this one.
         *
         * @param name of the scope
         * @return the scope
         */
        public Scope work(String name) {
            return workWithin(address, name);
        }

        /**
         * Find or make an exchange within this scope.
         *
         * @param name of the exchange
         * @param bytes moved in a pass; 0 finds an exchange whatever its bytes are
         * @param partners ranks of the group of collectLateness; none: all ranks
         * @return the exchange
         */
        public Scope exchange(String name, long bytes, int... partners) {
            return exchangeWithin(address, name, bytes, partners);
        }

        /**
         * Begin a pass.
         *
         * @return the pass; its close ends it
         */
        public Pass enter() {
            handle();
            return new Pass(this, Native.scopeEnter(address));
        }

        private void leave(long begin) {
            handle();
            Native.scopeLeave(address, begin);
        }
    }

    /** A pass through a scope. */
    public static final class Pass implements AutoCloseable {
        private Scope scope;
        private final long begin;

        private Pass(Scope scope, long begin) {
            this.scope = scope;
            this.begin = begin;
        }

        /** End the pass; nothing to do if it has ended. */
        @Override
        public void close() {
            if (scope != null) scope.leave(begin);
            scope = null;
        }
    }
}
