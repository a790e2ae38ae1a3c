// SPDX-License-Identifier: BSL-1.0
package mpi;

public class Intracomm extends Comm {
    Intracomm() {}
}
