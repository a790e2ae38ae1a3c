// SPDX-License-Identifier: BSL-1.0
// Benchmarks that the programs run by default.
#include <doctest/doctest.h>

#include "imb/io/io.hpp"
#include "imb/mpi1/mpi1.hpp"
#include "imb/mpi1/overlapped_collectives.hpp"
#include "imb/mt/mt.hpp"
#include "imb/one_sided/rma_measure.hpp"
#include "imb/p2p/p2p.hpp"

#include <string>

namespace {

std::string run_by_default(imb::component const& about) {
    std::string all;
    for (auto const* test : imb::selected(about.tests, {})) all.append(all.empty() ? 0 : 1, ' ').append(test->name);
    return all;
}

} // namespace

TEST_CASE("the programs' default lists are IMB's, in IMB's order") {
    CHECK(run_by_default(imb::mpi1()) ==
          "PingPong PingPing Sendrecv Exchange Allreduce Reduce Reduce_local Reduce_scatter Reduce_scatter_block "
          "Allgather Allgatherv Gather Gatherv Scatter Scatterv Alltoall Alltoallv Bcast Barrier");
    CHECK(run_by_default(imb::ext()) == "Window Unidir_Get Unidir_Put Bidir_Get Bidir_Put Accumulate");
    CHECK(run_by_default(imb::rma()) ==
          "Unidir_put Bidir_put Unidir_get Bidir_get Put_local Put_all_local One_put_all All_put_all One_get_all "
          "All_get_all Exchange_put Exchange_get Accumulate Get_accumulate Fetch_and_op Compare_and_swap "
          "Truly_passive_put");
    CHECK(run_by_default(imb::nbc()) ==
          "Ibcast Iallgather Iallgatherv Igather Igatherv Iscatter Iscatterv Ialltoall Ialltoallv Ireduce "
          "Ireduce_scatter Iallreduce Ibarrier");
    CHECK(run_by_default(imb::p2p_component()) ==
          "PingPong PingPing Unirandom Birandom Corandom Stencil2D Stencil3D SendRecv_Replace");
    CHECK(run_by_default(imb::mt_component()) ==
          "PingPongMT PingPingMT SendRecvMT ExchangeMT UniBandMT BiBandMT BarrierMT BcastMT ReduceMT AllReduceMT");
}

TEST_CASE("IMB-IO writes first, then it reads, in the same order") {
    CHECK(run_by_default(imb::io_component()) ==
          "S_Write_Indv S_IWrite_Indv S_Write_Expl S_IWrite_Expl P_Write_Indv P_IWrite_Indv P_Write_Shared "
          "P_IWrite_Shared P_Write_Priv P_IWrite_Priv P_Write_Expl P_IWrite_Expl C_Write_Indv C_IWrite_Indv "
          "C_Write_Shared C_IWrite_Shared C_Write_Expl C_IWrite_Expl "
          "S_Read_Indv S_IRead_Indv S_Read_Expl S_IRead_Expl P_Read_Indv P_IRead_Indv P_Read_Shared "
          "P_IRead_Shared P_Read_Priv P_IRead_Priv P_Read_Expl P_IRead_Expl C_Read_Indv C_IRead_Indv "
          "C_Read_Shared C_IRead_Shared C_Read_Expl C_IRead_Expl Open_Close");
}
