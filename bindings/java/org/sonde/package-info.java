// SPDX-License-Identifier: BSL-1.0
/**
 * Sonde measures the communication of a Java application where it runs. The loop around an iteration is in Java, and is
 * compiled with it; plans, statistics and reports are those of the C library. Times are seconds.
 */
package org.sonde;
