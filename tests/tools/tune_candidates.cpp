// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/candidates.hpp"
#include "tools/tune/choice.hpp"
#include "tools/tune/tuned_job.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace tools::tune;
using texts = std::vector<std::string>;

/// Part of what Open MPI 4.1.4 lists for four ranks on a host.
library_settings open_mpi() {
    return {"Open MPI v4.1.4",
            "",
            4,
            1,
            {{"btl_tcp_eager_limit", "65536"},
             {"btl_vader_rndv_eager_limit", "32768"},
             {"btl_vader_eager_limit", "4096"},
             {"btl_self_eager_limit", "1024"},
             {"coll_tuned_use_dynamic_rules", "true", {{"false", 0}, {"true", 1}}},
             {"coll_tuned_allreduce_algorithm",
              "basic_linear",
              {{"ignore", 0}, {"basic_linear", 1}, {"ring", 4}, {"segmented_ring", 5}}},
             {"coll_tuned_allreduce_algorithm_segmentsize", "0", {}, "0 bytes means no segmentation."},
             {"coll_tuned_alltoall_algorithm", "ignore", {{"ignore", 0}, {"linear", 1}, {"two_proc", 5}}},
             {"coll_tuned_reduce_scatter_algorithm", "ignore", {{"ignore", 0}, {"butterfly", 4}}},
             {"coll_libnbc_ibcast_algorithm", "ignore", {{"ignore", 0}, {"chain", 3}}}}};
}

/// Part of what MPICH 4.0.2 lists; it has lost the ends of lines in descriptions.
library_settings mpich() {
    return {"MPICH Version: 4.0.2",
            "ch4:ucx",
            4,
            1,
            {{"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
              "0",
              {},
              "Variable to select allreduce algorithmauto - Internal algorithm selection (can be overridden with "
              "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE)nb                       - Force nonblocking algorithmsmp"
              "                      - Force smp algorithmrecursive_doubling       - Force recursive doubling "
              "algorithmreduce_scatter_allgather - Force reduce scatter allgather algorithm"},
             {"MPIR_CVAR_BCAST_INTRA_ALGORITHM",
              "1",
              {},
              "Variable to select bcast algorithmauto - Internal algorithm selection (can be overridden with "
              "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE)binomial                                - Force Binomial "
              "Treenb                                      - Force nonblocking algorithmscatter_ring_allgather"
              "                  - Force Scatter Ring"},
             {"MPIR_CVAR_IBCAST_INTRA_ALGORITHM",
              "0",
              {},
              "Variable to select ibcast algorithmauto - Internal algorithm selection (x)sched_auto - Internal "
              "algorithm selection for sched-based algorithmstsp_tree  - Force Generic Transport Tree algorithm"},
             {"MPIR_CVAR_NEIGHBOR_ALLGATHER_INTRA_ALGORITHM",
              "0",
              {},
              "Variable to select neighbor_allgather algorithmauto - Internal algorithm selection (x)nb   - Force nb "
              "algorithm"},
             {"MPIR_CVAR_BCAST_DEVICE_COLLECTIVE",
              "1",
              {},
              "If set to true, MPI_Bcast will allow the device to override the MPIR-level collective algorithms."},
             {"MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE", "131072"},
             {"MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE", "-1"},
             {"MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE", "69632"}}};
}

/// Part of what Intel MPI 2021.18 lists, by the names that launches set.
library_settings intel_mpi() {
    return {"Intel(R) MPI Library 2021.18.1 for Linux* OS",
            "",
            2,
            1,
            {{"I_MPI_ADJUST_SCAN",
              "2",
              {},
              "Presets.\n Arguments\n <presetid> - Preset identifier\n range: 0-3 @Default:# -1"},
             {"I_MPI_ADJUST_SCAN_LIST", "-1", {}, "@Alias:# I_MPI_ADJUST_SCAN_LIST @Default:# -1"},
             {"I_MPI_FABRICS",
              "shm:ofi",
              {},
              "Syntax\n I_MPI_FABRICS=<ofi|shm:ofi>\n Arguments\n <fabric> - Define a network fabric.\n"
              " > shm - Shared memory transport.\n > ofi - OpenFabrics Interfaces\n"},
             {"I_MPI_SHM_CELL_FWD_SIZE", "-1", {}, "Change the size of a shared memory forward cell."}}};
}

