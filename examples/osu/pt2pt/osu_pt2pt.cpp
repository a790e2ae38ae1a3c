// SPDX-License-Identifier: BSL-1.0
// The programs of messages between ranks, each by the name of a link.
#include "osu/pt2pt/pt2pt_driver.hpp"

int main(int argc, char** argv) {
    using namespace osu;
    return suite::run_program(
        {latency_programs(),
         bandwidth_programs(),
         {message_rate_program(), multi_threaded_program(), multi_process_program(), example_program()}},
        argc, argv);
}
