// SPDX-License-Identifier: BSL-1.0
// The programs of messages between ranks, each by the name of a link.
#include "osu/pt2pt/pt2pt_driver.hpp"

int main(int argc, char** argv) {
    auto all = osu::latency_programs();
    for (auto const& more : {osu::bandwidth_programs(),
                             {osu::message_rate_program(), osu::multi_threaded_program(), osu::multi_process_program(),
                              osu::example_program()}})
        all.insert(all.end(), more.begin(), more.end());
    return suite::run_program(all, argc, argv);
}