texts names_of(std::vector<candidate> const& all) {
    texts names;
    for (auto const& c : all) names.push_back(c.text());
    return names;
}

} // namespace

TEST_CASE("candidates of Open MPI are the other algorithms, segments of those that pipeline, and limits in use") {
    CHECK(names_of(candidates_of(open_mpi(), {})) ==
          texts{"btl_vader_eager_limit=1024", "btl_vader_eager_limit=16384", "btl_vader_eager_limit=65536",
                "coll_tuned_allreduce_algorithm=ignore", "coll_tuned_allreduce_algorithm=ring",
                "coll_tuned_allreduce_algorithm=segmented_ring",
                "coll_tuned_allreduce_algorithm=segmented_ring segment=8192",
                "coll_tuned_allreduce_algorithm=segmented_ring segment=65536", "coll_tuned_alltoall_algorithm=linear",
                "coll_tuned_reduce_scatter_algorithm=butterfly", "coll_libnbc_ibcast_algorithm=chain"});
}

TEST_CASE("a selection has a part, collectives, and segments shorter than the messages") {
    CHECK(names_of(candidates_of(open_mpi(), {tuned_part::algorithms, {"allreduce"}, 8193})) ==
          texts{"coll_tuned_allreduce_algorithm=ignore", "coll_tuned_allreduce_algorithm=ring",
                "coll_tuned_allreduce_algorithm=segmented_ring",
                "coll_tuned_allreduce_algorithm=segmented_ring segment=8192"});
    CHECK(candidates_of(open_mpi(), {tuned_part::eager_limits, {"allreduce"}, {}}).size() == 3);
    auto two = open_mpi();
    two.ranks = 2;
    CHECK(names_of(candidates_of(two, {tuned_part::algorithms, {"alltoall"}, {}})).back() ==
          "coll_tuned_alltoall_algorithm=two_proc");
    two.hosts = 2;
    CHECK(names_of(candidates_of(two, {tuned_part::eager_limits, {}, {}})).front() == "btl_tcp_eager_limit=16384");
}

