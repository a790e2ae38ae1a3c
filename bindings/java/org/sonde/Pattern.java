// SPDX-License-Identifier: BSL-1.0
package org.sonde;

import java.util.ArrayList;
import java.util.List;

/**
 * What an iteration is, on this rank: the name of its record, and what it moves, from which rates follow. The values are
 * checked when the measurement begins, on all ranks; a null is thrown then, too, so that no rank waits for another.
 */
public final class Pattern {
    /** Part of a rank in a pattern. */
    public enum Role {
        /** Its times count. */
        INITIATOR,
        /** It takes part; its times do not count. */
        RESPONDER,
        /** It does not take part: its iteration is not called. */
        IDLE
    }

    private final RuntimeException fault;
    private final byte[] name;
    private final Role role;
    private final long[] counts; // bytes, messages, initiators that share them
    private final double hops;
    private final double busFactor;
    private final byte[][] parameterNames;
    private final byte[][] parameterTexts;
    private final double[] parameterNumbers;

    private Pattern(Builder b) {
        fault = b.fault.get();
        name = b.name == null ? null : Native.bytes(b.name);
        role = b.role;
        counts = new long[] {b.bytes, b.messages, b.sharedBy};
        hops = b.hops;
        busFactor = b.busFactor;
        parameterNames = b.parameterNames.toArray(new byte[0][]);
        parameterTexts = b.parameterTexts.toArray(new byte[0][]);
        parameterNumbers = b.parameterNumbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /**
     * Begin with a pattern whose times count on all ranks, and that moves nothing.
     *
     * @param name of the record
     * @return a pattern to change
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Make a pattern whose times count on all ranks, and that moves nothing.
     *
     * @param name of the record
     * @return the pattern
     */
    public static Pattern named(String name) {
        return builder(name).build();
    }

    boolean isIdle() {
        return role == Role.IDLE;
    }

    /** What is wrong with the arguments that made it; null for nothing. */
    RuntimeException fault() {
        return fault;
    }

    long create() {
        return Native.patternCreate(name, role.ordinal(), counts, hops, busFactor, parameterNames, parameterTexts,
                parameterNumbers);
    }

    /** A pattern that can be changed. */
    public static final class Builder {
        private final Fault fault = new Fault();
        private final String name;
        private Role role = Role.INITIATOR;
        private long bytes;
        private long messages;
        private long sharedBy = 1;
        private double hops = 1;
        private double busFactor = 1;
        private final List<byte[]> parameterNames = new ArrayList<>();
        private final List<byte[]> parameterTexts = new ArrayList<>();
        private final List<Double> parameterNumbers = new ArrayList<>();

        private Builder(String name) {
            this.name = name;
            fault.addText(name, "the name of a pattern");
        }

        /**
         * Set the role.
         *
         * @param ofThisRank initiator by default
         * @return this
         */
        public Builder role(Role ofThisRank) {
            role = ofThisRank;
            fault.addNull(role, "the role of " + name);
            return this;
        }

        /**
         * Set the amount of data.
         *
         * @param moved by this rank in an iteration, in bytes
         * @return this
         */
        public Builder bytes(long moved) {
            bytes = moved;
            return this;
        }

        /**
         * Set the number of messages.
         *
         * @param sent by this rank in an iteration
         * @return this
         */
        public Builder messages(long sent) {
            messages = sent;
            return this;
        }

        /**
         * Set the number of ranks that report the same data.
         *
         * @param initiators that report the same bytes, as in a collective operation
         * @return this
         */
        public Builder sharedBy(long initiators) {
            sharedBy = initiators;
            return this;
        }

        /**
         * Set the number of trips.
         *
         * @param trips that follow each other, one way each; 2 for a round trip
         * @return this
         */
        public Builder hops(double trips) {
            hops = trips;
            return this;
        }

        /**
         * Set the bus factor of a collective operation.
         *
         * @param factor bus bandwidth over bandwidth
         * @return this
         */
        public Builder busFactor(double factor) {
            busFactor = factor;
            return this;
        }

        /**
         * Add a parameter that is a text.
         *
         * @param key name of the parameter
         * @param value of the parameter
         * @return this
         */
        public Builder parameter(String key, String value) {
            fault.addText(value, "the parameter " + key + " of " + name);
            return add(key, value == null ? null : Native.bytes(value), 0);
        }

        /**
         * Add a parameter that is a number.
         *
         * @param key name of the parameter
         * @param value of the parameter
         * @return this
         */
        public Builder parameter(String key, double value) {
            return add(key, null, value);
        }

        private Builder add(String key, byte[] text, double number) {
            fault.addText(key, "the name of a parameter of " + name);
            parameterNames.add(key == null ? null : Native.bytes(key));
            parameterTexts.add(text);
            parameterNumbers.add(number);
            return this;
        }

        /**
         * Make the pattern.
         *
         * @return the pattern
         */
        public Pattern build() {
            return new Pattern(this);
        }
    }
}
