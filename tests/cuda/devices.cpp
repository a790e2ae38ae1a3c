// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <stdexcept>
#include <string>

using namespace fake_cuda;
using sonde::cuda::choose_device;
using sonde::cuda::device_count;

TEST_CASE_FIXTURE(started, "ranks of a node get its devices in turn, and each knows how many ranks have its own") {
    struct {
        char const* devices;
        int ranks;
        std::vector<int> indices, sharing;
    } const cases[] = {
        {"1", 1, {0}, {1}},
        {"1", 2, {0, 0}, {2, 2}},
        {"1", 3, {0, 0, 0}, {3, 3, 3}},
        {"1", 4, {0, 0, 0, 0}, {4, 4, 4, 4}},
        {"2", 1, {0}, {1}},
        {"2", 2, {0, 1}, {1, 1}},
        {"2", 3, {0, 1, 0}, {2, 1, 2}},
        {"2", 4, {0, 1, 0, 1}, {2, 2, 2, 2}},
        {"4", 2, {0, 1}, {1, 1}},
    };
    for (auto const& c : cases) {
        start({{"FAKE_CUDA_DEVICES", c.devices}});
        std::vector<int> indices, sharing, current;
        for (int rank = 0; rank != c.ranks; ++rank) {
            auto const mine = choose_device(rank, c.ranks);
            indices.push_back(mine.index);
            sharing.push_back(mine.ranks);
            current.push_back(sonde::cuda::current_device());
            CHECK(mine.shared() == (mine.ranks > 1));
        }
        CHECK(indices == c.indices);
        CHECK(current == c.indices);
        CHECK(sharing == c.sharing);
    }
}

TEST_CASE_FIXTURE(started, "a local rank that cannot be is refused") {
    CHECK_THROWS_AS(choose_device(-1, 2), std::invalid_argument);
    CHECK_THROWS_AS(choose_device(2, 2), std::invalid_argument);
    CHECK_THROWS_AS(choose_device(0, 0), std::invalid_argument);
}

TEST_CASE_FIXTURE(started, "what is wrong with driver or device is said in a line, with what to do, and told once") {
    struct {
        char const *name, *value;
        std::string line;
    } const cases[] = {
        {"FAKE_CUDA_DRIVER", "none", "cudaGetDeviceCount: there is no NVIDIA driver: run where one is loaded"},
        {"FAKE_CUDA_DRIVER", "old",
         "cudaGetDeviceCount: the CUDA runtime " + sonde::cuda::version_text(CUDART_VERSION) +
             " is newer than the driver, which supports 11.0: update the driver, or build with that toolkit"},
        {"FAKE_CUDA_DEVICES", "0",
         "cudaGetDeviceCount: there is no CUDA device: run where one is, and see that CUDA_VISIBLE_DEVICES does not "
         "hide it"},
    };
    for (auto const& c : cases) {
        start({{c.name, c.value}});
        CHECK(thrown([] { device_count(); }) == c.line);
        CHECK(cudaPeekAtLastError() == cudaSuccess);
        CHECK(thrown([] { choose_device(0, 1); }) == c.line);
        CHECK(count("cudaSetDevice") == 0);
    }
}

TEST_CASE_FIXTURE(started, "of another error the runtime's own words are said") {
    fake::fail("cudaGetDeviceCount", cudaErrorInitializationError);
    CHECK(thrown([] { device_count(); }) == "cudaGetDeviceCount: initialization error");
    CHECK(device_count() == 1);
}

TEST_CASE_FIXTURE(started, "an error has the call and its code") {
    try {
        sonde::cuda::check(cudaSetDevice(7), "cudaSetDevice");
        FAIL("nothing was thrown");
    } catch (sonde::cuda::error const& e) {
        CHECK(e.call() == std::string{"cudaSetDevice"});
        CHECK(e.code() == cudaErrorInvalidDevice);
        CHECK(e.what() == std::string{"cudaSetDevice: invalid device ordinal"});
    }
}

TEST_CASE("what a report says of a device: its name, its memory, and the versions of driver and runtime") {
    start({{"FAKE_CUDA_MEMORY", "1000000"}});
    auto const found = sonde::cuda::facts_of(0);
    CHECK(found.name == "Fake CUDA device");
    CHECK(found.memory == 1'000'000);
    CHECK(found.driver == CUDART_VERSION);
    CHECK(found.runtime == CUDART_VERSION);
    CHECK(sonde::cuda::version_text(12020) == "12.2");
    CHECK(sonde::cuda::version_text(13000) == "13.0");
}
