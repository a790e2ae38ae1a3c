// SPDX-License-Identifier: BSL-1.0
/** The Java programs of the OSU Micro-Benchmarks, each a class with {@code main}: {@code java org.sonde.osu.OSULatency}. */
package org.sonde.osu;
