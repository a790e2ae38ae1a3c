#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Programs and batch scripts under a Slurm of two nodes and one that dies, and over ssh between these.

usage: slurm.py open_mpi|mpich BUILD_FOLDER ROOT [OPTION_OF_UNITTEST...]

LD_PRELOAD is for the programs alone. Libraries that scripts/mpi_wheels.sh installed into BUILD_FOLDER/wheels, or into the
folder SONDE_TEST_WHEELS, run the same programs, too.
"""
import os
import sys
import unittest

import cluster
import nodes
import ssh
from batch import Batch  # pylint: disable=unused-import
from interrupted import Interrupted
from jobs import Jobs
from launchers import Mpich, OpenMpi  # pylint: disable=unused-import

CASES = {"open_mpi": ["OpenMpi", "Batch", "Interrupted"], "mpich": ["Mpich"]}
# One fabric is left to ask for devices.
SETTINGS = {"OMPI_MCA_pml": "ob1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "emulated", "PRTE_ALLOW_RUN_AS_ROOT": "1",
            "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def main():
    nodes.enter_namespaces(cluster.PACKAGES | ssh.PACKAGES)
    library, build, Jobs.root, *options = sys.argv[1:]
    Jobs.programs = nodes.share(f"{build}/examples", "programs")
    preloaded = os.environ.pop("LD_PRELOAD", None)
    if preloaded:
        preloaded = os.path.join(nodes.share(os.path.dirname(preloaded), "preloaded"), os.path.basename(preloaded))
    wheels = os.environ.get("SONDE_TEST_WHEELS", f"{build}/wheels")
    if os.path.isdir(wheels):
        Jobs.wheels = nodes.share(wheels, "wheels")
    os.environ.update(SETTINGS)
    Jobs.slurm = cluster.Slurm(3 if library == "open_mpi" else 2)
    Jobs.ssh = ssh.start_daemons(Jobs.slurm.nodes.values())
    if preloaded:
        os.environ["LD_PRELOAD"] = preloaded
    if library == "open_mpi":
        Interrupted.start()
    # Daemons and nodes end with this program.
    unittest.main(argv=sys.argv[:1] + options, defaultTest=CASES[library], verbosity=2, warnings="ignore")


if __name__ == "__main__":
    main()
