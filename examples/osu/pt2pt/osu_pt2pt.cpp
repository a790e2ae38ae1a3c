// SPDX-License-Identifier: BSL-1.0
// The programs of messages between ranks, each by the name of a link.
#include "osu/pt2pt/bandwidth.hpp"
#include "osu/pt2pt/latency.hpp"
#include "osu/pt2pt/latency_mp.hpp"
#include "osu/pt2pt/latency_mt.hpp"
#include "osu/pt2pt/mbw_mr.hpp"
#include "osu/pt2pt/osu_example.hpp"

int main(int argc, char** argv) {
    using namespace osu;
    return suite::run_program(
        {latency_programs(),
         bandwidth_programs(),
         {message_rate_program(), multi_threaded_program(), multi_process_program(), example_program()}},
        argc, argv);
}
