// SPDX-License-Identifier: BSL-1.0
// The programs of NCCL or RCCL, each by the name of a link: osu_xccl_NAME, and osu_nccl_NAME as in earlier versions of
// OMB.
#include "osu/xccl/nccl_connection.hpp"

int main(int argc, char** argv) {
    std::vector<suite::named_program> all;
    for (auto const* const prefix : {"osu_xccl_", "osu_nccl_"})
        for (auto const& some : {osu::xccl::pair_programs(prefix), osu::xccl::collective_programs(prefix)})
            all.insert(all.end(), some.begin(), some.end());
    return suite::run_program(all, argc, argv);
}
