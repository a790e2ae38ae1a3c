#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""platform.py INCLUDE_FOLDER

Fails if a header uses a function, a constant or a header that is Linux's alone, or private to a standard library, outside
of an #if that asks for it: by __linux__, by __APPLE__ for what macOS lacks, by the constant itself, or by __has_include.
What a program asks /proc and /sys by name needs no guard: where there is no such file, there is no answer.
"""
import pathlib
import re
import sys

NOT_EVERYWHERE = re.compile(
    r"\b(sched_[gs]etaffinity|sched_getcpu|cpu_set_t|CPU_\w+_S|CPU_(?:SET|ZERO|COUNT|ISSET)|pthread_[gs]etaffinity_np|pthread_condattr_setclock|"
    r"pthread_cond_timedwait_relative_np|pthread_cond_clockwait|sigtimedwait|sigwaitinfo|gettid|getcpu|syscall|prctl|memfd_create|mremap|"
    r"process_vm_readv|epoll_\w+|eventfd|timerfd_\w+|posix_fallocate|clock_nanosleep|MAP_HUGETLB|MAP_HUGE_SHIFT|MAP_POPULATE|MADV_(?:NO)?HUGEPAGE|"
    r"CLOCK_MONOTONIC_RAW|CLOCK_BOOTTIME|get_mempolicy|set_mempolicy|mbind|program_invocation_name|secure_getenv|__GLIBC__)\b"
    r"|#\s*include <((?:bits|linux|asm|ext|experimental)/[^>]+|__[^>]+|malloc\.h|features\.h|link\.h|execinfo\.h|numa\.h|numaif\.h|"
    r"sys/(?:epoll|eventfd|prctl|sysinfo|syscall|timerfd|vfs)\.h)>")
GUARDS = ("__linux__", "__APPLE__", "__has_include")


def lines_with_conditions(text):
    """Each line without comments, with the conditions of the #if around it; those of an #else include the #if's."""
    stack = []
    text = re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    for number, line in enumerate(text.splitlines(), 1):
        directive = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)", line)
        if not directive:
            yield number, line, " ".join(stack)
        elif directive[1] == "endif":
            stack.pop()
        elif directive[1] in ("elif", "else"):
            stack[-1] += directive[2]
        else:
            stack.append(directive[2])


def faults(header, text):
    for number, line, conditions in lines_with_conditions(text):
        for found in NOT_EVERYWHERE.finditer(line):
            name = found[1] or found[2]
            if not any(guard in conditions for guard in (*GUARDS, name)):
                yield f"{header}:{number}: {name} without a guard"


def check_itself():
    unguarded = "#if A\n#endif\ncpu_set_t s;\n#ifdef MAP_ANONYMOUS\nint f = MAP_HUGETLB;\n#endif\n#include <linux/futex.h>\n// gettid()\n"
    guarded = "#if defined(__linux__)\ncpu_set_t s;\n#else\nint x;\n#endif\n#ifdef MAP_HUGETLB\nint f = MAP_HUGETLB;\n#endif\n"
    assert [f.split(": ")[1].split()[0] for f in faults("h", unguarded)] == ["cpu_set_t", "MAP_HUGETLB", "linux/futex.h"]
    assert not list(faults("h", guarded))


def main():
    check_itself()
    root = pathlib.Path(sys.argv[1])
    headers = sorted(root.glob("sonde/**/*.hpp"))
    found = [fault for header in headers for fault in faults(header.relative_to(root), header.read_text())]
    print("\n".join(found) if found else f"{len(headers)} headers")
    return 1 if found or not headers else 0


sys.exit(main())
