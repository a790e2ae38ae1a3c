// SPDX-License-Identifier: BSL-1.0
// osu_oshm_put_mr, osu_oshm_put_mr_nb, osu_oshm_get_mr_nb: many transfers from each PE of the lower half of the PEs to
// a PE of the upper half, completed together.
#include "osu/openshmem/openshmem_message_rate.hpp"

#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/openshmem/openshmem_transfers.hpp"

#include <algorithm>
#include <memory>

namespace osu::openshmem {

namespace {

constexpr transfer_program rate_programs[] = {{"put_mr", "Put Message Rate", transfer::put},
                                              {"put_mr_nb", "Put_nb Message Rate", transfer::put_nbi},
                                              {"get_mr_nb", "Get_nb Message Rate", transfer::get_nbi}};

/// Transfers of a size in an iteration; OMB calls them iterations.
constexpr std::size_t transfers_of(std::size_t size) { return size < 8192 ? 500 : 50; }

constexpr std::size_t block_alignment = 4096; // OMB's
constexpr std::size_t largest = std::size_t{1} << 22;
alignas(block_alignment) std::byte global_blocks[transfers_of(largest) * largest];

/// One iteration, and none before it: see `rate_driver`.
constexpr sweep_plan rate_plan{.iterations = 1, .warmup = 0, .large = {1, 0}, .synchronize = before_each_size};

program message_rate_program(transfer_program const& row) {
    return {.name = std::string{"osu_oshm_"} + row.name,
            .title = std::string{"OSU OpenSHMEM "} + row.title + " Test",
            .moved_by = openshmem_library,
            .accepted =
                (common_options | validation_options) - option_set{option_name::percentiles, option_name::graph},
            .shows = metric::message_rate,
            .largest = largest,
            .needs = ranks::even,
            .style = one_sided_style,
            .heap_or_global = true};
}

/// Blocks of the buffer, as many as there are transfers of a large size. Each has room for one of these, and for the
/// tenth part of the transfers of a small size.
constexpr std::size_t blocks = transfers_of(largest);
std::size_t bytes_of_block(options const& asked) {
    constexpr auto small_transfers = transfers_of(1) / blocks;
    return std::max(small_transfers * std::min<std::size_t>(asked.max_size, 8191), asked.max_size);
}

/// Driver of the message rate: one buffer, from which and into which the transfers move their blocks.
class rate_driver : public openshmem_driver {
public:
    /// Throws refusal, on all ranks, if there is no room for the largest size. Collective over the group.
    explicit rate_driver(invocation const& from)
        : openshmem_driver{from, heap_bytes(from.options, blocks, bytes_of_block(from.options), sizeof global_blocks)},
          data_{allocate(global_blocks, blocks * bytes_of_block(options()), block_alignment)} {
        warm_up();
    }

    sonde::record measure(point const& at, transfer which) {
        auto const all = data_.bytes();
        std::fill(all.begin(), all.end(), static_cast<std::byte>(at.size));
        auto const used = all.first(transfers_of(at.size) * at.size);
        return measure_transfers(*this, at, which, {used, used, at.size},
                                 plan(rate_plan, at.size).keep({.rank_means = true}));
    }

private:
    /// OMB's warm-up of all sizes: puts of the whole buffer, in blocks of the largest size.
    void warm_up() {
        auto const size = options().max_size;
        auto const used = data_.bytes().first(transfers_of(size) * size);
        std::fill(used.begin(), used.end(), std::byte{0});
        with_pattern(transfer::put, pairing(), {used, used, size}, [](auto pattern) { pattern(); });
        pes().barrier();
    }

    symmetric_buffer data_;
};

suite::named_program named_message_rate(transfer_program const& row) {
    return named(message_rate_program(row), [&row](invocation const& from) {
        auto const on = std::make_shared<rate_driver>(from);
        return prepared_run{on, "", [&row, on] {
                                on->each_point(
                                    [&](point const& at) { return on->report(at, on->measure(at, row.which)); });
                            }};
    });
}

} // namespace

std::vector<suite::named_program> message_rate_programs() {
    return suite::programs_of(rate_programs, named_message_rate);
}

} // namespace osu::openshmem
