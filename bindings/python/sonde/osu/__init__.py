# SPDX-License-Identifier: BSL-1.0
"""The seventeen Python programs of the OSU Micro-Benchmarks: mpirun -n 2 python3 -m sonde.osu latency"""
