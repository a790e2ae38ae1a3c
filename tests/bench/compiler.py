# SPDX-License-Identifier: BSL-1.0
"""The compiler and the include paths of a build, for scripts that compile in addition."""
import json
import os
import shlex


def command_of(build, source):
    """The command that compiles tests/bench/SOURCE in that build, at -O2 and with its -I and -D alone; None if there is
    none."""
    with open(os.path.join(build, "compile_commands.json")) as file:
        entries = [entry for entry in json.load(file) if entry["file"].endswith(f"tests/bench/{source}")]
    if not entries:
        return None
    words = shlex.split(entries[0]["command"])
    launched = next(i for i, word in enumerate(words) if word.startswith("-"))  # ccache g++ is two words
    kept = [absolute(word, build) for word in words if word.startswith(("-I", "-D", "-isystem"))]
    return [*words[:launched], "-std=c++20", "-O2", *kept]


def absolute(word, build):
    for flag in ("-isystem", "-I"):
        if word.startswith(flag):
            return flag + os.path.abspath(os.path.join(build, word[len(flag):]))
    return word
