// SPDX-License-Identifier: BSL-1.0
package org.sonde;

/**
 * An iteration of a measured exchange, on this rank.
 *
 * @param <X> type of the exceptions that it throws
 */
@FunctionalInterface
public interface Iteration<X extends Exception> {
    /**
     * Run one iteration.
     *
     * @throws X a failure, which ends the measurement on all ranks
     */
    void call() throws X;
}
