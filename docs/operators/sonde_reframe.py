# SPDX-License-Identifier: BSL-1.0
"""ReFrame tests with Sonde's programs: a pair of nodes, and all nodes.

The programs are on the PATH. The references and the values of --expect are those of your machine.
"""
import reframe as rfm
import reframe.utility.sanity as sn


class sonde_test(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_tasks_per_node = 1
    exclusive_access = True
    time_limit = "10m"


@rfm.simple_test
class sonde_latency(sonde_test):
    """The latency of 8 bytes between two nodes, known to 2 %, with validated contents."""
    num_tasks = 2
    executable = "osu_latency"
    executable_opts = ["-m", "8:8", "-c", "--until", "2", "--budget", "5"]
    reference = {"*": {"latency": (2.0, None, 0.2, "us")}}

    @sanity_function
    def contents_are_right(self):
        return sn.assert_found(r"^8\s.*Pass", self.stdout)

    @performance_function("us")
    def latency(self):
        return sn.extractsingle(r"^8\s+(\S+)", self.stdout, 1, float)


@rfm.simple_test
class sonde_map(sonde_test):
    """All pairs of nodes: none is worse than expected, and nothing is slower than the rest."""
    num_tasks = 16
    executable = "sonde-map"
    executable_opts = ["--nagios", "--quick", "--latency", "8", "--bandwidth", "1M", "--expect", "latency=5", "--expect",
                       "bandwidth=10000", "--json", "map.jsonl"]
    keep_files = ["map.jsonl"]
    reference = {"*": {"worst_latency": (2.0, None, 0.5, "us"), "worst_bandwidth": (12000, -0.2, None, "MB/s")}}

    @sanity_function
    def nothing_is_named(self):
        return sn.assert_found(r"^OK - ", self.stdout)

    @performance_function("us")
    def worst_latency(self):
        return sn.extractsingle(r"'latency_8'=([\d.]+)us", self.stdout, 1, float)

    @performance_function("MB/s")
    def worst_bandwidth(self):
        return sn.extractsingle(r"'bandwidth_MBps_1048576'=([\d.]+)", self.stdout, 1, float)
