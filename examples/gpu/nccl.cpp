// SPDX-License-Identifier: BSL-1.0

// NCCL with one rank: every collective returns the rank's own data.

#include "on_device.hpp"

#include <sonde/nccl.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

namespace {

using device = sonde::allocation<gpu::native::device_memory>;

constexpr std::size_t elements = std::size_t{1} << 20;
constexpr std::size_t bytes = elements * sizeof(float);

struct stage {
    sonde::single_rank here;
    sonde::nccl::communicator world{here};
    gpu::native::stream stream;
    device out{bytes}, in{bytes};
    std::vector<float> sent = std::vector<float>(elements);
};

template <class K>
bool check(stage& on, K const& kind) {
    on.out.write(0, std::as_bytes(std::span{on.sent}));
    on.in.fill(std::byte{0});
    sonde::nccl::nonblocking operation{kind, sonde::nccl::queue{on.world, on.stream}, on.out.first(bytes),
                                       on.in.first(bytes)};
    auto const r = sonde::run(on.here, sonde::plan<>{}.until(sonde::samples{50}), operation);
    std::vector<float> received(elements);
    on.in.read(0, std::as_writable_bytes(std::span{received}));
    auto const right = received == on.sent;
    std::printf("%-32s %10zu bytes %10.2f us  contents: %s\n", K::name, bytes, 1e6 * sonde::median(r).count(),
                right ? "right" : "wrong");
    return right;
}

bool check_all() {
    stage on;
    for (std::size_t i = 0; i != elements; ++i) on.sent[i] = static_cast<float>(i % 1021);
    sonde::nccl::block const all{ncclFloat, elements};
    auto const apart = sonde::placement::out_of_place;
    bool const right[] = {check(on, sonde::nccl::allgather{on.world, all}),
                          check(on, sonde::nccl::allreduce{on.world, all, ncclSum}),
                          check(on, sonde::nccl::alltoall{on.world, all}),
                          check(on, sonde::nccl::bcast{on.world, all, 0, apart}),
                          check(on, sonde::nccl::reduce{on.world, all, ncclSum}),
                          check(on, sonde::nccl::reduce_scatter{on.world, all, ncclSum})};
    for (auto const r : right)
        if (!r) return false;
    return true;
}

} // namespace

int main() { return gpu::on_device(check_all); }
