// SPDX-License-Identifier: BSL-1.0
// The programs of messages in partitions, each by the name of a link.
#include "osu/partitioned/partitioned_programs.hpp"

int main(int argc, char** argv) { return suite::run_program({osu::partitioned_programs()}, argc, argv); }