TEST_CASE("an algorithm of Open MPI needs the switch of dynamic rules, and the environment has OMPI_MCA_ names") {
    auto const all = candidates_of(open_mpi(), {tuned_part::algorithms, {"allreduce"}, {}});
    CHECK(environment_of(all.back().settings) == texts{"OMPI_MCA_coll_tuned_allreduce_algorithm=segmented_ring",
                                                       "OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                                                       "OMPI_MCA_coll_tuned_allreduce_algorithm_segmentsize=65536"});
    CHECK(all.back().algorithm == 5);
    auto const nonblocking = candidates_of(open_mpi(), {tuned_part::algorithms, {"ibcast"}, {}});
    CHECK(environment_of(nonblocking.back().settings) == texts{"OMPI_MCA_coll_libnbc_ibcast_algorithm=chain"});
}

TEST_CASE("words of MPICH's descriptions are split from the words before them") {
    auto const all = mpich();
    auto const vocabulary = vocabulary_of(all.variables);
    CHECK(words_in_description(all.variables[0].description, vocabulary) ==
          texts{"auto", "nb", "smp", "recursive_doubling", "reduce_scatter_allgather"});
    CHECK(words_in_description(all.variables[1].description, vocabulary) ==
          texts{"auto", "binomial", "nb", "scatter_ring_allgather"});
    CHECK(words_in_description(all.variables[2].description, vocabulary) == texts{"auto", "sched_auto", "tsp_tree"});
    CHECK(words_in_description("Largest size, in bytes", vocabulary).empty());
    auto glued = vocabulary; // other descriptions have glued words, too
    glued.insert({"all", "reducempir", "mpir", "release", "gather", "allreduce", "collectives"});
    CHECK(words_in_description(
              "Algorithm for intra-node allreducempir           - Fallback to MPIR collectivesrelease_gather - "
              "Force shm optimized algo",
              glued) == texts{"mpir", "release_gather"});
}

TEST_CASE("candidates of MPICH leave out the present number, and limits of other devices") {
    CHECK(names_of(candidates_of(mpich(), {tuned_part::all, {"bcast"}, {}})) ==
          texts{"MPIR_CVAR_BCAST_INTRA_ALGORITHM=auto", "MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb",
                "MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather",
                "MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE=17408", "MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE=278528",
                "MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE=1114112"});
    CHECK(environment_of({{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "nb"}}) == texts{"MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb"});
    CHECK(collective_of("MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM") == "bcast");
    CHECK(collective_of("coll_tuned_allreduce_algorithm_count").empty());
}

TEST_CASE("candidates of MPICH 5 are words in lines of their own, and the threshold of eager messages") {
    library_settings const all{
        "MPICH Version: 5.0.2",
        "ch4:ofi",
        4,
        1,
        {{"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM",
          "0",
          {},
          "Variable to select allreduce algorithm\nauto - Internal algorithm selection (x)\nnb            - Force "
          "nonblocking algorithm\nreduce_scatter_allgather - Force reduce scatter allgather algorithm"},
         {"MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD", "1024"}}};
    CHECK(names_of(candidates_of(all, {})) ==
          texts{"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=nb",
                "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=reduce_scatter_allgather", "MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD=256",
                "MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD=4096", "MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD=16384"});
}

TEST_CASE("candidates of Intel MPI are the other presets, transports and sizes of cells") {
    CHECK(intel_mpi().library() == mpi_library::intel_mpi);
    CHECK(names_of(candidates_of(intel_mpi(), {})) ==
          texts{"I_MPI_ADJUST_SCAN=0", "I_MPI_ADJUST_SCAN=1", "I_MPI_ADJUST_SCAN=3", "I_MPI_FABRICS=shm",
                "I_MPI_FABRICS=ofi", "I_MPI_SHM_CELL_FWD_SIZE=1024", "I_MPI_SHM_CELL_FWD_SIZE=4096",
                "I_MPI_SHM_CELL_FWD_SIZE=16384", "I_MPI_SHM_CELL_FWD_SIZE=65536"});
    CHECK(names_of(candidates_of(intel_mpi(), {tuned_part::algorithms, {"scan"}, {}})).size() == 3);
    CHECK(environment_of({{"I_MPI_ADJUST_SCAN", "3"}}) == texts{"I_MPI_ADJUST_SCAN=3"});
    auto hosts = intel_mpi();
    hosts.hosts = 2;
    CHECK(names_of(candidates_of(hosts, {tuned_part::eager_limits, {}, {}})).front() == "I_MPI_FABRICS=ofi");
}

TEST_CASE("of two names of a limit, Open MPI 5's is the one of the component") {
    library_settings const all{
        "Open MPI v5.0.11", "", 2, 1, {{"btl_sm_eager_limit", "4096"}, {"btl_vader_eager_limit", "4096"}}};
    CHECK(names_of(candidates_of(all, {})) ==
          texts{"btl_sm_eager_limit=1024", "btl_sm_eager_limit=16384", "btl_sm_eager_limit=65536"});
}

TEST_CASE("a list of control variables is read as it was written") {
    auto const path = (std::filesystem::temp_directory_path() / "tune_candidates.json").string();
    std::ofstream{path} << json_of(open_mpi()) << '\n';
    auto const read = read_settings(path);
    std::filesystem::remove(path);
    CHECK(json_of(read) == json_of(open_mpi()));
    CHECK(read.library() == mpi_library::open_mpi);
    CHECK(mpich().library() == mpi_library::mpich);
    CHECK(read.find("btl_vader_eager_limit")->value == "4096");
    CHECK(read.find("btl_vader") == nullptr);
}

TEST_CASE("a launcher is what comes before the first word that can be executed") {
    CHECK(launcher_of({"mpirun", "-n", "4", "--bind-to", "core", "/bin/sh", "-c", "x"}) ==
          texts{"mpirun", "-n", "4", "--bind-to", "core"});
    CHECK(launcher_of({"mpirun", "-n", "2", "env", "A=B", "sh"}) == texts{"mpirun", "-n", "2"});
    CHECK(launcher_of({"/bin/sh", "-c", "/none"}).empty());
}
