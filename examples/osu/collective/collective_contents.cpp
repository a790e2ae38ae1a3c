// SPDX-License-Identifier: BSL-1.0
// Validation of collectives: known contributions, and the contents that they lead to.
#include "osu/collective/collective_driver.hpp"

#include <sonde/measure/run.hpp>

#include <cstring>
#include <vector>

namespace osu {

namespace {

std::vector<sonde::contribution> contributions_of(operation which, recipe const& r, int root) {
    return with_any_operation(which, r, [root](auto const& op) { return op.contributions(root); });
}

std::vector<sonde::expected_block> expected_blocks_of(operation which, recipe const& r, int root) {
    return with_any_operation(which, r, [root](auto const& op) { return op.expected_blocks(root); });
}

/// Write what `rank` contributes to its block's destination.
void write(sonde::region block, element as, known_values const& values, int rank, int destination) {
    with_element(as, [&](auto type) {
        using T = decltype(type);
        write_each<T>(block, [&](std::size_t i) { return values.element<T>(rank, destination, i); });
    });
}

/// Element i of a block after the operation: a rank's, or the sum over ranks in their order.
template <class T>
T expected_element(sonde::expected_block const& block, known_values const& values, std::size_t i) {
    auto const element = block.source_offset / sizeof(T) + i;
    auto sum = values.element<T>(block.first_source, block.destination, element);
    for (int rank = block.first_source + 1; rank <= block.last_source; ++rank)
        sum = static_cast<T>(sum + values.element<T>(rank, block.destination, element));
    return sum;
}

/// Append the wrong elements of a block, by their index in the receive buffer `in`.
template <class T>
void find_wrong(sonde::region in, sonde::expected_block const& block, known_values const& values,
                std::vector<wrong_element>& wrong) {
    for (std::size_t i = 0; i != block.bytes / sizeof(T); ++i) {
        auto const at = block.offset + i * sizeof(T);
        T actual{};
        std::memcpy(&actual, in.data() + at, sizeof(T));
        compare(at / sizeof(T), expected_element<T>(block, values, i), actual, wrong);
    }
}

/// Copy of a buffer that the host may not be able to access.
std::vector<std::byte> copy_of(buffer const& from, sonde::opaque_region region) {
    std::vector<std::byte> copy(region.size());
    from.read({copy.size(), 1}, 0, copy);
    return copy;
}

} // namespace

known_values collective_driver::values_in(std::size_t round) const {
    return {round, what_.size_of == size_of::vector ? world().size() : 1};
}

int collective_driver::root_in(std::size_t round) const {
    auto const& root = options().root;
    if (!root.rotates) return root.rank;
    auto const call = round * (options().check.warmup + 1) + options().check.warmup;
    return static_cast<int>(call % static_cast<std::size_t>(world().size()));
}

void collective_driver::write_contribution(point const& at, collective_buffers const& buffers, std::size_t round) {
    auto out = copy_of(*out_, buffers.out); // gaps between contributions stay as they are
    std::vector<std::byte> in(buffers.in.size());
    for (auto const& c : contributions_of(what_.operation, recipe_of(at), root_in(round))) {
        if (c.bytes == 0) continue; // its offset may lie beyond the region
        auto const block = sonde::region{c.in_recvbuf ? in : out}.subspan(c.offset, c.bytes);
        write(block, at.type.kind, values_in(round), world().rank(), c.destination);
    }
    out_->write({out.size(), 1}, 0, out);
    in_->write({in.size(), 1}, 0, in);
}

std::size_t collective_driver::count_wrong_in(point const& at, collective_buffers const& buffers,
                                              std::size_t round) const {
    auto in = copy_of(*in_, buffers.in);
    std::vector<wrong_element> wrong;
    for (auto const& block : expected_blocks_of(what_.operation, recipe_of(at), root_in(round)))
        with_element(at.type.kind, [&](auto type) { find_wrong<decltype(type)>(in, block, values_in(round), wrong); });
    if (log_) (*log_)({at.type.kind, at.size, round}, wrong);
    return wrong.size();
}

std::size_t collective_driver::count_wrong(point const& at, collective_buffers const& buffers,
                                           std::function<void()> const& call) {
    auto const prepare = [&](std::size_t round) {
        write_contribution(at, buffers, round);
        for (std::size_t i = 0; i != options().check.warmup; ++i) call();
        write_contribution(at, buffers, round);
    };
    auto const verify = [&](std::size_t round) { return count_wrong_in(at, buffers, round); };
    auto pattern = call;
    return sonde::validate(world(), pattern, prepare, verify, check_rounds(options()));
}

} // namespace osu
