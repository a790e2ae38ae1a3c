// SPDX-License-Identifier: BSL-1.0
#include <sonde/detail/kernel_files.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using sonde::detail::limit_files, sonde::detail::limit_in_text;

TEST_CASE("a control group without a limit has none, in both versions") {
    CHECK(limit_in_text("268435456\n") == 268435456);
    CHECK(!limit_in_text("max\n"));
    CHECK(!limit_in_text("9223372036854771712\n")); // version 1
    CHECK(!limit_in_text(""));
    CHECK(!limit_in_text("no number"));
}

TEST_CASE("the limit of a control group is looked for in it and in all groups around it") {
    using files = std::vector<std::string>;
    CHECK(limit_files("0::/slurm/job_1/step_0\n") ==
          files{"sys/fs/cgroup/slurm/job_1/step_0/memory.max", "sys/fs/cgroup/slurm/job_1/memory.max",
                "sys/fs/cgroup/slurm/memory.max", "sys/fs/cgroup/memory.max",
                "sys/fs/cgroup/unified/slurm/job_1/step_0/memory.max", "sys/fs/cgroup/unified/slurm/job_1/memory.max",
                "sys/fs/cgroup/unified/slurm/memory.max", "sys/fs/cgroup/unified/memory.max"});
    CHECK(limit_files("5:devices:/a\n4:cpuset,memory:/a\n1:name=systemd:/b\n") ==
          files{"sys/fs/cgroup/memory/a/memory.limit_in_bytes", "sys/fs/cgroup/memory/memory.limit_in_bytes"});
    CHECK(limit_files("0::/../other\n") == files{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/unified/memory.max"});
    CHECK(limit_files("no such file") == files{});
}
