// SPDX-License-Identifier: BSL-1.0
package mpi;

public final class Status {
    Status() {}
}
