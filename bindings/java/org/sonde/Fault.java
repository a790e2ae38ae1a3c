// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/**
 * A wrong argument of this rank in a collective call. It is kept until all ranks are in the call, and thrown then: the native
 * call gets a null in its place, and fails on all ranks.
 */
final class Fault {
    private RuntimeException first;

    /** Keeps the first fault; null is none. */
    Fault add(RuntimeException fault) {
        if (first == null) first = fault;
        return this;
    }

    /** Keeps a NullPointerException for an argument that is null; `what` begins its message. */
    Fault addNull(Object argument, String what) {
        return argument == null ? add(new NullPointerException("sonde: " + what + " is null")) : this;
    }

    /** Keeps what is wrong with a text that a null character would end in C; `what` begins the message. */
    Fault addText(String text, String what) {
        boolean isCut = text != null && text.indexOf('\0') >= 0;
        return addNull(text, what).add(isCut ? new IllegalArgumentException("sonde: " + what + " has a null character") : null);
    }

    boolean exists() {
        return first != null;
    }

    RuntimeException get() {
        return first;
    }

    /** What this rank throws after a failure of the native call: its fault, or the failure. */
    RuntimeException or(SondeException failure) {
        if (first == null) return failure;
        if (first.getCause() == null) first.initCause(failure);
        return first;
    }
}
