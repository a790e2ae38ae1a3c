// SPDX-License-Identifier: BSL-1.0
// The one-sided programs, each by the name of a link.
#include "osu/one_sided/one_sided_measure.hpp"

int main(int argc, char** argv) { return suite::run_program({osu::one_sided_suite()}, argc, argv); }
