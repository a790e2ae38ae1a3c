// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

using namespace fake_cuda;
using sonde::cuda::device_memory;
using sonde::cuda::managed_memory;
using sonde::cuda::pinned_memory;

namespace {

/// The signal that ends a process that reads the byte; 0 if it may.
int signal_of_reading(std::byte const* at) {
    auto const child = fork();
    if (child == 0) {
        std::signal(SIGSEGV, SIG_DFL); // not the test's handler, which would report
        static_cast<void>(*static_cast<std::byte const volatile*>(at));
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

} // namespace

TEST_CASE_TEMPLATE("memory is filled, written, read and freed", M, device_memory, pinned_memory, managed_memory) {
    start();
    {
        sonde::allocation<M> memory{5};
        memory.fill(std::byte{0x5a});
        std::vector<std::byte> const two{std::byte{1}, std::byte{2}};
        memory.write(1, two);
        std::vector<std::byte> found(5);
        memory.read(0, found);
        CHECK(found ==
              std::vector<std::byte>{std::byte{0x5a}, std::byte{1}, std::byte{2}, std::byte{0x5a}, std::byte{0x5a}});
        CHECK(fake::allocated() == 5);
    }
    CHECK(fake::allocated() == 0);
}

TEST_CASE_FIXTURE(one_device,
                  "write and fill of device memory are complete when they return, from pageable memory or not") {
    sonde::allocation<device_memory> memory{8};
    sonde::allocation<pinned_memory> const pinned{8};
    fake::costs({.copy_ns = 100, .set_per_byte_ns = 1});
    memory.write(0, std::vector<std::byte>(8));
    CHECK(fake::now() == 100);
    device_memory{}.write(memory.bytes(), pinned.bytes(), pinned_memory{});
    CHECK(fake::now() == 200);
    memory.fill(std::byte{1});
    CHECK(fake::now() == 208);
}

TEST_CASE_FIXTURE(one_device, "only device memory is a region that the host must not dereference") {
    sonde::allocation<device_memory> const device{64};
    sonde::allocation<pinned_memory> const pinned{64};
    sonde::allocation<managed_memory> const managed{64};
    CHECK(device.bytes().on_device());
    CHECK(signal_of_reading(device.bytes().data()) == SIGSEGV);
    CHECK(signal_of_reading(pinned.bytes().data()) == 0);
    CHECK(signal_of_reading(managed.bytes().data()) == 0);
}

TEST_CASE("an allocation that exhausts the device throws with the requested and the free bytes, and leaks nothing") {
    start({{"FAKE_CUDA_MEMORY", "1000"}});
    {
        sonde::allocation<device_memory> const held{600};
        CHECK(thrown([] { sonde::allocation<device_memory> const bytes{401}; }) ==
              "cudaMalloc: out of memory: 401 bytes asked for, 400 free on the device");
        CHECK(cudaPeekAtLastError() == cudaSuccess);
        sonde::allocation<device_memory> const rest{400};
    }
    CHECK(fake::allocated() == 0);
}

TEST_CASE_FIXTURE(one_device, "exhausted page-locked memory throws with the requested bytes") {
    fake::fail("cudaHostAlloc", cudaErrorMemoryAllocation);
    CHECK(thrown([] { sonde::allocation<pinned_memory> const bytes{77}; }) ==
          "cudaHostAlloc: out of memory: 77 bytes of page-locked host memory asked for");
    CHECK(cudaPeekAtLastError() == cudaSuccess);
}

TEST_CASE("managed memory beyond the device's free memory is never requested from CUDA") {
    start({{"FAKE_CUDA_MEMORY", "1000"}});
    sonde::allocation<device_memory> const held{600};
    CHECK(thrown([] { sonde::allocation<managed_memory> const bytes{401}; }) ==
          "cudaMallocManaged: not tried: 401 bytes of managed memory asked for, and the device has 400 free");
    CHECK(count("cudaMallocManaged") == 0);
    sonde::allocation<managed_memory> const fits{400};
    CHECK(count("cudaMallocManaged") == 1);
}

TEST_CASE("managed memory that is not resident on the device yet counts as resident") {
    start({{"FAKE_CUDA_MEMORY", "1000"}});
    {
        sonde::allocation<managed_memory> const one{600};
        CHECK(sonde::cuda::free_memory() == 1000);
        CHECK(thrown([] { sonde::allocation<managed_memory> const bytes{401}; }) ==
              "cudaMallocManaged: not tried: 401 bytes of managed memory asked for, and the device has 400 free");
        sonde::allocation<managed_memory> const other{400};
    }
    sonde::allocation<managed_memory> const again{1000};
}

TEST_CASE("memory that another allocation has taken since is subtracted from the managed memory budget") {
    start({{"FAKE_CUDA_MEMORY", "1000"}});
    sonde::allocation<managed_memory> const before{100};
    sonde::allocation<device_memory> const held{800};
    CHECK(thrown([] { sonde::allocation<managed_memory> const bytes{201}; }) ==
          "cudaMallocManaged: not tried: 201 bytes of managed memory asked for, and the device has 200 free");
    sonde::allocation<managed_memory> const fits{200};
}

TEST_CASE("a failed managed allocation does not count") {
    start({{"FAKE_CUDA_MEMORY", "1000"}});
    sonde::allocation<managed_memory> const one{100};
    fake::fail("cudaMallocManaged", cudaErrorMemoryAllocation);
    CHECK(thrown([] { sonde::allocation<managed_memory> const bytes{900}; }) ==
          "cudaMallocManaged: out of memory: 900 bytes asked for, 1000 free on the device");
    sonde::allocation<managed_memory> const fits{900};
}

TEST_CASE("each device has its own managed memory budget, also when another device is current at the deallocation") {
    start({{"FAKE_CUDA_MEMORY", "1000"}, {"FAKE_CUDA_DEVICES", "2"}});
    {
        sonde::allocation<managed_memory> const first{600};
        cudaSetDevice(1);
        sonde::allocation<managed_memory> const second{1000};
        CHECK(!thrown([] { sonde::allocation<managed_memory> const bytes{1}; }).empty());
        cudaSetDevice(0);
        sonde::allocation<managed_memory> const third{400};
        cudaSetDevice(1);
    }
    for (auto const device : {0, 1}) {
        cudaSetDevice(device);
        sonde::allocation<managed_memory> const again{1000};
    }
}

namespace {

/// A group in which all other ranks have the values of rank 0, which is this rank.
struct on_this_device {
    int ranks;

    int rank() const { return 0; }
    int size() const { return ranks; }
    void barrier() const {}
    void all_reduce(std::span<double> v, sonde::reduction op) const {
        if (op == sonde::reduction::sum)
            for (auto& value : v) value *= ranks;
    }
    void broadcast(std::span<std::byte>, int) const {}
    void gather(std::span<std::byte const> mine, std::span<std::byte> all) const {
        for (std::size_t i = 0; i != all.size(); ++i) all[i] = mine[i % mine.size()];
    }
};

} // namespace

TEST_CASE("ranks that share a device share its managed memory budget") {
    start({{"FAKE_CUDA_MEMORY", "1000"}, {"FAKE_CUDA_DEVICES", "2"}});
    on_this_device both{2};
    sonde::cuda::choose_device(both, 0);
    {
        sonde::allocation<managed_memory> const half{300};
        CHECK(thrown([] { sonde::allocation<managed_memory> const bytes{201}; }) ==
              "cudaMallocManaged: not tried: 201 bytes of managed memory asked for, and the device has 200 free for "
              "each of 2 ranks");
        sonde::allocation<managed_memory> const rest{200};
    }
    sonde::single_rank alone;
    sonde::cuda::choose_device(alone, 1);
    sonde::allocation<managed_memory> const whole{1000};
    sonde::cuda::choose_device(alone, 0);
}
