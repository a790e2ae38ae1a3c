// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace fake_cuda;
using sonde::cuda::choose_device;
using sonde::cuda::device_count;

namespace {

/// The reductions that each rank made, in order: the values of each call.
using reductions = std::vector<std::vector<std::vector<double>>>;

/// One of several ranks, which run one after the other: each call receives the values of earlier ranks, and those of
/// later ranks from the round before.
struct one_of_several {
    reductions& all;
    int me;
    std::size_t calls = 0;

    int rank() const { return me; }
    int size() const { return static_cast<int>(all.size()); }
    void barrier() const {}
    void all_reduce(std::span<double> v, sonde::reduction op) {
        auto& own = all[static_cast<std::size_t>(me)];
        own.resize(std::max(own.size(), calls + 1));
        own[calls].assign(v.begin(), v.end());
        for (auto const& other : all)
            if (&other != &own && other.size() > calls && other[calls].size() == v.size())
                for (std::size_t i = 0; i != v.size(); ++i)
                    v[i] = op == sonde::reduction::max ? std::max(v[i], other[calls][i]) : v[i] + other[calls][i];
        ++calls;
    }
};

struct found {
    std::vector<int> indices, sharing;
    bool operator==(found const&) const = default;
};

/// The devices of all ranks, each in a process of its own.
found chosen_by(int ranks, std::vector<std::pair<char const*, char const*>> const& environment) {
    found last;
    reductions all(static_cast<std::size_t>(ranks));
    for (auto round : {0, 1}) {
        last = {};
        for (int rank = 0; rank != ranks; ++rank) {
            setenv("PMI_RANK", std::to_string(rank).c_str(), 1);
            start(environment);
            one_of_several group{all, rank};
            auto const mine = choose_device(group, rank);
            last.indices.push_back(mine.index);
            last.sharing.push_back(mine.ranks);
            CHECK(sonde::cuda::current_device() == mine.index);
            if (round == 1) CHECK(mine.shared() == (mine.ranks > 1));
        }
    }
    unsetenv("PMI_RANK");
    return last;
}

} // namespace

TEST_CASE_FIXTURE(one_device,
                  "ranks of a node get its devices round-robin, and each knows how many ranks share its own") {
    struct {
        char const* devices;
        int ranks;
        found expected;
    } const cases[] = {
        {"1", 1, {{0}, {1}}},
        {"1", 2, {{0, 0}, {2, 2}}},
        {"1", 4, {{0, 0, 0, 0}, {4, 4, 4, 4}}},
        {"2", 1, {{0}, {1}}},
        {"2", 2, {{0, 1}, {1, 1}}},
        {"2", 3, {{0, 1, 0}, {2, 1, 2}}},
        {"2", 4, {{0, 1, 0, 1}, {2, 2, 2, 2}}},
        {"4", 2, {{0, 1}, {1, 1}}},
    };
    for (auto const& c : cases) CHECK(chosen_by(c.ranks, {{"FAKE_CUDA_DEVICES", c.devices}}) == c.expected);
}

TEST_CASE_FIXTURE(one_device, "ranks that each see their own device as number 0 share none") {
    CHECK(chosen_by(3, {{"FAKE_CUDA_OWN", "1"}}) == found{{0, 0, 0}, {1, 1, 1}});
}

TEST_CASE_FIXTURE(one_device, "a rank without a device synchronizes with the others before it throws") {
    start({{"FAKE_CUDA_DEVICES", "0"}});
    reductions all(2);
    all[0] = {{20}}; // the other one has a text of 20 bytes: each has a row of 28, of 6 bytes in a double
    one_of_several group{all, 1};
    CHECK_THROWS_AS(choose_device(group, 1), sonde::cuda::error);
    CHECK(all[1] == reductions::value_type{{0}, std::vector<double>(10)});
}

TEST_CASE_FIXTURE(one_device, "an invalid local rank is refused") {
    sonde::single_rank alone;
    CHECK_THROWS_AS(choose_device(alone, -1), std::invalid_argument);
}

TEST_CASE_FIXTURE(one_device, "a missing driver or device is reported once, in one line with advice") {
    struct {
        char const *name, *value;
        std::string line;
    } const cases[] = {
        {"FAKE_CUDA_DRIVER", "none", "cudaGetDeviceCount: there is no NVIDIA driver: run where one is loaded"},
        {"FAKE_CUDA_DRIVER", "old",
         "cudaGetDeviceCount: the CUDA runtime " + sonde::cuda::version_text(CUDART_VERSION) +
             " is newer than the driver, which supports " + sonde::cuda::version_text(fake::old_driver) +
             ": update the driver, or build with that toolkit"},
        {"FAKE_CUDA_DEVICES", "0",
         "cudaGetDeviceCount: there is no CUDA device: run where one is, and see that CUDA_VISIBLE_DEVICES does not "
         "hide it"},
    };
    for (auto const& c : cases) {
        start({{c.name, c.value}});
        CHECK(thrown([] { device_count(); }) == c.line);
        CHECK(cudaPeekAtLastError() == cudaSuccess);
        CHECK(thrown([] {
                  sonde::single_rank alone;
                  choose_device(alone, 0);
              }) == c.line);
        CHECK(count("cudaSetDevice") == 0);
    }
}

TEST_CASE_FIXTURE(one_device, "other errors have the runtime's text") {
    fake::fail("cudaGetDeviceCount", cudaErrorInitializationError);
    CHECK(thrown([] { device_count(); }) == "cudaGetDeviceCount: initialization error");
    CHECK(device_count() == 1);
}

TEST_CASE_FIXTURE(one_device, "an error has the call and its code") {
    try {
        sonde::cuda::check(cudaSetDevice(7), "cudaSetDevice");
        FAIL("nothing was thrown");
    } catch (sonde::cuda::error const& e) {
        CHECK(e.call() == std::string{"cudaSetDevice"});
        CHECK(e.code() == cudaErrorInvalidDevice);
        CHECK(e.what() == std::string{"cudaSetDevice: invalid device ordinal"});
    }
}

TEST_CASE("device properties hold the name, the memory and the versions of driver and runtime") {
    start({{"FAKE_CUDA_MEMORY", "1000000"}});
    auto const found = sonde::cuda::properties_of(0);
    CHECK(found.name == "Fake CUDA device");
    CHECK(found.memory == 1'000'000);
    CHECK(found.driver == CUDART_VERSION);
    CHECK(found.runtime == CUDART_VERSION);
#ifdef __HIP_PLATFORM_AMD__
    CHECK(sonde::cuda::version_text(50221153) == "5.2");
    CHECK(sonde::cuda::version_text(61200000) == "6.12");
#else
    CHECK(sonde::cuda::version_text(12020) == "12.2");
    CHECK(sonde::cuda::version_text(13000) == "13.0");
#endif
}
