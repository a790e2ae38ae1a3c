// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <string>
#include <string_view>

using namespace sonde;

TEST_CASE("the environment names the MPI library in one line, and what rank 0 knows is the same on every rank") {
    mpi::group ranks{application::comm()};
    auto const e = mpi::environment_of(ranks);
    CHECK(e.communication_library.find("MPI") != std::string::npos);
    CHECK(e.communication_library.find_first_of(std::string_view{"\n\0", 2}) == std::string::npos);
    CHECK(e.transport.empty() == (ranks.rank() != 0)); // the build's definition of this test sets some
    auto text = e.communication_library;
    for (auto const& variable : e.control_variables) text += '\n' + variable.name + " = " + variable.text;
    for (auto const& other : all_gather(ranks, text)) CHECK(other == text);
}

TEST_CASE("the environment has the library's eager limits and algorithms, those of rank 0 on every rank") {
    mpi::group ranks{application::comm()};
    auto const e = mpi::environment_of(ranks);
    auto const is_limit = [](parameter const& p) {
        auto const limit = p.name.find("eager_limit") != std::string::npos ||
                           p.name.find("_EAGER_") != std::string::npos || p.name == "I_MPI_SHM_CELL_FWD_SIZE";
        return limit && p.text.find_first_not_of("-0123456789") == std::string::npos;
    };
    auto const is_algorithm = [](parameter const& p) {
        return p.name == "coll_tuned_allreduce_algorithm" || p.name == "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM" ||
               p.name == "I_MPI_ADJUST_ALLREDUCE";
    };
    auto const has = [&](auto property) {
        return std::count_if(e.control_variables.begin(), e.control_variables.end(), property) != 0;
    };
    CHECK(has(is_limit));
    CHECK(has(is_algorithm));
    CHECK(mpi::environment_of(ranks, 0, nullptr, {}).control_variables.empty());
    char const* const unknown[] = {"no such variable"};
    CHECK(mpi::environment_of(ranks, 0, nullptr, unknown).control_variables.empty());
}

TEST_CASE("a control variable has the value that was set") {
    auto const text_of = [](char const* name) {
        auto const found = mpi::control_variables({&name, 1});
        return found.size() == 1 ? found[0].name + " = " + found[0].text : std::string{};
    };
    // The build's definition of this test sets all.
    CHECK((text_of("btl_self_eager_limit") == "btl_self_eager_limit = 1234" ||
           text_of("MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE") == "MPIR_CVAR_CH4_OFI_EAGER_MAX_MSG_SIZE = 1234" ||
           text_of("MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD") == "MPIR_CVAR_CH4_OFI_EAGER_THRESHOLD = 1234" ||
           text_of("I_MPI_ADJUST_SCAN") == "I_MPI_ADJUST_SCAN = 2"));
}

TEST_CASE("descriptions of Intel MPI have names and values between their words") {
    using mpi::detail::words_after;
    CHECK(words_after("@Alias:# ", "range: 0-22 @Alias:# I_MPI_ADJUST_BCAST @Default:# -1") == "I_MPI_ADJUST_BCAST");
    CHECK(words_after("@Default:# ", "@Alias:# I_MPI_OFI_PROVIDER @Default:# not defined ") == "not defined");
    CHECK(words_after("@Verbosity:# ", "@Verbosity:# hidden @Alias:# I_MPI_SHM_FRAME_SIZE") == "hidden");
    CHECK(words_after("@Alias:# ", "Eager limit of shared memory").empty());
}

TEST_CASE("rank 0 has the settings of the library that select its transport, and its device, before the variables") {
    mpi::group ranks{application::comm()};
    auto const e = mpi::environment_of(ranks);
    auto const none = mpi::environment_of(ranks, 0, nullptr, {}); // without control variables
    std::string all = " ";
    for (auto const& p : e.transport) all += p.name + '=' + p.text + ' ';
    auto const of_mpich = e.communication_library.find("MPICH") != std::string::npos;
    // The build's definition of this test sets the variables; further ones may be in a file of Open MPI.
    auto const of_intel = e.communication_library.find("Intel") != std::string::npos;
    std::string const expected =
        of_intel ? " I_MPI_FABRICS=shm:ofi " : (of_mpich ? " device=ch4:" : " btl=self,vader ");
    CHECK((ranks.rank() != 0 || all.find(expected) != std::string::npos));
    CHECK((ranks.rank() != 0 || all.ends_with(" UCX_NET_DEVICES=all ")));
    auto const kinds = mpi::memory_alloc_kinds(ranks.comm()); // since MPI 4.1
    auto const has_kinds = all.find(" mpi_memory_alloc_kinds=" + kinds + ' ') != std::string::npos;
    CHECK(has_kinds == (ranks.rank() == 0 && !kinds.empty()));
    CHECK(none.transport.size() == (ranks.rank() == 0 ? 1 : 0));
}

TEST_CASE("the device of a library is in the text of its version") {
    using mpi::detail::device_in;
    CHECK(device_in("MPICH Version:    \t4.0.2\nMPICH Device:    \tch4:ofi\nMPICH configure: \t--prefix=/usr\n") ==
          "ch4:ofi");
    CHECK(device_in("MVAPICH2 Version      :\t2.3.6\nMVAPICH2 Device       :\tch3:mrail\n") == "ch3:mrail");
    CHECK(device_in("MPICH Device: ch4:ucx") == "ch4:ucx");
    CHECK(device_in("MPICH Device:").empty());
    CHECK(device_in("Open MPI v4.1.4, package: Debian Open MPI").empty());
}

TEST_CASE("a pattern of names has any characters in place of each asterisk") {
    using mpi::detail::matches;
    CHECK(matches("eager", "eager"));
    CHECK_FALSE(matches("eager", "eager_limit"));
    CHECK_FALSE(matches("limit", "eager_limit"));
    CHECK(matches("*limit", "eager_limit"));
    CHECK(matches("eager*", "eager"));
    CHECK(matches("*_*_*", "a_b_c"));
    CHECK_FALSE(matches("*_*_*", "a_bc"));
    CHECK(matches("*", ""));
    CHECK_FALSE(matches("", "a"));
}
