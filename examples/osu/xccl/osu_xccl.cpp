// SPDX-License-Identifier: BSL-1.0
// The programs of NCCL, RCCL or oneCCL, each by the name of a link: osu_xccl_NAME, and osu_nccl_NAME, a name in older
// texts of OMB.
#include "osu/xccl/xccl_collectives.hpp"
#include "osu/xccl/xccl_pairs.hpp"

int main(int argc, char** argv) {
    using namespace osu::xccl;
    return suite::run_program({pair_programs("osu_xccl_"), collective_programs("osu_xccl_"), pair_programs("osu_nccl_"),
                               collective_programs("osu_nccl_")},
                              argc, argv);
}
