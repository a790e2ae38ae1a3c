# SPDX-License-Identifier: BSL-1.0
"""Tables in the formats of the OSU and the Intel MPI Benchmarks, of a model's times."""
SIZES = [2**k for k in range(23)]


def hockney(alpha, rate):
    return lambda size: alpha + size / rate


def max_rate(alpha, process, node):
    return lambda size, pairs: alpha + pairs * size / min(node, pairs * process)


def multi(chunk, link, latency, published=False):
    """T_b of n ping-pongs of both pairs."""
    def time(size, n):
        beta = max(1, size / chunk)
        return size / link * (4 * n - (2 * n - 1) / beta) + latency * (4 * n - 1 if published else 2 * n)
    return time


def imb_count(size):
    return min(1000, max(1, 40 * 2**20 // max(size, 1)))


def osu_latency(time, sizes=SIZES, title="OSU MPI Latency Test", column="Avg Latency(us)"):
    head = f"\n# {title} v7.4\n# Datatype: MPI_CHAR.\n{'# Size':<10}{column:>18}\n"
    return head + "".join(f"{size:<10}{time(size) * 1e6:>18.2f}\n" for size in sizes)


def osu_mbw_mr(time, pairs, window=64, sizes=SIZES, unit="MB/s"):
    head = (f"# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: {pairs} ] [ window size: {window} ]\n"
            f"# Datatype: MPI_CHAR.\n{'# Size':<10}{unit:>18}{'Messages/s':>18}\n")
    rates = ((size, pairs * window / time(window * size, pairs)) for size in sizes)
    return head + "".join(f"{size:<10}{size * rate / 1e6:>18.2f}{rate:>18.2f}\n" for size, rate in rates)


def imb_start(words):
    return (f"#{'-' * 64}\n#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part\n#{'-' * 64}\n# Machine               : x86_64\n\n"
            f"# Calling sequence was: \n\n# {words} \n\n# List of Benchmarks to run:\n\n# PingPong\n")


def titled(*names):
    return "".join(f"{name:>13}" for name in names) + "\n"


def imb_end():
    return "\n\n# All processes entering MPI_Finalize\n\n"


def imb_ping_pong(time, sizes=SIZES, unit="t[usec]", scale=1e6):
    text = imb_start("IMB-MPI1 PingPong") + f"\n#{'-' * 51}\n# Benchmarking PingPong \n# #processes = 2 \n#{'-' * 51}\n"
    text += titled("#bytes", "#repetitions", unit, "Mbytes/sec")
    for size in sizes:
        text += f"{size:13d}{imb_count(size):13d}{time(size) * scale:13.2f}{size / time(size) / 1e6:13.2f}\n"
    return text + imb_end()


def imb_groups(number):
    head = f"\n#{'-' * 64}\n# Benchmarking Multi-PingPong \n# ( {number} groups of 2 processes each running simultaneous ) \n"
    for group in range(number):
        head += f"# Group {group:2d}: {2 * group:4d} {2 * group + 1:4d}\n#\n"
    return head + f"#{'-' * 64}\n"


def imb_multi_1(times, sizes):
    """A line for each group; times(size, n) is of both pairs together."""
    text = imb_start("IMB-MPI1 -multi 1 -map 2x2 PingPong") + imb_groups(2)
    text += titled("Group", "#bytes", "#repetitions", "t[usec]", "Mbytes/sec")
    for size in sizes:
        n = imb_count(size)
        half = times(size, n) / (2 * n)
        text += "\n"
        # The times of both groups differ, and the sum of their bandwidths is the model's.
        for group, t in enumerate((half / 1.01, half / 0.99)):
            text += f"{group:13d}{size:13d}{n:13d}{t * 1e6:13.2f}{size / t / 1e6:13.2f}\n"
    return text + imb_end()


def imb_multi_0(times, sizes):
    """The slowest of both groups."""
    text = imb_start("IMB-MPI1 -multi 0 -map 2x2 PingPong") + imb_groups(2)
    text += titled("#bytes", "#repetitions", "t_min[usec]", "t_max[usec]", "t_avg[usec]", "Mbytes/sec")
    for size in sizes:
        n = imb_count(size)
        t = times(size, n) / (2 * n)
        text += f"{size:13d}{n:13d}{t * 0.9e6:13.2f}{t * 1e6:13.2f}{t * 0.95e6:13.2f}{size / t / 1e6:13.2f}\n"
    return text + imb_end()


def imb_uniband(time, processes, window=256, sizes=SIZES):
    option = "" if window == 256 else f" -window_size {window}"
    text = imb_start("IMB-MPI1 Uniband" + option)
    for count in processes:
        text += f"\n#{'-' * 51}\n# Benchmarking Uniband \n# #processes = {count} \n#{'-' * 51}\n"
        text += titled("#bytes", "#repetitions", "Mbytes/sec", "Msg/sec")
        for size in sizes:
            rate = window * (count // 2) / time(window * size, count // 2)
            text += f"{size:13d}{imb_count(size):13d}{rate * size / 1e6:13.2f}{rate:13.0f}\n"
    return text + imb_end()
