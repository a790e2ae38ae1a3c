#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""A SimGrid platform whose times are arithmetic: a star of hosts, each with a full-duplex link to the centre.

usage: platform.py HOSTS LATENCY BANDWIDTH [--link HOST=BANDWIDTH]... [--speed HOST=SPEED]...

LATENCY and BANDWIDTH are of one link, in SimGrid's words ("5us", "1.25GBps"): a message takes twice the latency and its
bytes over the bandwidth. `--link` gives the link of one host another bandwidth, `--speed` a host another speed (1Gf).
"""
import argparse


def value_of_host(text):
    host, value = text.split("=")
    return int(host), value


def arguments():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("hosts", type=int)
    parser.add_argument("latency")
    parser.add_argument("bandwidth")
    parser.add_argument("--link", type=value_of_host, action="append", default=[])
    parser.add_argument("--speed", type=value_of_host, action="append", default=[])
    return parser.parse_args()


def platform(hosts, latency, bandwidth, links, speeds):
    yield "<?xml version='1.0'?>"
    yield '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
    yield '<platform version="4.1"><zone id="world" routing="Full">'
    for i in range(hosts):
        yield f'<host id="host-{i}" speed="{speeds.get(i, "1Gf")}"/>'
        yield f'<link id="link-{i}" bandwidth="{links.get(i, bandwidth)}" latency="{latency}" sharing_policy="SPLITDUPLEX"/>'
    for i in range(hosts):
        for j in range(i + 1, hosts):
            yield (f'<route src="host-{i}" dst="host-{j}"><link_ctn id="link-{i}" direction="UP"/>'
                   f'<link_ctn id="link-{j}" direction="DOWN"/></route>')
    yield "</zone></platform>"


def main():
    given = arguments()
    print("\n".join(platform(given.hosts, given.latency, given.bandwidth, dict(given.link), dict(given.speed))))


if __name__ == "__main__":
    main()
