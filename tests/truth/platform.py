#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A SimGrid platform whose times are arithmetic.

usage: platform.py HOSTS LATENCY BANDWIDTH [--link HOST=BANDWIDTH]... [--uplink HOST=BANDWIDTH]...
                   [--downlink HOST=BANDWIDTH]... [--route HOST-HOST=BANDWIDTH]... [--speed HOST=SPEED]...
       platform.py HOSTS LATENCY BANDWIDTH --fat-tree TOPOLOGY
       platform.py HOSTS LATENCY BANDWIDTH --nodes RANKS --rank-bandwidth BANDWIDTH

A star: each host has a full-duplex link to the center. LATENCY and BANDWIDTH are of one link, in SimGrid's words ("5us",
"1.25GBps"): a message takes twice the latency and its bytes over the bandwidth. `--link` gives the link of one host
another bandwidth, `--uplink` and `--downlink` in one direction, `--route` the way between two hosts in both, `--speed`
a host another speed (1Gf).

`--fat-tree` connects the hosts by switches instead, in SimGrid's words: "2;4,2;1,2;1,1" has 2 levels, switches with 4
hosts, and 2 of them below each of 2 roots.

`--nodes` puts RANKS hosts, which stand for the ranks of a node, behind one link of the star: each has a link of its own
without latency and of the bandwidth `--rank-bandwidth`, on which a message of any node must pass.
"""
import argparse


def value_of_host(text):
    host, value = text.split("=")
    return int(host), value


def value_of_hosts(text):
    hosts, value = text.split("=")
    one, other = map(int, hosts.split("-"))
    return one, other, value


def arguments():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("hosts", type=int)
    parser.add_argument("latency")
    parser.add_argument("bandwidth")
    parser.add_argument("--link", type=value_of_host, action="append", default=[])
    parser.add_argument("--uplink", type=value_of_host, action="append", default=[])
    parser.add_argument("--downlink", type=value_of_host, action="append", default=[])
    parser.add_argument("--route", type=value_of_hosts, action="append", default=[])
    parser.add_argument("--speed", type=value_of_host, action="append", default=[])
    parser.add_argument("--fat-tree")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--rank-bandwidth")
    return parser.parse_args()


def link(name, bandwidth, latency):
    return f'<link id="{name}" bandwidth="{bandwidth}" latency="{latency}" sharing_policy="SPLITDUPLEX"/>'


def star(given):
    speeds, links, uplinks, downlinks = map(dict, (given.speed, given.link, given.uplink, given.downlink))
    yield '<zone id="world" routing="Cluster">'
    for i in range(given.hosts):
        yield f'<host id="host-{i}" speed="{speeds.get(i, "1Gf")}"/>'
        for way, slower in (("up", uplinks), ("down", downlinks)):
            yield link(f"{way}-{i}", slower.get(i, links.get(i, given.bandwidth)), given.latency)
        yield f'<host_link id="host-{i}" up="up-{i}_UP" down="down-{i}_DOWN"/>'
    for one, other, bandwidth in given.route:
        yield link(f"route-{one}-{other}", bandwidth, "0us")
        for src, dst, way in ((one, other, "UP"), (other, one, "DOWN")):
            yield (f'<bypassRoute src="host-{src}" dst="host-{dst}"><link_ctn id="up-{src}" direction="UP"/>'
                   f'<link_ctn id="route-{one}-{other}" direction="{way}"/><link_ctn id="down-{dst}" direction="DOWN"/></bypassRoute>')
    yield "</zone>"


def fat_tree(given):
    yield (f'<cluster id="world" prefix="host-" suffix="" radical="0-{given.hosts - 1}" speed="1Gf" bw="{given.bandwidth}" '
           f'lat="{given.latency}" topology="FAT_TREE" topo_parameters="{given.fat_tree}"/>')


def nodes(given):
    hosts = range(given.hosts)
    yield '<zone id="world" routing="Full">'
    for i in hosts:
        yield f'<host id="host-{i}" speed="1Gf"/>' + link(f"rank-{i}", given.rank_bandwidth, "0us")
    for node in range(given.hosts // given.nodes):
        yield link(f"node-{node}", given.bandwidth, given.latency)
    for i in hosts:
        for j in hosts[i + 1:]:
            one, other = i // given.nodes, j // given.nodes
            path = [(f"rank-{i}", "UP"), (f"rank-{j}", "DOWN")]
            if one != other:
                path[1:1] = [(f"node-{one}", "UP"), (f"node-{other}", "DOWN")]
            steps = "".join(f'<link_ctn id="{name}" direction="{way}"/>' for name, way in path)
            yield f'<route src="host-{i}" dst="host-{j}">{steps}</route>'
    yield "</zone>"


def main():
    given = arguments()
    print("<?xml version='1.0'?>")
    print('<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd"><platform version="4.1">')
    print("\n".join((fat_tree if given.fat_tree else nodes if given.nodes else star)(given)))
    print("</platform>")


if __name__ == "__main__":
    main()
